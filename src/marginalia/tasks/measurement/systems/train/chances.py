"""How the weights of ``span_chances.json`` were made, and how to make them again.

    python -m marginalia.tasks.measurement.systems.train.chances FOLDER [--data DIR]

FOLDER has the weights of the five folds, ``FOLDER/0`` to ``FOLDER/4`` (``train.recipe --fold``). Each network says what it
thinks of the paragraphs that it has not learned from. Weights fitted on all of these ship; those fitted without a fold
are put beside its network, so that a cross-validation stays one. Takes a minute, needs nothing but the core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import data_folder
from marginalia.core.files import write_file
from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.official.data import labelled
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.systems.decoding import Floats, overlaps
from marginalia.tasks.measurement.systems.inference import Graphs
from marginalia.tasks.measurement.systems.inputs import Window
from marginalia.tasks.measurement.systems.span_chances import (
    FEATURES,
    FILE,
    FITTED_ROLES,
    NONE_FEATURES,
    WEIGHT_NAMES,
    Evidence,
    gather,
)

FOLDS = 5
RIDGE = 30.0
"""Chosen from 3, 10, 30 and 100 on the folds; so much that the weights hardly follow single articles."""
NEVER = -50.0


@dataclass(frozen=True, slots=True)
class JudgedSpans:
    """A role of a quantity: the evidence, and the official overlap of each span with the true one."""

    evidence: Evidence
    overlap: Floats
    exists: bool


def read_examples(graphs: Graphs, split: Split) -> dict[str, list[JudgedSpans]]:
    """Role -> an example for each quantity that the system finds in a split."""
    gold = split.require_gold()
    found: dict[str, list[JudgedSpans]] = {role: [] for role in FITTED_ROLES}
    for id, item in split.items.items():
        for reading in graphs.read(item.text):
            if not reading.asked:
                continue
            for quantity, own in zip(reading.quantities, gather(reading), strict=True):
                truth = _set_of(quantity, gold[id])
                for role, evidence in own.items():
                    spans = [span for span in truth if span.type == role]
                    places = _places(reading.window, spans)
                    value = np.zeros(len(evidence.spans), dtype=np.float32)
                    if places:
                        value = overlaps(evidence.spans, np.array(places), reading.words)[0].max(1)
                    found[role].append(JudgedSpans(evidence, value, bool(spans)))
    return found


def _set_of(quantity: Quantity, gold: Spans) -> list[Span]:
    """The annotation set to which the official program ties the quantity: the highest that it meets."""
    met = [
        span.set
        for span in gold
        if span.type == "Quantity" and span.start <= quantity.end and quantity.start <= span.end
    ]
    return [span for span in gold if met and span.set == max(met)]


def _places(window: Window, spans: Sequence[Span]) -> list[tuple[int, int]]:
    covered = (window.cover(span.start, span.end) for span in spans)
    return [place for place in covered if place is not None]


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


def _write(path: Path, parts: Sequence[dict[str, list[JudgedSpans]]]) -> None:
    fitted = {role: fit(list(_together(parts, role))) for role in FITTED_ROLES}
    write_file(path, json.dumps(fitted, indent=1) + "\n")


def _together(parts: Sequence[dict[str, list[JudgedSpans]]], role: str) -> Iterator[JudgedSpans]:
    for part in parts:
        yield from part[role]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the weights of the folds are")
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[1] / FILE)
    arguments = parser.parse_args()
    folds = labelled(data_folder(arguments.data)).folds(FOLDS)
    parts = [
        read_examples(Graphs(arguments.folder / str(number)), left_out)
        for number, (_, left_out) in enumerate(folds)
    ]
    for number in range(FOLDS):
        _write(arguments.folder / str(number) / FILE, [*parts[:number], *parts[number + 1 :]])
    _write(arguments.out, parts)


if __name__ == "__main__":
    main()
