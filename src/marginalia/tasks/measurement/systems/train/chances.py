"""How the weights of ``span_chances.json`` were made, and how to make them again.

    python -m marginalia.tasks.measurement.systems.train.chances FOLDER... --annotation annotation [--data DIR]
        [--convention official|margin]

Each FOLDER has weights that were trained without some folds of the articles (``train.recipe --fold``). Their networks say
what they think of the paragraphs of these, and the weights are fitted on all of them. Takes a minute, needs nothing but the core.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.core.benchmark import uniform
from marginalia.core.data_folder import data_folder
from marginalia.core.files import read_json, write_file
from marginalia.quantities.lexicon import stop_words
from marginalia.tasks.measurement.official.data import labelled
from marginalia.tasks.measurement.systems.conditions import CONDITION, candidates
from marginalia.tasks.measurement.systems.conditions import FEATURES as CONDITION_FEATURES
from marginalia.tasks.measurement.systems.decoding import Floats, overlaps
from marginalia.tasks.measurement.systems.inference import Graphs
from marginalia.tasks.measurement.systems.inputs import CONVENTIONS
from marginalia.tasks.measurement.systems.span_chances import (
    FEATURES,
    FILE,
    FITTED_ROLES,
    NONE_FEATURES,
    WEIGHT_NAMES,
    Evidence,
    gather,
)
from marginalia.tasks.measurement.systems.train.corpus import (
    LabelledParagraph,
    LabelledQuantity,
    fold_of,
    of_annotation,
    of_measeval,
)
from marginalia.tasks.measurement.systems.train.recipe import FOLDS, article_folds

RIDGE = 30.0
"""Chosen from 3, 10, 30 and 100 on the folds; so much that the weights hardly follow single articles."""
NEVER = -50.0
CONDITION_RIDGE = 0.3
"""Inverse strength; from 0.1 to 1 the figures are the same."""


@dataclass(frozen=True, slots=True)
class JudgedSpans:
    """A role of a quantity: the evidence, and the official overlap of each span with the true one."""

    evidence: Evidence
    overlap: Floats
    exists: bool


@dataclass(frozen=True, slots=True)
class Examples:
    """What the network says of the quantities that the system finds, and what is right."""

    spans: dict[str, list[JudgedSpans]]
    conditions: list[tuple[Floats, bool]]
    """The features of each candidate for a condition."""


def read_examples(graphs: Graphs, paragraphs: Iterable[LabelledParagraph]) -> Examples:
    found = Examples({role: [] for role in FITTED_ROLES}, [])
    for paragraph in paragraphs:
        for reading in graphs.read(paragraph.text):
            if not reading.asked:
                continue
            for number, own in enumerate(gather(reading)):
                quantity = reading.quantities[number]
                met = (
                    one
                    for one in paragraph.quantities
                    if one.place[0] < quantity.end and quantity.start < one.place[1]
                )
                truth = next(met, LabelledQuantity((0, 0)))
                for role, evidence in own.items():
                    spans = truth.entity if role == "MeasuredEntity" else truth.property
                    covered = (reading.window.cover(*span) for span in spans)
                    places = [place for place in covered if place is not None]
                    value = np.zeros(len(evidence.spans), dtype=np.float32)
                    if places:
                        value = overlaps(evidence.spans, np.array(places), reading.words)[0].max(1)
                    found.spans[role].append(JudgedSpans(evidence, value, bool(spans)))
                if truth.place != (0, 0) and graphs.convention == "margin":
                    said = " ".join(paragraph.text[a:b] for a, b in truth.conditions)
                    found.conditions.extend(
                        (features, _is_said(paragraph.text[span.start : span.end], said))
                        for span, features in candidates(paragraph.text, reading, number)
                    )
    return found


def _is_said(quote: str, said: str) -> bool:
    """Whether half of the words, function words apart, are in the annotated conditions."""
    known = set(re.findall(r"\w+", said.lower()))
    words = set(re.findall(r"\w+", quote.lower())) - stop_words()
    return bool(words) and 2 * len(words & known) >= len(words)


def fit(examples: Sequence[JudgedSpans]) -> dict[str, float]:
    """The weights under which the true spans are most probable, each span by its overlap with the true one.

    Features are put on one scale for the fit, so that the ridge is fair to all; the weights are for those as they are.
    """
    from scipy.optimize import minimize

    size = max(len(example.overlap) for example in examples)
    there = np.zeros((len(examples), size), dtype=bool)
    table = np.zeros((len(examples), size, len(FEATURES)))
    value = np.zeros((len(examples), size))
    for row, example in enumerate(examples):
        count = len(example.overlap)
        there[row, :count] = True
        table[row, :count] = example.evidence.features
        value[row, :count] = example.overlap
    none = np.array([example.evidence.none for example in examples], dtype=float)
    mean, scale = table[there].mean(axis=0), table[there].std(axis=0) + 1e-6
    none_mean, none_scale = none.mean(axis=0), none.std(axis=0) + 1e-6
    table = np.where(there[..., None], (table - mean) / scale, 0.0)
    none = (none - none_mean) / none_scale
    # In one table: the spans, "none" and "elsewhere", and what each would be worth.
    absent = np.array([not example.exists for example in examples])
    missed = ~absent & ~value.any(axis=1)
    wanted = np.concatenate([value, absent[:, None], missed[:, None]], axis=1)
    wanted[absent, :-2] = 0.0
    many = len(FEATURES)

    def loss(weights: Any) -> tuple[float, Any]:
        own, of_none, constants = np.split(weights, [many, many + len(NONE_FEATURES)])
        scores = np.concatenate(
            [
                np.where(there, table @ own, NEVER),
                (none @ of_none + constants[0])[:, None],
                np.full((len(examples), 1), constants[1]),
            ],
            axis=1,
        )
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        paid = chances * wanted
        total = paid.sum(axis=1, keepdims=True) + 1e-12
        slope = chances - paid / total
        gradient = np.concatenate(
            [
                np.einsum("es,esf->f", slope[:, :-2], table) + RIDGE * own,
                none.T @ slope[:, -2] + RIDGE * of_none,
                slope[:, -2:].sum(axis=0),
            ]
        )
        ridge = RIDGE / 2 * ((own**2).sum() + (of_none**2).sum())
        return float(ridge - np.log(total).sum()), gradient

    start = np.zeros(many + len(NONE_FEATURES) + 2)
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    own, of_none, constants = np.split(best, [many, many + len(NONE_FEATURES)])
    own, of_none = own / scale, of_none / none_scale
    # A softmax only knows differences: what the spans have in common goes to the two others.
    constants = constants + own @ mean - np.array([of_none @ none_mean, 0.0])
    rounded = (round(float(weight), 4) for weight in (*own, *of_none, *constants))
    return dict(zip(WEIGHT_NAMES, rounded, strict=True))


def fit_roles(parts: Iterable[Examples]) -> dict[str, dict[str, float]]:
    """Role -> its weights, from the examples of several parts of the articles."""
    every = list(parts)
    made = {role: fit([one for part in every for one in part.spans[role]]) for role in FITTED_ROLES}
    judged = [one for part in every for one in part.conditions]
    return made | ({CONDITION: fit_conditions(judged)} if judged else {})


def fit_conditions(judged: Sequence[tuple[Floats, bool]]) -> dict[str, float]:
    """The weights under which phrases that are conditions are likely, and others are not."""
    from sklearn.linear_model import LogisticRegression

    table = np.array([features for features, _ in judged])
    mean, scale = table.mean(axis=0), table.std(axis=0) + 1e-6
    line = LogisticRegression(C=CONDITION_RIDGE, max_iter=1000)
    line.fit((table - mean) / scale, [right for _, right in judged])
    weights = line.coef_[0] / scale
    constant = line.intercept_[0] - weights @ mean
    rounded = (round(float(weight), 4) for weight in (*weights, constant))
    return dict(zip((*CONDITION_FEATURES, "constant"), rounded, strict=True))


PARTS = 5


def read_parts(
    folder: Path,
    paragraphs: Sequence[LabelledParagraph],
    known: Mapping[str, int],
    convention: str,
) -> dict[int, Examples]:
    """The examples of articles that the network of this folder has not seen, in parts to fit on some and measure on others."""
    graphs = Graphs(folder, convention=convention)
    folds = read_json(folder / "manifest.json")["left_out"]
    own = [
        one
        for one in paragraphs
        if one.convention == convention and fold_of(one.article, known, FOLDS) in folds
    ]
    return {
        part: read_examples(graphs, (one for one in own if part_of_article(one.article) == part))
        for part in range(PARTS)
    }


def part_of_article(article: str) -> int:
    return int(uniform(f"{article}, part") * PARTS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="where the weights of the folds are")
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--annotation", type=Path, required=True)
    parser.add_argument("--convention", nargs="+", choices=CONVENTIONS, default=CONVENTIONS)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / FILE)
    arguments = parser.parse_args()
    split = labelled(data_folder(arguments.data))
    paragraphs = [*of_measeval(split), *of_annotation(arguments.annotation)]
    known = article_folds(split)
    fitted = read_json(arguments.out) if arguments.out.is_file() else {}
    for convention in arguments.convention:
        parts = [read_parts(one, paragraphs, known, convention) for one in arguments.folders]
        fitted[convention] = fit_roles(own for part in parts for own in part.values())
    write_file(arguments.out, json.dumps(fitted, indent=1) + "\n")


if __name__ == "__main__":
    main()
