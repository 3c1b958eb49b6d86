"""What is printed: one line for an error, and nothing that steers the terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError, UnknownNameError
from marginalia.cli.output import print_table, printable
from marginalia.core.errors import MAX_MESSAGE

ESCAPES = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202e \x9b2J"


def test_escapes_of_a_document_are_shown_not_sent(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(f"Search {ESCAPES}", ("label",), [(ESCAPES,)], note=ESCAPES)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "\x07" not in shown and "\u202e" not in shown
    assert "\\x1b[31mred" in shown


@given(st.text())
def test_what_is_printable_stays_as_it_is(text: str) -> None:
    shown = printable(text)
    assert all(sign.isprintable() or sign in "\n\t" for sign in shown)
    assert printable(shown) == shown


@given(st.text(max_size=2000))
def test_a_message_is_one_line(text: str) -> None:
    for error in (
        FormatError(text, path=text, line=3),
        MissingError(text),
        UnknownNameError("task", text, [text]),
    ):
        said = str(error)
        assert len(said) <= MAX_MESSAGE and len(said.splitlines()) <= 1
        assert all(sign.isprintable() for sign in said)
