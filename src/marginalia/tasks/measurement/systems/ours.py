"""Our systems on the network: ``pointer``, ``strict`` and ``tagger``.

``pointer`` asks of every quantity where its entity, property and qualifier begin and end, in the spirit of
question answering, and gives the spans that the official score pays best for. ``strict`` gives spans that
make sense alone. ``tagger`` classifies each piece once, whatever the quantity, and links what it found by
proximity; it shares the pass, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from marginalia.core.errors import MissingError, training
from marginalia.core.task import Split
from marginalia.nlp.weights import write_weights
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.systems.pointer import LEAST, Graphs, Reading
from marginalia.tasks.measurement.systems.shipped import WEIGHTS


class Fitted:
    """A system on the network. Without ``fit`` its weights are the shipped ones."""

    def __init__(self, folder: Path = WEIGHTS, *, strict: bool = False) -> None:
        self.strict = strict
        self.graphs = Graphs(folder, strict=strict)

    def fit(self, split: Split) -> Self:
        """Train anew, which takes half an hour; needs ``marginalia[train]``."""
        from marginalia.tasks.measurement.systems.train.recipe import train_graphs

        with training():
            given = train_graphs(split)
        self.graphs = Graphs(given=given, strict=self.strict)
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
        found = self.graphs.each(texts, self.graphs.readings)
        made = (readings_to_spans(t, r) for t, r in zip(texts, found, strict=True))
        return dict(zip(items, made, strict=True))

    def alternatives(
        self, items: Mapping[str, Paragraph]
    ) -> dict[str, dict[int, list[tuple[str, int, int, float]]]]:
        """For each set of ``predict`` the readings that were not chosen: role, start, end, score."""
        texts = [item.text for item in items.values()]
        found = self.graphs.each(texts, self.graphs.readings)
        return {
            id: {number: list(_others(reading)) for number, reading in enumerate(readings, 1)}
            for id, readings in zip(items, found, strict=True)
        }


class TokenTagger(Fitted):
    """A token classifier on the same pass; no modifiers, as in the baselines."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        texts = [item.text for item in items.values()]
        return dict(zip(items, self.graphs.each(texts, self.graphs.tag), strict=True))


def _others(reading: Reading) -> Iterator[tuple[str, int, int, float]]:
    for role, spans in reading.roles.items():
        taken = bool(spans) and spans[0][2] >= LEAST[role]
        for low, high, score in spans[1:] if taken else spans:
            yield role, low, high, score


def readings_to_spans(text: str, readings: list[Reading]) -> Spans:
    """The official rows: one set for each quantity; the entity leads to the property where there is one."""
    spans: list[Span] = []
    for number, reading in enumerate(readings, start=1):
        other: dict[str, Any] = {}
        if reading.unit is not None:
            other["unit"] = text[slice(*reading.unit)]
        if reading.modifiers:
            other["mods"] = list(reading.modifiers)
        quote = text[reading.start : reading.end]
        ids = {"Quantity": f"T1-{number}"}
        spans.append(
            Span(number, "Quantity", reading.start, reading.end, f"T1-{number}", quote, other)
        )
        given = {
            role: reading.roles[role][0]
            for role in ("MeasuredProperty", "MeasuredEntity", "Qualifier")
            if reading.roles.get(role) and reading.roles[role][0][2] >= LEAST[role]
        }
        for place, (role, (low, high, _)) in enumerate(given.items(), start=2):
            ids[role] = f"T{place}-{number}"
            # The qualifiers that are found stand close to their quantity and mostly are about it.
            end = ids.get("MeasuredProperty") if role == "MeasuredEntity" else None
            name = "Qualifies" if role == "Qualifier" else "HasProperty" if end else "HasQuantity"
            relation = {name: end or ids["Quantity"]}
            spans.append(Span(number, role, low, high, ids[role], text[low:high], relation))
    return tuple(spans)


def make_strict() -> Pointer:
    return Pointer(strict=True)
