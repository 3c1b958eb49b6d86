"""The sentences of a document that say something: where they stand, and what their place is called.

Headings, captions, references, tables, code and bits without a whole sentence are left out. What is left has
true offsets, and its text is that of the document with every kind of white space as a blank.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.core.document import SILENT, Document
from marginalia.nlp.prose import BLANK_LINE, is_reference_heading, spans_of
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tokens import words

LEFT_OUT = frozenset({"heading", "caption", "table", "code", "formula", "reference", "references"})
"""Kinds of regions without sentences of their own."""
MIN_WORDS = 5
MAX_CHARACTERS = 2_000
"""Characters: what is longer is a table or list that lost its line ends, not a sentence."""
QUOTE_CHARACTERS = 60

_BLANK = re.compile(r"\s")
_END = re.compile(r"[.!?…:;][\"'”’“‘»«›‹)\]¹²³⁰⁴-⁹\d,\[]*\Z")
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|scheme|box|abb(?:ildung|\.)?|tabelle)\s*[A-Z]?\d+[.:|]", re.I
)
# "[12] Ames, B., ..." and "Ames, B. and C. Bell (2019)": a name with initials, and a year.
_REFERENCE = re.compile(
    r"(?:\[?\d{1,3}[\].]\s*)?[^\W\d_][\w'’-]+,?\s+(?:[A-Z]\.[ -]?){1,3}[,;(&]?.*\b(?:1[5-9]|20)\d\d\b"
    r"|\[\d{1,3}\]\s"
)
_NUMBER = re.compile(r"(?:§\s*)?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)[.)]?\s+\S")
MAX_HEADING_WORDS = 12


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, and where it stands: ``doc.text[start:end]`` but for the white space."""

    text: str
    document: str
    start: int
    end: int
    number: int
    """Which sentence of its document it is, counted from 1."""
    section: str = ""
    """The heading it stands under."""
    page: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "document": self.document,
            "page": self.page,
            "section": self.section,
            "start": self.start,
            "end": self.end,
            "text": self.text,
        }


def passages(doc: Document, *, least_words: int = MIN_WORDS) -> Iterator[Passage]:
    """The sentences of a document that have at least ``least_words`` words, in reading order."""
    regions = sorted(doc.meta.get("regions", ()), key=lambda region: region["start"])
    left_out = spans_of(doc, LEFT_OUT, inline=False)
    silent = spans_of(doc, SILENT, inline=True)
    items = spans_of(doc, {"item"})
    headings = [region for region in regions if region["kind"] == "heading"]
    starts = [region["start"] for region in headings]
    heading, last, caption = "", 0, False
    for number, (start, end) in enumerate(sentences(doc.text, doc.meta.get("lang")), 1):
        text = _BLANK.sub(" ", doc.text[start:end])
        # A caption goes on to the end of its paragraph.
        if not last or BLANK_LINE.search(doc.text, last, start):
            caption = _CAPTION.match(text) is not None
        last = end
        if headings:
            above = bisect_right(starts, start) - 1
            if above >= 0:
                region = headings[above]
                heading = " ".join(doc.text[region["start"] : region["end"]].split())
        if _is_heading(text) and not items.hold(start):
            # In a text without regions a heading; else a line of authors, or the like.
            heading = heading if headings else " ".join(text.split())
            continue
        if caption or left_out.hold(start) or is_reference_heading(heading):
            continue
        spoken = [match.group() for match in words(text) if not silent.hold(start + match.start())]
        if is_prose(text, spoken, least_words):
            yield Passage(text, doc.id, start, end, number, heading, doc.page(start))


def all_passages(docs: Iterable[Document], *, least_words: int = MIN_WORDS) -> Iterator[Passage]:
    """The sentences of many documents, one document in memory at a time."""
    for doc in docs:
        yield from passages(doc, least_words=least_words)


def is_prose(text: str, spoken: Sequence[str], least_words: int = MIN_WORDS) -> bool:
    """Whether it is a sentence: enough words, mostly of letters, no entry of a bibliography."""
    if len(text) > MAX_CHARACTERS or _REFERENCE.match(text):
        return False
    return sum(word[0].isalpha() for word in spoken) >= max(least_words, len(spoken) / 2)


def where(passage: Passage, here: Passage | None = None) -> str:
    """What its place is called: ``§3.2``, the heading in quotes, its page, or which sentence it is."""
    numbered = _NUMBER.match(passage.section)
    if here is not None and passage.document != here.document:
        return f"{passage.document}, {where(passage)}"
    if here is not None and passage.section and passage.section == here.section:
        return "a sentence further up" if passage.start < here.start else "a sentence further down"
    if numbered:
        return f"§{numbered.group(1)}"
    if passage.section:
        return f"“{short(passage.section, 40)}”"
    if passage.page is not None and (here is None or passage.page != here.page):
        return f"p. {passage.page}"
    return f"sentence {passage.number}"


def short(text: str, length: int = QUOTE_CHARACTERS) -> str:
    """The first words, up to ``length`` characters."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    cut = text[:length].rsplit(" ", 1)[0]
    return cut.rstrip(" ,;:") + "…"


def _is_heading(text: str) -> bool:
    """In a text without regions: a short run of words without the mark that ends a sentence."""
    return not _END.search(text) and len(text.split()) <= MAX_HEADING_WORDS and text[:1].isalnum()
