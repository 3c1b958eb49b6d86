"""Paragraph by paragraph: how much of its annotation was found, and what breakdowns there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from marginalia.core.benchmark import Split
from marginalia.core.report import Facets, Outcome, Outcomes
from marginalia.tasks.measurement.official.match import match, total
from marginalia.tasks.measurement.official.spans import Span


def outcomes(split: Split, pred: Mapping[str, Sequence[Span]]) -> Outcomes:
    """1 minus the mean overlap of all rows of a paragraph; one with nothing to find and nothing found is right."""
    gold: Mapping[str, Sequence[Span]] = split.require_gold()
    return {"overall.f1_overlap": {id: _outcome(gold[id], pred.get(id, ())) for id in gold}}


def _outcome(gold: Sequence[Span], pred: Sequence[Span]) -> Outcome:
    tally = total(match(gold, pred).classes.values())
    loss = 1 - tally.overlap / tally.rows if tally.rows else 0.0
    return Outcome(float(len(gold)), float(len(pred)), loss)


def facets(split: Split) -> Facets:
    """The subject area and the article."""
    items = split.items.items()
    return {
        "subject": {id: item.subject for id, item in items},
        "article": {id: item.article for id, item in items},
    }
