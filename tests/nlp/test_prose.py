"""Paragraphs and sentences of a document's prose, and spans that know what they hold."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from marginalia import Document
from marginalia.nlp.prose import (
    SpanSet,
    beside_tables,
    is_reference_heading,
    paragraphs,
    prose_sentences,
    spans_of,
)

pairs = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 10)), max_size=8).map(
    lambda found: [(start, start + length) for start, length in found]
)


@given(pairs, st.integers(0, 45), st.integers(1, 12))
def test_a_set_of_spans_answers_as_a_mask_of_characters_does(
    given: list[tuple[int, int]], start: int, length: int
) -> None:
    mask = [any(low <= place < high for low, high in given) for place in range(80)]
    spans, end = SpanSet.merge(given), start + length
    assert spans.hold(start) is mask[start]
    assert spans.touch(start, end) is any(mask[start:end])
    assert spans.cover(start, end) is all(mask[start:end])
    assert sum(high - low for low, high in spans) == sum(mask)


def test_an_empty_span_touches_nothing() -> None:
    assert not SpanSet.merge([(2, 8)]).touch(4, 4)


def test_blank_lines_part_paragraphs() -> None:
    text = "  One.\nStill one.\n \n\nTwo.\n"
    assert [text[a:b] for a, b in paragraphs(text)] == ["One.\nStill one.", "Two."]


def test_tables_are_read_cell_by_cell_in_their_place() -> None:
    text = "Before.\na\tb\nc\td\nAfter."
    found = [
        (text[a:b], is_cell)
        for a, b, is_cell in beside_tables(text, [(8, 15)], re.compile(r"[^\t\n]+"))
    ]
    assert found == [
        ("Before.\n", False),
        *((cell, True) for cell in "abcd"),
        ("\nAfter.", False),
    ]


def test_sentences_in_a_region_are_left_out() -> None:
    text = "Water boils. Run it. It cools."
    doc = Document(id="", text=text, meta={"regions": [{"kind": "code", "start": 13, "end": 20}]})
    found = prose_sentences(doc, without={"code"}, lang="en")
    assert [text[a:b] for a, b in found] == ["Water boils.", "It cools."]
    assert list(spans_of(doc, {"code"}, inline=True)) == []


def test_headings_of_reference_lists() -> None:
    assert all(
        map(is_reference_heading, ["References", "7 Literatur", "Works cited:", "A. Quellen"])
    )
    assert not any(map(is_reference_heading, ["Reference values", "Literature review", "7"]))
