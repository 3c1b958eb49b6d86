"""The text within figures: axis labels, legends and flow charts are no prose, but a region of their own kind."""

from __future__ import annotations

from collections.abc import Sequence

from marginalia.reader.pdf.lines import Line

SLACK = 20
"""Labels may stand this much outside of the drawing, in tenths of a point."""
MIN_LINES = 3
MAX_WORDS = 6
"""More words to a line, on average, are prose: a box of text, not a figure."""

Box = Sequence[int]


def part_figures(
    lines: Sequence[Line], figures: Sequence[Box], body: int
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
