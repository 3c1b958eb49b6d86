"""Classes and scores of fillers: the official labels and scores files, and how a class follows from a score."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from marginalia.core.agreement import means
from marginalia.core.errors import FormatError
from marginalia.core.table import format_table, read_table

CLASSES = ("IMPLAUSIBLE", "NEUTRAL", "PLAUSIBLE")
_ID = re.compile(r"[0-9]+_[1-5]")

Value = str | float
"""A class or a rating."""


class Row(NamedTuple):
    """A row of a labels or scores file, with its line number."""

    id: str
    value: Any
    line: int


@dataclass(frozen=True, slots=True)
class Rating:
    """How plausible a filler is: its class, and a score from 1 (nonsense) to 5 (makes sense).

    The score is NaN where there is none, as in a submission of classes only.
    """

    label: str
    score: float


def label_of(score: float) -> str:
    """The class of a mean rating: up to 2.5 IMPLAUSIBLE, from 4 PLAUSIBLE, else NEUTRAL.

    Source: the overview paper, section 4.3; it holds for every row of the official data.
    """
    if math.isnan(score):
        raise FormatError("a missing rating has no class")
    return "IMPLAUSIBLE" if score <= 2.5 else "PLAUSIBLE" if score >= 4 else "NEUTRAL"


def read_values(path: Path) -> list[Row]:
    """The rows of a labels or scores file: ids with classes, or ids with ratings.

    The first cell that is a class or a number says which of the two the file holds. An empty rating
    is a missing one, NaN, as in the official program; an empty class is an error.
    """
    rows = list(
        read_table(path, ("id", "class or rating"), header=False, quoted=True, skip_empty=True)
    )
    if not rows:
        raise FormatError("the file is empty; expected rows of id and class or rating", path=path)
    kinds = (_is_class(row["class or rating"]) for _, row in rows)
    classes = next((kind for kind in kinds if kind is not None), True)
    read = _class if classes else _rating
    values = []
    for line, row in rows:
        if not _ID.fullmatch(row["id"]):
            raise FormatError(
                f"the id {row['id'][:40]!r} is not of the form <sentence>_<filler 1 to 5>",
                path=path,
                line=line,
            )
        try:
            values.append(Row(row["id"], read(row["class or rating"]), line))
        except FormatError as error:
            raise error.at(path, line) from None
    return values


def _is_class(text: str) -> bool | None:
    """Whether a cell is a class (True), a rating (False), or neither."""
    if text.strip().upper() in CLASSES:
        return True
    try:
        float(text)
    except ValueError:
        return None
    return False


def _class(text: str) -> Value:
    if text not in CLASSES:
        raise FormatError(f"{text[:40]!r} is not a class; expected {', '.join(CLASSES)}")
    return text


def _rating(text: str) -> Value:
    try:
        return float(text) if text else math.nan
    except ValueError:
        raise FormatError(f"the rating {text[:40]!r} is not a number") from None


def read_gold(labels: Path, scores: Path, ids: Iterable[str]) -> dict[str, Rating]:
    """Class and score of each id; both files must hold just these ids."""
    ids = list(ids)
    classes, numbers = _column(labels, "class", ids), _column(scores, "rating", ids)
    return {id: Rating(classes[id], numbers[id]) for id in ids}


def _column(path: Path, kind: str, ids: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for id, value, line in read_values(path):
        if isinstance(value, str) != (kind == "class") or value != value:
            raise FormatError(f"a {kind} was expected for {id}", path=path, line=line)
        if id in found:
            raise FormatError(f"the id {id} is given twice", path=path, line=line)
        found[id] = value
    if odd := sorted(found.keys() ^ set(ids)):
        raise FormatError(
            f"{len(odd)} ids do not fit the data file, the first is {odd[0]}", path=path
        )
    return found


def format_labels(ratings: Mapping[str, Rating]) -> str:
    """The text of a labels file: id and class, no header."""
    return format_table((id, rating.label) for id, rating in ratings.items())


def format_scores(ratings: Mapping[str, Rating]) -> str:
    """The text of a scores file: id and rating at full precision, no header."""
    return format_table((id, repr(float(rating.score))) for id, rating in ratings.items())


def mean_ratings(ratings: Mapping[str, Mapping[str, float]]) -> dict[str, Rating]:
    """Gold made from individual ratings by item and rater: the mean, and its class."""
    return {id: Rating(label_of(mean), mean) for id, mean in means(ratings).items()}


def has_scores(ratings: Mapping[str, Rating]) -> bool:
    """Whether any rating has a score, so that there is something to rank by."""
    return any(not math.isnan(rating.score) for rating in ratings.values())


def encode(rating: Rating) -> dict[str, Value | None]:
    """A rating as JSON data."""
    return {"label": rating.label, "score": None if math.isnan(rating.score) else rating.score}


def decode(data: Mapping[str, Value | None]) -> Rating:
    score = data["score"]
    return Rating(str(data["label"]), math.nan if score is None else float(score))
