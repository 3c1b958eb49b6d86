"""What stands beside the text of a PDF page: numbers that count its lines, and notes in the margin."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from marginalia.reader.pdf.kinds import Paragraph
from marginalia.reader.pdf.lines import Line
from marginalia.reader.pdf.tables import ALIGNED, MIN_PROSE_CHARACTERS, join_row, make_rows

MIN_PROSE = 40
"""Characters of a line of the text; those of a note in the margin are shorter."""
MIN_LINES = 6
"""Lines of the text that a page needs, to have a margin."""
MIN_COUNTED, MIN_STEPS = 12, 4
"""As many lines of a page are counted one by one, or as many numbers go on by the same step."""
MIN_NUMBERED = 0.7
"""The share of the text's lines that are counted one by one."""
MIN_NOTE_WORDS, MAX_NOTE_WIDTH = 4, 0.5
"""A note has as many words, and is no wider than this part of the text."""

_HEAD, _TAIL = re.compile(r"\A(\d{1,4})(?:\s+|\Z)"), re.compile(r"(?:\A|\s)(\d{1,4})\Z")


class Counts:
    """The numbers of lines in the margins of a document, from page to page."""

    def __init__(self) -> None:
        self.last = 0

    def remove(self, lines: Sequence[Line]) -> list[Line]:
        """The lines without the numbers that count them."""
        prose = [line for line in lines if len(line.text) >= MIN_PROSE_CHARACTERS]
        for pattern in (_HEAD, _TAIL):
            found = [(line, match) for line in lines if (match := pattern.search(line.text))]
            for column in _aligned(found):
                if self._counts(column, prose, is_left=pattern is _HEAD):
                    self.last = int(column[-1][1][1])
                    for line, match in column:
                        if pattern is _HEAD:
                            line.behead(match.end())
                        else:
                            line.cut(len(line.text) - match.start())
        return [line for line in lines if line.text]

    def _counts(
        self, column: Sequence[tuple[Line, re.Match[str]]], prose: Sequence[Line], *, is_left: bool
    ) -> bool:
        """Whether these numbers go up by one step and stand outside of the text."""
        values = [int(match[1]) for _, match in column]
        steps = Counter(b - a for a, b in pairwise(values))
        step, count = steps.most_common(1)[0]
        if step < 1 or count < 0.9 * (len(values) - 1) or not prose:
            return False
        goes_on = self.last and values[0] == self.last + step
        ends = {id(line): match for line, match in column}
        if is_left:
            text = [line.edges[ends[id(line)].end() if id(line) in ends else 0] for line in prose]
            is_outside = max(line.edges[match.end(1)] for line, match in column) <= min(text)
        else:
            text = [
                line.edges[ends[id(line)].start() if id(line) in ends else -1] for line in prose
            ]
            is_outside = min(line.edges[match.start(1)] for line, match in column) >= max(text)
        if not is_outside:
            return False
        if step > 1:
            is_alone = all(match[0] == line.text for line, match in column)
            return is_alone and (len(values) > MIN_STEPS - (step in (5, 10)) or bool(goes_on))
        baselines = [line.baseline for line, _ in column]
        low, high = min(baselines), max(baselines)
        own = [line for line in prose if low <= line.baseline <= high]
        beside = sum(any(abs(line.baseline - y) < 0.3 * line.size for y in baselines) for line in own)  # fmt: skip
        enough = len(values) >= MIN_COUNTED or (goes_on and len(values) >= MIN_STEPS)
        return bool(enough) and beside >= MIN_NUMBERED * len(own)


def _aligned(found: Sequence[tuple[Line, re.Match[str]]]) -> list[list[tuple[Line, re.Match[str]]]]:
    """Numbers that stand below each other, by their right ends or else by their left ones."""
    columns: list[list[tuple[Line, re.Match[str]]]] = []
    for line, match in sorted(found, key=lambda one: one[0].baseline):
        sides = [line.edges[match.end(1)], line.edges[match.start(1)]]
        for column in columns:
            other, before = column[-1]
            if any(abs(side - other.edges[place]) <= ALIGNED // 2 for side, place in zip(sides, (before.end(1), before.start(1)), strict=True)):  # fmt: skip
                column.append((line, match))
                break
        else:
            columns.append([(line, match)])
    return [column for column in columns if len(column) >= MIN_STEPS]


def part_notes(lines: Sequence[Line]) -> tuple[list[Line], list[list[Line]]]:
    """The lines of the text, and those of each note beside it."""
    prose = [line for line in lines if len(line.text) >= MIN_PROSE and line.cells == 1]
    if len(prose) < MIN_LINES:
        return list(lines), []
    rights = sorted(line.right for line in prose)
    left, right = min(line.left for line in prose), rights[int(0.95 * (len(rights) - 1))]
    groups: list[list[list[Line]]] = []
    for side in (
        [line for line in lines if line.right < left - 0.5 * line.size],
        [line for line in lines if line.left > right + 0.5 * line.size],
    ):
        for row in make_rows(side):
            last = groups[-1][-1][0] if groups else row[0]
            is_below = 0 < row[0].baseline - last.baseline < 1.6 * last.size
            if is_below and abs(row[0].left - last.left) < last.size:
                groups[-1].append(row)
            else:
                groups.append([row])
    notes = [group for group in groups if _is_note(group, right - left)]
    taken = {id(line) for group in notes for row in group for line in row}
    rest = [line for line in lines if id(line) not in taken]
    return rest, [[join_row(row, " ") for row in group] for group in notes]


def _is_note(rows: Sequence[Sequence[Line]], width: int) -> bool:
    """Whether these are words in a narrow column of several lines."""
    extent = max(row[-1].right for row in rows) - min(row[0].left for row in rows)
    if len(rows) < 2 or extent > MAX_NOTE_WIDTH * width:
        return False
    text = " ".join(line.text for row in rows for line in row)
    letters = sum(map(str.isalpha, text))
    return len(text.split()) >= MIN_NOTE_WORDS and letters > 0.6 * len(text.replace(" ", ""))


def put_notes(found: list[Paragraph], notes: Sequence[Sequence[Line]]) -> list[Paragraph]:
    """The paragraphs, with each note after the one that it stands beside."""
    for lines in notes:
        left, right = min(line.left for line in lines), max(line.right for line in lines)
        one = Paragraph("footnote", list(lines), left, right)
        near = min(
            (other for other in found if other.kind != "footnote"),
            key=lambda other: min(
                (abs(line.baseline - lines[0].baseline), max(line.left - right, left - line.right))
                for line in other.lines
            ),
            default=None,
        )
        found.insert(found.index(near) + 1 if near else len(found), one)
    return found
