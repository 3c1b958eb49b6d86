"""Words and their partners: what is linked, what is left over, and both ways the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.similarity.systems.alignment import MAX_WORDS, align, words_of
from marginalia.tasks.similarity.systems.word_vectors import align_near


def linked(a: str, b: str, *, near: bool = False) -> list[tuple[str, str, str]]:
    found = align_near(a, b) if near else align(a, b)
    return [
        (found.left[link.left].text, found.right[link.right].text, link.kind)
        for link in found.links
    ]


def test_same_words_other_forms_and_numbers_are_linked() -> None:
    assert linked("Two dogs ran 2,000 miles.", "A dog runs two thousand miles") == [
        ("dogs", "dog", "lemma"),
        ("ran", "runs", "lemma"),
        ("2,000", "two thousand", "number"),
        ("miles", "miles", "same"),
    ]


def test_german_forms_and_compounds_are_linked() -> None:
    assert linked(
        "Die Schulpolitik kostet 2.000 Euro und mehr.", "Die Bildungspolitik kostete 2000 € und"
    ) == [
        ("Die", "Die", "same"),
        ("Schulpolitik", "Bildungspolitik", "lemma"),
        ("kostet", "kostete", "lemma"),
        ("2.000 Euro", "2000 €", "number"),
        ("und", "und", "same"),
    ]


def test_words_near_in_meaning_are_linked_by_their_vectors() -> None:
    a, b = "The car is fast.", "The automobile is quick."
    assert ("car", "automobile", "near") in linked(a, b, near=True)
    assert ("car", "automobile", "near") not in linked(a, b)
    assert align_near(b, a).turned() == align_near(a, b)


def test_two_names_are_not_near() -> None:
    pairs = linked("We met John in the park.", "We met Peter in the park.", near=True)
    assert ("John", "Peter", "near") not in pairs


def test_the_partner_at_the_like_place_is_taken() -> None:
    found = align("the cat saw the dog", "the dog saw the cat")
    assert [(link.left, link.right) for link in found.links] == [
        (0, 0),
        (1, 4),
        (2, 2),
        (3, 3),
        (4, 1),
    ]


def test_what_only_one_side_has() -> None:
    found = align("A red car.", "A car, parked.")
    assert [word.text for word in found.only_left] == ["red"]
    assert [word.text for word in found.only_right] == ["parked"]
    assert [word.content for word in found.left] == [False, True, True]


text = st.text(st.sampled_from("ab AB.,1 2%-’ä"), max_size=30)


@given(text, text)
def test_exchanging_the_texts_exchanges_the_sides(a: str, b: str) -> None:
    assert align(b, a) == align(a, b).turned()


@given(text, text)
def test_each_word_has_one_partner_at_most_and_spans_slice_back(a: str, b: str) -> None:
    found = align(a, b)
    for side, given_text, words in (("left", a, found.left), ("right", b, found.right)):
        places = [getattr(link, side) for link in found.links]
        assert len(set(places)) == len(places)
        assert all(given_text[word.start : word.end] == word.text for word in words)
    assert len(found.only_left) == len(found.left) - len(found.links)


@given(text)
def test_a_text_is_linked_to_itself_word_by_word(a: str) -> None:
    assert [(link.left, link.right, link.kind) for link in align(a, a).links] == [
        (place, place, "same") for place in range(len(words_of(a)))
    ]


def test_very_long_texts_are_cut() -> None:
    assert len(align("word " * 5000, "other " * 5000).left) == MAX_WORDS
    assert align("", "").links == ()
