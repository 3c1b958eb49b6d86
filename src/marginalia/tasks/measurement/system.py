"""Our best: rules find the quantities, one encoder pass reads the paragraph, and a short reading for each
quantity finds its context.

``pointer`` asks of every quantity where its entity, property and qualifier begin and end, in the spirit of
question answering. ``tagger`` classifies each piece once, whatever the quantity, and links what it
found by proximity; it shares the pass, so the two can be compared.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from marginalia.core.errors import MissingError
from marginalia.core.task import Split
from marginalia.nlp.encoder import english
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import threads
from marginalia.nlp.weights import open_weights, write_weights
from marginalia.tasks.measurement.data import WEIGHTS, Paragraph
from marginalia.tasks.measurement.decode import (
    best_tags,
    choose,
    longest_run,
    parted,
    tagged,
    word_numbers,
)
from marginalia.tasks.measurement.inputs import Window, ask, read_windows
from marginalia.tasks.measurement.linking import by_proximity, to_spans
from marginalia.tasks.measurement.quantities import Found, find_quantities
from marginalia.tasks.measurement.spans import ROLES, Span, Spans
from marginalia.tasks.measurement.tagger import PRIORITY, Bound

GRAPHS = ("encoder.onnx", "reading.onnx")
TOGETHER = 16
"""Quantities read side by side: bounds the memory of a table of numbers."""
LEAST = {"MeasuredEntity": 0.0, "MeasuredProperty": 0.35, "Qualifier": 0.5}
"""From which probability on a span of this role is given. Nearly every quantity has an entity."""
BREAKS = frozenset("()[]{};:")
VETO = 0.2
"""A quantity of the rules is dropped where the network sees it as less likely than this."""
READINGS = 3
KEPT = 64
"""Paragraphs whose readings are remembered."""

Placed = tuple[Found, tuple[int, int]]
"""A quantity of the rules with its first and last piece."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One quantity with what it may be of: ``roles`` has start, end and score of spans, the best first."""

    start: int
    end: int
    unit: tuple[int, int] | None
    modifiers: tuple[str, ...]
    roles: Mapping[str, tuple[tuple[int, int, float], ...]]


class Network:
    """The two graphs of a weights folder, or those that were just trained."""

    def __init__(
        self,
        folder: Path = WEIGHTS,
        graphs: Mapping[str, bytes] | None = None,
        *,
        strict: bool = False,
    ) -> None:
        self.folder, self.graphs, self.strict = folder, graphs, strict
        # Spans and their alternatives are asked for one after the other, of a few paragraphs at a time.
        self.readings = lru_cache(maxsize=KEPT)(self._readings)

    @cached_property
    def sessions(self) -> tuple[Any, Any]:
        if self.graphs is not None:
            encoder, reading = (start(self.graphs[name]) for name in GRAPHS)
        else:
            open_weights(self.folder)
            encoder, reading = (start(self.folder / name) for name in GRAPHS)
        return encoder, reading

    def each(self, texts: list[str], work: Callable[[str], Any]) -> Iterator[Any]:
        """``work`` on every text, side by side; each text is its own pass, as in the encoder."""
        _ = self.sessions, english().tokenizer  # loaded once, not by every thread
        with ThreadPoolExecutor(min(threads(), max(1, len(texts)))) as pool:
            yield from pool.map(work, texts)

    def passes(self, text: str) -> Iterator[tuple[Window, dict[str, Any]]]:
        """The windows of a text and what the encoder's heads say of each."""
        names = ["vectors", "quantity", "unit", "kinds"]
        for window in read_windows(text, english().tokenizer):
            feed = {"pieces": window.pieces[None], "shapes": window.shapes[None]}
            outputs = self.sessions[0].run(names, feed)
            yield window, dict(zip(names, outputs, strict=True))

    def _readings(self, text: str) -> list[Reading]:
        """The quantities of a text in reading order: the rules find them, the network may object."""
        quantities = find_quantities(text)
        starts, ends = ([getattr(q, side) for q in quantities] for side in ("start", "end"))
        found: list[Reading] = []
        for window, heads in self.passes(text):
            chance = 1 - heads["quantity"][0, :, 0]
            sure: list[Placed] = []
            # Only those that reach into the window: in a book each window has few of them.
            first = bisect_right(ends, int(window.offsets[1:-1, 0].min(initial=len(text))))
            last = bisect_left(starts, int(window.offsets[:, 1].max()))
            for quantity in quantities[first:last]:
                place = window.cover(quantity.start, quantity.end)
                if place is not None and chance[place[0] : place[1] + 1].max() >= VETO:
                    sure.append((quantity, place))
            low, high = window.owns
            owned = [asked for asked in sure if low <= asked[0].start < high]
            words = word_numbers(text, window.offsets)
            for begin in range(0, len(owned), TOGETHER):
                part = owned[begin : begin + TOGETHER]
                others = [place for _, place in sure]
                blocks = blocks_of(text, window, others) if self.strict else None
                found += self._read(window, heads, part, others, words, blocks)
        return found

    def _read(
        self,
        window: Window,
        heads: Mapping[str, Any],
        part: list[Placed],
        others: list[tuple[int, int]],
        words: Any,
        blocks: Any,
    ) -> Iterator[Reading]:
        asked = ask(window, [place for _, place in part], others)
        names = ["first", "last", "distances", "marks", "sentences"]
        feed = {name: getattr(asked, name) for name in names} | {"vectors": heads["vectors"]}
        tags, ends = self.sessions[1].run(["tags", "ends"], feed)
        offsets = window.offsets
        for row, (quantity, _) in enumerate(part):
            roles = {
                role: [
                    (int(offsets[c.first, 0]), int(offsets[c.last, 1]), round(c.score, 4))
                    for c in choose(
                        ends[row, :-1, 2 * number],
                        ends[row, :-1, 2 * number + 1],
                        tags[row, :-1, number + 1],
                        words[:-1],
                        blocks,
                    )
                ]
                for number, role in enumerate(ROLES)
            }
            if self.strict:
                keep_apart(roles)
            yield Reading(
                start=quantity.start,
                end=quantity.end,
                unit=quantity.unit,
                modifiers=quantity.mods,
                roles={role: tuple(spans[:READINGS]) for role, spans in roles.items()},
            )

    def tag(self, text: str) -> Spans:
        """Each piece classified once, for all quantities; spans are linked by proximity."""
        bounds: list[Bound] = []
        units: dict[str, str] = {}
        for window, heads in self.passes(text):
            low, high = window.owns
            for kind, first, last in tagged(best_tags(heads["kinds"][0, 1:-1], len(PRIORITY))):
                begin, end = int(window.offsets[first + 1, 0]), int(window.offsets[last + 1, 1])
                if not low <= begin < high:
                    continue
                bounds.append(Bound(PRIORITY[kind], begin, end))
                unit = _unit(window, heads, first + 1, last + 1)
                if kind == 0 and unit is not None:
                    units[text[begin:end]] = text[slice(*unit)]
        return to_spans(bounds, text, units.get, by_proximity)


def blocks_of(text: str, window: Window, quantities: list[tuple[int, int]]) -> Any:
    """The parts of a sentence between its quantities, brackets, colons and semicolons."""
    breaks = np.array([text[low:high] in BREAKS for low, high in window.offsets.tolist()])
    for first, last in quantities:
        breaks[first : last + 1] = True
    return parted(breaks, window.sentences)[:-1]


def keep_apart(roles: dict[str, list[tuple[int, int, float]]]) -> None:
    """The entity and the qualifier share no character with the property, nor with each other."""
    taken: list[tuple[int, int, float]] = []
    for role in ("MeasuredProperty", "MeasuredEntity", "Qualifier"):
        roles[role] = [
            span for span in roles[role] if all(span[0] >= t[1] or t[0] >= span[1] for t in taken)
        ]
        taken += [span for span in roles[role][:1] if span[2] >= LEAST[role]]


def _unit(
    window: Window, heads: Mapping[str, Any], first: int, last: int
) -> tuple[int, int] | None:
    """The unit within a quantity: the longest run of pieces that look like one."""
    run = longest_run(heads["unit"][0, first : last + 1] > 0.5)
    if run is None:
        return None
    return int(window.offsets[first + run[0], 0]), int(window.offsets[first + run[1], 1])


class Fitted:
    """A system on the network. Without ``fit`` its weights are the shipped ones."""

    def __init__(self, folder: Path = WEIGHTS, *, strict: bool = False) -> None:
        self.strict = strict
        self.network = Network(folder, strict=strict)

    def fit(self, split: Split) -> Self:
        """Train anew, which takes half an hour; needs ``marginalia[train]``."""
        from marginalia.tasks.measurement.train import train_graphs

        try:
            graphs = train_graphs(split)
        except ImportError as error:
            raise MissingError(
                f"Training needs the package {error.name}: pip install 'marginalia[train]'."
            ) from error
        self.network = Network(graphs=graphs, strict=self.strict)
        return self

    def save(self, folder: Path) -> None:
        """Write what was fitted; the system made with this folder has it again."""
        if self.network.graphs is None:
            raise MissingError("there is nothing to save: the system was not fitted")
        write_weights(folder, self.network.graphs)


class Pointer(Fitted):
    """Quantities first, then the context of each."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        texts = [item.text for item in items.values()]
        found = self.network.each(texts, self.network.readings)
        made = (readings_to_spans(t, r) for t, r in zip(texts, found, strict=True))
        return dict(zip(items, made, strict=True))

    def alternatives(
        self, items: Mapping[str, Paragraph]
    ) -> dict[str, dict[int, list[tuple[str, int, int, float]]]]:
        """For each set of ``predict`` the readings that were not chosen: role, start, end, score."""
        texts = [item.text for item in items.values()]
        found = self.network.each(texts, self.network.readings)
        return {
            id: {number: list(_others(reading)) for number, reading in enumerate(readings, 1)}
            for id, readings in zip(items, found, strict=True)
        }


class TokenTagger(Fitted):
    """A token classifier on the same pass; no modifiers, as in the baselines."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        texts = [item.text for item in items.values()]
        return dict(zip(items, self.network.each(texts, self.network.tag), strict=True))


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
            end = ids.get("MeasuredProperty") if role != "MeasuredProperty" else None
            name = "Qualifies" if role == "Qualifier" else "HasProperty" if end else "HasQuantity"
            relation = {name: end or ids["Quantity"]}
            spans.append(Span(number, role, low, high, ids[role], text[low:high], relation))
    return tuple(spans)


def make_strict() -> Pointer:
    return Pointer(strict=True)
