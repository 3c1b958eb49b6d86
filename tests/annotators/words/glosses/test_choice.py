"""The sense that a sentence has in mind."""

from __future__ import annotations

import pytest

from marginalia.annotators.words.annotator import ANNOTATOR
from marginalia.annotators.words.glosses.choice import choose, ranked
from marginalia.annotators.words.glosses.fields import FIELDS, field_words
from marginalia.annotators.words.glosses.lexicon import Sense, senses
from marginalia.nlp.encoder import english


def sense(gloss: str, count: int = 0) -> Sense:
    return Sense("x", "n", "", "x", gloss, True, count, ())


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The crane lowered the steel beam onto the roof.", "lifts and moves heavy objects"),
        ("A crane stood on one leg in the shallow water.", "wading bird"),
    ],
)
def test_the_sentence_chooses(sentence: str, said: str) -> None:
    choice = choose(sentence, senses("crane", "NOUN"), english())
    assert choice is not None and said in choice.sense.gloss and 0 < choice.confidence < 1


def test_a_word_without_senses_has_none() -> None:
    assert choose("A crane.", (), english()) is None


def test_a_clear_lead_makes_sure_and_frequent_senses_win_a_tie() -> None:
    rare, common = sense("a"), sense("b", 50)
    tie, lead = ranked([0.8, 0.8], [rare, common]), ranked([0.9, 0.8], [rare, common])
    assert tie.sense is common and lead.sense is rare
    assert ranked([0.95, 0.8], [rare, common]).confidence > lead.confidence > 0.5


def test_fields_have_words_of_their_own() -> None:
    assert ANNOTATOR.options["field"] == FIELDS
    assert "antigen" in field_words("medicine") and "subpoena" in field_words("law")
    assert "metadata" in field_words("computing")
    assert "antigen" not in field_words("law")
    assert all(len(field_words(field)) > 100 for field in FIELDS)
