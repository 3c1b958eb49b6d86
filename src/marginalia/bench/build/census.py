"""Tables of what a data set holds: items, groups and gold, as a whole and by each facet of the task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from numbers import Real
from typing import Any

from marginalia.core.benchmark import Benchmark, Split

MAX_VALUES = 30
"""Values of a facet that are listed; one with more says little as a table."""


def census(task: Benchmark, split: Split) -> list[dict[str, Any]]:
    """One row for the whole split and one for each value of each facet."""
    rows = [{"facet": "", "value": "all", **_count(split, split.items)}]
    facets = task.facets(split) if task.facets is not None else {}
    for name, values in facets.items():
        counts = Counter(values.values())
        if len(counts) > MAX_VALUES:
            continue
        for value in sorted(counts):
            ids = [id for id, own in values.items() if own == value]
            rows.append({"facet": name, "value": value, **_count(split, ids)})
    return rows


def _count(split: Split, ids: Iterable[str]) -> dict[str, Any]:
    ids = list(ids)
    row: dict[str, Any] = {"items": len(ids), "groups": len({split.group[id] for id in ids})}
    if split.gold is None:
        return row
    values = [split.gold[id] for id in ids]
    numbers = [float(value) for value in values if isinstance(value, Real)]
    if numbers and len(numbers) == len(values):
        row["mean_gold"] = sum(numbers) / len(numbers)
    classes = Counter(name for value in values if (name := _class(value)))
    return row | dict(sorted(classes.items()))


def _class(gold: Any) -> str:
    """The class that the gold of an item is or has: its first field that is a word or a whole number."""
    if isinstance(gold, str) or not is_dataclass(gold):
        return gold if isinstance(gold, str) else ""
    for each in fields(gold):
        value = getattr(gold, each.name)
        if isinstance(value, (str, int)):
            return value if isinstance(value, str) else f"{each.name} {value}"
    return ""
