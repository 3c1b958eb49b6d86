"""Tables of what a data set holds: items, groups and gold, as a whole and by each facet of the task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from numbers import Real
from typing import Any

from marginalia.core.benchmark import Benchmark, Split

MAX_VALUES = 30
"""Values of a facet that are listed; one with more says little as a table."""


def census(task: Benchmark, split: Split) -> list[dict[str, Any]]:
    """One row for the whole split and one for each value of each facet."""
    rows = [{"facet": "", "value": "all", **_count(task, split, split.items)}]
    facets = task.facets(split) if task.facets is not None else {}
    for name, values in facets.items():
        counts = Counter(values.values())
        if len(counts) > MAX_VALUES:
            continue
        for value in sorted(counts):
            ids = [id for id, own in values.items() if own == value]
            rows.append({"facet": name, "value": value, **_count(task, split, ids)})
    return rows


def _count(task: Benchmark, split: Split, ids: Iterable[str]) -> dict[str, Any]:
    ids = list(ids)
    row: dict[str, Any] = {"items": len(ids), "groups": len({split.group[id] for id in ids})}
    if split.gold is None:
        return row
    values = [task.encode(split.gold[id]) for id in ids]
    numbers = [float(value) for value in values if isinstance(value, Real)]
    if numbers and len(numbers) == len(values):
        row["mean_gold"] = sum(numbers) / len(numbers)
    labels = [value["label"] for value in values if isinstance(value, dict) and "label" in value]
    row |= {str(label): count for label, count in sorted(Counter(labels).items())}
    return row
