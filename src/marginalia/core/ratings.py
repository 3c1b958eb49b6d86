"""A table of ratings, one row for each time a person rated an item."""

from __future__ import annotations

from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.table import parse_float, read_table

COLUMNS = ("id", "rater", "rating")
NOT_APPLICABLE = frozenset({"", "n/a", "na", "-"})
"""How a rater says that a question does not apply."""

Rated = dict[str, dict[str, float | None]]
"""Item -> rater -> rating; None where it does not apply."""


def read_ratings(path: Path, *, low: float, high: float) -> Rated:
    """Ratings from a table with the columns id, rater and rating: with commas in a ``.csv``, else with tabs."""
    comma = path.suffix.lower() == ".csv"
    found: Rated = {}
    for line, row in read_table(path, COLUMNS, quoted=comma, delimiter="," if comma else "\t"):
        each = found.setdefault(row["id"], {})
        if row["rater"] in each:
            raise FormatError(
                f"{row['rater']!r} rates {row['id']!r} a second time", path=path, line=line
            )
        each[row["rater"]] = _rating(row["rating"], low, high, path, line)
    if not found:
        raise FormatError("there is no rating in it", path=path)
    return found


def _rating(text: str, low: float, high: float, path: Path, line: int) -> float | None:
    if text.strip().lower() in NOT_APPLICABLE:
        return None
    value = parse_float(text, "rating", path, line)
    if not low <= value <= high:
        raise FormatError(
            f"the rating {value:g} is not on the scale from {low:g} to {high:g}",
            path=path,
            line=line,
        )
    return value
