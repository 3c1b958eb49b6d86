"""Sentences with their code-point offsets, for English and German."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A full stop after one of these does not end a sentence. Lower-cased, without the full stop.
_ABBREVIATIONS = frozenset(
    "approx abb al bzw ca cf dr ed eds eq eqs etc evtl fig figs ggf inc jr ltd mr mrs ms nr no "
    "pp prof ref refs resp sec sr st tab usw vgl vol vs z.b d.h u.a i.e e.g o.ä s.o s.u".split()
)
_BREAK = re.compile(r"\n[^\S\n]*\n\s*|(?<=[.!?…])[\"'”’»)\]]*\s+")
_LAST_WORD = re.compile(r"([\w.]+)\.[\"'”’»)\]]*\s*$")
_OPENS = re.compile(r"[\"'“‘„«(\[]*[^\W_]")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The offsets of each sentence, without the white space around it."""
    start = 0
    for match in _BREAK.finditer(text):
        if "\n\n" not in re.sub(r"[^\S\n]", "", match.group()) and not _ends(text, match):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _ends(text: str, match: re.Match[str]) -> bool:
    """Whether the full stop before this white space ends a sentence."""
    opening = _OPENS.match(text, match.end())
    if opening is None:
        return True
    first = opening.group()[-1]
    if first.islower():
        return False
    before = _LAST_WORD.search(text, max(0, match.start() - 20), match.end())
    if before is None:
        return True
    word = before.group(1)
    # "S. Smith" and "20. November" go on; "in 2020. Then" does not.
    ordinal = word.isdigit() and len(word) <= 2 and first.isupper() and not text.isascii()
    return not (word.lower() in _ABBREVIATIONS or (len(word) == 1 and word.isupper()) or ordinal)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    body = piece.strip()
    if body:
        offset = start + piece.index(body)
        yield offset, offset + len(body)
