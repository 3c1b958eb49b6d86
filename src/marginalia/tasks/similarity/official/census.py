"""The sets of STS 2012 and 2013 (Table 1 of the 2013 overview), and how their scores are distributed."""

from __future__ import annotations

from pathlib import Path

from marginalia.core.census import Count, rows_of
from marginalia.core.errors import MissingError
from marginalia.tasks.similarity.official import typed
from marginalia.tasks.similarity.official.data import load_set, published
from marginalia.tasks.similarity.official.layouts import YEARS

SETS = {"HDL": "headlines", "SMT": "SMT", "OnWN": "OnWN", "FNWN": "FNWN"}
LICENSED = "SMT is licensed by LDC and not public"
WITHHELD = "the scores of 2013 are withheld; the paper describes their distribution in words"
LOST = "Table 1 has no body in the text of the paper that is public"
NO_RECORDS = "the records of TYPED are not in the data folder"
PARTS = 5
"""Ranges of the scale from 0 to 5, a point each."""


def census(folder: Path) -> list[Count]:
    """Pairs of each set, the mean score and the share of scores in each range of a point."""
    result = []
    printed = {row["name"]: row for row in rows_of(published(), "CORE test pairs")}
    known = {SETS[row["dataset"]]: row["pairs"] for row in printed.values()}
    for year in ("2012-train", "2012-test", "2013-test"):
        for dataset in YEARS[year]:
            name = dataset.partition("/")[2]
            pairs, scores, _ = load_set(dataset, folder, optional=True)
            table = "text, section 2.1" if year == "2013-test" else "Table 1"
            result.append(
                Count(
                    table=table,
                    item=f"{dataset}: pairs",
                    ours=len(pairs) or None,
                    published=known[name] if year == "2013-test" else None,
                    why=LOST if year != "2013-test" else "" if pairs else LICENSED,
                )
            )
            result += _distribution(dataset, list((scores or {}).values()))
    for row in rows_of(published(), "TYPED pairs"):
        if row["split"] != "train":
            continue
        try:
            own: int | None = len(typed.load(folder))
        except MissingError:
            own = None
        result.append(
            Count(
                table="text, section 2.2",
                item="TYPED train: pairs",
                ours=own,
                published=row["pairs"],
                why="" if own else NO_RECORDS,
            )
        )
    return result


def _distribution(dataset: str, scores: list[float]) -> list[Count]:
    """The mean, and the share from each whole number up to the next; 5 is in the last."""
    if not scores:
        return [Count(table="scores", item=f"{dataset}: mean", ours=None, why=WITHHELD)]
    places = [min(int(score), PARTS - 1) for score in scores]
    return [
        Count(
            table="scores",
            item=f"{dataset}: mean",
            ours=sum(scores) / len(scores),
            why="not in the paper",
        ),
        *(
            Count(
                table="scores",
                item=f"{dataset}: share from {place} to {place + 1}",
                ours=places.count(place) / len(scores),
                why="not in the paper",
            )
            for place in range(PARTS)
        ),
    ]
