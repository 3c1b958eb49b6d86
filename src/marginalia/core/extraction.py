"""What a task takes out of a document, for whoever writes it down: records, a table, and files of the task's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from marginalia.core.document import Document
from marginalia.core.frame import make_frame

T = TypeVar("T", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction(Generic[T]):
    """What a task's ``extract(doc, system=None)`` found in one document."""

    doc: Document
    """The document with the task's annotations, which HTML and RDF are made of."""
    records: tuple[T, ...] = ()
    """What was found as objects of the task, in reading order."""
    rows: tuple[Mapping[str, Any], ...]
    """One row per record. Each links back: ``document``, ``page``, and the offsets of every part."""
    columns: Mapping[str, type]
    """The columns in order, also where there is no row, with what they hold: ``str``, ``int``, ``float``,
    ``bool``, or ``list`` for what a table of plain cells keeps as JSON. Any cell may be None."""
    shown: tuple[str, ...]
    """The few columns that fit a terminal."""
    files: Mapping[str, Mapping[str, str]]
    """The task's own formats for one document: name of the format -> suffix -> content."""

    def __len__(self) -> int:
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The rows as plain data, and the document they are from."""
        return {"document": self.doc.id, "rows": [dict(row) for row in self.rows]}

    def to_frame(self) -> Any:
        """The rows as a data frame of pandas, or of polars where only that is installed."""
        return make_frame(self.rows, self.columns)
