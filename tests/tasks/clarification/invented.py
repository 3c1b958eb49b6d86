"""A few invented how-to sentences with fillers, in the official file formats."""

from __future__ import annotations

from pathlib import Path

from marginalia import Split
from marginalia.tasks.clarification.official.data import COLUMNS, read_items, sentence_of
from marginalia.tasks.clarification.official.ratings import Rating, label_of

ROWS = [
    (
        "7",
        "IMPLICIT REFERENCE",
        "How to Stretch",
        " Steps ",
        " 1. Lift your leg. ",
        "2. Hold ______ for a while. ",
        "Then rest.",
        "the pose",
        "your leg",
        "the chair",
        "a cloud",
        "the stretch",
    ),
    (
        "8",
        "ADDED COMPOUND",
        "How to Keep Fish",
        "Tanks",
        ' He said: "Fill it. ',
        "A ______ tank needs no heater.",
        "",
        "goldfish",
        "soup",
        "null",
        "water",
        "goldfish",
    ),
]
SCORES = [4.5, 3.5, 2.5, 1.0, 4.0, 5.0, 1.25, 2.75, 3.9, 4.25]


def data_text(rows: list[tuple[str, ...]] = ROWS) -> str:
    return "".join("\t".join(row) + "\n" for row in [COLUMNS, *rows])


def data_file(folder: Path, text: str | None = None) -> Path:
    path = folder / "dev_data.tsv"
    path.write_text(data_text() if text is None else text, encoding="utf-8")
    return path


def invented(folder: Path) -> Split:
    """Two sentences, ten fillers; the first sentence has two plausible ones, the second three."""
    items = read_items(data_file(folder))
    gold = {id: Rating(label_of(score), score) for id, score in zip(items, SCORES, strict=True)}
    return Split(name="dev", items=items, gold=gold, group={id: sentence_of(id) for id in items})
