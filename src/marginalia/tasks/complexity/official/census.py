"""Tables 1 and 2 of the LCP 2021 overview: contexts, different tokens (as they are written), complexities and splits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from marginalia.core.census import Count, rows_of
from marginalia.tasks.complexity.official.data import OFFICIAL, Target, load, published

SUBSETS = {"All": ("words", "multi"), "Single": ("words",), "MWE": ("multi",)}
WITHHELD = "the mean is that of train and trial: the complexities of test are withheld, and the paper may cut digits where this rounds"


def census(folder: Path) -> list[Count]:
    """Both tables, cell by cell."""
    splits = {name: load(name, folder) for name in OFFICIAL}
    known = {id: value for split in splits.values() for id, value in (split.gold or {}).items()}
    everything = {id: item for split in splits.values() for id, item in split.items.items()}
    result = []
    for row in rows_of(published(), "CompLex 2.0"):
        part = _part(everything, row)
        rated = [known[id] for id in part if id in known]
        counts = {
            "contexts": len(part),
            "unique_tokens": len({item.token for item in part.values()}),
            "average_complexity": sum(rated) / len(rated) if rated else None,
        }
        for name, ours in counts.items():
            partial = name == "average_complexity" and len(rated) < len(part)
            result.append(
                Count(
                    table="Table 1",
                    item=f"{row['subset']}, {row['genre']}: {name.replace('_', ' ')}",
                    ours=ours,
                    published=row[name],
                    why=WITHHELD if partial else "",
                )
            )
    for row in rows_of(published(), "trial, train and test splits"):
        for name, official in OFFICIAL.items():
            result.append(
                Count(
                    table="Table 2",
                    item=f"{row['subset']}, {row['genre']}: {official}",
                    ours=len(_part(splits[name].items, row)),
                    published=row[official],
                )
            )
    return result


def _part(items: Mapping[str, Target], row: Mapping[str, str]) -> dict[str, Target]:
    """The items of a subset and a genre."""
    kinds, genre = SUBSETS[row["subset"]], row["genre"].lower()
    return {
        id: item
        for id, item in items.items()
        if item.kind in kinds and genre in ("total", item.corpus)
    }
