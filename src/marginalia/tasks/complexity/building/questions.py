"""The question of CompLex: how hard is this word, in this sentence?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from marginalia.core.rating import Question
from marginalia.tasks.complexity.official.data import read_targets

POINTS = {
    1.0: "Very easy: I know this word very well",
    2.0: "Easy: I know what it means",
    3.0: "Neutral: neither easy nor difficult",
    4.0: "Difficult: I can only guess it from the sentence",
    5.0: "Very difficult: I have never seen it, or it is very unclear",
}
"""After the overview paper, section 3."""


def questions(path: Path) -> Iterator[Question]:
    """One question for each row of a CompLex file, with or without complexities."""
    for id, item, _ in read_targets(path, "words"):
        yield Question(
            id=id,
            ask="How difficult is the marked word here?",
            kind="scale",
            parts=(("Sentence", item.sentence),),
            mark=item.span(),
            points=POINTS,
        )
