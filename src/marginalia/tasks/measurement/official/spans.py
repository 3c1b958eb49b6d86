"""Spans of a paragraph and what they say of each other: the rows of a MeasEval TSV as objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from marginalia.core.errors import FormatError

TYPES = ("Quantity", "MeasuredProperty", "MeasuredEntity", "Qualifier")
ROLES = ("MeasuredEntity", "MeasuredProperty", "Qualifier")
"""What a quantity can have around it."""
MODIFIERS = (
    "HasTolerance",
    "IsApproximate",
    "IsCount",
    "IsList",
    "IsMean",
    "IsMeanHasSD",
    "IsMeanHasTolerance",
    "IsMeanIsRange",
    "IsMedian",
    "IsRange",
    "IsRangeHasTolerance",
)
KEYS = {
    "Quantity": ("unit", "mods"),
    "MeasuredEntity": ("HasQuantity", "HasProperty"),
    "MeasuredProperty": ("HasQuantity",),
    "Qualifier": ("Qualifies",),
}
"""Type -> the keys that its last column may have."""
_ID = re.compile(r"T?[0-9]+-?[0-9]*")


@dataclass(frozen=True, slots=True)
class Span:
    """One row of a TSV; the paragraph's ``text[start:end] == text``.

    Rows with the same ``set`` describe the same measurement. ``other`` is the last column as data:
    ``unit`` and ``mods`` on a Quantity, and on the other types the relation, whose value is the id of
    a span of the same set. Its keys keep their order, since the official scorer reads the first
    relation only.
    """

    set: int
    type: str
    start: int
    end: int
    id: str
    text: str
    other: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def unit(self) -> str | None:
        return self.other.get("unit")

    @property
    def mods(self) -> tuple[str, ...]:
        return tuple(self.other.get("mods", ()))

    @property
    def relation(self) -> tuple[str, str] | None:
        """The relation and the id it points to; none for a Quantity."""
        if self.type == "Quantity" or not self.other:
            return None
        return next(iter(self.other.items()))


Spans = tuple[Span, ...]
"""All spans of a paragraph: what is predicted for an item, and its gold."""


def by_set(spans: Iterable[Span]) -> dict[int, list[Span]]:
    """The annotation sets in the order in which they first occur."""
    sets: dict[int, list[Span]] = {}
    for span in spans:
        sets.setdefault(span.set, []).append(span)
    return sets


def overlaps(a: Span, b: Span) -> bool:
    """Whether the two have a character in common."""
    return max(a.start, b.start) < min(a.end, b.end)


def check_span(span: Span) -> None:
    """The rules of the official validation for one row."""
    if span.type not in TYPES:
        raise FormatError(f"the annotType {span.type[:40]!r} is not one of {', '.join(TYPES)}")
    if _ID.fullmatch(span.id) is None:
        raise FormatError(f"the annotId {span.id[:40]!r} is not of the form T1-1")
    if span.end < span.start:
        raise FormatError(f"the span {span.start}:{span.end} ends before it starts")
    if len(span.text) != span.end - span.start:
        raise FormatError(
            f"the text has {len(span.text)} characters, "
            f"but the offsets {span.start}:{span.end} say {span.end - span.start}"
        )
    unknown = [key for key in span.other if key not in KEYS[span.type]]
    if unknown:
        raise FormatError(
            f"other of a {span.type} has the key {unknown[0]!r}; "
            f"expected {' or '.join(KEYS[span.type])}"
        )
    for key, value in span.other.items():
        if key == "mods":
            _check_mods(value)
        elif not (isinstance(value, str) or (key == "unit" and value is None)):
            raise FormatError(f"{key} is {str(value)[:40]!r}, a string was expected")


def _check_mods(mods: object) -> None:
    if not isinstance(mods, (list, tuple)):
        raise FormatError(f"mods is {str(mods)[:40]!r}, a list of modifiers was expected")
    unknown = [mod for mod in mods if mod not in MODIFIERS]
    if unknown:
        raise FormatError(
            f"the modifier {str(unknown[0])[:40]!r} is not one of {', '.join(MODIFIERS)}"
        )


def check_spans(spans: Iterable[Span]) -> None:
    """The same for a whole paragraph, where an id occurs only once in a set."""
    seen: set[tuple[int, str]] = set()
    for span in spans:
        check_span(span)
        if (span.set, span.id) in seen:
            raise FormatError(f"the id {span.id} is given twice in set {span.set}")
        seen.add((span.set, span.id))


def encode(spans: Spans) -> list[dict[str, Any]]:
    """A prediction as JSON data."""
    return [{**asdict(span), "other": dict(span.other)} for span in spans]


def decode(data: Iterable[Mapping[str, Any]]) -> Spans:
    try:
        return tuple(Span(**row) for row in data)
    except TypeError as error:
        raise FormatError(f"not a span: {error}") from error
