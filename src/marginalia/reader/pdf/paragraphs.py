"""Lines of a column become paragraphs: by the distances between them, indents, and where lines end."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from marginalia.nlp.sentences import sentences
from marginalia.reader.pdf.columns import Column
from marginalia.reader.pdf.hyphens import HYPHENS
from marginalia.reader.pdf.kinds import (
    BULLET,
    EQUATION_NUMBER,
    ITEM,
    MIN_PARAGRAPH_PITCH,
    Body,
    Paragraph,
    is_bold,
    is_caption,
    is_formula,
    is_mono,
    kind_of,
)
from marginalia.reader.pdf.lines import Line

MIN_GAP_PITCH = 1.15
"""A distance of this many usual ones is more than that between two lines of a paragraph."""
MIN_INDENT_EM = 0.8
"""A line that begins this many times the font size further to the right is indented."""

_LABEL = re.compile(r"\[\d{1,3}\]\s|\d{1,3}\.\s+[A-ZÄÖÜ]")
_LAST_MARK = re.compile(r"(?:[.!?:]|(?<!\d)[.!?:]\d+)[\"'”’“‘»«)\]¹²³⁰⁴-⁹]*\Z")


def paragraphs(column: Column, body: Body) -> list[Paragraph]:
    """The paragraphs of one column."""
    pitch = _pitch(column.lines, body.size)
    found: list[Paragraph] = []
    for line in column.lines:
        last = found[-1] if found else None
        above = (line.baseline - last.lines[-1].baseline) / pitch if last else 99.0
        if last is not None and _goes_on(last, line, above, column):
            last.lines.append(line)
        else:
            found.append(Paragraph("", [line], column.left, column.right, above))
    for number, one in enumerate(found):
        below = found[number + 1].above if number + 1 < len(found) else 99.0
        one.kind = kind_of(one, body, below)
    # Nothing but footnotes stands below a footnote.
    is_last = True
    for one in reversed(found):
        is_last &= one.kind == "footnote"
        if one.kind == "footnote" and not is_last:
            one.kind = "paragraph"
    return found


def goes_on(first: Paragraph, second: Paragraph) -> bool:
    """Whether a paragraph goes on in the next column or on the next page."""
    if first.kind not in ("paragraph", "item") or second.kind != "paragraph":
        return False
    if abs(first.size - second.size) > 0.06 * first.size:
        return False
    text, following = first.lines[-1].text, second.lines[0]
    if text[-1] in HYPHENS:
        return following.text[0].isalpha()
    if not is_cut(first, following.text):
        return False
    is_indented = following.left - second.left > MIN_INDENT_EM * following.size
    return following.text[0].islower() or (
        _is_full(first.lines[-1], following, first.right) and not is_indented
    )


def is_cut(one: Paragraph, following: str = "") -> bool:
    """Whether its last sentence has no end, or goes on in the following line after what looks like one: ``am 12.``"""
    return not _is_end(one.lines[-1].text, following)


def _is_end(text: str, following: str) -> bool:
    if not _LAST_MARK.search(text) or not following:
        return _LAST_MARK.search(text) is not None
    after = (
        following[0].upper() + following[1:]
    )  # what begins with a small letter may be a paragraph too
    return any(start > len(text) for start, _ in sentences(f"{text} {after}"))


def is_surely_cut(first: Paragraph, second: Paragraph) -> bool:
    """Whether the last line of one is full and the other begins within a sentence or a word."""
    before, after = first.lines[-1], second.lines[0]
    if not is_cut(first, after.text) or not _is_full(before, after, first.right):
        return False
    return after.text[0].islower() or (before.text[-1] in HYPHENS and after.text[0].isalpha())


def _pitch(lines: Sequence[Line], body: int) -> float:
    """The usual distance between two lines of the text."""
    steps = [
        b.baseline - a.baseline
        for a, b in pairwise(lines)
        if abs(a.size - b.size) < 0.1 * body and a.cells == b.cells == 1
    ]
    # Where paragraphs are short, half of all distances are those between them.
    close = sorted(step for step in steps if 0.8 * body < step < 2.8 * body)
    return close[len(close) // 4] if close else 1.25 * body


def _goes_on(last: Paragraph, line: Line, above: float, column: Column) -> bool:
    """Whether a line belongs to the paragraph before it."""
    before, first = last.lines[-1], last.lines[0]
    if (before.cells > 1) != (line.cells > 1) or before.is_entry != line.is_entry:
        return False
    if line.is_entry:
        return True
    if line.cells > 1:
        return above < 3.5
    step = above if before.size <= 1.1 * line.size else above * line.size / before.size
    aligned = abs(line.left - before.left) < MIN_INDENT_EM * line.size
    is_done = _is_end(before.text, line.text)
    # A sentence goes on here, whatever its next words are set in.
    is_inner = (
        aligned and not is_done and line.text[0].islower() and 0 < step <= MIN_PARAGRAPH_PITCH
    )
    if is_inner and before.text[-1] in HYPHENS:
        return True
    other_size = not before.is_as_large(line) and not (is_inner and before.shares_size(line))
    if other_size or step > MIN_PARAGRAPH_PITCH or above <= 0:
        # A large heading has more space between its lines than the text has.
        large = before.size > 1.2 * line.size or line.baseline - before.baseline > 1.5 * line.size
        if large or other_size or above <= 0:
            return False
    # Words that would have fitted on the line before were put on a new one for a reason.
    is_full = _is_full(before, line, min(column.right, _edge(last.lines)))
    is_new = not is_full and before.text[-1] not in HYPHENS
    within = aligned and not is_new and not is_done and (step < MIN_GAP_PITCH or is_inner)
    if is_mono(before) != is_mono(line) and not within:
        return False
    if _changes_weight(first, before, line) and not ((within or is_inner) and len(last.lines) > 1):
        return False
    if is_mono(line) and is_mono(before):
        return True
    if BULLET.match(line.text) or (_LABEL.match(line.text) and _LABEL.match(first.text)):
        return False
    if _is_displayed(before, column) != _is_displayed(line, column):
        return False
    shift = line.left - before.left
    if is_done and step > MIN_GAP_PITCH:
        return False
    if shift > MIN_INDENT_EM * line.size and before is first and _LABEL.match(first.text):
        return True
    if is_new and _is_centred(before, column) and _is_centred(line, column):
        return True
    if shift > MIN_INDENT_EM * line.size:
        return not is_done and (not is_new or line.text[0].islower())
    if shift < -MIN_INDENT_EM * line.size:
        # Back from the indent of the first line, or on to the next entry of a list that hangs.
        if before is first:
            return not is_new or line.text[0].islower()
        return abs(line.left - first.left) > MIN_INDENT_EM * line.size
    if is_new and (is_done or ITEM.match(line.text)):
        return False
    return not is_new or line.text[0].islower() or is_bold(line)


def _changes_weight(first: Line, before: Line, line: Line) -> bool:
    """Whether bold letters end or begin here; a caption and the first words of a paragraph may be bold."""
    if is_bold(before) == is_bold(line) or is_caption(first.text):
        return False
    return min(one.share(one.bold) for one in (before, line)) < 0.3


def _is_displayed(line: Line, column: Column) -> bool:
    """Whether it is a formula on a line of its own."""
    is_apart = line.left > column.left + MIN_INDENT_EM * line.size
    is_wide = line.right > column.right - 0.5 * line.size
    if is_wide and EQUATION_NUMBER.search(line.text) is None:
        return False
    return is_apart and is_formula(line.text, line.share(line.maths))


def _edge(lines: Sequence[Line]) -> float:
    """Where the lines of a block that is narrower than its column end: some of them at the same place."""
    rights = sorted(line.right for line in lines)
    if len(rights) < 2 or rights[-1] - rights[-2] > 0.1 * lines[-1].size:
        return math.inf
    return rights[-1]


def _is_full(line: Line, following: Line, right: float) -> bool:
    """Whether the first word of the following line would not have fitted on this one."""
    place = following.text.find(" ")
    word = following.edges[place] - following.left if place > 0 else following.width
    return line.right + 0.25 * line.size + word > right - 0.1 * line.size


def _is_centred(line: Line, column: Column) -> bool:
    left, right = line.left - column.left, column.right - line.right
    return left > 2 * line.size and abs(left - right) < line.size
