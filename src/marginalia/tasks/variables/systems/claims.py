"""How often is such a claim right? From what is known of a sentence's best candidate to a probability.

The re-ranker's own probability falls with the number of candidates, so one threshold cannot serve a codebook and an
archive. This looks at the margin to the next *different* question, at how surely the sentence mentions any variable, and
at how many variables there were to choose from; it was fitted on catalogues of 16 to 100,000 variables, papers left
out. The figure is the share of such claims that were right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.core.files import read_json
from marginalia.nlp.weights import open_weights
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems import WEIGHTS
from marginalia.tasks.variables.systems.evidence import evidence

Floats = NDArray[np.float64]

CLAIMS = "claims.json"
FEATURES = (
    "score", "margin", "share", "detection", "words", "meaning", "peak", "candidates", "variables", "paper"
)  # fmt: skip
"""In their order: the best candidate's score; how far the best of another question is below it; its question's share of
all; how surely the sentence mentions a variable; likeness by words and by meaning; how well the sentence fits it next
to the one that fits it best; candidates, variables and sentences (logarithms)."""
USED = ("margin", "share", "detection", "words", "meaning", "peak", "candidates")
MAX_DEVIATIONS = 3.0
MIN_CLAIM_PROBABILITY = 0.5
"""From here on a variable is claimed; below it is a candidate."""
MIN_PERHAPS_PROBABILITY = 0.25
"""From here on a candidate is named unasked, as a guess: one in four is right."""
MAX_LOGIT = 8.0


def claim_features(
    paper: Paper, catalogue: Catalogue, scores: Floats, chances: Floats, variables: int
) -> list[tuple[str, list[float]]]:
    """For each sentence of the paper the best candidate and what is known of it."""
    found = evidence(paper, catalogue)
    groups: dict[str, int] = {}
    group = np.array([groups.setdefault(group_key(v), len(groups)) for v in catalogue])
    sizes = [math.log(max(1, n)) for n in (len(catalogue), variables, len(paper))]
    peaks = found.fused.max(axis=0)
    rows = []
    for place, row in enumerate(scores):
        best = int(np.argmax(row))
        others = row[group != group[best]]
        margin = float(row[best] - others.max()) if len(others) else MAX_LOGIT
        weights = np.exp(row - row[best])
        share = float(weights[group == group[best]].sum() / weights.sum())
        values = [
            float(row[best]),
            min(margin, MAX_LOGIT),
            share,
            logit(float(chances[place])),
            float(found.words[place, best]),
            float(found.meaning[place, best]),
            float(found.fused[place, best] - peaks[best]),
            *sizes,
        ]
        rows.append((catalogue.ids[best], [round(value, 5) for value in values]))
    return rows


def logit(chance: float) -> float:
    chance = min(max(chance, 1e-6), 1 - 1e-6)
    return max(-MAX_LOGIT, min(MAX_LOGIT, math.log(chance / (1 - chance))))


class Claims:
    """A logistic regression on some standardised features; the others did not help on papers left out."""

    def __init__(self, data: Mapping[str, list[float]]) -> None:
        self.weights, self.means, self.spreads = (
            np.array(data[name]) for name in ("weights", "means", "spreads")
        )
        self.bias = float(data["bias"][0])

    def chances(self, rows: list[list[float]]) -> Floats:
        """The probability that each claim is right."""
        x = (used(np.array(rows, dtype=float)) - self.means) / self.spreads
        # Beyond what the papers had nothing is known.
        x = x.clip(-MAX_DEVIATIONS, MAX_DEVIATIONS)
        found: Floats = 1 / (1 + np.exp(-(x @ self.weights + self.bias)))
        return found


def used(rows: Floats) -> Floats:
    """The columns of the regression."""
    columns = [FEATURES.index(name) for name in USED]
    found: Floats = rows.reshape(-1, len(FEATURES))[:, columns]
    return found


@cache
def shipped_claims(folder: Path = WEIGHTS) -> Claims:
    open_weights(folder)
    return Claims(read_json(folder / CLAIMS))
