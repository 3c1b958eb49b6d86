"""Decks for Anki: what is on the cards, and the tables that Anki reads."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile

from marginalia import Annotation, Document
from marginalia.reader.formats.anki import dump

TEXT = "The vestibule is cold. A <b> & the GFR were low.\n\nThe vestibule is old."


def noted(**meta: object) -> Document:
    doc = Document(id="d", text=TEXT, meta={"lang": "en", "title": "Cold::rooms", **meta})
    places = [TEXT.index("vestibule"), TEXT.rindex("vestibule"), TEXT.index("cold")]
    notes = [
        Annotation(
            id=f"n{place}",
            task="words",
            label="hard word",
            start=place,
            end=place + length,
            quote=TEXT[place : place + length],
            attrs={"meaning": meaning} if meaning else {"why": "no meaning"},
        )
        for place, length, meaning in zip(places, (9, 9, 4), ("a < hall", "again", ""), strict=True)
    ]
    return doc.annotate(notes)


def collection(data: bytes) -> sqlite3.Connection:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        assert file.namelist() == ["collection.anki2", "media"]
        db = sqlite3.connect(":memory:")
        db.deserialize(file.read("collection.anki2"))
    return db


def cards_in(data: bytes) -> dict[str, tuple[str, str]]:
    """Word -> meaning and sentence."""
    with collection(data) as db:
        fields = [row[0].split("\x1f") for row in db.execute("SELECT flds FROM notes")]
    return {word: (meaning, sentence) for word, meaning, sentence in fields}


def test_each_term_is_one_card_with_its_sentence() -> None:
    glossary = [{"term": "GFR", "meaning": "filtration rate", "start": TEXT.index("GFR")}]
    cards = cards_in(dump([noted(summary={"terms": {"glossary": glossary}, "none": None})]))
    assert cards == {
        "vestibule": ("a &lt; hall", "The <b>vestibule</b> is cold."),
        "GFR": ("filtration rate", "A &lt;b&gt; &amp; the <b>GFR</b> were low."),
    }


def test_a_deck_opened_twice_has_the_same_notes() -> None:
    assert dump([noted()]) == dump([noted()])
    db = collection(dump([noted()]))
    decks, models = map(json.loads, db.execute("SELECT decks, models FROM col").fetchone())
    assert {deck["name"] for deck in decks.values()} == {"Default", "Cold: rooms"}
    [(note, deck)] = db.execute("SELECT n.mid, c.did FROM notes n JOIN cards c ON c.nid = n.id")
    assert str(note) in models and str(deck) in decks
