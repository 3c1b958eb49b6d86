"""Inference with the network: one encoder pass over a paragraph, then two small layers for each quantity.

Rules find the quantities; the network says which are worth a row, and points to where the entity, the property and the
conditions of each stand. By the official convention what the rules see of these counts too.
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
from marginalia.quantities.finder import MIN_SCORE, find_quantities
from marginalia.quantities.quantity import Quantity
from marginalia.tasks.measurement.official.spans import ROLES
from marginalia.tasks.measurement.systems.contexts import add_contexts
from marginalia.tasks.measurement.systems.decoding import count_blanks, word_numbers
from marginalia.tasks.measurement.systems.inputs import (
    ASKED,
    MAX_WINDOW_PIECES,
    PURPOSES,
    Pieces,
    Window,
    ask,
    mark,
    read_windows,
)
from marginalia.tasks.measurement.systems.margin_choice import Curves, read_curves, roles_of
from marginalia.tasks.measurement.systems.official_choice import ENTITY, PROPERTY, choose_together
from marginalia.tasks.measurement.systems.shipped import WEIGHTS
from marginalia.tasks.measurement.systems.span_chances import Weights, gather, read_weights
from marginalia.tasks.measurement.systems.window_reading import Answer, WindowReading

FILES = ("encoder.onnx", "reading.onnx")
TOKENIZER_FILE = "tokenizer.json"
QUANTITIES_PER_BATCH = 8
"""Quantities that share a run of the second graph: bounds the memory of a table of numbers."""
MIN_ROW = {"official": 0.2, "margin": 0.3}
"""Convention -> the least probability that a number of the rules is worth a row."""
MAX_ASKED_PER_WINDOW = 96
"""Quantities of a window whose context is asked for, each of which costs a look at the whole window. Where there are
more it is a column of numbers, and no words stand between them that a network could point to."""
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
        convention: str = "official",
    ) -> None:
        self.folder, self.given, self.convention = folder, given, convention
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
        return read_weights(self.folder, self.convention)

    @cached_property
    def curves(self) -> Curves:
        """How sure what the network says is, for what a reader is shown."""
        return read_curves(self.folder)

    def each(self, texts: list[str], work: Callable[[str], Any]) -> Iterator[Any]:
        """``work`` on every text in a thread pool; each text is a pass of its own, as in the encoder."""
        _ = self.sessions, self.tokenizer  # loaded once, not by every thread
        for found in side_by_side(work, texts):
            yield found
            pause()

    def encode(self, window: Window, quantities: list[Pieces]) -> Any:
        """A vector for each piece of a window."""
        feed = {
            "pieces": window.pieces[None],
            "shapes": window.shapes[None],
            "marks": mark(window, quantities)[None],
        }
        return self.sessions[0].run(["vectors"], feed)[0]

    def _quantities(self, text: str) -> list[Quantity]:
        """The quantities of a text in reading order, each with candidates for its context."""
        found: list[Quantity] = []
        for reading in self.read(text):
            if not reading.asked:
                bare = (one for one in reading.quantities if one.score >= MIN_SCORE)
                found += [replace(quantity, context=()) for quantity in bare]
            elif self.convention == "margin":
                found += self._readable(text, reading)
            else:
                found += self._official(reading)
        return found

    def candidates(self, text: str) -> list[Quantity]:
        """The numbers that the rules take for quantities: for a table each of a list, and doubtful ones too."""
        if self.convention == "margin":
            found = find_quantities(text, min_score=0.0, lists=False)
        else:
            found = find_quantities(text)
        return add_contexts(text, found, "en")

    def read(self, text: str) -> Iterator[WindowReading]:
        """What the network says of each quantity. Where the rules find none, the network is not asked."""
        ruled = self.candidates(text)
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
            owned = [(one, place) for one, place in placed if low <= one.start < high]
            if not owned:
                continue
            answers: list[Answer] = []
            asked, every = [place for _, place in owned], [place for _, place in placed]
            if len(owned) <= MAX_ASKED_PER_WINDOW:
                vectors = self.encode(window, every)
                for begin in range(0, len(asked), QUANTITIES_PER_BATCH):
                    batch = asked[begin : begin + QUANTITIES_PER_BATCH]
                    answers += self.ask(window, vectors, batch, every)
            words = word_numbers(blanks, window.offsets)[:-1]
            reading = WindowReading(window, words, [one for one, _ in owned], asked, answers)
            yield reading.worth(MIN_ROW[self.convention])

    def ask(
        self, window: Window, vectors: Any, batch: list[Pieces], others: list[Pieces]
    ) -> Iterator[Answer]:
        """What the second graph says of each quantity of a batch."""
        asked = ask(window, batch, others, self.convention)
        feed = {name: getattr(asked, name) for name in ASKED}
        feed |= {"vectors": vectors, "shapes": window.shapes[None]}
        found = self.sessions[1].run(["tags", "ends", "row", "purpose"], feed)
        return map(Answer._make, zip(*found, strict=True))

    def _official(self, reading: WindowReading) -> Iterator[Quantity]:
        """Each quantity with what brings the highest expected official score, and what else it could be."""
        for number, evidence in enumerate(gather(reading)):
            quantity = reading.quantities[number]
            choice = choose_together(evidence, reading.words, self.span_weights)
            pointed = {ENTITY: choice.entities, PROPERTY: choice.properties}
            candidates = {
                role: [reading.role_span(role, one) for one in spans[:CANDIDATES_PER_ROLE]]
                for role, spans in pointed.items()
            }
            given = candidates[ENTITY][:1] if choice.gives_entity else []
            given += candidates[PROPERTY][:1] if choice.gives_property else []
            # Of qualifiers only the rules' are right often enough to be worth their rows.
            ruled = [span for span in quantity.context if span.role == ROLES[2]][:1]
            context = [span for role in pointed for span in candidates[role]]
            yield replace(quantity, context=(*ruled, *context), given=tuple(given + ruled))

    def _readable(self, text: str, reading: WindowReading) -> Iterator[Quantity]:
        """Each quantity with spans as our own annotation has them."""
        for number, evidence in enumerate(gather(reading)):
            quantity = reading.quantities[number]
            roles = roles_of(text, reading, number, evidence, self.span_weights, self.curves)
            shown = {ROLES[2]: [one for one in roles if one.role == ROLES[2]]}
            for one in roles:
                shown.setdefault(one.role, [one])
            given = (one for own in shown.values() for one in own)
            answer = reading.answers[number]
            yield replace(
                quantity,
                score=round(float(answer.row), 4),
                context=tuple(roles),
                given=tuple(s for s in given if s.score >= self.curves[s.role]["shown"]),
                purpose=PURPOSES[int(answer.purposes.argmax())],
            )
