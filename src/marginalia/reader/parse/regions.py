"""Regions that no mark-up shows: lists of references, and paragraphs in another language than their document or in none.

What is taken for references gets no notes, so a heading alone is not enough: the paragraphs below it must look
like entries, and the list ends where they end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from marginalia.core.document import SILENT
from marginalia.nlp.frequency import has_words, zipf
from marginalia.nlp.language import MIN_SURE, detect, guess, is_usual
from marginalia.nlp.prose import SpanSet, is_reference_heading, paragraphs
from marginalia.reader.parse.content import sections

FIRST_TENTH = 0.1
"""No list of references starts in this part of a document."""
MIN_NAMED_SHARE = 0.2
"""The share of entries among the paragraphs below a heading that says references."""
MIN_UNNAMED_ENTRIES = 6
MIN_UNNAMED_SHARE = 0.5
"""Entries in a row that make a list without a heading."""
MAX_BETWEEN = 3
"""Paragraphs between two entries of such a list: parts of entries, or subheadings."""
MIN_PROSE_WORDS, MAX_PROSE_BETWEEN = 40, 2
"""Paragraphs of so many words that are no entries are prose; the second of them ends a list."""
MAX_ENTRY_CHARACTERS = 700
"""A longer paragraph may be several entries, each with its year."""

_YEAR = re.compile(
    r"\b(?:1[6-9]|20)\d\d[a-z]?\b|\bn\.\s?d\.|\bin press\b|\bforthcoming\b|\bim Druck\b"
)
_LABEL = re.compile(r"(?:\[[\w+&’'. -]{1,20}\]|\(?\d{1,3}[.)\]])\s*(?=\S)")
_NAMES = re.compile(
    r"[^\W\d_][\w'’-]+,?\s+(?:[A-Z]\.?[ -]?){1,3}(?:[,;.&:(]|\b(?:and|und|et)\b)"  # Doe, J., Doe JK,
    r"|(?:[A-Z]\.[ -]?){1,3}\s?[^\W\d_][\w'’-]+"  # J. Doe
    r"|[^\W\d_][\w'’-]+,\s+[A-Z][\w'’-]+(?:\s+[A-Z]\.)?(?:[,;.&(:]|\s+(?:and|und|et)\b)"  # Doe, Jane.
    r"|(?:[A-Z][\w'’.-]*\s+){1,3}[A-Z][\w'’-]+(?:,[^.]*|\s+(?:and|und)\s[^.]*)?\.\s(?:19|20)\d\d[a-z]?\."  # Jane Doe. 2019.
)
_PRINT = re.compile(
    r"\bdoi\b|https?://|\bet al\b|\bpp?\.\s?\d|\bS\.\s?\d|\bvol\.|\bNo\.\s?\d|\bIn:|\bIn Proc|\bEds?\.|\bHrsg\."
    r"|\d+\s?\(\d+\)|\b\d+\s?[–-]\s?\d{2,}\b|\b(?:Press|Springer|Wiley|Elsevier|Verlag|University|Journal|Proceedings"
    r"|Conference|arXiv|Technical Report|Retrieved|Available)\b"
)

MIN_CHARACTERS = 120
"""A shorter paragraph may be a name, a title or a list of both."""
MAX_JUDGED = 1_000
"""Characters of a paragraph whose words are looked up."""
MIN_WORDS, MIN_KNOWN, MIN_ZIPF = 15, 0.5, 1.5
"""Of so many words, this share is known if the text is in a language; rarer ones are typing errors."""
MAX_WORD = 80
MIN_LETTERS = 0.7
"""Share of letters and spaces: figures and signs are in no language."""


_WORDS = re.compile(r"[^\W\d_]{2,}|[\w+/=]{80,}")


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def is_entry(text: str) -> bool:
    """Whether a paragraph looks like the entry of a bibliography: who, when, and where it was printed."""
    text = " ".join(text.split())
    if len(text) < 15 or len(text) > MAX_ENTRY_CHARACTERS * len(_YEAR.findall(text) or "x"):
        return False
    label = _LABEL.match(text)
    body = text[label.end() :] if label else text
    named = _NAMES.match(body) is not None
    dated, printed = _YEAR.search(body) is not None, _PRINT.search(body) is not None
    # A label may number anything, so it weighs less than names, year and print together.
    return (dated and (named or (label is not None and printed))) or (named and printed)


def with_references(text: str, regions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The regions, with one for each list of references that is not yet marked."""
    if any(region["kind"] == "references" for region in regions):
        return regions
    found = [
        {"kind": "references", "start": start, "end": end} for start, end in _lists(text, regions)
    ]
    return sorted([*regions, *found], key=lambda region: (region["start"], -region["end"]))


def _lists(text: str, regions: list[dict[str, Any]]) -> Iterator[tuple[int, int]]:
    ends = {region["start"]: region["end"] for region in regions if region["kind"] == "heading"}
    last = 0
    for section in sections(text, regions):
        if not is_reference_heading(section["title"]) or section["start"] < last:
            continue
        if section["start"] < FIRST_TENTH * len(text):
            continue
        pieces = list(paragraphs(text, ends[section["start"]], section["end"]))
        entries = _below_heading(text, pieces)
        if entries:
            # The first entries may be too odd to tell, but nothing else stands right below this heading.
            first = 0 if entries[0] <= MAX_BETWEEN else entries[0]
            last = pieces[entries[-1]][1]
            yield pieces[first][0], last
    if not last:
        late = [piece for piece in paragraphs(text) if piece[0] >= len(text) / 3]
        yield from _unnamed(text, late)[-1:]


def _below_heading(text: str, pieces: list[tuple[int, int]]) -> list[int]:
    """Which paragraphs are entries, up to where prose begins; a line end may divide an entry in two."""
    entries: list[int] = []
    prose = 0
    for place, (start, end) in enumerate(pieces):
        if is_entry(text[start:end]):
            entries.append(place)
            prose = 0
        elif len(text[start:end].split()) >= MIN_PROSE_WORDS:
            prose += 1
            if prose == MAX_PROSE_BETWEEN:
                break
    enough = entries and len(entries) >= MIN_NAMED_SHARE * (entries[-1] + 1)
    return entries if enough else []


def _unnamed(text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where many entries follow each other, with few other paragraphs between them."""
    found: list[tuple[int, int]] = []
    entries: list[int] = []
    for place, (start, end) in enumerate([*pieces, (len(text), len(text))]):
        is_last = place == len(pieces)
        if not is_last and is_entry(text[start:end]):
            entries.append(place)
        elif entries and (is_last or place - entries[-1] > MAX_BETWEEN):
            count = entries[-1] - entries[0] + 1
            if len(entries) >= max(MIN_UNNAMED_ENTRIES, MIN_UNNAMED_SHARE * count):
                found.append((pieces[entries[0]][0], pieces[entries[-1]][1]))
            entries = []
    return found


def with_foreign(text: str, regions: list[dict[str, Any]], lang: str) -> list[dict[str, Any]]:
    """The regions, with ``foreign`` (and its ``lang``) for each paragraph that is surely in another language, ``noise`` for
    what is in none: enciphered, encoded, or badly recognised."""
    new = list(_foreign(text, regions, lang))
    return sorted([*regions, *new], key=lambda one: (one["start"], -one["end"])) if new else regions


def _foreign(text: str, regions: list[dict[str, Any]], lang: str) -> Iterator[dict[str, Any]]:
    no_prose = {*SILENT, "table", "heading"}
    left_out = SpanSet.merge(
        (one["start"], one["end"])
        for one in regions
        if one["kind"] in no_prose and not one.get("inline")
    )
    seems = ""
    for start, end in paragraphs(text):
        if end - start < MIN_CHARACTERS or left_out.touch(start, end):
            continue
        if is_noise(text[start:end], lang):
            yield {"kind": "noise", "start": start, "end": end}
            continue
        found = _surely_other(text[start:end], lang)
        if found:
            # Who says that a text is in another language than it seems wants it read so.
            seems = seems or guess(text)
            if found != seems:
                yield {"kind": "foreign", "lang": found, "start": start, "end": end}


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def is_noise(text: str, lang: str) -> bool:
    """Whether hardly a word of a paragraph is one, in this language, in English or in the one that it seems to be in."""
    found = _WORDS.findall(text[:MAX_JUDGED])
    if any(len(word) > MAX_WORD for word in found):  # base64 has no spaces
        return True
    if len(found) < MIN_WORDS or is_usual(text, lang):
        return False
    for code in dict.fromkeys((lang, "en")):
        if not has_words(code) or _known(found, code) >= MIN_KNOWN:
            return False
    other, sure = detect(text)
    return sure < MIN_SURE or (has_words(other) and _known(found, other) < MIN_KNOWN)


def _known(found: list[str], lang: str) -> float:
    return sum(zipf(word.lower(), lang) >= MIN_ZIPF for word in found) / len(found)


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _surely_other(text: str, lang: str) -> str:
    """The language of a paragraph that is surely in another one; empty for others."""
    if not _is_prose(text) or is_usual(text, lang):
        return ""
    found, sure = detect(text)
    return found if found != lang and sure >= MIN_SURE else ""


def _is_prose(text: str) -> bool:
    letters = sum(map(str.isalpha, text)) + sum(map(str.isspace, text))
    return letters >= MIN_LETTERS * len(text)
