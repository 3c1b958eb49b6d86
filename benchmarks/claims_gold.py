"""How far the annotators of SV-Ident say one thing: for ``claims.py``."""

from __future__ import annotations

from typing import Any

import numpy as np
from variables import train_split

from marginalia.tasks.variables.catalogue.groups import group_key


def gold_facts() -> dict[str, Any]:
    """How far the annotators' links say one thing."""
    split = train_split("all")
    gold, real = split.require_gold(), next(iter(split.items.values())).catalogue
    asked = {
        id: {group_key(real[v]) for v in one.variables if v in real} for id, one in gold.items()
    }
    asked = {id: keys for id, keys in asked.items() if keys}
    by_doc: dict[str, list[set[str]]] = {}
    for id, keys in asked.items():
        by_doc.setdefault(split.items[id].doc_id, []).append(keys)
    most = [
        max(sum(k in keys for keys in each) for k in set.union(*each)) for each in by_doc.values()
    ]
    positive = [one for one in gold.values() if one.is_variable]
    return {
        "sentences": len(gold),
        "positive": len(positive),
        "identified": sum(bool(one.variables) for one in positive),
        "reachable": len(asked),
        "several_variables": float(np.mean([len(one.variables) > 1 for one in positive if one.variables])),
        "several_questions": float(np.mean([len(keys) > 1 for keys in asked.values()])),
        "most_used": sum(most) / len(asked),
        "papers": len(by_doc),
    }  # fmt: skip
