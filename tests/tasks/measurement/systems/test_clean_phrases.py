"""Only whole noun phrases are shown: no half words, verbs, units or numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.measurement.systems.clean_phrases import (
    clean_condition,
    clean_phrase,
    overlaps,
)


def clean(text: str, quote: str, *, language: str = "en", taken: tuple = ()) -> str | None:
    start = text.index(quote)
    place = clean_phrase(text, start, start + len(quote), taken=taken, language=language)
    return place and text[slice(*place)]


@pytest.mark.parametrize(
    ("text", "quote", "shown"),
    [
        ("The thin films were dried.", "he thin fil", "thin films"),
        ("the density of the oxide layer was 5", "the density of", "density"),
        ("the density of the oxide layer was 5", "density of the oxide layer", "density of the oxide layer"),
        ("approximately the whole non-linear range", "linear range", "non-linear range"),
        ("Preheat the oven to 180", "Prehea", None),
        ("Preheat the oven to 180", "oven", "oven"),
        ("samples were heated", "heated", None),
        ("a warming of 2 K", "warming", "warming"),
        ("films were dried", "films were dried", None),
        ("it was 5 m", "it", None),
        ("a 5 mm wide gap", "5 mm wide gap", None),
        ("about 20 kg", "kg", None),
        ("layers, films and rods", "layers, films", None),
        ("the rods (steel", "rods (steel", None),
        ("the", "the", None),
        ("patients that slept", "patients that slept", None),
        ("have achieved f-measures of", "achieved f-measures", "f-measures"),
        ("Potions aren’t as good", "Potions aren’t", None),
        ("results of the MDMA arrive", "MDMA arrive", None),
        ("the city’s 5 miles", "city’s", None),
        ("a bunch of 5 files", "bunch", None),
    ],
)  # fmt: skip
def test_english(text: str, quote: str, shown: str | None) -> None:
    assert clean(text, quote) == shown


@pytest.mark.parametrize(
    ("text", "quote", "shown"),
    [
        ("Die Dicke der Schicht beträgt 5 nm", "Die Dicke", "Dicke"),
        ("Die Dicke der Schicht beträgt 5 nm", "Schicht beträgt", "Schicht"),
        ("bei der hohen Temperatur", "der hohen Temperat", "hohen Temperatur"),
        ("1.250 Patienten untersucht", "Patienten untersucht", "Patienten"),
        ("wurde langsam erwärmt", "langsam erwärmt", None),
        ("sie wiegt 5 kg", "sie", None),
        ("etwa 30 Minuten", "Minuten", None),
    ],
)
def test_german(text: str, quote: str, shown: str | None) -> None:
    assert clean(text, quote, language="de") == shown


def test_an_adjective_of_size_belongs_to_the_quantity_before_it() -> None:
    text = "die 11.4GB große Linux-Partition"
    assert (
        clean(text, "große Linux-Partition", taken=((4, 10),), language="de") == "Linux-Partition"
    )


def test_behind_a_number_a_german_phrase_ends_with_its_first_noun() -> None:
    text = "Die durch die fünf hellen Spalten bestimmten Werte"
    taken = ((text.index("fünf"), text.index("fünf") + 4),)
    said = clean(text, "hellen Spalten bestimmten Werte", language="de", taken=taken)
    assert said == "hellen Spalten"
    parts = "Es sind fünf Rot-, Grün- und Blautöne"
    taken = ((parts.index("fünf"), parts.index("fünf") + 4),)
    assert clean(parts, "Rot", language="de", taken=taken) is None


def test_a_phrase_is_beside_every_quantity() -> None:
    text = "two films of 5 nm oxide"
    assert clean(text, "films", taken=((0, 3), (13, 17))) == "films"
    assert clean(text, "two films", taken=((0, 3),)) is None


@pytest.mark.parametrize(
    ("text", "quote", "shown"),
    [
        ("5 K after the annealing, then", "after the annealing,", "after the annealing"),
        ("5 K after the", "after the", None),
        ("5 K higher than before it", "higher", None),
        ("3 days posttransplantation", "posttransplantation", "posttransplantation"),
    ],
)
def test_conditions(text: str, quote: str, shown: str | None) -> None:
    start = text.index(quote)
    place = clean_condition(text, start, start + len(quote), taken=((0, 3),))
    assert (place and text[slice(*place)]) == shown


@given(
    st.text("aB5 .,-()%'\n\tüß", max_size=40),
    st.integers(0, 40),
    st.integers(0, 40),
    st.sampled_from(["en", "de"]),
)
def test_whatever_the_span_what_is_shown_is_whole(text: str, a: int, b: int, lang: str) -> None:
    start, end = sorted((min(a, len(text)), min(b, len(text))))
    place = clean_phrase(text, start, end, taken=(), language=lang)
    if place is not None:
        low, high = place
        assert 0 <= low < high <= len(text)
        assert not (text[low - 1 : low].isalnum() and text[low].isalnum())
        assert not (text[high - 1].isalnum() and text[high : high + 1].isalnum())


@given(st.lists(st.integers(1, 5), max_size=12), st.integers(0, 40), st.integers(1, 9))
def test_overlap_with_places_in_order(steps: list[int], start: int, size: int) -> None:
    edges = [sum(steps[: n + 1]) for n in range(len(steps))]
    taken = list(zip(edges[::2], edges[1::2], strict=False))
    end = start + size
    assert overlaps(taken, start, end) == any(low < end and start < high for low, high in taken)
