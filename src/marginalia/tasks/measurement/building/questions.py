"""The question of MeasEval: mark quantities, what was measured, and under which conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from marginalia.core.building import Built
from marginalia.core.files import list_files, read_text
from marginalia.core.rating import Question
from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.measurement.official.tsv import format_spans

LINKS = {
    "Quantity": (),
    "MeasuredProperty": ("Quantity",),
    "MeasuredEntity": ("MeasuredProperty", "Quantity"),
    "Qualifier": ("Quantity", "MeasuredProperty", "MeasuredEntity"),
}
"""Each type with what it may belong to: a property has a quantity, an entity has a property or a quantity."""


def questions(path: Path) -> Iterator[Question]:
    """One question for each paragraph: a ``.txt`` file, or a folder of them."""
    for file in list_files(path, ".txt"):
        yield Question(
            id=file.stem,
            ask="Mark every quantity, then what was measured, and say what belongs to what.",
            kind="spans",
            parts=(("Paragraph", read_text(file)),),
            links=LINKS,
        )


def export(path: Path, answers: Mapping[str, Mapping[str, Any]]) -> Built:
    """An official TSV file for each rater, as ``bench agreement measurement`` compares them."""
    texts = {question.id: question.parts[-1][1] for question in questions(path)}
    files, count = {}, 0
    for rater, given in answers.items():
        rows: list[str] = []
        for doc, marked in given.items():
            spans = as_spans(marked, texts[doc])
            count += len(spans)
            lines = format_spans(doc, spans).splitlines(keepends=True)
            rows += lines[1:] if rows else lines
        files[f"{rater}.tsv"] = "".join(rows)
    return Built(files, {"raters": len(files), "spans": count})


def as_spans(marked: Sequence[Mapping[str, Any]], text: str) -> list[Span]:
    """Official spans: a quantity and all that belongs to it, directly or not, is a set."""
    quantities = [place for place, each in enumerate(marked) if each["type"] == "Quantity"]
    numbers = {place: number for number, place in enumerate(quantities, start=1)}
    found = []
    for place, each in enumerate(marked):
        number = numbers[_quantity(marked, place)]
        other: dict[str, Any] = {"unit": each["unit"]} if each.get("unit") else {}
        if each["of"] is not None:
            other[_relation(each, marked[each["of"]])] = f"T{each['of'] + 1}-{number}"
        start, end = each["start"], each["end"]
        id = f"T{place + 1}-{number}"
        found.append(Span(number, each["type"], start, end, id, text[start:end], other))
    return sorted(found, key=lambda span: span.set)


def _quantity(marked: Sequence[Mapping[str, Any]], place: int) -> int:
    """The quantity at the end of the links; types only ever point to types before them, so there is one."""
    while marked[place]["of"] is not None:
        place = marked[place]["of"]
    return place


def _relation(each: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    if each["type"] == "Qualifier":
        return "Qualifies"
    return "HasProperty" if other["type"] == "MeasuredProperty" else "HasQuantity"
