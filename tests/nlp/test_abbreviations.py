"""Short forms and their long forms, after Schwartz and Hearst."""

from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.nlp.abbreviations import abbreviations, first_mentions, looks_short, singular

FOUND = {
    "We use natural language processing (NLP) here.": ("NLP", "natural language processing"),
    "The heat shock transcription factor (HSF) binds.": ("HSF", "heat shock transcription factor"),
    "Convolutional neural networks (CNNs) are old.": ("CNNs", "Convolutional neural networks"),
    "PDF (portable document format) is a format.": ("PDF", "portable document format"),
    "A PDF stands for portable document format.": ("PDF", "portable document format"),
    "The messenger ribonucleic acid (mRNA) decays.": ("mRNA", "messenger ribonucleic acid"),
    "the World Health Organization (WHO; Geneva)": ("WHO", "World Health Organization"),
    "the open reading frame (hereafter ORF)": ("ORF", "open reading frame"),
    "Das Bundesministerium für Bildung und Forschung (BMBF) zahlt.": (
        "BMBF",
        "Bundesministerium für Bildung und Forschung",
    ),
    "das Arbeitslosengeld (kurz: ALG) sinkt": ("ALG", "Arbeitslosengeld"),
    "die Datenschutz-Grundverordnung (DSGVO) gilt": ("DSGVO", "Datenschutz-Grundverordnung"),
    "Das BIP (Bruttoinlandsprodukt) wächst.": ("BIP", "Bruttoinlandsprodukt"),
    "die „Allgemeine Bevölkerungsumfrage“ (ABU)": ("ABU", "Allgemeine Bevölkerungsumfrage"),
}


@pytest.mark.parametrize(("text", "pair"), FOUND.items())
def test_short_form_gets_its_long_form(text: str, pair: tuple[str, str]) -> None:
    assert [(one.short, one.long) for one in abbreviations(text)] == [pair]


@pytest.mark.parametrize(
    "text",
    [
        "The result (left) is better (see Figure 2).",
        "He came late (Smith 2003).",
        "Die Summe (Total) wurde gezahlt.",
        "It runs on the board (USB) today.",
        "Rise of temperature (see ABC below, where it falls).",
        "an old format (PDF)",
        "See FTO |ft-the-omni| (FTO) for it.",
    ],
)
def test_other_brackets_are_none(text: str) -> None:
    assert list(abbreviations(text)) == []


def test_the_long_form_stays_in_its_sentence() -> None:
    assert list(abbreviations("Nobody likes peas. (NLP)")) == []


def test_the_first_mention_counts_and_plurals_are_one() -> None:
    text = "A finite state machine (FSM) is old. Two finite state machines (FSMs) are older."
    first = first_mentions(abbreviations(text))
    assert {short: place.start for short, place in first.items()} == {"FSM": text.index("FSM")}


@pytest.mark.parametrize("word", ["NLP", "mRNA", "GmbH", "CNNs", "R2D2", "qPCR"])
def test_abbreviations_look_short(word: str) -> None:
    assert looks_short(word)


@pytest.mark.parametrize("word", ["Total", "left", "A", "Haus", "JavaScript", "2003", ""])
def test_words_do_not(word: str) -> None:
    assert not looks_short(word)


def test_singular() -> None:
    assert [singular(word) for word in ("CNNs", "URL's", "OS", "GPS")] == [
        "CNN",
        "URL",
        "OS",
        "GPS",
    ]


@given(st.text(alphabet="abCD ().,;:\n“NLP", max_size=80))
def test_offsets_are_true(text: str) -> None:
    for one in abbreviations(text):
        assert text[one.start : one.end] == one.short
        assert text[one.long_start : one.long_end] == one.long


class Counted(str):
    """A text that counts how many of its characters are copied."""

    copied = 0

    def __getitem__(self, at: SupportsIndex | slice) -> str:
        found = super().__getitem__(at)
        Counted.copied += len(found)
        return found


def test_brackets_copy_no_more_than_their_neighbourhood() -> None:
    def cost(times: int) -> int:
        Counted.copied = 0
        text = Counted("The heat shock factor (HSF) binds; PDF (see below) is not. " * times)
        assert len(list(abbreviations(text))) == times
        return Counted.copied

    assert cost(400) <= 4.1 * cost(100)
