"""What the paper of a shared task says about its data, beside what the files here have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One figure about the data. ``why`` explains a difference, or why one of the two is not there."""

    table: str
    item: str
    ours: float | None
    published: float | None = None
    why: str = ""

    @property
    def is_equal(self) -> bool | None:
        """Whether the two agree as far as the paper prints digits; None where there is nothing to compare."""
        if self.ours is None or self.published is None:
            return None
        digits = len(str(self.published).partition(".")[2])
        return round(self.ours, digits) == round(self.published, digits)

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "equal": self.is_equal}


def rows_of(published: Mapping[str, Any], about: str) -> list[dict[str, Any]]:
    """The rows of the data table that is about this."""
    return next(part["rows"] for part in published["data_statistics"] if part["about"] == about)
