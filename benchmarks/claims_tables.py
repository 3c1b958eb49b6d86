"""The tables of ``claims.py`` in the task's README."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pages import ROOT, markdown

from marginalia.tasks.variables.systems.claims import MIN_CLAIM_PROBABILITY

PAGE = ROOT / "src" / "marginalia" / "tasks" / "variables" / "README.md"
MIN_PRECISION = 0.75
TRIED = {
    "concepts": "first candidate, each paper left out alone",
    "ranking": "the re-ranker, one feature more",
    "full": "the same, trained on all candidates",
    "regression": "the regression of claims, 400 variables of named surveys, one feature more",
    "quotes": "six content words in a row or more of one question alone",
    "whole_label": "all content words of one label, three or more",
    "hubs": "labels that are near to any sentence, eight folds over papers, candidates sampled",
    "usual": "what a usual label costs, eight folds over papers, candidates sampled; 2018 by the head of all papers",
    "batteries": "first candidate, and what a claim of its battery would be",
    "detection": "detection, twelve folds over papers",
}
SETTINGS = {
    "whole": "all surveys",
    "named": "surveys that the paper names",
}


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    fit = results["fit"]

    def number(value: float | None) -> str:
        return "–" if value is None else f"{value:.2f}"

    def cells(row: dict[str, Any]) -> list[str]:
        shown, best = row["shown"], row["at_75"]
        return [
            str(row["reachable"]), number(row["first_right"]),
            str(shown["claims"]), number(shown["precision"]), number(shown["exact"]),
            number(shown["coverage"]), number(best["coverage"]),
        ]  # fmt: skip

    columns = ("variables", "searched", "sentences with a variable of it", "first right",
               f"claims from {MIN_CLAIM_PROBABILITY} on", "right", "right to the wave",
               "coverage", f"coverage at {MIN_PRECISION} right")  # fmt: skip
    rows = [
        [f"{int(size):,}", SETTINGS[setting], *cells(row)]
        for size, each in fit["sizes"].items()
        for setting, row in each.items()
    ]
    by_length = [[name, *cells(row)] for name, row in fit["lengths"].items()]
    curve = []
    for size in fit["sizes"]:
        row = fit["sizes"][size]["named"]["curve"]
        curve.append(
            [f"{int(size):,}", *(f"{number(one['precision'])} / {number(one['coverage'])}" for one in row.values())]
        )  # fmt: skip
    thresholds = [f"from {name}" for name in next(iter(fit["sizes"].values()))["named"]["curve"]]
    said = ", ".join(
        f"{one['said']:.2f} said {one['right']:.2f} right ({one['n']})"
        for one in fit["calibration"]["tenths"].values()
    )
    shares = list(next(iter(fit["bounds"].values()))["ours"])
    halves = [
        [f"{int(size):,}", name, *(number(value) for value in row.values())]
        for size, each in fit["bounds"].items()
        for name, row in each.items()
    ]
    gold = fit["gold"]
    tried = "\n".join(
        markdown((name, *part["columns"]), part["rows"])
        for key, name in TRIED.items()
        for part in (results["tried"][key],)
    )
    found = {}
    if one := results.get("silence"):
        found[PAGE, "claims:silence"] = (
            f"On {one['documents']} real documents of {one['words']:,} words that use none of these surveys, linked to all 1,360 variables, "
            f"{one['claimed']} sentences got a claim and {one['named']} a guess; {one['surveys']} of the documents speak of a survey of "
            f"people, and {one['sentences']} sentences of these were only said to use some variable.\n"
        )
    return found | {
        (PAGE, "claims:bounds"): markdown(("variables", "precision at a coverage of", *shares), halves),
        (PAGE, "claims:gold"): (
            f"Of {gold['sentences']:,} sentences annotators marked {gold['positive']:,} and identified a variable in "
            f"{gold['identified']:,}; for {gold['reachable']:,} of these the vocabulary has one. "
            f"{gold['several_variables']:.0%} have several variables, {gold['several_questions']:.0%} several questions of the "
            f"vocabulary, and {gold['most_used']:.0%} have the one that their paper uses most.\n"
        ),
        (PAGE, "claims:tried"): tried,
        (PAGE, "claims:sizes"): markdown(columns, rows),
        (PAGE, "claims:lengths"): markdown(("length of paper, 400 and 10,000 variables", *columns[2:]), by_length),
        (PAGE, "claims:curve"): markdown(("variables", *thresholds), curve),
        (PAGE, "claims:calibration"): (
            f"Calibration on papers left out, in tenths: {said}; mean difference {fit['calibration']['error']:.3f}.\n"
        ),
    }  # fmt: skip
