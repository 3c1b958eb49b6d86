"""Output files against gold: what the official programs print, and beside it what they hide."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from marginalia.core.report import Report
from marginalia.tasks.similarity.official import programs
from marginalia.tasks.similarity.official.programs import FOUR, Gold, Result, Row

Truth = tuple[Gold, int]
"""The gold of a set, and the number of line ends of its file."""
Output = tuple[list[Row], list[str]]
"""The rows of an output file, and its lines as they are."""


def judge(
    *, gold: Mapping[str, Truth], outputs: Mapping[str, Output], unknown: Iterable[str] = ()
) -> Report:
    """The report on a submission. Sets that have no output count 0 in the mean, as officially."""
    order = [name for name in FOUR if name in gold] + sorted(gold.keys() - set(FOUR))
    datasets = {name: _programs(gold[name][0], outputs.get(name)) for name in order}
    lines = {name: gold[name][1] for name in order}
    official = {name: datasets[name]["2013"] for name in order}
    sets, rows = {}, {}
    for name in order:
        truth, output = gold[name][0], outputs.get(name)
        plain = datasets[name]["2014_noconfidence"]["value"]
        sets[name] = {
            "pearson": official[name]["value"],
            "pearson_unweighted": math.nan if output is None else plain,
            "n": len(truth),
        }
        rows[name] = _rows(truth, output)
    scores: dict[str, Any] = {
        "sets": sets,
        "mean": programs.mean_of_printed(official, lines),
        "datasets": datasets,
    }
    if set(order) == set(FOUR):
        scores["correlation-all"] = programs.score_four(official, lines)
    weighted = {name: one["pearson"] for name, one in sets.items()}
    plain_values = {name: one["pearson_unweighted"] for name, one in sets.items()}
    there = {name: value for name, value in weighted.items() if name in outputs}
    also = {
        "rows": rows,
        "mean_full_precision": programs.mean(weighted, lines),
        "mean_unweighted": programs.mean(plain_values, lines),
        "mean_of_submitted_sets": programs.mean(there, lines),
        "undefined_constant_scores": [name for name in outputs if _constant(outputs[name][0])],
        "missing_outputs": [name for name in order if name not in outputs],
        "outputs_without_gold": list(unknown),
    }
    warnings = [
        text
        for name in order
        for text in _warnings(name, datasets[name], rows[name], outputs.get(name, ([], []))[0])
    ]
    warnings += [f"{name}: there is no gold for this output" for name in unknown]
    return Report(scores=scores, also=also, warnings=tuple(warnings))


def _programs(gold: Gold, output: Output | None) -> dict[str, Result]:
    if output is None:
        return programs.missing_output()
    rows, lines = output
    return {
        "2013": programs.score_2013(gold, rows),
        "2014_noconfidence": programs.score_2014(gold, rows),
        "2015_2016_noconfidence": programs.score_2016(gold, rows),
        "format_check": programs.check_format(lines),
    }


def _constant(rows: list[Row]) -> bool:
    return len(rows) > 1 and len({row.score for row in rows}) == 1


def _rows(gold: Gold, output: Output | None) -> dict[str, int]:
    """How many rows there are on either side, and how many do not count without a warning."""
    given = output[0] if output else []
    weighted = sum(bool(row.confidence) for row in given[: len(gold)])
    return {
        "gold": len(gold),
        "gold_empty": sum(value is None for value in gold),
        "output": len(given),
        "weight_0": len(gold) - weighted,
    }


def _warnings(
    name: str, results: Mapping[str, Result], rows: Mapping[str, int], given: Sequence[Row]
) -> list[str]:
    if "format_check" not in results:
        return [f"{name}: there is no output file; it counts 0 in the mean"]
    official, plain = results["2013"], results["2014_noconfidence"]
    warnings = []
    if rows["output"] != rows["gold"]:
        warnings.append(
            f"{rows['output']} rows where gold has {rows['gold']}; "
            "rows are paired by position, so all of them may be shifted"
        )
    if "nothing_printed" in official:
        warnings.append(
            "no row has a confidence, so the program of 2013 prints nothing and the set counts 0; "
            f"without confidence the correlation is {plain.get('printed', 'undefined')}"
        )
    elif "error" in official:
        warnings.append(f"the correlation is {official['error']}; it counts 0 in the mean")
    elif math.isnan(official["value"]):
        warnings.append("the correlation is undefined: a number is nan or inf; so is the mean")
    if rows["weight_0"] and "nothing_printed" not in official:
        warnings.append(f"{rows['weight_0']} of {rows['gold']} rows have weight 0 and do not count")
    negative = sum((row.confidence or 0) < 0 for row in given[: rows["gold"]])
    if negative:
        warnings.append(
            f"{negative} rows have a negative confidence, which the program uses as it is: "
            "the figure is no correlation"
        )
    if rows["gold_empty"]:
        warnings.append(
            f"{rows['gold_empty']} gold lines are empty: take the figure of the 2015/2016 program"
        )
    if not results["format_check"]["ok"]:
        warnings.append(f"the format checker refuses {results['format_check']['errors']} lines")
    return [f"{name}: {text}" for text in warnings]
