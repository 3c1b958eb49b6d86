"""Figures of a PDF page: which part of the page a caption speaks of, and the text within figures, which is no prose.

Where pictures and drawings stand is found by ``child``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from marginalia.reader.pdf.kinds import Paragraph
from marginalia.reader.pdf.lines import Line

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in tenths of a point."""

MAX_DISTANCE = 500
"""From a caption to its figure."""
MIN_SIDE = 300
"""A smaller figure is a rule, or a letter that was drawn."""
MARGIN = 40
MAX_GAP = 150
"""Between parts of a figure in a row; columns of text stand further apart."""
GAP = 20
"""Left free beside the text of other columns."""
MAX_HEIGHT = 4000
"""Of a figure."""
MAX_LABEL_WORDS, MAX_LABEL_WIDTH = 5, 0.6
"""A label is shorter than this; its width is a part of the column's."""
MIN_TINY, MAX_TINY = 5, 8
"""So many paragraphs in a row of so few characters are the letters of a drawing."""
_TABLE = re.compile(r"tab", re.IGNORECASE)

SLACK = 20
"""Labels may stand this much outside of the drawing, in tenths of a point."""
MIN_LINES, MIN_LABELS = 3, 2
"""Lines within a drawing, and above a caption, that make a figure's text."""
MAX_WORDS = 6
"""More words to a line, on average, are prose: a box of text, not a figure."""


def caption_pictures(
    paragraphs: Sequence[Paragraph], boxes: Sequence[Sequence[int]], width: int, height: int
) -> Iterator[tuple[Paragraph, Box]]:
    """The captions of a page, each with what stands between it and the text above it, or else below it."""
    pieces = [(box[0], box[1], box[2], box[3]) for box in boxes]
    pieces += [_around(one.lines) for one in paragraphs if one.kind == "figure"]
    others = [_around([line]) for one in paragraphs if one.kind != "figure" for line in one.lines]
    for caption in paragraphs:
        if caption.kind != "caption" or _TABLE.match(caption.text):
            continue
        place = _around(caption.lines)
        near = [box for box in others if _beside(box, place)]
        top = max((box[3] for box in near if box[3] <= place[1]), default=0)
        bottom = min((box[1] for box in near if box[1] >= place[3]), default=height)
        found = _drawn(place, pieces, top, place[1]) or _drawn(place, pieces, place[3], bottom)
        if found is not None:
            yield caption, _between(found, place, others, width)


def _drawn(place: Box, pieces: Sequence[Box], top: int, bottom: int) -> Box | None:
    """What is drawn between two heights in the caption's columns, if it is large and reaches near the caption."""
    own = [
        box
        for box in pieces
        if top - MARGIN <= (box[1] + box[3]) / 2 <= bottom and _beside(box, place)
    ]
    if not own:
        return None
    own += [box for box in pieces if any(_in_row(box, one) for one in own)]
    left, right = min(box[0] for box in own), max(box[2] for box in own)
    high, low = min(box[1] for box in own), max(box[3] for box in own)
    distance = place[1] - low if bottom == place[1] else high - place[3]
    if min(right - left, low - high) < MIN_SIDE or distance > MAX_DISTANCE:
        return None
    return left - MARGIN, max(top, high - MARGIN), right + MARGIN, min(bottom, low + MARGIN)


def _between(found: Box, place: Box, others: Sequence[Box], width: int) -> Box:
    """Without the text of other columns, into which the white ground of a picture may reach."""
    left, top, right, bottom = max(0, found[0]), found[1], min(width, found[2]), found[3]
    for box in others:
        if box[1] < bottom and box[3] > top:
            if box[2] <= place[0]:
                left = max(left, min(box[2] + GAP, place[0]))
            elif box[0] >= place[2]:
                right = min(right, max(box[0] - GAP, place[2]))
    return left, top, right, bottom


def _beside(one: Box, place: Box) -> bool:
    """Whether two boxes share a third of the narrower one's width."""
    shared = min(one[2], place[2]) - max(one[0], place[0])
    return shared * 3 > min(one[2] - one[0], place[2] - place[0])


def _in_row(one: Box, other: Box) -> bool:
    """Whether two pieces stand side by side, as parts of one figure do."""
    shared = min(one[3], other[3]) - max(one[1], other[1])
    gap = max(one[0], other[0]) - min(one[2], other[2])
    return 2 * shared > one[3] - one[1] and gap <= MAX_GAP


def _around(lines: Sequence[Line]) -> Box:
    return (
        min(line.left for line in lines), min(line.top for line in lines),
        max(line.right for line in lines), max(line.bottom for line in lines),
    )  # fmt: skip


def part_figures(
    lines: Sequence[Line], figures: Sequence[Sequence[int]], body: int
) -> tuple[list[Line], list[list[Line]]]:
    """The lines of the text, and those inside each figure from top to bottom."""
    inside: dict[int, list[Line]] = {}
    for line in lines:
        for number, box in enumerate(figures):
            if (
                box[0] - SLACK <= line.left
                and line.right <= box[2] + SLACK
                and (box[1] - SLACK <= (line.top + line.bottom) / 2 <= box[3] + SLACK)
            ):
                inside.setdefault(number, []).append(line)
                break
    drawn = [group for group in inside.values() if _is_figure(group, body)]
    taken = {id(line) for group in drawn for line in group}
    for group in drawn:
        group.sort(key=lambda line: (line.baseline, line.left))
    return [line for line in lines if id(line) not in taken], drawn


def _is_figure(lines: Sequence[Line], body: int) -> bool:
    """Many short pieces, or a few small ones: a heading on a coloured ground is no figure, nor is a box of text."""
    if len(lines) < MIN_LINES and max(line.size for line in lines) >= 0.95 * body:
        return False
    return sum(len(line.text.split()) for line in lines) <= MAX_WORDS * len(lines)


def mark_labels(found: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs, with short pieces above the caption of a figure, and many that are shorter still, made its text."""
    labels: set[int] = set()
    for place, one in enumerate(found):
        if one.kind == "caption" and not _TABLE.match(one.text):
            above = place
            while above and _is_label(found[above - 1], one, MAX_LABEL_WORDS):
                above -= 1
            if sum(len(other.lines) for other in found[above:place]) >= MIN_LABELS:
                labels |= set(range(above, place))
    start = 0
    for place in range(len(found) + 1):
        if place < len(found) and len(found[place].text) <= MAX_TINY and _is_loose(found[place]):
            continue
        if place - start >= MIN_TINY:
            labels |= set(range(start, place))
        start = place + 1
    done: list[Paragraph] = []
    for place, one in enumerate(found):
        if place in labels:
            one.kind = "figure"
            if done and place - 1 in labels:
                done[-1].lines += one.lines
                continue
        done.append(one)
    return done


def mark_drawn(found: Sequence[Paragraph]) -> None:
    """Take words side by side for a drawing where the caption below them says so, and no table's caption stands above them."""
    for place, one in enumerate(found):
        above, below = found[max(0, place - 1)], found[min(len(found) - 1, place + 1)]
        is_captioned = above.kind == "caption" and _TABLE.match(above.text) is not None
        if one.kind == "table" and below.kind == "caption" and not is_captioned:
            letters, figures = (sum(map(test, one.text)) for test in (str.isalpha, str.isdecimal))
            if not _TABLE.match(below.text) and letters > figures:
                one.kind = "figure"


def _is_loose(one: Paragraph) -> bool:
    return one.kind in ("paragraph", "heading", "formula", "figure")


def _is_label(one: Paragraph, caption: Paragraph, max_words: int) -> bool:
    """Whether this is a piece of text in the figure above a caption."""
    last, first = one.lines[-1], caption.lines[0]
    if not _is_loose(one) or last.top > first.top or first.top - last.bottom > MAX_HEIGHT:
        return False
    width = caption.right - caption.left
    return all(
        len(line.text.split()) <= max_words and line.width < MAX_LABEL_WIDTH * width
        for line in one.lines
    )
