"""A submission without its duplicates, as in the overview paper's ablation: the first set stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from marginalia.tasks.measurement.official.spans import Span, by_set


def without_repeats(spans: Sequence[Span]) -> tuple[list[Span], int]:
    """The spans without later sets whose quantity has the very offsets of an earlier one's."""
    return _without(spans, lambda span: {(span.start, span.end)})


def without_overlaps(spans: Sequence[Span]) -> tuple[list[Span], int]:
    """The spans without later sets whose quantity shares a character with an earlier one's."""
    return _without(spans, lambda span: {(span.start, span.end), *range(span.start, span.end)})


def _without(spans: Sequence[Span], marks: Callable[[Span], set[Any]]) -> tuple[list[Span], int]:
    """Only the first of the sets whose quantities have a mark in common stays."""
    seen: set[Any] = set()
    dropped: set[int] = set()
    for number, members in by_set(spans).items():
        own = set().union(*(marks(span) for span in members if span.type == "Quantity"))
        if own & seen:
            dropped.add(number)
        else:
            seen |= own
    return [span for span in spans if span.set not in dropped], len(dropped)
