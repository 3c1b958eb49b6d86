"""What a text says its words mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.definitions import definitions

ENGLISH = {
    "Heat lowers the viscosity, that is, the resistance to flow, of oil.": (
        "viscosity",
        "the resistance to flow",
    ),
    "We measured turbidity (defined as the cloudiness of the water).": (
        "turbidity",
        "the cloudiness of the water",
    ),
    "Albedo is defined as the share of light that is reflected.": (
        "Albedo",
        "the share of light that is reflected",
    ),
    "A sextant is an instrument used for measuring angles.": (
        "sextant",
        "an instrument used for measuring angles",
    ),
    "Photosynthesis is the process by which plants make sugar.": (
        "Photosynthesis",
        "the process by which plants make sugar",
    ),
    "The clavicle, also called the collarbone, broke.": ("clavicle", "the collarbone"),
    "The attrition (i.e. the loss of participants) was low.": (
        "attrition",
        "the loss of participants",
    ),
    "By idempotent we mean that doing it twice is doing it once.": (
        "idempotent",
        "that doing it twice is doing it once",
    ),
}
GERMAN = {
    "Die Viskosität, das heißt der Widerstand gegen das Fließen, sinkt.": (
        "Viskosität",
        "der Widerstand gegen das Fließen",
    ),
    "Unter Inflation versteht man einen Anstieg der Preise.": (
        "Inflation",
        "einen Anstieg der Preise",
    ),
    "Das Schlüsselbein, auch Klavikula genannt, brach.": ("Schlüsselbein", "Klavikula"),
    "Als Albedo bezeichnet man den Anteil des Lichts, der zurückgeworfen wird.": (
        "Albedo",
        "den Anteil des Lichts, der zurückgeworfen wird",
    ),
    "Die Rezidivrate (d. h. der Anteil der Rückfälle) war hoch.": (
        "Rezidivrate",
        "der Anteil der Rückfälle",
    ),
    "Ein Sextant ist ein Gerät, mit dem man Winkel misst.": (
        "Sextant",
        "ein Gerät, mit dem man Winkel misst",
    ),
}


@pytest.mark.parametrize(("text", "pair"), ENGLISH.items())
def test_english(text: str, pair: tuple[str, str]) -> None:
    assert [(one.term, one.meaning) for one in definitions(text, "en")] == [pair]


@pytest.mark.parametrize(("text", "pair"), GERMAN.items())
def test_german(text: str, pair: tuple[str, str]) -> None:
    assert [(one.term, one.meaning) for one in definitions(text, "de")] == [pair]


@pytest.mark.parametrize(
    "text",
    [
        "The problem is a lack of time.",
        "This is a test that runs.",
        "He left, that is, quickly.",
        "It was called off.",
        "The results are as follows.",
        "They came to power by legal means (i.e. by a vote of the members).",
        "Sanctions hit the exporters (i.e. members of the guild in the north).",
        "Rule by decree (i.e. is based on force) was common.",
        "All forms of barter were, in other words, a mixture of gift and sale.",
        "That is all I know of Montague, that is all he told me.",
        "Each quarto refers to a single sheet of the book.",
        "A quarto is a book made of this kind of sheet.",
        "The quarto (i.e. the sheet_size[0]) is set.",
    ],
)
def test_other_sentences_define_nothing(text: str) -> None:
    assert list(definitions(text, "en")) == []


def test_a_clause_after_das_heisst_defines_nothing() -> None:
    for text in (
        "Dann ist der Befehl hashed, d. h. die Shell hat einen Eintrag dafür.",
        "Die Werte der Merktabelle (d. h. von der Maschine) gelten.",
        "Das ist die Merktabelle, das heißt wenn man zweimal drückt.",
    ):
        assert list(definitions(text, "de")) == []


def test_another_language_has_no_patterns() -> None:
    assert list(definitions("La viscosité, c'est-à-dire la résistance.", "fr")) == []


@given(st.text(alphabet="ab (),.;i e\nthatis,defined as", max_size=80))
def test_offsets_are_true(text: str) -> None:
    for one in definitions(text, "en"):
        assert text[one.start : one.end] == one.term
        assert text[one.meaning_start : one.meaning_end] == one.meaning
