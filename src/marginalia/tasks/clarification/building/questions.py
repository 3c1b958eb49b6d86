"""The question of CLAIRE: does this clarification make sense in the guide?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from marginalia.core.rating import Question
from marginalia.tasks.clarification.official.data import read_items

POINTS = {
    1.0: "1: makes no sense",
    2.0: "2",
    3.0: "3",
    4.0: "4",
    5.0: "5: makes perfect sense",
}


def questions(path: Path) -> Iterator[Question]:
    """One question for each filler of a data file."""
    for id, item in read_items(path).items():
        context = " ".join(part for part in (item.previous,) if part)
        parts = [
            (name, text) for name, text in (("Guide", item.title), ("Before", context)) if text
        ]
        yield Question(
            id=id,
            ask="Does the marked text make sense in this guide?",
            kind="scale",
            parts=(*parts, ("Sentence", item.filled)),
            mark=item.span,
            points=POINTS,
        )
