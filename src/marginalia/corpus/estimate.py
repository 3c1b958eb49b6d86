"""How long a corpus will take and how large it will be, from a few of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from marginalia.corpus.run import choose
from marginalia.corpus.settings import Settings, key_of
from marginalia.corpus.sources import check_sources, count_items, list_items
from marginalia.corpus.supervisor import Worker

SAMPLED = 8
"""Documents that are tried; the first one, which loads the models, is tried twice."""


def estimate(sources: Sequence[str], settings: Settings, workers: int) -> dict[str, Any]:
    """Annotates a sample and throws it away. Hours are those of the whole with so many cores to itself."""
    settings = settings.check()
    check_sources(sources)
    items = choose(list_items(sources), SAMPLED)
    with Worker(settings, key_of(settings.facts())) as worker:
        worker.annotate(items[:1])
        part = worker.annotate(items)
    spent = sum(row.get("cpu", 0.0) for row in part.documents)
    each = spent / max(1, len(items))
    size = sum(len(data) for data in part.files.values()) / max(1, len(items))
    total = count_items(sources)
    return {
        "documents": total,
        "sample": len(items),
        "failed": sum(row["status"] == "error" for row in part.documents),
        "seconds_each": round(each, 3),
        "hours": None if total is None else round(total * each / workers / 3600, 3),
        "megabytes": None if total is None else round(total * size / 1e6, 1),
    }
