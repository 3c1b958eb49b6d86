"""Numbers as Perl 5.36 reads them; the right-hand sides were taken from Perl itself."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.similarity.official.programs import fields, looks_like_number, number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("abc", 0),
        ("3,5", 3),
        ("2x", 2),
        (".5", 0.5),
        ("1e-1", 0.1),
        ("+4", 4),
        ("-4.5", -4.5),
        ("5.", 5),
        (".", 0),
        ("", 0),
        ("\t3", 3),
        ("1e", 1),
        ("1.5.2", 1.5),
        ("--3", 0),
        ("0x1A", 0),
        ("1_000", 1),
        ("٣", 0),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
        ("information", math.inf),
    ],
)
def test_the_longest_numeric_beginning_counts(text: str, value: float) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["nan", "NaN", "-nan", "nanx"])
def test_not_a_number_is_a_number(text: str) -> None:
    assert math.isnan(number(text))


@pytest.mark.parametrize("text", [".5", "1e-1", "+4", "nan", "inf", "5.", " 3", "3 ", "3\r"])
def test_what_looks_like_a_number(text: str) -> None:
    assert looks_like_number(text)


@pytest.mark.parametrize("text", ["abc", "3,5", "nanx", "0x1A", "", "1e", "٣"])
def test_what_does_not(text: str) -> None:
    assert not looks_like_number(text)


@given(st.floats(allow_nan=False))
def test_a_number_that_was_written_is_read_again(value: float) -> None:
    assert number(repr(value)) == value
    assert looks_like_number(repr(value))


def test_a_leading_blank_makes_an_empty_field_and_a_trailing_one_none() -> None:
    assert fields(" 4.8\t100 ") == ["", "4.8", "100"]
    assert fields("3.5  \t 50") == ["3.5", "50"]
    assert fields("") == fields("  ") == []
    assert fields("no\xa0break") == ["no\xa0break"], "only ASCII white space separates"
