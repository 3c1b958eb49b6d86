"""Rows for people who compute: plain data, or a data frame of whatever library is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar, overload

from marginalia.core.errors import MissingError

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
