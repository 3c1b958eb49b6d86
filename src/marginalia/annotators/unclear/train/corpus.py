"""The passages that were marked, by article and fold."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from marginalia.annotators.unclear.kinds import SUBJECT
from marginalia.core.files import parse_json, read_lines
from marginalia.lang import language

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Place:
    """What an editor asked about."""

    start: int
    end: int
    kind: str
    importance: int
    question: str
    """As it was asked; empty where nobody did."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A passage with its places."""

    id: str
    article: str
    text: str
    places: tuple[Place, ...]

    @property
    def fold(self) -> int:
        """The same for all passages of an article."""
        return int(hashlib.sha256(self.article.encode()).hexdigest(), 16) % FOLDS


def read_marked(folder: Path, name: str = "places.jsonl") -> list[Marked]:
    """The passages of ``annotation/unclear``."""
    texts = {row["id"]: row for row in _rows(folder / "texts.jsonl")}
    return [_marked(texts[row["id"]], row["places"]) for row in _rows(folder / name)]


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    return (parse_json(text, path, line) for line, text in read_lines(path))


def _marked(text: Mapping[str, Any], places: Sequence[Mapping[str, Any]]) -> Marked:
    names = ("start", "end", "kind", "importance", "question")
    found = tuple(Place(**{name: place[name] for name in names}) for place in places)
    return Marked(text["id"], str(text.get("article") or text["id"]), text["text"], found)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = language("en").table(SUBJECT, "asked")
    return tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in table.items())


def particular_question(asked: str) -> str | None:
    """The name of the particular question that an annotator asked, if it is one of those."""
    return next((name for name, pattern in _patterns() if pattern.search(asked)), None)
