"""What is taken out of documents: records, tables and data frames, and passages that two documents share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, overload

from marginalia.core.errors import MissingError

if TYPE_CHECKING:
    from marginalia.core.document import Document

LIBRARIES = ("pandas", "polars")
"""What a data frame can be made with; the first that is installed is taken."""


class Record(Protocol):
    """A row of a table: a value object that can be written as plain data."""

    def to_dict(self) -> dict[str, Any]: ...


R = TypeVar("R", bound=Record, covariant=True)


@dataclass(frozen=True, slots=True)
class Table(Sequence[R], Generic[R]):
    """A sequence of records that all have the same columns."""

    rows: tuple[R, ...]
    columns: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self.rows)

    @overload
    def __getitem__(self, place: int) -> R: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[R, ...]: ...

    def __getitem__(self, place: int | slice) -> R | tuple[R, ...]:
        return self.rows[place]

    def to_dict(self) -> dict[str, Any]:
        """``columns``, and ``rows`` as plain data."""
        return {"columns": list(self.columns), "rows": [row.to_dict() for row in self.rows]}

    def to_frame(self) -> Any:
        """A data frame of pandas, or of polars where only that is installed."""
        return make_frame((row.to_dict() for row in self.rows), self.columns)


def make_frame(rows: Iterable[Mapping[str, Any]], columns: Iterable[str]) -> Any:
    """The rows as a data frame with these columns, also where there is no row.

    pandas is taken where it is installed, else polars. A cell that a row lacks is empty.
    """
    kept = list(rows)
    cells = {name: [row.get(name) for row in kept] for name in columns}
    for name in LIBRARIES:
        try:
            library = import_module(name)
        except ImportError:
            continue
        # A column may begin with whole numbers and go on with others.
        return (
            library.DataFrame(cells) if name == "pandas" else library.DataFrame(cells, strict=False)
        )
    raise MissingError(
        "A data frame needs pandas or polars, and neither is installed: pip install pandas."
    )


class Tabular:
    """A result that is also a table: a row of ``rows()`` has a cell for each of the ``columns``."""

    __slots__ = ()
    columns: ClassVar[Collection[str]]

    def rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def to_frame(self) -> Any:
        """The rows as a data frame of pandas, or of polars where only that is installed."""
        return make_frame(self.rows(), self.columns)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """Two passages of two documents; the offsets are those of each document's text."""

    kind: str
    """``contradiction`` or ``repetition``."""
    old_start: int
    old_end: int
    new_start: int
    new_end: int
    why: str = ""
    score: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
