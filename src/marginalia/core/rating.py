"""Ratings: a question for a rater, whether an answer is valid, and the table of what raters answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.table import parse_float, read_table

MAX_SPANS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Shown as headed texts. ``kind`` says how it is answered:

    ``scale``: one of ``points``, or None for "not applicable" where ``can_be_none``;
    ``choice``: a list of ids of ``choices``, perhaps empty;
    ``spans``: a list of ``{"type", "start", "end"}`` in the text of the last part, each perhaps with a ``unit`` and
    with ``of``, the place in the list of the span that it belongs to.
    """

    id: str
    ask: str
    kind: str
    parts: tuple[tuple[str, str], ...]
    """Heading and text."""
    mark: tuple[int, int] | None = None
    """What is marked in the text of the last part, as code-point offsets."""
    points: Mapping[float, str] = field(default_factory=dict)
    can_be_none: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Types of spans, each with the types that it may belong to."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "ask": self.ask,
            "kind": self.kind,
            "parts": [list(part) for part in self.parts],
            "mark": self.mark,
            "points": [[value, text] for value, text in self.points.items()],
            "can_be_none": self.can_be_none,
            "choices": dict(self.choices),
            "links": {name: list(others) for name, others in self.links.items()},
        }

    def check(self, answer: Any) -> Any:
        """The answer, if it is one; else ``FormatError``."""
        return {"scale": self._scale, "choice": self._choice, "spans": self._spans}[self.kind](
            answer
        )

    def _scale(self, answer: Any) -> float | None:
        if answer is None and self.can_be_none:
            return None
        if (
            isinstance(answer, bool)
            or not isinstance(answer, (int, float))
            or answer not in self.points
        ):
            raise FormatError(f"{answer!r:.40} is no point of the scale")
        return float(answer)

    def _choice(self, answer: Any) -> list[str]:
        if not isinstance(answer, list) or not all(isinstance(each, str) for each in answer):
            raise FormatError("a list of choices was expected")
        unknown = [each for each in answer if each not in self.choices]
        if unknown:
            raise FormatError(f"{unknown[0][:40]!r} is not one of the choices")
        return list(dict.fromkeys(answer))

    def _spans(self, answer: Any) -> list[dict[str, Any]]:
        if not isinstance(answer, list) or len(answer) > MAX_SPANS:
            raise FormatError(f"a list of at most {MAX_SPANS} spans was expected")
        return [self._span(each, answer) for each in answer]

    def _span(self, each: Any, spans: list[Any]) -> dict[str, Any]:
        size = len(self.parts[-1][1])
        if not isinstance(each, dict) or each.get("type") not in self.links:
            raise FormatError(f"a span has one of the types {', '.join(self.links)}")
        start, end, of = each.get("start"), each.get("end"), each.get("of")
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= size:
            raise FormatError(f"the span {start!r:.20}:{end!r:.20} is not in the text")
        unit = each.get("unit") or ""
        if not isinstance(unit, str) or len(unit) > 100:
            raise FormatError("the unit of a span is a short text")
        if self.links[each["type"]]:
            if type(of) is not int or not 0 <= of < len(spans):
                raise FormatError(f"a {each['type']} must say what it belongs to")
            other = spans[of].get("type") if isinstance(spans[of], dict) else None
            if other not in self.links[each["type"]]:
                raise FormatError(f"a {each['type']} cannot belong to a {other!r:.30}")
        else:
            of = None
        found = {"type": each["type"], "start": start, "end": end, "of": of}
        return {**found, "unit": unit} if unit else found


COLUMNS = ("id", "rater", "rating")
NOT_APPLICABLE = frozenset({"", "n/a", "na", "-"})
"""How a rater says that a question does not apply."""

Rated = dict[str, dict[str, float | None]]
"""Item -> rater -> rating; None where it does not apply."""


def read_ratings(path: Path, *, low: float, high: float) -> Rated:
    """Ratings from a table with the columns id, rater and rating: with commas in a ``.csv``, else with tabs."""
    comma = path.suffix.lower() == ".csv"
    ratings: Rated = {}
    for line, row in read_table(path, COLUMNS, quoted=comma, delimiter="," if comma else "\t"):
        each = ratings.setdefault(row["id"], {})
        if row["rater"] in each:
            raise FormatError(
                f"{row['rater']!r} rates {row['id']!r} a second time", path=path, line=line
            )
        each[row["rater"]] = _rating(row["rating"], low, high, path, line)
    if not ratings:
        raise FormatError("there is no rating in it", path=path)
    return ratings


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
