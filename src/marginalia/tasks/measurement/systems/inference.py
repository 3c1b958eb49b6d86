"""Inference with the network: one encoder pass over a paragraph, then two small layers for each quantity.

Rules find the quantities; the network may object to one, and points to where its entity, property and
qualifier begin and end. What the rules see of these counts too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from marginalia.core.long_work import pause
from marginalia.nlp.encoder import english, own_tokenizer
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import side_by_side
from marginalia.nlp.weights import open_weights
from marginalia.quantities.finder import find_quantities
from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.official.spans import ROLES, Spans
from marginalia.tasks.measurement.systems.contexts import add_contexts
from marginalia.tasks.measurement.systems.decoding import (
    best_tags,
    choose,
    count_blanks,
    longest_run,
    tagged_runs,
    word_numbers,
)
from marginalia.tasks.measurement.systems.inputs import (
    ASKED,
    MAX_WINDOW_PIECES,
    Pieces,
    Window,
    ask,
    read_windows,
)
from marginalia.tasks.measurement.systems.linking import by_proximity, link_spans
from marginalia.tasks.measurement.systems.official_choice import ENTITY, PROPERTY, choose_together
from marginalia.tasks.measurement.systems.role_candidates import (
    Candidates,
    add_from_rules,
    blocks_of,
    keep_apart,
    trim,
)
from marginalia.tasks.measurement.systems.shipped import WEIGHTS
from marginalia.tasks.measurement.systems.span_chances import Weights, gather, read_weights
from marginalia.tasks.measurement.systems.tagger import PRIORITY, TaggedSpan
from marginalia.tasks.measurement.systems.window_reading import WindowReading

FILES = ("encoder.onnx", "reading.onnx")
TOKENIZER_FILE = "tokenizer.json"
QUANTITIES_PER_BATCH = 16
"""Quantities that share a run of the second graph: bounds the memory of a table of numbers."""
MIN_QUANTITY_PROBABILITY = 0.2
"""A quantity of the rules that the network finds less probable is dropped."""
MAX_ASKED_PER_WINDOW = 96
"""Quantities of a window whose context is asked for, each of which costs a look at the whole window. Where there are
more it is a column of numbers, and no words stand between them that a network could point to."""
QUALIFIER = "Qualifier"
CANDIDATES_PER_ROLE = 3
CACHED_PARAGRAPHS = 64
"""Paragraphs whose quantities are cached."""


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
        self.quantities = lru_cache(maxsize=CACHED_PARAGRAPHS)(self._quantities)

    @cached_property
    def sessions(self) -> tuple[Any, Any]:
        if self.given is not None:
            encoder, reading = (start(self.given[name]) for name in FILES)
        else:
            open_weights(self.folder)
            encoder, reading = (start(self.folder / name) for name in FILES)
        return encoder, reading

    @cached_property
    def tokenizer(self) -> tuple[Any, int]:
        """The tokenizer of the encoder, and how many pieces a pass holds; weights of one's own have their own."""
        if self.given is None and (self.folder / TOKENIZER_FILE).is_file():
            return own_tokenizer(self.folder)
        return english().tokenizer, MAX_WINDOW_PIECES

    @cached_property
    def span_weights(self) -> Weights:
        """How the evidence for a span is weighed."""
        return read_weights(self.folder)

    def each(self, texts: list[str], work: Callable[[str], Any]) -> Iterator[Any]:
        """``work`` on every text in a thread pool; each text is a pass of its own, as in the encoder."""
        _ = self.sessions, self.tokenizer  # loaded once, not by every thread
        for found in side_by_side(work, texts):
            yield found
            pause()

    def heads(self, window: Window) -> dict[str, Any]:
        """What the encoder's heads say of a window."""
        names = ["vectors", "quantity", "unit", "kinds"]
        feed = {"pieces": window.pieces[None], "shapes": window.shapes[None]}
        return dict(zip(names, self.sessions[0].run(names, feed), strict=True))

    def _quantities(self, text: str) -> list[Quantity]:
        """The quantities of a text in reading order, each with candidates for its context."""
        found: list[Quantity] = []
        for reading in self.read(text):
            if not reading.asked:
                found += [replace(quantity, context=()) for quantity in reading.quantities]
            elif self.strict:
                found += self._readable(text, reading)
            else:
                found += self._official(reading)
        return found

    def read(self, text: str) -> Iterator[WindowReading]:
        """What the network says of each quantity: the rules find them, the network may object.

        Where the rules find none, the network is not asked.
        """
        ruled = add_contexts(text, find_quantities(text), "en")
        if not ruled:
            return
        starts, ends = ([getattr(q, side) for q in ruled] for side in ("start", "end"))
        blanks = count_blanks(text)
        for window in read_windows(text, *self.tokenizer):
            # Only those that reach into the window: in a book each window has few of them.
            first = bisect_right(ends, int(window.offsets[1:-1, 0].min(initial=len(text))))
            last = bisect_left(starts, int(window.offsets[:, 1].max()))
            covered = ((one, window.cover(one.start, one.end)) for one in ruled[first:last])
            placed = [(one, place) for one, place in covered if place is not None]
            low, high = window.owns
            if not any(low <= one.start < high for one, _ in placed):
                continue
            heads = self.heads(window)
            probability = 1 - heads["quantity"][0, :, 0]
            sure = [
                (one, place)
                for one, place in placed
                if probability[place[0] : place[1] + 1].max() >= MIN_QUANTITY_PROBABILITY
            ]
            owned = [one for one in sure if low <= one[0].start < high]
            places, all_places = [place for _, place in owned], [place for _, place in sure]
            tags: list[Any] = []
            pointed: list[Any] = []
            asked = places if len(owned) <= MAX_ASKED_PER_WINDOW else []
            for begin in range(0, len(asked), QUANTITIES_PER_BATCH):
                batch = asked[begin : begin + QUANTITIES_PER_BATCH]
                for table, own in zip(*self._point(window, heads, batch, all_places), strict=True):
                    tags.append(table)
                    pointed.append(own)
            words = word_numbers(blanks, window.offsets)[:-1]
            yield WindowReading(
                window, words, [one for one, _ in owned], places, all_places, tags, pointed
            )

    def _point(
        self,
        window: Window,
        heads: Mapping[str, Any],
        batch: list[Pieces],
        others: list[Pieces],
    ) -> Any:
        """The tags of all pieces and where roles begin and end, seen from each quantity of a batch."""
        asked = ask(window, batch, others)
        feed = {name: getattr(asked, name) for name in ASKED} | {"vectors": heads["vectors"]}
        return self.sessions[1].run(["tags", "ends"], feed)

    def _official(self, reading: WindowReading) -> Iterator[Quantity]:
        """Each quantity with what brings the highest expected official score, and what else it could be."""
        for number, evidence in enumerate(gather(reading)):
            quantity = reading.quantities[number]
            choice = choose_together(evidence, reading.words, self.span_weights)
            qualifiers = choose(*reading.pointing(number, QUALIFIER), reading.words)
            pointed = {ENTITY: choice.entities, PROPERTY: choice.properties, QUALIFIER: qualifiers}
            candidates = {
                role: [reading.role_span(role, one) for one in spans[:CANDIDATES_PER_ROLE]]
                for role, spans in pointed.items()
            }
            given = candidates[ENTITY][:1] if choice.gives_entity else []
            given += candidates[PROPERTY][:1] if choice.gives_property else []
            # Of qualifiers only the rules' are right often enough to be worth their rows.
            ruled = [span for span in quantity.context if span.role == QUALIFIER][:1]
            taken = {span[:3] for span in ruled}
            context = [s for role in ROLES for s in candidates[role] if s[:3] not in taken]
            yield replace(quantity, context=(*ruled, *context), given=tuple(given + ruled))

    def _readable(self, text: str, reading: WindowReading) -> Iterator[Quantity]:
        """Each quantity with spans that make sense alone."""
        blocks = blocks_of(text, reading.window, reading.all_places)
        for number, quantity in enumerate(reading.quantities):
            candidates: Candidates = {
                role: [
                    reading.role_span(role, one)
                    for one in choose(*reading.pointing(number, role), reading.words, blocks)
                ]
                for role in ROLES
            }
            trim(text, candidates)
            add_from_rules(candidates, quantity.context)
            keep_apart(candidates)
            best = (span for role in ROLES for span in candidates[role][:CANDIDATES_PER_ROLE])
            yield replace(quantity, context=tuple(best))

    def tag(self, text: str) -> Spans:
        """The spans of the token classifier, which tags each piece once, linked by proximity."""
        spans: list[TaggedSpan] = []
        units: dict[str, str] = {}
        for window in read_windows(text, *self.tokenizer):
            heads = self.heads(window)
            low, high = window.owns
            for kind, first, last in tagged_runs(best_tags(heads["kinds"][0, 1:-1], len(PRIORITY))):
                begin, end = int(window.offsets[first + 1, 0]), int(window.offsets[last + 1, 1])
                if not low <= begin < high:
                    continue
                spans.append(TaggedSpan(PRIORITY[kind], begin, end))
                unit = _unit(window, heads, first + 1, last + 1)
                if kind == 0 and unit is not None:
                    units[text[begin:end]] = text[slice(*unit)]
        return link_spans(spans, text, units.get, by_proximity)


def _unit(
    window: Window, heads: Mapping[str, Any], first: int, last: int
) -> tuple[int, int] | None:
    """The unit within a quantity: the longest run of pieces that look like one."""
    run = longest_run(heads["unit"][0, first : last + 1] > 0.5)
    if run is None:
        return None
    return int(window.offsets[first + run[0], 0]), int(window.offsets[first + run[1], 1])
