"""A guide as the detectors read it: tagged sentences under their headings; and a place in it that leaves something open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from marginalia.core.document import SILENT, Document
from marginalia.core.long_work import pause
from marginalia.nlp.prose import NO_SPANS, SpanSet, spans_of
from marginalia.nlp.sentences import sentences, trimmed
from marginalia.tasks.clarification.official.data import GAP, PHENOMENA, Item

CONTEXT_SENTENCES = 3
"""Sentences before the gap that an item takes along, as many as most items of CLAIRE have."""
MAX_SENTENCE_CHARACTERS = 2_000
"""Characters of a sentence; what is longer is no sentence, and is read in pieces."""

_MARK = re.compile(r"\s*(?:[-*•–▪◦]|\(?\d{1,3}[.):](?!\d)|\(?[a-zA-Z][.)])\s+")
_HYPHENS = frozenset("-‐‑")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence; offsets count from the start of the sentence."""

    start: int
    end: int
    text: str
    tag: str
    gap: str
    """What stands between the word before and this one."""
    lower: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lower", self.text.lower().replace("’", "'"))

    @property
    def joined(self) -> bool:
        """Whether nothing but blanks or a hyphen parts it from the word before."""
        gap = self.gap.strip()
        return (not gap and "\n\n" not in self.gap) or gap in _HYPHENS


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a guide with its place in the text, and the heading it stands under."""

    start: int
    text: str
    words: tuple[Word, ...]
    header: str
    listed: bool
    """Whether it opens the item of a list."""

    @property
    def tail(self) -> str:
        """What follows the last word."""
        return self.text[self.words[-1].end :] if self.words else self.text


@dataclass(frozen=True, slots=True)
class Guide:
    """The sentences of a document that are prose; headings, code, tables and formulas are none."""

    title: str
    sentences: tuple[Sentence, ...]
    silent: SpanSet = NO_SPANS
    """Code and formulas, also within lines, and tables."""

    @property
    def size(self) -> int:
        return sum(len(sentence.words) for sentence in self.sentences)

    def context(self, number: int, size: int = CONTEXT_SENTENCES) -> list[Sentence]:
        """The sentences right before one, without those under another heading."""
        header = self.sentences[number].header
        return [s for s in self.sentences[max(0, number - size) : number] if s.header == header]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a writer may want to say more, and in which of the four ways."""

    pattern: str
    """As the data files of CLAIRE name it, such as ``IMPLICIT REFERENCE``."""
    number: int
    """Of the sentence in its guide, from 0."""
    start: int
    end: int
    """The words in question, as offsets into the document."""
    quote: str
    at: int
    """Where a filler would go, as an offset into the sentence."""
    opening: str = " "
    closing: str = ""
    """What goes in with a filler: ``the`` and ``of the`` around a part or aspect."""
    question: str
    """What a reader might ask: ``Hold: what?``"""
    score: float
    plural: bool | None = None
    """Whether a filler must be a plural, where that is known."""

    @property
    def phenomenon(self) -> str:
        return PHENOMENA[self.pattern]

    def cloze(self, sentence: Sentence) -> str:
        """The sentence with a gap where the filler goes."""
        text = sentence.text
        return f"{text[: self.at]}{self.opening}{GAP}{self.closing}{text[self.at :]}"

    def item(self, guide: Guide, filler: str, others: Sequence[str] = ()) -> Item:
        """A filler of this place as an item of the task."""
        sentence = guide.sentences[self.number]
        after = guide.sentences[self.number + 1 : self.number + 2]
        return Item(
            pattern=self.pattern,
            title=guide.title,
            header=sentence.header,
            previous=" ".join(s.text for s in guide.context(self.number)),
            sentence=self.cloze(sentence),
            followup=" ".join(s.text for s in after if s.header == sentence.header),
            filler=filler,
            others=tuple(others),
        )


def read_guide(doc: Document) -> Guide:
    """The document as its detectors read it."""
    regions = doc.meta.get("regions", ())
    title = str(doc.meta.get("title") or "")

    def spans(kind: str) -> tuple[Span, ...]:
        return tuple((r["start"], r["end"]) for r in regions if r["kind"] == kind)

    silent = spans_of(doc, {*SILENT, "table"})
    return _guide(doc.text, title, spans("heading"), silent, spans("item"))


@lru_cache(maxsize=4)  # finding, filling and rating read the same document
def _guide(
    text: str,
    title: str,
    headings: tuple[Span, ...],
    silent: SpanSet,
    items: tuple[Span, ...],
) -> Guide:
    opening = {start for start, _ in items}
    blocks = [(a, b, " ".join(text[a:b].split())) for a, b in headings]
    blocks += [(a, b, "") for a, b in silent if _is_block(text, a, b)]
    spans: list[tuple[int, int, str, bool]] = []
    header, last = "", 0
    for start, end, name in [*sorted(blocks), (len(text), len(text), "")]:
        for low, high in _pieces(text, last, start):
            mark = _MARK.match(text, low, high)
            first = mark.end() if mark else low
            if first < high:
                spans.append((first, high, header, mark is not None or low in opening))
        header, last = name or header, max(last, end)
    tagged = tag([text[low:high] for low, high, _, _ in spans])
    made = (
        Sentence(low, text[low:high], words, header, listed)
        for (low, high, header, listed), words in zip(spans, tagged, strict=True)
    )
    return Guide(title, tuple(made), silent)


def _is_block(text: str, start: int, end: int) -> bool:
    """Whether the span has its lines for itself; code within a line is a word of its sentence."""
    # Only the white space beside the span is looked at: a line may have very many spans.
    while start and text[start - 1] != "\n":
        start -= 1
        if not text[start].isspace():
            return False
    while end < len(text) and text[end] != "\n":
        if not text[end].isspace():
            return False
        end += 1
    return True


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """Sentences; a line that begins like the item of a list begins one."""
    for low, high in pairwise([start, *_items(text, start, end), end]):
        for first, last in sentences(text[low:high], "en"):
            first, last = low + first, low + last
            for cut in range(first, last, MAX_SENTENCE_CHARACTERS):
                yield from trimmed(text, cut, min(cut + MAX_SENTENCE_CHARACTERS, last))


def _items(text: str, start: int, end: int) -> Iterator[int]:
    """Where a line begins that opens an item. Each is looked at by itself: a mark is never sought over blank lines."""
    low = text.find("\n", start, end) + 1
    while low:
        high = text.find("\n", low, end)
        if _MARK.match(text, low, end if high < 0 else high + 1):
            yield low
        low = high + 1


def tag(texts: Iterable[str]) -> list[tuple[Word, ...]]:
    """The tagged words of each text; equal texts are read once."""
    from marginalia.nlp.encoder import english
    from marginalia.nlp.tagger import english_tagger

    texts = list(texts)
    distinct = list(dict.fromkeys(texts))
    tagger = english_tagger()
    found: dict[str, tuple[Word, ...]] = {}
    passes = english().tokens(distinct, [tagger.layer])
    for text, tokens in zip(distinct, passes, strict=True):
        pause()
        last, made = 0, []
        for word in tagger.tag(text, tokens):
            made.append(Word(word.start, word.end, word.word, word.tag, text[last : word.start]))
            last = word.end
        found[text] = tuple(made)
    return [found[text] for text in texts]
