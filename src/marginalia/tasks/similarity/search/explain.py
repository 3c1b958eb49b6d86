"""Two sentences or records side by side: how alike they are, what that means, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from marginalia.core.benchmark import System, SystemCard
from marginalia.core.errors import FormatError
from marginalia.core.extraction import Tabular
from marginalia.tasks.similarity.official.data import Pair
from marginalia.tasks.similarity.official.typed import FIELDS, TYPES, RecordPair, record_of
from marginalia.tasks.similarity.systems.alignment import Alignment, Word
from marginalia.tasks.similarity.systems.defaults import (
    DATASET,
    TYPED,
    card_of,
    encoder_of,
)
from marginalia.tasks.similarity.systems.differences import Difference, differences
from marginalia.tasks.similarity.systems.languages import encoder_language
from marginalia.tasks.similarity.systems.records.reasons import record_reasons
from marginalia.tasks.similarity.systems.records.typed import encoder_for
from marginalia.tasks.similarity.systems.word_vectors import align_near

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

MEANINGS = (
    "they are about different things",
    "they are about the same subject, but say different things",
    "they say different things and share some details",
    "they say roughly the same, but something important differs or is missing",
    "they say the same but for details that matter little",
    "they say the same",
)
"""What the six points of the official scale mean."""
ALIGNED = ("kind", "score", "left", "right")
RESPECTS = ("type", "score", "why")
MAX_CHARACTERS = 20_000
"""Characters of a text that is compared as one sentence."""


@dataclass(frozen=True, slots=True)
class Explanation(Tabular):
    """How alike two texts are, and why. Spans in ``alignment`` and ``differences`` count code points of the texts."""

    columns: ClassVar[Collection[str]] = ALIGNED
    left: str
    right: str
    score: float
    """From 0 to 5."""
    confidence: float
    """From 0 to 100, as in the shared task."""
    alignment: Alignment
    differences: tuple[Difference, ...]
    system: str

    @property
    def meaning(self) -> str:
        """The score in words."""
        return meaning(self.score)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each pair of aligned words."""
        left, right = self.alignment.left, self.alignment.right
        return [
            {
                "kind": link.kind,
                "score": link.score,
                "left": left[link.left].text,
                "right": right[link.right].text,
            }
            for link in self.alignment.links
        ]

    def to_dict(self) -> dict[str, Any]:
        """Score, meaning, reasons and every span, as plain data."""
        left, right = self.alignment.left, self.alignment.right
        return {
            "left": self.left,
            "right": self.right,
            "score": round(self.score, 4),
            "meaning": self.meaning,
            "confidence": round(self.confidence, 2),
            "why": list(reasons(self)),
            "aligned": [
                {
                    "left": _span(left[link.left]),
                    "right": _span(right[link.right]),
                    "kind": link.kind,
                    "score": link.score,
                }
                for link in self.alignment.links
            ],
            "only_left": [_span(word) for word in self.alignment.only_left],
            "only_right": [_span(word) for word in self.alignment.only_right],
            "differences": [
                {
                    "kind": one.kind,
                    "left": _quoted(self.left, one.left),
                    "right": _quoted(self.right, one.right),
                }
                for one in self.differences
            ],
            "system": self.system,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordComparison(Tabular):
    """Eight kinds of similarity between two catalogue records, and what each is seen by."""

    columns: ClassVar[Collection[str]] = RESPECTS
    left: Mapping[str, Any]
    right: Mapping[str, Any]
    scores: Mapping[str, float]
    """Kind of similarity -> score from 0 to 5, in the official order."""
    why: Mapping[str, Sequence[str]]
    """Kind of similarity -> its evidence, in words."""
    system: str

    @property
    def meaning(self) -> str:
        """The general score in words."""
        return meaning(self.scores["general"])

    def rows(self) -> list[dict[str, Any]]:
        """A row for each kind of similarity."""
        return [
            {"type": name, "score": score, "why": list(self.why[name])}
            for name, score in self.scores.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Both records, scores and reasons as plain data."""
        return {
            "left": self.left,
            "right": self.right,
            "scores": dict(self.scores),
            "meaning": self.meaning,
            "why": {name: list(said) for name, said in self.why.items()},
            "system": self.system,
        }


def explain(
    left: str,
    right: str,
    *,
    system: str | None = None,
    lang: str | None = None,
    llm: LanguageModel | None = None,
) -> Explanation:
    """Compare two sentences, in English, German or one of each."""
    for text, side in ((left, "first"), (right, "second")):
        if not text.strip():
            raise FormatError(f"the {side} text is empty")
        if len(text) > MAX_CHARACTERS:
            raise FormatError(
                f"the {side} text has {len(text):,} characters, the limit for a sentence is "
                f"{MAX_CHARACTERS:,}: compare longer texts as documents"
            )
    card = card_of(system)
    scorer, name = scorer_of(card, llm)
    pred = scorer.predict({"": Pair(left, right, DATASET)})[""]
    encoder = encoder_of(lang or encoder_language(left, right))
    alignment = align_near(left, right, encoder)
    found = tuple(differences(left, right, alignment=alignment))
    return Explanation(left, right, pred.score, pred.confidence, alignment, found, name)


def scorer_of(card: SystemCard, llm: LanguageModel | None) -> tuple[System, str]:
    """The system, blended with what a language model says where there is one, and what both are called."""
    if llm is None:
        return card.loaded(), card.name
    from marginalia.tasks.similarity.systems.prompted import asking_too

    return asking_too(card.loaded(), llm), f"{card.name} + {llm.name}"


def meaning(score: float) -> str:
    """The score in words: the nearest of the six points of the scale."""
    return MEANINGS[min(5, max(0, int(score + 0.5)))]


def reasons(one: Explanation) -> Iterator[str]:
    """Why the score is what it is, a line for each reason."""
    for difference in one.differences:
        yield describe_difference(difference, one.left, one.right)
    spans = {side: _covered(one.differences, side) for side in ("left", "right")}
    sides = (
        ("the first", "left", one.alignment.only_left, one.left),
        ("the second", "right", one.alignment.only_right, one.right),
    )
    for name, side, alone, text in sides:
        quotes = [
            text[low:high]
            for low, high in _runs(text, alone)
            if not any(low < end and start < high for start, end in spans[side])
        ]
        if quotes:
            yield f"only {name} says {', '.join(f'“{quote}”' for quote in quotes)}"
    if not one.alignment.only_left and not one.alignment.only_right and not one.differences:
        yield "every word of one has its partner in the other"


def describe_difference(difference: Difference, left: str, right: str) -> str:
    """A disagreement in words: ``“12 %” against “15 %”``."""
    quotes = [
        f"“{text[slice(*span)]}”" if span else ""
        for text, span in ((left, difference.left), (right, difference.right))
    ]
    if difference.kind == "negation":
        side = "first" if difference.left else "second"
        return f"only the {side} denies it: {quotes[0] or quotes[1]}"
    return f"another {difference.kind}: {quotes[0]} against {quotes[1]}".replace(
        "another opposite", "the opposite"
    )


def compare_records(
    left: Mapping[str, Any],
    right: Mapping[str, Any],
    *,
    system: str | None = None,
    llm: LanguageModel | None = None,
) -> RecordComparison:
    """The eight kinds of similarity between two catalogue records with the fields of the TYPED task, and why."""
    card = card_of(system, TYPED)
    sides = {"the first record": left, "the second record": right}
    pair = RecordPair(*(record_of(data, what) for what, data in sides.items()))
    for record, what in ((pair.left, "first"), (pair.right, "second")):
        if not record.text():
            raise FormatError(f"the {what} record is empty; expected {', '.join(FIELDS)}")
    scorer, name = scorer_of(card, llm)
    scores = scorer.predict({"": pair})[""]
    return RecordComparison(
        left=left,
        right=right,
        scores={name: round(float(value), 4) for name, value in zip(TYPES, scores, strict=True)},
        why=record_reasons(pair.left, pair.right, encoder_for(pair.left, pair.right)),
        system=name,
    )


def _runs(text: str, alone: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """The content words that stand alone, neighbours together; small words only between them."""
    run: list[Word] = []
    for word in alone:
        if run and text[run[-1].end : word.start].strip():
            yield from _trimmed(run)
            run = []
        run.append(word)
    yield from _trimmed(run)


def _trimmed(run: list[Word]) -> Iterator[tuple[int, int]]:
    places = [place for place, word in enumerate(run) if word.content]
    if places:
        yield run[places[0]].start, run[places[-1]].end


def _covered(found: Sequence[Difference], side: str) -> list[tuple[int, int]]:
    return [span for one in found if (span := getattr(one, side)) is not None]


def _span(word: Word) -> dict[str, Any]:
    return {"start": word.start, "end": word.end, "text": word.text}


def _quoted(text: str, span: tuple[int, int] | None) -> dict[str, Any] | None:
    return None if span is None else {"start": span[0], "end": span[1], "text": text[slice(*span)]}
