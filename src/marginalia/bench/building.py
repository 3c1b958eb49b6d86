"""Data sets from raters: who rates what, whose ratings count, and a table of what a data set holds.

Source: STS 2013 overview, section 3: one gold pair among each five, five ratings of a pair; for TYPED at most twenty
pairs for each rater, "to avoid getting answers from people that are either tired or bored".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from numbers import Real
from pathlib import Path
from random import Random
from typing import Any

from marginalia.core.agreement import each_against_rest, interval, krippendorff_alpha
from marginalia.core.benchmark import Benchmark, Split
from marginalia.core.errors import FormatError
from marginalia.core.rating import Rated
from marginalia.core.table import format_table, parse_float, read_table

Given = dict[str, dict[str, float]]
"""Item -> rater -> rating, without those that do not apply."""
MAX_VALUES = 30
"""Values of a facet that are listed; one with more says little as a table."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one rater sees, in order; ``gold`` are those of the ids whose answer is known."""

    number: int
    ids: tuple[str, ...]
    gold: frozenset[str]


def assign(
    items: Sequence[str],
    gold: Sequence[str] = (),
    *,
    ratings: int = 5,
    per_rater: int = 20,
    gold_every: int = 5,
    seed: int = 0,
) -> list[Sheet]:
    """Sheets such that each item is on ``ratings`` of them and none has more than ``per_rater`` items.

    No sheet has an item twice. Of each ``gold_every`` questions one is a gold question, at a random place; a sheet
    never repeats one, so a sheet has at most as many as there are.
    """
    if ratings < 1 or per_rater < 1 or gold_every < 2:
        raise FormatError(
            "ratings and items of a rater are at least 1, and gold at most every second"
        )
    repeated = len(items) - len(set(items))
    if repeated:
        raise FormatError(f"{repeated} items are given twice")
    if set(items) & set(gold):
        raise FormatError(f"{min(set(items) & set(gold))!r} is an item and a gold question")
    chance = Random(f"{seed}:{ratings}:{per_rater}")  # noqa: S311 - an order, not a secret
    sheets: list[Sheet] = []
    for _ in range(ratings):
        # Each round gives every item out once, so a sheet cannot repeat one.
        order = list(items)
        chance.shuffle(order)
        for start in range(0, len(order), per_rater):
            own = order[start : start + per_rater]
            sheets.append(_sheet(len(sheets) + 1, own, gold, gold_every, chance))
    return sheets


def _sheet(
    number: int, own: Sequence[str], gold: Sequence[str], gold_every: int, chance: Random
) -> Sheet:
    step = gold_every - 1
    wanted = -(-len(own) // step) if gold else 0
    hidden = chance.sample(list(gold), min(wanted, len(gold)))
    ids: list[str] = []
    for place, start in enumerate(range(0, len(own), step)):
        part = list(own[start : start + step])
        if place < len(hidden):
            part.insert(chance.randint(0, len(part)), hidden[place])
        ids += part
    return Sheet(number, tuple(ids), frozenset(hidden))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a rater must reach. The defaults are those of STS 2013 (overview, sections 3.1 and 3.2)."""

    qualify: int = 4
    """Gold questions to answer rightly among those answered, before anything counts; 0 asks for none."""
    min_accuracy: float = 2 / 3
    """Below this share of right gold questions a rater's answers are discarded."""
    tolerance: float = 1.0
    """How far from the known answer a rating may be to count as right."""
    min_correlation: float = -1.0
    """Below this correlation with the mean of the others a rater's answers are discarded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rater:
    """How one person did. ``reason`` says why the ratings do not count; empty where they do."""

    name: str
    ratings: int
    gold: int
    gold_right: int
    correlation: float
    reason: str


@dataclass(frozen=True, slots=True)
class Quality:
    """The ratings that count, the raters, and figures of agreement."""

    kept: Given
    raters: tuple[Rater, ...]
    figures: Mapping[str, Any]


def assess(
    rated: Rated, gold: Mapping[str, float] | None = None, rules: Rules | None = None
) -> Quality:
    """Leave out raters who fail; means and agreement are of those who remain.

    ``one_against_rest`` is the mean of each rater's correlation with the mean of the others, the upper bound of
    STS 2013 (section 3.3); ``alpha`` is Krippendorff's for interval data.
    """
    gold, rules = gold or {}, rules or Rules()
    given = applying(rated)
    items = {id: each for id, each in given.items() if id not in gold}
    correlations = each_against_rest(items)
    names = sorted({rater for each in rated.values() for rater in each})
    raters = tuple(_rater(name, given, gold, rules, correlations) for name in names)
    good = {rater.name for rater in raters if not rater.reason}
    kept = {
        id: own
        for id, each in items.items()
        if (own := {rater: value for rater, value in each.items() if rater in good})
    }
    after = [r for r in each_against_rest(kept).values() if r == r]
    figures = {
        "raters": len(raters),
        "raters_left_out": len(raters) - len(good),
        "items": len(kept),
        "ratings": sum(map(len, kept.values())),
        "not_applicable": sum(v is None for each in rated.values() for v in each.values()),
        "one_against_rest": math.fsum(after) / len(after) if after else math.nan,
        "alpha": krippendorff_alpha(kept, interval),
    }
    return Quality(kept, raters, figures)


def applying(rated: Rated) -> Given:
    """Without "not applicable"; an item of which nothing else was said stays, without ratings."""
    return {
        id: {rater: value for rater, value in each.items() if value is not None}
        for id, each in rated.items()
    }


def _rater(
    name: str,
    given: Given,
    gold: Mapping[str, float],
    rules: Rules,
    correlations: Mapping[str, float],
) -> Rater:
    ratings = {id: each[name] for id, each in given.items() if name in each}
    asked = [id for id in ratings if id in gold]
    right = sum(is_near(ratings[id], gold[id], rules.tolerance) for id in asked)
    correlation = correlations.get(name, math.nan)
    reason = ""
    if gold and right < min(rules.qualify, len(gold)):
        reason = f"{right} gold questions right, {min(rules.qualify, len(gold))} qualify"
    elif asked and right / len(asked) < rules.min_accuracy:
        reason = f"{right} of {len(asked)} gold questions right"
    elif correlation < rules.min_correlation:
        reason = f"correlation {correlation:.2f} with the others"
    return Rater(
        name=name,
        ratings=len(ratings) - len(asked),
        gold=len(asked),
        gold_right=right,
        correlation=correlation,
        reason=reason,
    )


def is_near(answer: float | None, known: float | None, tolerance: float) -> bool:
    """Of a scale. "Not applicable" is near to itself only."""
    if answer is None or known is None:
        return answer is known
    return abs(answer - known) <= tolerance


def read_answers(path: Path) -> dict[str, float]:
    """The known answers of gold questions: a table with the columns id and rating."""
    comma = path.suffix.lower() == ".csv"
    rows = read_table(path, ("id", "rating"), quoted=comma, delimiter="," if comma else "\t")
    return {row["id"]: parse_float(row["rating"], "rating", path, line) for line, row in rows}


def format_kept(quality: Quality) -> str:
    """The ratings that count, as a table that every ``gold`` step reads."""
    rows: list[tuple[object, ...]] = [("id", "rater", "rating")]
    for id, each in quality.kept.items():
        rows += [(id, rater, f"{value:g}") for rater, value in each.items()]
    return format_table(rows)


def format_raters(quality: Quality) -> str:
    rows: list[tuple[object, ...]] = [
        ("rater", "ratings", "gold", "gold_right", "correlation", "left_out")
    ]
    for rater in quality.raters:
        shown = "" if rater.correlation != rater.correlation else f"{rater.correlation:.4f}"
        rows.append((rater.name, rater.ratings, rater.gold, rater.gold_right, shown, rater.reason))
    return format_table(rows)


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
