"""Three invented paragraphs of two articles, with all that a paragraph can be annotated with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from marginalia import Benchmark, Split, SystemCard, get_benchmark
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans

TEXTS = {
    "S01-1": "At 20 °C the boiling point of the brine rose to about 104 °C, and 12 samples froze.",
    "S01-2": "Nothing was counted here.",
    "S02-7": "The mean depth of Lake Wud is 31.5 ± 0.2 m, between 3 and 9 km off the coast.",
}


def mark(
    doc: str, set: int, type: str, id: int, quote: str, other: dict[str, Any] | None = None
) -> Span:
    """A span by its quote, which occurs once in the paragraph."""
    assert TEXTS[doc].count(quote) == 1, quote
    start = TEXTS[doc].index(quote)
    return Span(set, type, start, start + len(quote), f"T{id}-{set}", quote, other or {})


def gold() -> dict[str, Spans]:
    return {
        "S01-1": (
            mark("S01-1", 1, "Quantity", 1, "20 °C", {"unit": "°C"}),
            mark("S01-1", 1, "MeasuredEntity", 2, "brine", {"HasQuantity": "T1-1"}),
            mark(
                "S01-1",
                2,
                "Quantity",
                1,
                "about 104 °C",
                {"mods": ["IsApproximate"], "unit": "°C"},
            ),
            mark("S01-1", 2, "MeasuredProperty", 2, "boiling point", {"HasQuantity": "T1-2"}),
            mark("S01-1", 2, "MeasuredEntity", 3, "the brine", {"HasProperty": "T2-2"}),
            mark("S01-1", 2, "Qualifier", 4, "At 20 °C", {"Qualifies": "T2-2"}),
            mark("S01-1", 3, "Quantity", 1, "12", {"mods": ["IsCount"]}),
            mark("S01-1", 3, "MeasuredEntity", 2, "samples", {"HasQuantity": "T1-3"}),
        ),
        "S01-2": (),
        "S02-7": (
            mark(
                "S02-7",
                1,
                "Quantity",
                1,
                "31.5 ± 0.2 m",
                {"mods": ["IsMean", "HasTolerance"], "unit": "m"},
            ),
            mark("S02-7", 1, "MeasuredProperty", 2, "mean depth", {"HasQuantity": "T1-1"}),
            mark("S02-7", 1, "MeasuredEntity", 3, "Lake Wud", {"HasProperty": "T2-1"}),
            mark(
                "S02-7",
                2,
                "Quantity",
                1,
                "between 3 and 9 km",
                {"mods": ["IsRange"], "unit": "km"},
            ),
            mark("S02-7", 2, "Qualifier", 2, "off the coast", {"Qualifies": "T1-2"}),
        ),
    }


def invented() -> Split:
    return Split(
        name="dev",
        items={
            doc: Paragraph(doc[:3], "Earth Science" if doc < "S02" else "Biology", text)
            for doc, text in TEXTS.items()
        },
        gold=gold(),
        group={doc: doc[:3] for doc in TEXTS},
    )


def invented_task(make: Callable[[], Any]) -> Benchmark:
    """The task with one system, which reads documents too."""
    card = SystemCard(name="invented", make=make, summary="for a test")
    return replace(
        get_benchmark("measurement"),
        systems=(card,),
        preferred={"bench": ("invented",)},
    )
