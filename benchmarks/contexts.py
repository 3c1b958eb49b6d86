"""What a row says of its quantity, against our own annotation: entity, property, conditions, value and unit.

    python benchmarks/contexts.py [fit] [annotated] [ablation] [thresholds] [implied] --weights FOLDER...

Each FOLDER has weights that were trained without some of the articles (``train.recipe --fold``); its manifest says
which, and only paragraphs of these are looked at. These articles are in five parts. ``fit`` writes systems/calibration.json: a logistic curve for each role,
and from which probability on it is shown. ``annotated`` has the figures,
each part with span weights and curves fitted on the others, with 95 % intervals resampled by article; two texts agree if the F1 of their words
is at least 0.5. ``ablation`` leaves out one rule after the other, ``thresholds``
shows from other probabilities on. ``implied`` writes annotators/measurements/implied.json: what annotators say is measured where the text
does not, by the dimension of the unit; it needs no weights.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown, research_page, task_page
from recording import fill, keep, load

from marginalia import Document
from marginalia.annotators.measurements import document
from marginalia.annotators.measurements.extract import extract_measurements
from marginalia.annotators.measurements.names import property_name
from marginalia.core import benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.files import read_json
from marginalia.core.own_weights import using_weights
from marginalia.quantities.units.kinds import UNIT_ONLY_SCORE, find_kind
from marginalia.quantities.units.measure import read_measure
from marginalia.quantities.units.unit import DIMENSIONLESS
from marginalia.tasks.measurement.official.data import labelled
from marginalia.tasks.measurement.systems.margin_choice import FILE
from marginalia.tasks.measurement.systems.span_chances import FEATURES, FITTED_ROLES
from marginalia.tasks.measurement.systems.span_chances import FILE as CHANCES
from marginalia.tasks.measurement.systems.train.chances import (
    Examples,
    JudgedSpans,
    fit_roles,
    part_of_article,
    read_parts,
)
from marginalia.tasks.measurement.systems.train.corpus import fold_of, of_annotation
from marginalia.tasks.measurement.systems.train.recipe import FOLDS, article_folds

RESULT = RESULTS / "contexts.json"
ANNOTATION = ROOT / "annotation"
SHIPPED = ROOT / "src" / "marginalia" / "tasks" / "measurement" / "systems" / FILE
ROLES = {"MeasuredEntity": "entity", "MeasuredProperty": "property", "Qualifier": "conditions"}
SHOWN = 0.4
"""What is as likely right as not is shown: an empty cell sends a curator to the paper as a false one does."""
CONDITION_SHOWN = 0.3
"""Of conditions: what is no annotated condition is mostly another fact of the same experiment (``ablation``)."""
PARTS = ("fit", "annotated", "ablation", "thresholds", "implied")
THRESHOLDS = (0.3, 0.4, 0.5, 0.6)
IMPLIED = ROOT / "src" / "marginalia" / "annotators" / "measurements" / "implied.json"
MIN_IMPLIED, MIN_IMPLIED_SHARE = 10, 0.75
"""Rows of a dimension without a property that says what is measured, and the share of them that have the same name."""
IDENTITY = {role: {"bias": 0.0, "slope": 1.0, "shown": 0.0} for role in ROLES}

EVIDENCE = {
    "what the rules see": ("rule_entity", "rule_property"),
    "neighbouring quantities": ("near_entity", "near_property"),
}
"""Groups of features of ``span_chances`` that ``ablation`` leaves out one after the other."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Paragraph:
    id: str
    article: str
    part: int
    """Of the articles: what is fitted for it is fitted on the others."""
    text: str
    gold: list[Row]


def words(text: str | None) -> set[str]:
    return set(re.findall(r"\w+", (text or "").lower()))


def agree(a: str | None, b: str | None) -> bool:
    one, other = words(a), words(b)
    return bool(one and other) and 2 * len(one & other) / (len(one) + len(other)) >= 0.5


def paragraphs(left_out: Sequence[int]) -> list[Paragraph]:
    """The annotated paragraphs of these folds."""
    known = article_folds(labelled(data_folder()))
    gold: dict[str, list[Row]] = {}
    for row in rows_of("quantities.jsonl"):
        own = gold.setdefault(row["id"], [])
        own += [] if row.get("none") else [row]
    found = (
        Paragraph(
            row["id"], row["article"], part_of_article(row["article"]), row["text"], gold[row["id"]]
        )
        for row in rows_of("paragraphs.jsonl")
        if row["id"] in gold and row.get("lang", "en") == "en"
    )
    return [one for one in found if fold_of(one.article, known, FOLDS) in left_out]


def rows_of(name: str) -> Iterator[Row]:
    with (ANNOTATION / name).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def pairs(paragraph: Paragraph, rows: Sequence[Row]) -> list[tuple[Row, Row | None]]:
    """Each annotated quantity with the first row that meets it and is not yet taken."""
    found: list[tuple[Row, Row | None]] = []
    taken: set[int] = set()
    for gold in paragraph.gold:
        start, end = gold["spans"]["quantity"]
        places = (
            n
            for n, row in enumerate(rows)
            if n not in taken and row["start"] < end and start < row["end"]
        )
        place = next(places, None)
        taken |= {place} - {None}
        found.append((gold, None if place is None else rows[place]))
    return found


def extract(given: Sequence[Paragraph], least: float | None) -> dict[str, list[Row]]:
    document._measure.cache_clear()
    benchmark._load.cache_clear()  # weights of another fold have the same manifest
    return {
        one.id: list(
            extract_measurements(
                Document(id=one.id, text=one.text, meta={"lang": "en"}),
                system="strict",
                min_confidence=least,
            ).rows
        )
        for one in given
    }


def left_out(folder: Path) -> list[int]:
    return list(read_json(folder / "manifest.json")["left_out"])


def read_with(
    folders: Sequence[Path],
    files: Callable[[int], Mapping[str, Any]],
    least: float | None = None,
) -> list[tuple[Paragraph, list[Row]]]:
    """Every left-out paragraph with the rows by a network that did not learn from its article."""
    found = []
    for folder in folders:
        every = paragraphs(left_out(folder))
        for part in sorted({one.part for one in every}):
            given = [one for one in every if one.part == part]
            with tempfile.TemporaryDirectory() as own:
                for path in folder.iterdir():
                    (Path(own) / path.name).symlink_to(path.resolve())
                for name, content in files(part).items():
                    (Path(own) / name).unlink(missing_ok=True)
                    (Path(own) / name).write_text(json.dumps(content), encoding="utf-8")
                with using_weights(Path(own)):
                    rows = extract(given, least)
            found += [(one, rows[one.id]) for one in given]
    return found


Judged = dict[str, list[tuple[int, float, bool]]]
"""Role -> part, score and whether the text agrees, of the best candidate of each quantity."""


def judge(read: Sequence[tuple[Paragraph, list[Row]]]) -> Judged:
    judged: Judged = {role: [] for role in FITTED_ROLES}
    for paragraph, rows in read:
        for gold, row in pairs(paragraph, rows):
            if row is None:
                continue
            for role in FITTED_ROLES:
                name = ROLES[role]
                if row[name]:
                    score = row[f"{name}_confidence"]
                    judged[role].append((paragraph.part, score, agree(row[name], gold[name])))
    return judged


def fit_curves(
    judged: Judged,
    without: int | None = None,
    condition_shown: float = CONDITION_SHOWN,
    shown: float = SHOWN,
) -> dict[str, dict[str, float]]:
    """The curve of each role; what conditions are weighed with gives probabilities as it is."""
    from sklearn.linear_model import LogisticRegression

    made = {"Qualifier": {"bias": 0.0, "slope": 1.0, "shown": condition_shown}}
    for role, every in judged.items():
        own = [(score, right) for part, score, right in every if part != without]
        scores = np.clip([score for score, _ in own], 1e-4, 1 - 1e-4)
        right = np.array([right for _, right in own])
        logits = np.log(scores / (1 - scores))
        line = LogisticRegression(C=100.0).fit(logits[:, None], right)
        bias, slope = float(line.intercept_[0]), float(line.coef_[0, 0])
        made[role] = {"bias": round(bias, 3), "slope": round(slope, 3), "shown": shown}
    return made


def tally(paragraph: Paragraph, rows: Sequence[Row]) -> dict[str, tuple[float, float]]:
    """Figure -> how many are right and of how many."""
    found: dict[str, list[float]] = {}

    def count(name: str, right: bool) -> None:
        own = found.setdefault(name, [0, 0])
        own[0] += right
        own[1] += 1

    matched = pairs(paragraph, rows)
    met = sum(row is not None for _, row in matched)
    found["rows that are one"] = [met, len(rows)]
    for gold, row in matched:
        count("quantities found", row is not None)
        said: Row = row or {}
        entity, property = (agree(said.get(role), gold[role]) for role in ("entity", "property"))
        conditions = words(" ".join(one["quote"] for one in said.get("qualifiers", ())))
        if gold["entity"] and gold["property"]:
            count("entity and property right", entity and property)
        if gold["conditions"]:
            count("a condition right", bool(conditions & words(" ".join(gold["conditions"]))))
        if row is None:
            continue
        count("rows with entity and property", bool(row["entity"] and row["property"]))
        count("rows with entity or property", bool(row["entity"] or row["property"]))
        count("rows with a condition", bool(row["qualifiers"]))
        if row["entity"]:
            count("entity right where shown", entity)
        if row["property"]:
            count("property right where shown", property)
        if row["qualifiers"]:
            count(
                "a condition right where shown",
                bool(conditions & words(" ".join(gold["conditions"]))),
            )
        if row["purpose"]:
            count("purpose right", row["purpose"] == gold["role"])
        if gold["form"] != "approximate" and not gold["source_error"]:
            count("value and unit right", same_value(row, gold))
            if row["si"]:
                count("value and unit right where there is an SI value", same_value(row, gold))
    return {name: (own[0], own[1]) for name, own in found.items()}


def same_value(row: Row, gold: Row) -> bool:
    """Whether numbers and unit are those that were annotated; a blank or a sign for minus is no difference."""
    wanted = (
        (gold["value"], gold["value"]) if gold["value"] is not None else (gold["low"], gold["high"])
    )
    numbers = all(
        (a is None) == (b is None) and (a is None or abs(a - b) <= 1e-9 + 1e-6 * abs(b))
        for a, b in zip((row["low"], row["high"]), wanted, strict=True)
    )
    return numbers and plain(row["unit"]) == plain(gold["unit"])


def plain(unit: str | None) -> str:
    return re.sub(r"[\s·⋅.*]", "", (unit or "").replace("−", "-").replace("µ", "μ"))


def figures(read: Sequence[tuple[Paragraph, list[Row]]]) -> dict[str, dict[str, float]]:
    tallies = [(one.article, tally(one, rows)) for one, rows in read]
    names = dict.fromkeys(name for _, own in tallies for name in own)
    return {name: interval(tallies, name) for name in names}


def interval(tallies: Sequence[tuple[str, Mapping[str, Any]]], name: str) -> dict[str, float]:
    by_article: dict[str, list[float]] = {}
    for article, own in tallies:
        sums = by_article.setdefault(article, [0.0, 0.0])
        for place, value in enumerate(own.get(name, (0, 0))):
            sums[place] += value
    sums = np.array(list(by_article.values()))
    draw = np.random.default_rng(0).integers(0, len(sums), (1000, len(sums)))
    drawn = sums[draw].sum(axis=1)
    low, high = np.quantile(drawn[:, 0] / np.maximum(drawn[:, 1], 1), (0.025, 0.975))
    right, count = sums.sum(axis=0)
    return {
        "value": right / max(count, 1),
        "low": float(low),
        "high": float(high),
        "count": int(count),
    }


def without(examples: Mapping[int, Any], names: Sequence[str]) -> dict[int, Any]:
    """The examples with nothing in these features, so that their weights become 0."""
    columns = [FEATURES.index(name) for name in names]

    def blank(one: JudgedSpans) -> JudgedSpans:
        features = one.evidence.features.copy()
        features[:, columns] = 0.0
        return replace(one, evidence=replace(one.evidence, features=features))

    return {
        part: Examples(
            {role: list(map(blank, every)) for role, every in own.spans.items()}, own.conditions
        )
        for part, own in examples.items()
    }


def ablation(folders: Sequence[Path], examples: Mapping[int, Any]) -> dict[str, dict[str, float]]:
    """What the best guesses are worth without a group of features."""
    shown = ("entity right where shown", "property right where shown", "entity and property right")

    def measured(given: Mapping[int, Any]) -> dict[str, float]:
        chances = fitted(given)
        found = figures(read_with(folders, lambda part: {CHANCES: chances[part], FILE: IDENTITY}))
        return {name: found[name]["value"] for name in shown}

    made = {"nothing": measured(examples)}
    for name, features in EVIDENCE.items():
        made[name] = measured(without(examples, features))
    return made


def thresholds(folders: Sequence[Path], chances: Mapping[int, Any], judged: Judged) -> Any:
    """What the thresholds of entity, property and conditions are worth, one of them changed at a time."""
    wanted = (
        "entity and property right",
        "entity right where shown",
        "property right where shown",
        "a condition right",
        "a condition right where shown",
        "rows with a condition",
    )
    made = {}
    for shown in THRESHOLDS:
        curves = {part: fit_curves(judged, part, shown, shown) for part in chances}
        found = figures(
            read_with(folders, lambda part, of=curves: {CHANCES: chances[part], FILE: of[part]})
        )
        made[f"{shown:.2f}"] = {name: found[name]["value"] for name in wanted}
    return made


def fitted(examples: Mapping[int, Any]) -> dict[int, Any]:
    """Part -> the weights of the spans and conditions, fitted on the others."""
    return {
        part: {"margin": fit_roles(own for n, own in examples.items() if n != part)}
        for part in examples
    }


def implied_names() -> Iterator[tuple[str, str, str]]:
    """Article, dimension of the unit and the name that is implied, of rows whose property does not say what is measured."""
    texts = {row["id"]: row for row in rows_of("paragraphs.jsonl") if row.get("lang", "en") == "en"}
    for row in rows_of("quantities.jsonl"):
        if row.get("none") or not row["unit"] or row["id"] not in texts:
            continue
        text, (start, end) = texts[row["id"]]["text"], row["spans"]["quantity"]
        around = {"before": text[max(0, start - 60) : start], "after": text[end : end + 60]}
        unit = read_measure(row["quantity"], row["unit"], language="en", **around).unit
        if unit is None or unit.dimension == DIMENSIONLESS:
            continue
        kind = find_kind(row["property"], unit)
        if row["property"] and not (row["implied"] and kind and kind.score <= UNIT_ONLY_SCORE):
            continue
        first = re.split(r"[;,(]", row["implied"] or "")[0].strip()
        name = property_name(first) or ""
        # "final concentration", "mass used for extraction": the head of the phrase.
        yield texts[row["id"]]["article"], unit.dimension, name.split()[-1] if name else ""


def implied() -> dict[str, Any]:
    """Writes the table from all articles; the figures are of each fold, by a table from the others."""
    known = article_folds(labelled(data_folder()))
    every = [(fold_of(article, known, FOLDS), *rest) for article, *rest in implied_names()]
    shown = right = 0
    for fold in range(FOLDS):
        names = usual(row[1:] for row in every if row[0] != fold)
        own = [
            (names[dimension], name)
            for f, dimension, name in every
            if f == fold and dimension in names
        ]
        shown, right = shown + len(own), right + sum(a == b for a, b in own)
    IMPLIED.write_text(
        json.dumps(usual(row[1:] for row in every), indent=1) + "\n", encoding="utf-8"
    )
    return {"rows": len(every), "shown": shown, "right": right}


def usual(rows: Iterator[Sequence[str]]) -> dict[str, str]:
    """Dimension -> the name that most rows have."""
    counts: dict[str, Counter[str]] = {}
    for dimension, name in rows:
        counts.setdefault(dimension, Counter())[name] += 1
    best = {dimension: own.most_common(1)[0] for dimension, own in counts.items()}
    return {
        dimension: name
        for dimension, (name, count) in sorted(best.items())
        if name
        and (total := counts[dimension].total()) >= MIN_IMPLIED
        and count >= MIN_IMPLIED_SHARE * total
    }


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    guesses = results["annotated"]["guesses"]
    rows = [
        [
            name,
            f"{own['value']:.2f}",
            f"{own['low']:.2f}–{own['high']:.2f}",
            f"{own['count']:,}",
            f"{guesses[name]['value']:.2f}",
        ]
        for name, own in results["annotated"]["figures"].items()
    ]
    heads = ("", "as shown", "95 % interval", "of", "best guess everywhere")
    table = markdown(heads, rows)
    return {
        (task_page("measurement"), "contexts:annotated"): table,
        (research_page("measurement"), "contexts:ablation"): markdown(
            ("without", *next(iter(results["ablation"].values()))),
            [
                [name, *(f"{value:.3f}" for value in own.values())]
                for name, own in results["ablation"].items()
            ],
        ),
        (research_page("measurement"), "contexts:thresholds"): markdown(
            ("shown from", *next(iter(results["thresholds"].values()))),
            [
                [name, *(f"{value:.2f}" for value in own.values())]
                for name, own in results["thresholds"].items()
            ],
        ),
    }


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("parts", nargs="*", choices=[*PARTS, []], help="all without any")
    made.add_argument("--weights", type=Path, nargs="+", default=[], metavar="FOLDER")
    return made


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    parts = given.parts or PARTS
    if "implied" in parts:
        results["implied"] = implied()
        keep(RESULT, results, "implied", "")
    if set(parts) == {"implied"}:
        return
    known = article_folds(labelled(data_folder()))
    annotated = of_annotation(ANNOTATION)
    examples: dict[int, Any] = {}
    for folder in given.weights:
        examples |= read_parts(folder, annotated, known, "margin")
    chances = fitted(examples)
    guessed = read_with(given.weights, lambda part: {CHANCES: chances[part], FILE: IDENTITY})
    judged = judge(guessed)
    if "fit" in parts:
        curves = fit_curves(judged)
        SHIPPED.write_text(json.dumps(curves, indent=1) + "\n", encoding="utf-8")
        results["fit"] = {role: len(own) for role, own in judged.items()}
        keep(RESULT, results, "fit", "--weights FOLDER")
    if "annotated" in parts:
        read = read_with(
            given.weights, lambda part: {CHANCES: chances[part], FILE: fit_curves(judged, part)}
        )
        results["annotated"] = {
            "paragraphs": len(read),
            "articles": len({one.article for one, _ in read}),
            "figures": figures(read),
            "guesses": figures(guessed),
        }
        keep(RESULT, results, "annotated", "--weights FOLDER")
        for name, own in results["annotated"]["figures"].items():
            print(
                f"{name}: {own['value']:.3f} [{own['low']:.3f}, {own['high']:.3f}] of {own['count']}"
            )
    if "ablation" in parts:
        results["ablation"] = ablation(given.weights, examples)
        keep(RESULT, results, "ablation", "--weights FOLDER")
    if "thresholds" in parts:
        results["thresholds"] = thresholds(given.weights, chances, judged)
        keep(RESULT, results, "thresholds", "--weights FOLDER")
    if {"annotated", "ablation", "thresholds"} <= results.keys():
        fill(tables(results))


if __name__ == "__main__":
    main()
