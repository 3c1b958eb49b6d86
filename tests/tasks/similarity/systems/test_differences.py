"""Disagreements: numbers, dates, negation, opposites and names, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.similarity.systems.differences import KINDS, differences
from marginalia.tasks.similarity.systems.numerals import numerals, same


def told(a: str, b: str) -> list[tuple[str, str | None, str | None]]:
    return [
        (one.kind, one.left and a[slice(*one.left)], one.right and b[slice(*one.right)])
        for one in differences(a, b)
    ]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Sales rose by 12 %.", "Sales rose by 15 percent.", [("number", "12 %", "15 percent")]),
        ("It was seen in May 2003.", "It was seen in June 2003.", [("date", "May 2003", "June 2003")]),
        ("He came on Tuesday.", "He came on Wednesday.", [("date", "Tuesday", "Wednesday")]),
        ("They approved the plan.", "They did not approve the plan.", [("negation", None, "not")]),
        ("Prices rose in spring.", "Prices fell in spring.", [("opposite", "rose", "fell")]),
        ("The visitors met John Smith in town.", "The visitors met Peter Miller in town.",
         [("name", "John Smith", "Peter Miller")]),
        ("Der Umsatz stieg um 12 Prozent.", "Der Umsatz sank um 15 Prozent.",
         [("opposite", "stieg", "sank"), ("number", "12 Prozent", "15 Prozent")]),
        ("Es gab keine Zweifel daran.", "Es gab Zweifel daran.", [("negation", "keine", None)]),
    ],
)  # fmt: skip
def test_disagreements_are_found(a: str, b: str, expected: list[tuple[str, str, str]]) -> None:
    assert told(a, b) == expected


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("It costs $5 million.", "It costs 5 million dollars."),
        ("It was built in 1998.", "It was built in May 1998."),
        ("Two men and 3 dogs.", "3 dogs and two men."),
        ("The mill has 3 floors.", "The mill was painted in oil."),
        ("The UN sent a long report to them.", "The United Nations sent a long report to them."),
        ("It was not for nothing.", "It was for something."),
        ("He paid 5 % of it.", "He weighs 5 kg of it."),
        ("", "12 %"),
    ],
)
def test_what_is_no_disagreement(a: str, b: str) -> None:
    assert told(a, b) == []


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("2,000 people", "en", [("number", (2000.0,), "")]),
        ("2.000 Leute, 2,5 km", "de", [("number", (2000.0,), ""), ("number", (2.5,), "km")]),
        ("twenty-five percent", "en", [("number", (25.0,), "%")]),
        ("the 3rd and the third", "en", [("number", (3.0,), "th"), ("number", (3.0,), "th")]),
        ("on 3 May 2010", "en", [("date", (2010.0, 5.0, 3.0, None), "")]),
        ("am 3. Mai 2010", "de", [("date", (2010.0, 5.0, 3.0, None), "")]),
        ("03.05.2010", "de", [("date", (2010.0, 5.0, 3.0, None), "")]),
        ("2010-05-03", "en", [("date", (2010.0, 5.0, 3.0, None), "")]),
        ("they may march", "en", []),
        ("the 1980s", "en", [("date", (1980.0, None, None, None), "s")]),
    ],
)
def test_numbers_and_dates_are_read(text: str, lang: str, expected: list[tuple[str, ...]]) -> None:
    assert [(one.kind, one.value, one.unit) for one in numerals(text, lang)] == expected


def test_what_cannot_be_compared_is_neither_the_same_nor_not() -> None:
    (kilos,), (percent,), (year,), (month,) = map(numerals, ("3 kg", "3 %", "in 1998", "in May"))
    assert same(kilos, percent) is None and same(year, month) is None
    assert same(year, kilos) is None and same(kilos, kilos) is True


text = st.lists(
    st.sampled_from("the John May 12 15 % not rose fell 1998 in Smith. never two, 2,000".split()),
    max_size=12,
).map(" ".join)


@given(text, text)
def test_exchanging_the_texts_exchanges_the_sides(a: str, b: str) -> None:
    assert {one.turned() for one in differences(b, a)} == set(differences(a, b))


@given(text)
def test_a_text_agrees_with_itself(a: str) -> None:
    assert differences(a, a) == []


@given(text, text)
def test_spans_are_in_the_texts(a: str, b: str) -> None:
    for one in differences(a, b):
        assert one.kind in KINDS
        for span, given_text in ((one.left, a), (one.right, b)):
            assert span is None or given_text[slice(*span)].strip()
