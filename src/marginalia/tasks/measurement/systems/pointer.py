"""Our systems on the network: ``pointer`` and ``strict``.

``pointer`` asks of every quantity where its entity and property begin and end, in the spirit of question
answering, and gives the spans with the highest expected official score. ``strict`` asks the same network for spans as our
own annotation has them, which a table shows: the shortest phrases that identify, several conditions, a row for each number
of a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from marginalia.core.benchmark import Split
from marginalia.core.errors import MissingError, training
from marginalia.nlp.weights import write_weights
from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Spans
from marginalia.tasks.measurement.systems.annotation_sets import to_annotation_sets
from marginalia.tasks.measurement.systems.inference import Graphs
from marginalia.tasks.measurement.systems.shipped import weights_folder


class Fitted:
    """A system on the network. Without ``fit`` its weights are the shipped ones."""

    def __init__(self, folder: Path | None = None, *, strict: bool = False) -> None:
        self.convention = "margin" if strict else "official"
        self.graphs = Graphs(folder or weights_folder(), convention=self.convention)

    def fit(self, split: Split) -> Self:
        """Train on the split, which takes half an hour; needs ``marginalia[train]``."""
        from marginalia.tasks.measurement.systems.train.recipe import train_graphs

        with training():
            given = train_graphs(split)
        self.graphs = Graphs(given=given, convention=self.convention)
        return self

    def save(self, folder: Path) -> None:
        """Write what was fitted; the system made with this folder has it again."""
        if self.graphs.given is None:
            raise MissingError("there is nothing to save: the system was not fitted")
        write_weights(folder, self.graphs.given)


class Pointer(Fitted):
    """Quantities first, then the context of each."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        texts = [item.text for item in items.values()]
        found = self.graphs.each(texts, self.graphs.quantities)
        made = (to_annotation_sets(t, q) for t, q in zip(texts, found, strict=True))
        return dict(zip(items, made, strict=True))

    def contexts(self, items: Mapping[str, Paragraph]) -> dict[str, dict[int, Quantity]]:
        """For each set of ``predict`` its quantity, with what could be its entity, property or qualifier.

        Each candidate has its probability, with ``strict`` a calibrated one; the best of a role comes first.
        """
        texts = [item.text for item in items.values()]
        found = self.graphs.each(texts, self.graphs.quantities)
        return {id: dict(enumerate(own, start=1)) for id, own in zip(items, found, strict=True)}


def make_strict() -> Pointer:
    return Pointer(strict=True)
