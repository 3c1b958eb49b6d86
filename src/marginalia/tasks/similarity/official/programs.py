"""The official programs of STS: those of 2013, 2014 and 2015/2016, the format checker, the mean; and numbers as they read
them.

They work on parsed rows, line i of the gold against line i of the output. Where they divide by zero
the correlation is undefined and we say so; where constant scores leave them a number made of
rounding errors, it is undefined too.

Perl takes the longest numeric beginning of a text and 0 where there is none: ``3,5`` is 3, ``abc`` is 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from marginalia.core import stats

_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_SPACE = r"[ \t\n\r\f\v]"
_BEGINS = re.compile(rf"{_SPACE}*({_NUMBER})")
_SPECIAL = re.compile(rf"{_SPACE}*([+-]?)(nan|inf)", re.IGNORECASE)
_WHOLE = re.compile(
    rf"{_SPACE}*(?:{_NUMBER}|[+-]?(?i:nan|inf|infinity)){_SPACE}*",
)
_SPACES = re.compile(rf"{_SPACE}+")
FOUR = ("headlines", "OnWN", "FNWN", "SMT")
"""The sets of CORE in the order of the program that scores all of them."""
Gold = Sequence[float | None]
"""A score per line; None for an empty line, a pair that was never rated."""
Result = dict[str, Any]
"""``value`` with ``printed``, ``nothing_printed`` or, where it is undefined, ``error``."""


def number(text: str) -> float:
    """What Perl makes of a text in arithmetic."""
    special = _SPECIAL.match(text)
    if special:
        sign, name = special.groups()
        return math.nan if name.lower() == "nan" else math.copysign(math.inf, float(f"{sign}1"))
    begins = _BEGINS.match(text)
    return float(begins[1]) if begins else 0.0


def looks_like_number(text: str) -> bool:
    """Whether the whole text is a number, with white space around it or without."""
    return _WHOLE.fullmatch(text) is not None


def fields(text: str) -> list[str]:
    """A line cut at white space: a leading blank makes an empty first field, a trailing one nothing."""
    cells = _SPACES.split(text)
    while cells and not cells[-1]:
        cells.pop()
    return cells


@dataclass(frozen=True, slots=True)
class Row:
    """A line of an output file."""

    score: float
    confidence: float | None


def score_2013(gold: Gold, rows: Sequence[Row]) -> Result:
    """r = cov_w(g, p) / (sd_w(g) sd_w(p)), the weight being the confidence of each row.

    A row without a confidence and a row that is missing have weight 0, surplus rows are ignored; an
    empty gold line is a 0. Without any confidence the program prints nothing.
    """
    if all(row.confidence is None for row in rows):
        return {"nothing_printed": True, "value": math.nan}
    return _result(*_paired(gold, rows, lambda row: row.confidence or 0.0))


def score_2014(gold: Gold, rows: Sequence[Row]) -> Result:
    """As in 2013, with weight 100 for each row of the output whatever its confidence."""
    return _result(*_paired(gold, rows, lambda row: 100.0))


def score_2016(gold: Gold, rows: Sequence[Row]) -> Result:
    """2015 and 2016: pairs with an empty gold line are dropped, then as in 2014.

    A missing row counts in the sum of weights and in the mean of gold, and nowhere else.
    """
    rated = [index for index, value in enumerate(gold) if value is not None]
    rows = [rows[index] for index in rated if index < len(rows)]
    g, p, w = _paired([gold[index] for index in rated], rows, lambda row: 100.0)
    result = _result(g, p, w)
    if len(rows) == len(g) or math.isnan(result["value"]):
        return result
    a, b = (g - g.mean())[: len(rows)], (p - p.mean())[: len(rows)]
    return _printed(float(a @ b) / math.sqrt(float((a @ a) * (b @ b))))


def _paired(
    gold: Gold, rows: Sequence[Row], weigh: Callable[[Row], float]
) -> tuple[stats.Floats, stats.Floats, stats.Floats]:
    """Gold, scores and weights, each as long as gold; a missing row is a 0 of weight 0."""
    given = rows[: len(gold)]
    g, p, w = np.zeros((3, len(gold)))
    g[:] = [value or 0.0 for value in gold]
    p[: len(given)] = [row.score for row in given]
    w[: len(given)] = [weigh(row) for row in given]
    return g, p, w


def _result(g: stats.Floats, p: stats.Floats, w: stats.Floats) -> Result:
    if not np.isfinite((g, p, w)).all():
        return {"printed": "NaN", "value": math.nan}
    r = stats.weighted_pearson(g, p, w)
    return _printed(r) if r == r else {"error": _why_undefined(g, p, w), "value": r}


def _printed(r: float) -> Result:
    return {"printed": f"{r:.5f}", "value": r}


def _why_undefined(g: stats.Floats, p: stats.Floats, w: stats.Floats) -> str:
    g, p = g[w != 0], p[w != 0]
    if len(g) < 2:
        return f"undefined: {len(g) or 'no'} row has a weight"
    if (p == p[0]).all():
        return "undefined: the scores are constant"
    if (g == g[0]).all():
        return "undefined: the gold is constant"
    return "undefined: the weights leave no variance"


def missing_output() -> dict[str, Result]:
    """What each program makes of an output file that is not there."""
    return {
        "2013": {"error": "No such file or directory", "value": math.nan},
        "2014_noconfidence": {"printed": "0.00000", "value": 0.0},
        "2015_2016_noconfidence": {"printed": "N.A.", "value": "N.A."},
    }


def mean(values: Mapping[str, float], sizes: Mapping[str, int]) -> float:
    """sum n_i r_i / sum n_i. An undefined correlation counts 0 with its full weight, as officially."""
    total = sum(sizes[name] for name in values)
    if not total:
        return math.nan
    return sum(sizes[name] * r for name, r in values.items() if r == r) / total


def mean_of_printed(results: Mapping[str, Result], lines: Mapping[str, int]) -> float:
    """The official mean: of correlations with five decimals, weighted by the line ends of gold.

    A set that printed nothing counts 0; NaN when one printed NaN.
    """
    shown = {name: float(result.get("printed", 0)) for name, result in results.items()}
    return math.nan if any(r != r for r in shown.values()) else mean(shown, lines)


def score_four(results: Mapping[str, Result], lines: Mapping[str, int]) -> Result:
    """What the program for all four sets prints, and its mean with more digits.

    The name of a set without a figure has no line end, so the next name stands beside it.
    """
    text = ""
    for name in FOUR:
        printed = results[name].get("printed")
        text += f"STS.output.{name}.txt " + (f"Pearson: {printed}\n" if printed else "")
    official = mean_of_printed(results, lines)
    printed_mean = "NaN" if official != official else f"{official:.5f}"
    return {
        "printed_lines": f"{text}Mean: {printed_mean}".split("\n"),
        "mean_printed": printed_mean,
        "mean_of_printed_correlations": official,
        "mean_full_precision": mean({name: results[name]["value"] for name in FOUR}, lines),
    }


def check_format(lines: Iterable[str]) -> Result:
    """The format checker of 2013: how many lines of an output file it refuses.

    It wants one or two tab-separated numbers, a score from 0 to 5 and a confidence from 0 to 100;
    comments and blank lines are bad lines for it, although the programs take them.
    """
    errors = sum(not _well_formed(line) for line in lines)
    return {"ok": errors == 0, "errors": errors}


def _well_formed(line: str) -> bool:
    cells = line.rstrip("\t").split("\t")
    if len(cells) > 2 or not all(looks_like_number(cell) and cell != "NaN" for cell in cells):
        return False
    # A value below or above is refused rather than one within taken: so "nan" passes, as officially.
    return not any(
        number(cell) < 0 or number(cell) > most for cell, most in zip(cells, (5, 100), strict=False)
    )
