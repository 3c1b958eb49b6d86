"""What is known of words that a reader points at: their meaning there, the document's own definition, where else they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.nlp.language import document_language
from marginalia.nlp.sentences import sentences

MAX_CHARACTERS = 400
"""What is longer is a passage and no question."""
MAX_PASSAGE = 2_000
"""Characters of a passage for which similar ones are looked for."""
MAX_WORDS_LOOKED_UP = 4
MAX_PLACES = 12
MAX_SHOWN = 160
"""Characters of a sentence in which the words stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What the document says of the words, and where."""

    term: str
    meaning: str
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Another place of the words, with the text around them."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """All that is known of some words of a document."""

    quote: str
    meanings: tuple[dict[str, Any], ...]
    """Of each word or expression that the dictionary has, as ``explain_word`` gives them."""
    defined: tuple[Definition, ...]
    places: tuple[Place, ...]
    count: int
    """How often the words stand in the document, here included."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def ask(doc: Document, start: int, end: int) -> Answer:
    """Ask about ``doc.text[start:end]``, which is a word or a few."""
    if not 0 <= start < end <= len(doc.text) or not doc.text[start:end].strip():
        raise FormatError(f"{start}:{end} is no span of words of this text")
    if end - start > MAX_CHARACTERS:
        raise FormatError(f"ask about at most {MAX_CHARACTERS} characters")
    quote = doc.text[start:end]
    lang = document_language(doc)
    bounds = list(sentences(doc.text, lang))
    found = list(_find(doc.text, quote))
    others = [span for span in found if span[1] <= start or span[0] >= end]
    return Answer(
        quote=quote,
        meanings=tuple(_meanings(doc.text, start, end, bounds, lang)),
        defined=tuple(_defined(doc, quote)),
        places=tuple(_place(doc.text, span, bounds) for span in others[:MAX_PLACES]),
        count=len(found),
    )


def sentence_around(doc: Document, start: int, end: int) -> tuple[int, int]:
    """The sentence, or sentences, that some words of a document stand in."""
    if not 0 <= start < end <= len(doc.text):
        raise FormatError(f"{start}:{end} is no span of words of this text")
    bounds = list(sentences(doc.text, document_language(doc)))
    low, _ = _sentence(bounds, start, start + 1)
    _, high = _sentence(bounds, end - 1, end)
    return low, min(high, low + MAX_PASSAGE)


def _meanings(
    text: str, start: int, end: int, bounds: list[tuple[int, int]], lang: str
) -> Iterator[dict[str, Any]]:
    """Of an expression that is one entry its meaning, else those of its words."""
    from marginalia import explain_word

    low, high = _sentence(bounds, start, end)
    seen: set[str] = set()
    for match in list(re.finditer(r"\w[\w'’-]*", text[start:end]))[:MAX_WORDS_LOOKED_UP]:
        one = explain_word(
            text[low:high], start + match.start() - low, start + match.end() - low, lang=lang
        )
        if one is not None and one.word not in seen:
            seen.add(one.word)
            yield one.to_dict()


def _sentence(bounds: list[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    place = bisect_right(bounds, start, key=lambda span: span[0]) - 1
    low, high = bounds[place] if place >= 0 else (start, end)
    return min(low, start), max(high, end)


def _find(text: str, quote: str) -> Iterator[tuple[int, int]]:
    words = r"\s+".join(map(re.escape, quote.split()))
    for match in re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE):
        yield match.span()


def _defined(doc: Document, quote: str) -> Iterator[Definition]:
    """What annotators have put into the glossary of the document."""
    wanted = _plain(quote)
    for summary in doc.meta.get("summary", {}).values():
        for entry in (summary or {}).get("glossary", ()):
            if wanted in (_plain(str(entry["term"])), _plain(str(entry["term"])) + "s"):
                yield Definition(
                    term=str(entry["term"]),
                    meaning=str(entry.get("meaning") or ""),
                    start=int(entry["start"]),
                )


def _place(text: str, span: tuple[int, int], bounds: list[tuple[int, int]]) -> Place:
    low, high = _sentence(bounds, *span)
    first, last = max(low, span[0] - MAX_SHOWN // 2), min(high, span[1] + MAX_SHOWN // 2)
    if first > low:  # from the next whole word on
        first = min(span[0], (text.find(" ", first) + 1) or first)
    if last < high:
        last = max(span[1], text.rfind(" ", span[1], last))
    shown = " ".join(text[first:last].split())
    ends = ("… " if first > low else "", " …" if last < high else "")
    return Place(start=span[0], end=span[1], text=shown.join(ends))


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
