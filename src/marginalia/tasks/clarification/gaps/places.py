"""A gap and what stands around it: tagged sentences, and the place among them that leaves something open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from marginalia.core.long_work import pause
from marginalia.nlp.sentences import sentences, trimmed
from marginalia.tasks.clarification.official.data import GAP, PHENOMENA, Item

CONTEXT_SENTENCES = 3
"""Sentences before the gap that an item takes along, as many as most items of CLAIRE have."""
MAX_SENTENCE_CHARACTERS = 2_000
"""Characters of a sentence; what is longer is no sentence, and is read in pieces."""

_MARK = re.compile(r"\s*(?:[-*•–▪◦]|\(?\d{1,3}[.):](?!\d)|\(?[a-zA-Z][.)])\s+")
_HYPHENS = frozenset("-‐‑")


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
    """A sentence of a guide with its place in the text."""

    start: int
    text: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """What stands around a gap, with its sentence."""

    title: str
    sentences: tuple[Sentence, ...]

    def context(self, number: int, size: int = CONTEXT_SENTENCES) -> tuple[Sentence, ...]:
        """The sentences right before one."""
        return self.sentences[max(0, number - size) : number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something is left open, and in which of the four ways."""

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
            header="",
            previous=" ".join(s.text for s in guide.context(self.number)),
            sentence=self.cloze(sentence),
            followup=" ".join(s.text for s in after),
            filler=filler,
            others=tuple(others),
        )


def read_context(text: str, title: str = "") -> Guide:
    """The sentences before a gap, without the marks of lists."""
    found = []
    for start, end in sentences(text, "en"):
        for cut in range(start, end, MAX_SENTENCE_CHARACTERS):
            for low, high in trimmed(text, cut, min(cut + MAX_SENTENCE_CHARACTERS, end)):
                mark = _MARK.match(text, low, high)
                found.append((mark.end() if mark else low, high))
    spans = [(low, high) for low, high in found if low < high]
    tagged = tag([text[low:high] for low, high in spans])
    made = (
        Sentence(low, text[low:high], words)
        for (low, high), words in zip(spans, tagged, strict=True)
    )
    return Guide(title, tuple(made))


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
