"""Training examples say of the pieces what gold says of the characters."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.encoder import english
from marginalia.tasks.measurement.systems.train.examples import make_examples, other_digits
from tests.tasks.measurement.invented import TEXTS, gold


def quote(text: str, window, place: tuple[int, int]) -> str:
    return text[window.offsets[place[0], 0] : window.offsets[place[1], 1]]


def test_labels_slice_back_to_the_quotes() -> None:
    for doc, spans in gold().items():
        [example] = make_examples(TEXTS[doc], spans, english().tokenizer)
        window = example.window
        quantities = {span.text: span for span in spans if span.type == "Quantity"}
        asked = {quote(TEXTS[doc], window, asking.quantity): asking for asking in example.askings}
        assert set(asked) == set(quantities)
        for text, asking in asked.items():
            assert asking.modifiers == quantities[text].mods
            members = {s.type: s.text for s in reversed(spans) if s.set == quantities[text].set}
            for role, place in asking.roles.items():
                assert quote(TEXTS[doc], window, place) == members[role]
            first, last = asking.quantity
            assert example.quantity[first] == 1 and set(example.quantity[first + 1 : last + 1]) <= {
                2
            }
            unit = np.flatnonzero(example.unit[first : last + 1]) + first
            if quantities[text].unit:
                assert quote(TEXTS[doc], window, (unit[0], unit[-1])) == quantities[text].unit


@given(st.text(alphabet="ab 0123456789.,", max_size=60), st.integers(0, 99))
def test_other_digits_change_nothing_but_digits(text: str, seed: int) -> None:
    changed = other_digits(text, Random(seed))
    assert len(changed) == len(text)
    assert [c.isdigit() for c in changed] == [c.isdigit() for c in text]
    assert [c for c in changed if not c.isdigit()] == [c for c in text if not c.isdigit()]


def test_other_digits_are_other_digits() -> None:
    text = "12 and 345 and 6789 " * 5
    assert other_digits(text, Random(1)) != text
