"""The network at work: one encoder pass over a paragraph, then a short reading for each quantity.

Rules find the quantities; the network may object to one, and points to where its entity, property and
qualifier begin and end. Where rules see a property elsewhere, theirs comes first.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.nlp.encoder import english
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import threads
from marginalia.nlp.weights import open_weights
from marginalia.tasks.measurement.official.spans import ROLES, Spans
from marginalia.tasks.measurement.quantities.finder import Found, find_quantities
from marginalia.tasks.measurement.quantities.lexicon import STOP
from marginalia.tasks.measurement.systems.assembly import by_proximity, to_spans
from marginalia.tasks.measurement.systems.contexts import Context, find_contexts
from marginalia.tasks.measurement.systems.decode import (
    best_tags,
    choose,
    count_blanks,
    longest_run,
    parted,
    tagged,
    word_numbers,
)
from marginalia.tasks.measurement.systems.inputs import ASKED, Window, ask, read_windows
from marginalia.tasks.measurement.systems.shipped import WEIGHTS
from marginalia.tasks.measurement.systems.tagger import PRIORITY, Bound

FILES = ("encoder.onnx", "reading.onnx")
TOGETHER = 16
"""Quantities read side by side: bounds the memory of a table of numbers."""
LEAST = {"MeasuredEntity": 0.0, "MeasuredProperty": 0.35, "Qualifier": 0.5}
"""From which probability on a span of this role is given. Nearly every quantity has an entity."""
BREAKS = frozenset("()[]{};:,")
VETO = 0.2
"""A quantity of the rules is dropped where the network sees it as less likely than this."""
RULED = 0.5
"""What a span of the rules counts."""
READINGS = 3
KEPT = 64
"""Paragraphs whose readings are remembered."""

_WORD = re.compile(r"\w+(?:\S*\w)?|\S")

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


class Graphs:
    """The two graphs of a weights folder, or those that were just trained."""

    def __init__(
        self,
        folder: Path = WEIGHTS,
        given: Mapping[str, bytes] | None = None,
        *,
        strict: bool = False,
    ) -> None:
        self.folder, self.given, self.strict = folder, given, strict
        # Spans and their alternatives are asked for one after the other, of a few paragraphs at a time.
        self.readings = lru_cache(maxsize=KEPT)(self._readings)

    @cached_property
    def sessions(self) -> tuple[Any, Any]:
        if self.given is not None:
            encoder, reading = (start(self.given[name]) for name in FILES)
        else:
            open_weights(self.folder)
            encoder, reading = (start(self.folder / name) for name in FILES)
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
        contexts = dict(zip(quantities, find_contexts(text, quantities, "en"), strict=True))
        blanks = count_blanks(text)
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
            words = word_numbers(blanks, window.offsets)
            others = [place for _, place in sure]
            blocks = blocks_of(text, window, others) if self.strict else None
            for begin in range(0, len(owned), TOGETHER):
                part = owned[begin : begin + TOGETHER]
                found += self._read(text, window, heads, part, others, words, blocks, contexts)
        return found

    def _read(
        self,
        text: str,
        window: Window,
        heads: Mapping[str, Any],
        part: list[Placed],
        others: list[tuple[int, int]],
        words: Any,
        blocks: Any,
        contexts: Mapping[Found, Context],
    ) -> Iterator[Reading]:
        asked = ask(window, [place for _, place in part], others)
        feed = {name: getattr(asked, name) for name in ASKED} | {"vectors": heads["vectors"]}
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
                for role, spans in roles.items():
                    bare = ((*without_edges(text, low, high), p) for low, high, p in spans)
                    roles[role] = [span for span in bare if span[0] < span[1]]
            take_advice(roles, contexts[quantity])
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
    """The parts of a sentence between its quantities, brackets, commas, colons and semicolons."""
    breaks = np.array([text[low:high] in BREAKS for low, high in window.offsets.tolist()])
    for first, last in quantities:
        breaks[first : last + 1] = True
    return parted(breaks, window.sentences)[:-1]


def without_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without function words and punctuation at its edges; empty where nothing is left."""
    words = [word.span() for word in _WORD.finditer(text, start, end)]
    while words and _edge(text, *words[0]):
        words.pop(0)
    while words and _edge(text, *words[-1]):
        words.pop()
    return (words[0][0], words[-1][1]) if words else (start, start)


def _edge(text: str, start: int, end: int) -> bool:
    word = text[start:end]
    return word.lower() in STOP or not any(sign.isalnum() for sign in word)


def take_advice(roles: dict[str, list[tuple[int, int, float]]], context: Context) -> None:
    """Put a property of the rules first that the network does not touch, and a qualifier where it has none.

    The rules know the words for what is measured, of which a network sees too few in some hundred paragraphs.
    """
    for role, place in (
        ("MeasuredProperty", context.property),
        ("Qualifier", context.qualifier),
    ):
        given = [span for span in roles[role][:1] if span[2] >= LEAST[role]]
        if place is None or (given and role == "Qualifier"):
            continue
        if not any(start < place[1] and place[0] < end for start, end, _ in given):
            others = (span for span in roles[role] if span[:2] != place)
            roles[role] = [(*place, RULED), *others]


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
