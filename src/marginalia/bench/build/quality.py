"""Whose ratings count: raters are qualified and watched by gold questions, and compared with each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.agreement import each_against_rest, interval, krippendorff_alpha, means
from marginalia.core.rating import Rated
from marginalia.core.table import format_table, parse_float, read_table

Given = dict[str, dict[str, float]]
"""Item -> rater -> rating, without those that do not apply."""


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


def mean_or_zero(rated: Rated) -> dict[str, float]:
    """The mean of the ratings that apply, 0 where none does: the rule of TYPED (STS 2013, section 3.2)."""
    given = applying(rated)
    return {**dict.fromkeys(given, 0.0), **means(given)}


def _rater(
    name: str,
    given: Given,
    gold: Mapping[str, float],
    rules: Rules,
    correlations: Mapping[str, float],
) -> Rater:
    own = {id: each[name] for id, each in given.items() if name in each}
    asked = [id for id in own if id in gold]
    right = sum(is_near(own[id], gold[id], rules.tolerance) for id in asked)
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
        ratings=len(own) - len(asked),
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
