"""What a search in a catalogue gives: groups of variables that ask the same question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.core.extraction import Table

COLUMNS = ("id", "survey", "study", "label", "question", "topic", "group", "surveys", "variables")
"""What every hit has; the rest only some ways to search tell, and it is None elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A group of variables that ask the same question, by the one that stands for it."""

    id: str
    survey: str
    study: str
    label: str
    question: str
    topic: str
    group: int
    """How many variables ask it."""
    surveys: tuple[str, ...]
    """The surveys that ask it, the first dozen."""
    variables: tuple[str, ...]
    """The ids of its variables, the first dozen."""
    score: float | None = None
    """Of ``search``: how well it answers. Elsewhere the order is all that is known."""
    retrievers: tuple[str, ...] | None = None
    """Of ``candidates``: those that have it among their first."""
    reason: str | None = None
    """Of recommendations: why."""
    sentence: str | None = None
    """Of recommendations for a paper: the sentence it fits best."""
    sentences: int | None = None
    """... and how many sentences it fits."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain data, without those that this way to search does not tell."""
        data = {name: _plain(value) for name, value in asdict(self).items()}
        return {name: value for name, value in data.items() if name in COLUMNS or value is not None}


def hits(rows: Iterable[Hit], *more: str) -> Table[Hit]:
    """A table of hits, with these further columns."""
    return Table(tuple(rows), (*COLUMNS, *more))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
