"""The formulas give what their sources and other programs give for the same counts."""

from __future__ import annotations

import pytest

from marginalia.nlp.readability import (
    Counts,
    amstad,
    count,
    flesch,
    flesch_kincaid,
    lix,
    readability,
    wiener_sachtextformel,
)
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tokens import words

ENGLISH = (
    "The cat sat on the mat. A good book is a friend for life. We went to the old mill and saw how paper is made. "
    "Each sheet was put under a board for the night. Then they hung it up to dry in the sun."
)
GERMAN = (
    "Die Katze lag auf dem Dach. Ein gutes Buch ist ein Freund. Wir gingen zur alten Mühle und sahen, wie Papier gemacht wird. "
    "Jedes Blatt kam über Nacht unter ein Brett. Dann wurde es in der Sonne getrocknet."
)


def counts(text: str, lang: str) -> Counts:
    return count(([m.group() for m in words(text[a:b])] for a, b in sentences(text, lang)), lang)


def test_counts() -> None:
    found = counts("Cats sit. A measurement, 3.5 times.", "en")
    assert found == Counts(
        words=5, sentences=2, syllables=7, long_words=1, many_syllables=1, one_syllable=4
    )


def test_the_formulas_by_hand() -> None:
    some = Counts(
        words=100, sentences=5, syllables=150, long_words=20, many_syllables=10, one_syllable=60
    )
    assert flesch(some) == pytest.approx(206.835 - 20.3 - 126.9)
    assert flesch_kincaid(some) == pytest.approx(7.8 + 17.7 - 15.59)
    assert amstad(some) == pytest.approx(180 - 20 - 87.75)
    assert lix(some) == pytest.approx(40)
    assert wiener_sachtextformel(some) == pytest.approx(1.935 + 3.344 + 2.594 - 1.962 - 0.875)


def test_a_text_without_sentences_has_no_figures() -> None:
    assert readability(Counts(0, 0, 0, 0, 0, 0), "en") == {}
    assert readability(counts("Le chat dort.", "en"), "fr") == {}


def test_another_program_says_the_same() -> None:
    """Recorded from textstat 0.7.13, whose German syllables are hyphenation patterns: it counts 52 where we count 53."""
    assert lix(counts(ENGLISH, "en")) == pytest.approx(9.2)
    german = counts(GERMAN, "de")
    assert lix(german) == pytest.approx(12.863157894736842)
    assert amstad(german) == pytest.approx(92.34736842105264 - 58.5 / german.words)
    assert wiener_sachtextformel(german) == pytest.approx(-0.5637536842105262, abs=0.1)
