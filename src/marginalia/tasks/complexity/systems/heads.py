"""Our systems: heads on features and on vectors of the shared encoder, alone and together.

The families of the overview paper by name: ``features`` (gradient boosting on features), ``encoder``
(a small network on the encoder's vectors), ``hybrid`` (a network on both) and ``ensemble`` (ours: boosting and
network, both on both; the mean of the two for a word, three quarters of the network for a multi-word).
``ensemble-lm`` has boosting and network on features and the states of a language model, and the network of ``ensemble``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import mul
from pathlib import Path
from typing import Any, Self

from marginalia.core.benchmark import Split
from marginalia.core.errors import MissingError, training
from marginalia.nlp.encoder import encoder_in
from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights, write_weights
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems import WEIGHTS, weights_folder
from marginalia.tasks.complexity.systems.inputs import Inputs, word_layers

HEADS = {
    "features": ("boosted_features",),
    "encoder": ("network_vectors",),
    "hybrid": ("network",),
    "ensemble": ("boosted", "network"),
    "ensemble-lm": ("network", "boosted_lm", "network_lm"),
}
"""System -> its heads. Each is an ONNX file of that name, and each counts as much for a word."""
MULTI_WEIGHTS = {"boosted": 1, "network": 3, "boosted_lm": 1, "network_lm": 1}
"""How much each counts for a multi-word beside the others: there are too few of them for trees, or for states alone."""
BATCH_TARGETS = 512


class Heads:
    """Some heads together. Without ``fit`` they are the shipped ones."""

    def __init__(
        self, name: str, folder: Path | None = None, *, inputs: Inputs | None = None
    ) -> None:
        self.name, self.folder, self.given = name, folder or weights_folder(name), inputs
        self.models: dict[str, bytes] | None = None
        self._sessions: list[Any] = []
        own = None if self.folder == WEIGHTS else encoder_in(self.folder)
        self.inputs = inputs or (Inputs(own, layers=word_layers(own)) if own else Inputs())

    def fit(self, split: Split) -> Self:
        """Retrain the heads; needs ``marginalia[train]``."""
        from marginalia.tasks.complexity.systems.train.recipe import train_heads, training_inputs

        self.inputs = self.given or training_inputs()
        with training():
            self.models = train_heads(split, HEADS[self.name], self.inputs)
        self._sessions = []
        return self

    def save(self, folder: Path) -> None:
        """Write the fitted heads; ``Heads(name, folder)`` has them again."""
        if self.models is None:
            raise MissingError("there is nothing to save: the heads were not fitted")
        write_weights(folder, {f"{name}.onnx": model for name, model in self.models.items()})

    def sessions(self) -> list[Any]:
        if not self._sessions:
            if self.models is None:
                open_weights(self.folder)
                read = [(self.folder / f"{head}.onnx").read_bytes() for head in HEADS[self.name]]
            else:
                read = [self.models[head] for head in HEADS[self.name]]
            self._sessions = [start(model) for model in read]
        return self._sessions

    def predict(self, items: Mapping[str, Target]) -> dict[str, float]:
        ids, targets = list(items), list(items.values())
        pred: dict[str, float] = {}
        for begin in range(0, len(ids), BATCH_TARGETS):
            part = slice(begin, begin + BATCH_TARGETS)
            pred |= zip(ids[part], self.scores(targets[part]), strict=True)
        return pred

    def scores(self, targets: Sequence[Target]) -> list[float]:
        """Scores from 0 to 1."""
        found = []
        for target, each in zip(targets, self.each(targets), strict=True):
            score = sum(map(mul, self.shares(target.kind), each))
            found.append(min(1.0, max(0.0, score)))
        return found

    def each(self, targets: Sequence[Target]) -> list[list[float]]:
        """What each head says of each target.

        A head is run row by row: matrix products of other sizes differ in the last digits, and a word
        shall have the same score alone as in a book.
        """
        if not targets:
            return []
        heads = [(s, [entry.name for entry in s.get_inputs()]) for s in self.sessions()]
        wanted = {name for _, names in heads for name in names}
        rows = {name: getattr(self.inputs, name)(targets)[:, None] for name in sorted(wanted)}
        return [
            [
                session.run(["score"], {name: rows[name][number] for name in names})[0].item()
                for session, names in heads
            ]
            for number in range(len(targets))
        ]

    def shares(self, kind: str) -> list[float]:
        """How much each head counts for a target of this kind."""
        weights = [weight_of(head, kind) for head in HEADS[self.name]]
        return [weight / sum(weights) for weight in weights]


def weight_of(head: str, kind: str) -> int:
    """How much a head counts for a target of a kind, beside others."""
    return MULTI_WEIGHTS.get(head, 1) if kind == "multi" else 1


def make_features() -> Heads:
    return Heads("features")


def make_encoder() -> Heads:
    return Heads("encoder")


def make_hybrid() -> Heads:
    return Heads("hybrid")


def make_ensemble() -> Heads:
    return Heads("ensemble")


def make_ensemble_lm() -> Heads:
    return Heads("ensemble-lm")
