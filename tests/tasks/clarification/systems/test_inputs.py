"""A context is packed once, and each filler stands in its gap as if it were alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marginalia.nlp.encoder import english
from marginalia.tasks.clarification.official.data import GAP, Item
from marginalia.tasks.clarification.systems.passes import (
    FILLER,
    HEADER,
    MASK,
    MASKED,
    MAX_CONTEXT_PIECES,
    MAX_SIDE_PIECES,
    TITLE,
    clean,
    pack,
    sides,
)

ITEM = Item(
    "IMPLICIT REFERENCE",
    "How to Stretch",
    " Steps ",
    " (...) 1. Lift your leg. ",
    "2. Hold ______ for a while. ",
    "Then rest.",
    "the pose",
    ("your leg", "a cloud"),
)
LONGEST = 2 * MAX_SIDE_PIECES + MAX_CONTEXT_PIECES + TITLE + HEADER + 20


def packed(item: Item, *fillers: str):
    return pack(item, fillers or ("the pose",), english().tokenizer)


def words(ids) -> str:
    return str(english().tokenizer.decode(list(ids), skip_special_tokens=False))


def test_the_context_names_its_phenomenon_and_has_a_mask_in_the_gap() -> None:
    found = packed(ITEM, "the pose", "your leg")
    context = words(found.pieces[found.kinds == 0])
    assert context == (
        "[CLS] implicit reference [SEP] stretch [SEP] steps [SEP] 1. lift your leg. [SEP] "
        "2. hold [MASK] for a while. [SEP] then rest. [SEP]"
    )
    assert found.pieces[found.gap] == MASK
    assert words(found.pieces[found.kinds == 1]) == "the pose your leg"


def test_a_filler_stands_where_the_gap_is_and_sees_no_other_filler() -> None:
    found = packed(ITEM, "the pose", "a cloud")
    blocks = [np.flatnonzero(row) for row in found.spans]
    assert [found.places[block].tolist() for block in blocks] == [[found.gap, found.gap + 1]] * 2
    context = found.kinds == 0
    sees = found.mask == 0
    assert (found.mask[~sees] == MASKED).all()
    for block in blocks:
        expected = context.copy()
        expected[block] = True
        assert (sees[block] == expected).all()
    assert (sees[context] == context).all()
    np.testing.assert_allclose(found.spans.sum(axis=1), 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  a \n b ", "a b"),
        ("Fill <b>the</b> tank<br/> now", "Fill the tank now"),
        ("salt &amp; water", "salt & water"),
        ("(...) 2. Rest. ( ... )", "2. Rest."),
        ("if a < b and c > d", "if a < b and c > d"),
        ("a <!-- note --> b", "a b"),
        ("the ______ gap", "the gap"),
        ("", ""),
    ],
)
def test_clean_leaves_the_words(text: str, expected: str) -> None:
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Hold ______ now.", ("Hold", "now.")),
        ("Hold it now.", ("Hold it now.", "")),
        ("Hold ______ and lift ______ up.", ("Hold", "and lift up.")),
        ("______", ("", "")),
        ("", ("", "")),
        ("<p>Hold ______</p>", ("Hold", "")),
    ],
)
def test_sides_of_the_first_gap(sentence: str, expected: tuple[str, str]) -> None:
    assert sides(replace(ITEM, sentence=sentence)) == expected


def test_an_empty_filler_is_the_gap_left_open() -> None:
    found = packed(ITEM, "", "  ", "<br>")
    assert found.pieces[found.kinds == 1].tolist() == [MASK] * 3


def test_long_texts_are_cut_around_the_gap() -> None:
    long = " ".join(f"w{n}" for n in range(3000))
    item = Item("FUSED HEAD", long, long, long, f"{long} {GAP} {long}", long, "x", ())
    found = packed(item, "x", long)
    context = found.kinds == 0
    assert context.sum() <= LONGEST
    assert (found.kinds == 1).sum() <= 1 + FILLER
    assert found.places.max() < 512


texts = st.text(max_size=60)


@settings(max_examples=40, deadline=None)
@given(texts, texts, texts, texts, texts, st.lists(texts, min_size=1, max_size=6))
def test_any_text_can_be_packed(title, header, previous, sentence, followup, fillers) -> None:
    item = Item("OTHER", title, header, previous, sentence, followup, fillers[0], ())
    found = packed(item, *fillers)
    size = len(found.pieces)
    assert found.places.shape == found.kinds.shape == (size,)
    assert found.mask.shape == (size, size)
    assert found.spans.shape == (len(fillers), size)
    assert found.pieces[found.gap] == MASK
    np.testing.assert_allclose(found.spans.sum(axis=1), 1, rtol=1e-6)
