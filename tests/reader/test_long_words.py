"""A text that is one word, one line or one mark repeated is read in time that grows as it does.

Where it does not, these tests take hours: each would find the square of a hundred thousand.
"""

from __future__ import annotations

import pytest

from marginalia.core.document import Document
from marginalia.nlp.prose import closed_spans
from marginalia.reader.annotate import annotate
from marginalia.reader.parse.plain import read_text
from marginalia.reader.view.places import Places

PROSE = {
    "en": "The samples were heated to 350 K for 5 minutes before the acquiescent committee met. ",
    "de": "Die Proben wurden fünf Minuten lang auf 350 K erhitzt, bevor der Ausschuss zusammentrat. ",
}
ENDLESS = {
    "one word": "a" * 100_000,
    "compound": "Donaudampf" * 10_000,
    "digits": "1" * 100_000,
    "hyphens": "a-" * 50_000,
    "full stops": "a." * 50_000,
    "combining characters": "e" + "\u0301" * 100_000,
    "only combining characters": "\u0301" * 100_000,
    "one line": "abc,def;" * 12_500,
    "brackets": "(" * 50_000,
    "stars": "*" * 50_000,
    "quotation marks": '"' * 50_000,
    "underlines": "a_" * 50_000,
    "paths": "a/" * 50_000,
    "addresses": "a@" * 50_000,
}


def quotes(doc: Document, below: int) -> list[tuple[str, str, int]]:
    """Notes on the beginning by themselves: what repeats it further down is another matter."""
    return [
        (one.task, one.quote, one.start)
        for one in doc.annotations
        if one.end <= below and one.task != "consistency"
    ]


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("what", ENDLESS)
def test_what_has_no_end_is_read_and_the_notes_before_it_stay(what: str, lang: str) -> None:
    prose = PROSE[lang] * 2
    doc = annotate(read_text(f"{prose}\n\n{ENDLESS[what]}\n\n{prose}", lang=lang))
    assert len(doc.text) > 50_000
    assert quotes(doc, len(prose)) == quotes(annotate(read_text(prose, lang=lang)), len(prose))


@pytest.mark.parametrize("piece", ["a", "a-", "a.", "a+", "a@", "/a", "a/", "1", "ab:", "www"])
def test_addresses_are_looked_for_in_a_megabyte_without_spaces(piece: str) -> None:
    text = piece * (2**20 // len(piece))
    spans = closed_spans(Document(id="x", text=f"{text} and http://a.example/b"), "en")
    assert spans.hold(len(text) + 10)


def test_places_of_a_megabyte_without_spaces() -> None:
    text = "a" * 2**20
    places = Places(f"<p>{text}</p> b", f"{text}\n\nb")
    assert places.offset(10) == 13
    assert places.offset(len(text) + 2) == len(text) + 8
