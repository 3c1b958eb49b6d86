"""Training examples say of the pieces what gold says of the characters."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.encoder import english
from marginalia.tasks.measurement.systems.train.corpus import of_annotation, of_measeval
from marginalia.tasks.measurement.systems.train.examples import make_examples, other_digits
from tests.tasks.measurement.invented import invented


def quote(text: str, window, place: tuple[int, int]) -> str:
    return text[window.offsets[place[0], 0] : window.offsets[place[1], 1]]


def test_places_slice_back_to_the_quotes() -> None:
    for paragraph in of_measeval(invented()):
        [example] = make_examples(paragraph, english().tokenizer, Random(0))
        window, text = example.window, paragraph.text
        labelled = {text[slice(*one.place)]: one for one in paragraph.quantities}
        for asking in example.askings:
            if not asking.is_row:
                continue
            one = labelled[quote(text, window, asking.quantity)]
            for role in ("entity", "property", "conditions"):
                quotes = [quote(text, window, place) for place in getattr(asking, role)]
                assert quotes == [text[slice(*place)] for place in getattr(one, role)]


def test_a_text_that_stands_twice_is_right_at_both_places(tmp_path: Path) -> None:
    text = "The film was 5 nm thick. Another film broke; films do not. See Fig. 3."
    row = {"id": "a", "spans": {"quantity": [13, 17], "entity": [4, 8]}, "role": "result"}
    paragraph = {"id": "a", "article": "S1", "text": text}
    (tmp_path / "paragraphs.jsonl").write_text(json.dumps(paragraph) + "\n")
    (tmp_path / "quantities.jsonl").write_text(json.dumps(row) + "\n")
    [found] = of_annotation(tmp_path)
    assert [text[slice(*place)] for place in found.quantities[0].entity] == ["film", "film"]
    assert found.convention == "margin" and found.quantities[0].purpose == "result"


@given(st.text(alphabet="ab 0123456789.,", max_size=60), st.integers(0, 99))
def test_other_digits_change_nothing_but_digits(text: str, seed: int) -> None:
    changed = other_digits(text, Random(seed))
    assert len(changed) == len(text)
    assert [c.isdigit() for c in changed] == [c.isdigit() for c in text]
    assert [c for c in changed if not c.isdigit()] == [c for c in text if not c.isdigit()]


def test_other_digits_are_other_digits() -> None:
    text = "12 and 345 and 6789 " * 5
    assert other_digits(text, Random(1)) != text
