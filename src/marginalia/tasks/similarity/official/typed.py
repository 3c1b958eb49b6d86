"""TYPED: catalogue records in pairs, rated in eight respects.

The official data are Europeana records that cannot be redistributed, so there is one layout of our
own, a JSON object per line::

    {"id": "p1", "left": {...}, "right": {...}, "ratings": {"general": [4, 5, null], ...}}

``left`` and ``right`` have the official fields dcTitle, dcSubject, dcDescription, dcCreator, dcDate
and dcSource, each a text or a list of texts, or absent. ``ratings`` has all eight types, each with
the annotators' ratings from 0 to 5 (null is "not applicable") or with their mean; an unlabelled
pair has none. As in the official gold, a score is the mean of the ratings that apply, 0 if none does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import parse_json, read_lines

FOLDER = "sts/typed"
TYPES = (
    "general",
    "author",
    "people involved",
    "time",
    "location",
    "event",
    "subject",
    "description",
)
"""The eight kinds of similarity, named and ordered as on the official board."""
FIELDS = ("dcTitle", "dcSubject", "dcDescription", "dcCreator", "dcDate", "dcSource")
"""The official fields, in the order of ``Record``."""

Scores = tuple[float, ...]
"""One score from 0 to 5 for each of the eight types."""


@dataclass(frozen=True, slots=True)
class Record:
    """A catalogue record; a list of terms is one text with semicolons, a field without value is empty."""

    title: str = ""
    subject: str = ""
    description: str = ""
    creator: str = ""
    date: str = ""
    source: str = ""

    def text(self) -> str:
        """All fields, a line for each."""
        return "\n".join(cell for cell in astuple(self) if cell)


@dataclass(frozen=True, slots=True)
class RecordPair:
    left: Record
    right: Record


def load(folder: Path) -> Split:
    """The split ``typed``: every pair of ``sts/typed/*.jsonl``."""
    files = sorted((folder / FOLDER).glob("*.jsonl"))
    if not files:
        raise MissingError(
            f"{folder / FOLDER} has no .jsonl file: the official TYPED data cannot be redistributed; "
            "put pairs of your own there, in the layout that the README of the similarity task shows."
        )
    items: dict[str, RecordPair] = {}
    gold: dict[str, Scores] = {}
    for path in files:
        for line, id, item, scores in read_pairs(path):
            if id in items:
                raise FormatError(f"the id {id!r} is given twice", path=path, line=line)
            items[id] = item
            if scores is not None:
                gold[id] = scores
    return Split(
        name="typed",
        items=items,
        gold=gold if len(gold) == len(items) else None,
        # The same two records rated twice, in either order, stay together.
        group={id: repr(sorted(map(repr, (p.left, p.right)))) for id, p in items.items()},
        files=tuple(files),
    )


def read_pairs(path: Path) -> Iterator[tuple[int, str, RecordPair, Scores | None]]:
    """Line, id, pair and scores of each line; the scores are None where it has no ratings."""
    for line, text in read_lines(path):
        if not text.strip():
            continue
        try:
            data = _object(parse_json(text, path, line), "the line")
            id = data.get("id")
            if not isinstance(id, str) or not id:
                raise FormatError("the pair has no 'id' (a text)")
            pair = RecordPair(
                *(record_of(data.get(side), f"'{side}'") for side in ("left", "right"))
            )
            scores = None if data.get("ratings") is None else _scores(data["ratings"])
        except FormatError as error:
            raise error.at(path, line) from None
        yield line, id, pair, scores


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{what} is not a JSON object")
    return value


def record_of(value: Any, what: str) -> Record:
    """A record from JSON data: each field is a text or a list of texts, or absent."""
    data = _object(value, what)
    unknown = data.keys() - set(FIELDS)
    if unknown:
        raise FormatError(
            f"{what} has the unknown field {min(unknown)!r}; expected {', '.join(FIELDS)}"
        )
    return Record(*(_text(data.get(name), f"'{name}' of {what}") for name in FIELDS))


def _text(value: Any, what: str) -> str:
    parts = value if isinstance(value, list) else [] if value is None else [value]
    if not all(isinstance(part, str) for part in parts):
        raise FormatError(f"{what} is neither a text nor a list of texts")
    return "; ".join(parts)


def _scores(value: Any) -> Scores:
    ratings = _object(value, "'ratings'")
    if ratings.keys() != set(TYPES):
        raise FormatError(f"'ratings' must have these eight and no other: {', '.join(TYPES)}")
    return tuple(mean_rating(ratings[name], name) for name in TYPES)


def mean_rating(ratings: Any, name: str = "rating") -> float:
    """The mean of the ratings that apply; 0 if none does."""
    given = ratings if isinstance(ratings, list) else [ratings]
    applying = [rating for rating in given if rating is not None]
    for rating in applying:
        number = isinstance(rating, (int, float)) and not isinstance(rating, bool)
        if not number or not 0 <= rating <= 5:
            raise FormatError(f"the {name} rating {rating!r:.40} is not a number from 0 to 5")
    return float(sum(applying) / len(applying)) if applying else 0.0


def format_pairs(items: Mapping[str, RecordPair], gold: Mapping[str, Scores] | None = None) -> str:
    """The text of a JSON-lines file in our layout."""
    lines = []
    for id, item in items.items():
        data: dict[str, Any] = {"id": id, "left": _fields(item.left), "right": _fields(item.right)}
        if gold is not None:
            data["ratings"] = dict(zip(TYPES, gold[id], strict=True))
        lines.append(json.dumps(data, ensure_ascii=False) + "\n")
    return "".join(lines)


def _fields(record: Record) -> dict[str, str]:
    return {name: value for name, value in zip(FIELDS, astuple(record), strict=True) if value}
