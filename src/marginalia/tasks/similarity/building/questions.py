"""The question of STS: how similar are two sentences?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from marginalia.core.rating import Question
from marginalia.tasks.similarity.official.layouts import read_sentences

POINTS = {
    5.0: "They mean the same",
    4.0: "They mean the same but for unimportant details",
    3.0: "They mean roughly the same, something important differs",
    2.0: "They differ, but share some details",
    1.0: "They differ, but are about the same topic",
    0.0: "They are about different things",
}
"""After Figure 1 of the overview paper."""


def questions(path: Path) -> Iterator[Question]:
    """One question for each line of an input file; its id is the number of the line."""
    for line, one, other in read_sentences(path):
        yield Question(
            id=str(line),
            ask="How similar in meaning are these two sentences?",
            kind="scale",
            parts=(("First", one), ("Second", other)),
            points=POINTS,
        )
