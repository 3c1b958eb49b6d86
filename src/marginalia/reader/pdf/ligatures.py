"""Ligatures that a PDF gives as a code without a meaning: read by the words they stand in.

Where the name of a glyph is all that tells ``fi`` from ``ff``, the characters of the file hold a control code. The
same code means the same letters throughout a document, so all words that it stands in vote.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from marginalia.nlp.frequency import zipf
from marginalia.reader.pdf.lines import Line
from marginalia.reader.pdf.signs import UNKNOWN

CANDIDATES = ("fi", "fl", "ff", "ffi", "ffl", "ft", "tt", "Th", "fj")
MIN_ZIPF = 1.5
"""A word as rare as this is no evidence."""

_LOST = f"[\\u{UNKNOWN:04x}-\\u{UNKNOWN + 0x9F:04x}]"
_SIGN = re.compile(_LOST)
_WORD = re.compile(rf"[^\W\d_]*{_LOST}[^\W\d_]*")


class Ligatures:
    """What the unexplained codes of one document stand for, as far as its words have told."""

    def __init__(self) -> None:
        self.votes: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def repair(self, lines: Iterable[Line]) -> None:
        """Put letters in place of the codes of a page; one that nothing explains is a bullet where an item
        begins, U+FFFD within a word, and a blank elsewhere."""
        lost = [line for line in lines if _SIGN.search(line.text)]
        for line in lost:
            for word in _WORD.findall(line.text):
                self._vote(word)
        for line in lost:
            for match in reversed(list(_SIGN.finditer(line.text))):
                line.put(match.start(), self._letters(match.group(), line.text, match.start()))

    def _vote(self, word: str) -> None:
        signs = _SIGN.findall(word)
        if len(signs) != 1 or len(word) < 4:
            return
        for letters in CANDIDATES:
            whole = word.replace(signs[0], letters).lower()
            found = max(zipf(whole, "en"), zipf(whole, "de"))
            if found >= MIN_ZIPF:
                self.votes[signs[0]][letters] += round(found * 10)

    def _letters(self, sign: str, text: str, place: int) -> str:
        if self.votes[sign]:
            return self.votes[sign].most_common(1)[0][0]
        before, after = text[:place].strip(), text[place + 1 : place + 2]
        if not before and after in ("", " "):
            return "•"
        return "\ufffd" if after.isalpha() and before[-1:].isalpha() else " "
