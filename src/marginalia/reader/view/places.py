"""Where the text of a document stands in the file it was read from: line and column, for editors.

A reader leaves mark-up out, so offsets into the document are not offsets into the file. The words come in
the same order in both, though, and are found one after the other.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from marginalia.nlp.tokens import words

MAX_LOOK_AHEAD_CHARACTERS = 5_000
"""A word is not looked for further on than this: it may have been written as an entity."""


class Places:
    """Maps offsets of a document's text to lines and columns of its source, both counted from 1."""

    def __init__(self, source: str, text: str) -> None:
        self.source = source
        lengths = (len(line) for line in source.split("\n"))
        self._lines = [0, *accumulate(length + 1 for length in lengths)]
        self._here: list[int] = []
        self._there: list[int] = []
        place = 0
        for match in words(text):
            found = source.find(
                match.group(), place, place + MAX_LOOK_AHEAD_CHARACTERS + len(match.group())
            )
            if found >= 0:
                self._here.append(match.start())
                self._there.append(found)
                place = found + len(match.group())

    def offset(self, offset: int) -> int:
        """The offset in the source; inside of a word exact, elsewhere counted from the last word before."""
        index = bisect_right(self._here, offset) - 1
        if index < 0:
            return 0
        return min(self._there[index] + offset - self._here[index], len(self.source))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span in the source that holds these characters of the text."""
        return self.offset(start), self.offset(max(start, end - 1)) + 1

    def line(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset in the source."""
        line = bisect_right(self._lines, offset) - 1
        return line + 1, offset - self._lines[line] + 1

    def at(self, line: int, column: int) -> int:
        """The offset in the source of a line and column."""
        return min(self._lines[min(line, len(self._lines)) - 1] + column - 1, len(self.source))
