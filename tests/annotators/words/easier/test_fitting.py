"""An easier word stands only where it fits."""

from marginalia.annotators.words.easier.fitting import fitting
from marginalia.nlp.encoder import english


def easier(sentence: str, word: str, lemmas: list[str], part: str, ending: str = "") -> list[str]:
    start = sentence.index(word)
    return fitting(sentence, start, start + len(word), lemmas, part, ending, english())


def test_the_easier_word_has_the_form_of_the_hard_one() -> None:
    text = "The old rules were superseded last year by those of the new council."
    assert easier(text, "superseded", ["replace"], "v", "ed") == ["replaced"]


def test_a_verb_keeps_its_preposition_and_so_its_place() -> None:
    assert (
        easier("This pertains to the new rules of the club.", "pertains", ["concern"], "v", "s")
        == []
    )


def test_neither_rare_words_nor_those_of_the_same_root_are_easier() -> None:
    text = "A heathenish custom was kept in the valley until the last century."
    assert easier(text, "heathenish", ["heathen", "ethnic"], "a") == []


def test_a_word_of_another_meaning_does_not_fit() -> None:
    assert easier("Chop the celery.", "celery", ["government"], "n") == []


def test_a_preposition_is_no_easier_verb() -> None:
    text = (
        "The editor may omit the second part of the long letter if there is no room for it on the page, "
        "and then the reader has to ask for it."
    )
    assert easier(text, "omit", ["except"], "v") == []
