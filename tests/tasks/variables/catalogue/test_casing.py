"""Labels in capitals are read as words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.tasks.variables.catalogue.parts import spoken


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("WEG ZUM ERFOLG: GELD, VERMOEGEN", "weg zum erfolg: geld, vermögen"),
        ("SCHAM UEBER DEUTSCHE UNTATEN", "scham über deutsche untaten"),
        ("NEUE QUELLEN DER STEUERN", "neue quellen der steuern"),
        ("VALUE OF A SUEZ CANAL: DOES IT PAY", "value of a suez canal: does it pay"),
        ("FOREIGN.:BURDEN 2", "foreign.:burden 2"),
        ("Trust in the EU", "Trust in the EU"),
        ("Vertrauen: EU-PARLAMENT", "Vertrauen: EU-PARLAMENT"),
        ("2012", "2012"),
        ("", ""),
    ],
)
def test_capitals_and_umlauts(label: str, said: str) -> None:
    assert spoken(label) == said


@given(st.text())
def test_said_once_is_said_for_good(text: str) -> None:
    assert spoken(spoken(text)) == spoken(text)


@given(st.text(alphabet="abcdefäöü ,.!?0123"))
def test_small_letters_stay(text: str) -> None:
    assert spoken(text) == text
