"""What the checks find becomes notes, each with the arithmetic that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from marginalia.annotators.statistics import (
    cross_references,
    dates,
    intervals,
    means,
    shares,
    significance,
    significance_tests,
    totals,
)
from marginalia.annotators.statistics.manuscript import Finding, Manuscript
from marginalia.core.document import Annotation, Document

CHECKS = (
    significance_tests.find,
    significance.find,
    means.find,
    shares.find,
    totals.find,
    intervals.find,
    dates.find,
    cross_references.find,
)


def annotate(doc: Document) -> Iterator[Annotation]:
    for number, one in enumerate(find(doc), 1):
        yield Annotation(
            id=f"statistics-{number}",
            task="statistics",
            label=one.label,
            start=one.start,
            end=one.end,
            quote=doc.text[one.start : one.end],
            attrs={"why": one.why},
            system="arithmetic",
        )


def find(doc: Document) -> list[Finding]:
    """All that is wrong, in reading order; one finding for each place and kind."""
    source = Manuscript(doc)
    found = {(one.start, one.end, one.label): one for check in CHECKS for one in check(source)}
    return [found[key] for key in sorted(found)]
