"""Offsets of a document become lines and columns of the file it came from."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.tokens import words
from marginalia.reader.read import read
from marginalia.reader.view.places import Places

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("name", ["guide.md", "article.html", "methods.txt", "abstract-de.txt"])
def test_every_word_of_the_examples_is_found(name: str) -> None:
    doc, source = read(EXAMPLES / name), (EXAMPLES / name).read_text(encoding="utf-8")
    places, lines = Places(source, doc.text), source.split("\n")
    found = list(words(doc.text))
    assert len(found) > 80
    for match in found:
        line, column = places.line(places.offset(match.start()))
        assert lines[line - 1][column - 1 :].startswith(match.group()), match


@given(st.text(alphabet="ab é\n😀", max_size=60))
def test_a_plain_text_is_its_own_source(text: str) -> None:
    places = Places(text, text)
    for match in words(text):
        offset = places.offset(match.start())
        assert offset == match.start()
        before = text[:offset].split("\n")
        assert places.line(offset) == (len(before), len(before[-1]) + 1)


def test_mark_up_is_skipped_and_a_lost_word_costs_only_itself() -> None:
    source = "# A *very* [hard](http://hard.example) caf&eacute; word\n\nand more"
    text = "A very hard café word\n\nand more"
    places = Places(source, text)
    assert places.line(places.offset(text.index("hard"))) == (1, 13)
    assert places.line(places.offset(text.index("word"))) == (1, source.index("word") + 1)
    assert places.line(places.offset(text.index("more"))) == (3, 5)


def test_nothing_is_nowhere() -> None:
    assert Places("", "").line(Places("", "").offset(0)) == (1, 1)
