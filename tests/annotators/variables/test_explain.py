"""Explicit or implicit, and by which words."""

from __future__ import annotations

import pytest

from marginalia.annotators.variables.explain import explain
from marginalia.tasks.variables.official.vocabulary import Variable

TRUST = Variable(
    id="v1",
    survey="ZA1",
    text="Trust in neighbours How much do you trust your neighbours?",
    raw="",
    fields={"label": "Trust in neighbours", "question": "How much do you trust your neighbours?"},
)
AGE = Variable(id="v2", survey="ZA1", text="AGE", raw="AGE", fields={"label": "AGE"})


def test_a_sentence_that_quotes_the_question_is_explicit_and_says_where() -> None:
    sentence = "We asked how much people trust their neighbours."
    match = explain(sentence, TRUST)
    assert match.kind == "explicit"
    assert [sentence[a:b] for a, b in match.words] == ["trust", "neighbours"]
    assert match.fields[0] == "label" and match.share == 1


def test_a_sentence_that_shares_one_word_of_many_is_implicit() -> None:
    match = explain("Trust is a resource of societies.", TRUST)
    assert match.kind == "implicit" and len(match.words) == 1 and 0 < match.share < 1


def test_a_sentence_that_shares_nothing_is_implicit_without_words() -> None:
    match = explain("The model fits well.", TRUST)
    assert (match.kind, match.words, match.fields, match.share) == ("implicit", (), (), 0.0)


@pytest.mark.parametrize("sentence", ["Age was asked in years.", "AGE, sex and income"])
def test_one_word_is_enough_where_it_is_all_the_label_says(sentence: str) -> None:
    assert explain(sentence, AGE).kind == "explicit"


def test_inflected_german_words_and_parts_of_compounds_match() -> None:
    wahl = Variable(
        id="v", survey="", text="", raw="", fields={"label": "ZUFRIEDENHEIT MIT DER DEMOKRATIE"}
    )
    match = explain("Die Demokratiezufriedenheit steigt, und zufriedene Wähler auch.", wahl)
    assert match.words and match.words[0] == (4, 27)
    assert explain("", wahl).words == ()
