"""Which sentences that recur word for word were copied, and which are meant to recur: captions, cells, rules for each option."""

from __future__ import annotations

import re
from collections.abc import Sequence

from marginalia.annotators.consistency.repetition import (
    MIN_WORDS_ALONE,
    MIN_WORDS_COPIED,
    depends_on_place,
)
from marginalia.nlp.prose import SpanSet
from marginalia.tasks.similarity.search.passages import Passage

# NAME and SYNOPSIS open a manual page, which says of each option all that holds for it.
_MANUAL_PAGE = re.compile(
    r"^[ \t]*(?:NAME|BEZEICHNUNG)[ \t]*$.*?^[ \t]*(?:SYNOPSIS|ÜBERSICHT|SYNTAX|DESCRIPTION|BESCHREIBUNG)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
# "expect_skip_on_os", "stream.abort([reason])", "--force", "v2.13.0 (2026-04-13)": one entry of many of its kind.
_ENTRY = re.compile(
    r"\W*(?:[a-z]\S*|\S*[\w)][-_.(\[=]\S*)\W*|\W*(?:[Vv]ersion |[Rr]elease )?v?\d+\.\d+\b.*"
)
_HEAD = 3_000
"""Characters in which the first headings of a manual page stand."""


def is_manual_page(text: str) -> bool:
    return _MANUAL_PAGE.search(text[:_HEAD]) is not None


def are_entries(one: Passage, other: Passage) -> bool:
    """Whether they stand under two headings of a reference or a list of changes, and so speak of different things."""
    return one.section != other.section and all(
        _ENTRY.fullmatch(passage.section) is not None for passage in (one, other)
    )


class Copies:
    """The passages of a document by the group of equal ones that each is in, and its paragraphs."""

    def __init__(
        self, found: Sequence[Passage], groups: Sequence[Sequence[int]], blocks: SpanSet
    ) -> None:
        self._found, self._blocks = found, blocks
        self._group = [0] * len(found)
        for number, members in enumerate(groups):
            for place in members:
                self._group[place] = number

    def are_copied(self, one: int, other: int) -> bool:
        """Whether a writer would wonder to see these two equal sentences: not two cells, captions or rules."""
        if are_entries(self._found[one], self._found[other]):
            return False
        if self._words_together(one, other) >= MIN_WORDS_COPIED:
            return True
        text = self._found[one].text
        if len(text.split()) < MIN_WORDS_ALONE:
            return False
        return self._same_block(one, other) or (
            not depends_on_place(text)
            and not self._fills_block(one)
            and not self._fills_block(other)
        )

    def _words_together(self, one: int, other: int) -> int:
        """How many words recur in a row here: this sentence and the neighbours that recur with it."""
        count, neighbours = len(self._found[one].text.split()), 0
        for step in (-1, 1):
            i, j = one + step, other + step
            while 0 <= i < j < len(self._group) and self._group[i] == self._group[j]:
                count += len(self._found[i].text.split())
                neighbours += 1
                i, j = i + step, j + step
        return count if neighbours else 0

    def _block(self, place: int) -> tuple[int, int] | None:
        return self._blocks.holding(self._found[place].start)

    def _same_block(self, one: int, other: int) -> bool:
        block = self._block(one)
        return block is not None and block == self._block(other)

    def _fills_block(self, place: int) -> bool:
        passage = self._found[place]
        return self._block(place) == (passage.start, passage.end)
