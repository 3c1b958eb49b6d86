"""Words and terms with their meanings as a deck of cards that Anki opens (``.apkg``): a zip archive with an SQLite collection.

The tables are those of Anki's own exports "for older versions" (schema 11), which every version of Anki, AnkiDroid and AnkiMobile reads.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from marginalia.core import archive
from marginalia.core.document import Document
from marginalia.nlp.language import document_language
from marginalia.nlp.sentences import sentences
from marginalia.reader.formats.format import Format

MAX_SENTENCE = 400
"""Characters of the sentence on a card."""
MODEL = 1_763_424_000_000
"""The number of our kind of card: decks that are opened later use the same one."""
_SCHEMA = """
CREATE TABLE col (id integer primary key, crt integer not null, mod integer not null, scm integer not null, ver integer not null,
  dty integer not null, usn integer not null, ls integer not null, conf text not null, models text not null, decks text not null,
  dconf text not null, tags text not null);
CREATE TABLE notes (id integer primary key, guid text not null, mid integer not null, mod integer not null, usn integer not null,
  tags text not null, flds text not null, sfld integer not null, csum integer not null, flags integer not null, data text not null);
CREATE TABLE cards (id integer primary key, nid integer not null, did integer not null, ord integer not null, mod integer not null,
  usn integer not null, type integer not null, queue integer not null, due integer not null, ivl integer not null,
  factor integer not null, reps integer not null, lapses integer not null, left integer not null, odue integer not null,
  odid integer not null, flags integer not null, data text not null);
CREATE TABLE revlog (id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null, type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
CREATE INDEX ix_notes_csum on notes (csum);
CREATE INDEX ix_cards_nid on cards (nid);
"""
_CSS = (
    ".card { font-family: Georgia, serif; font-size: 22px; text-align: center; max-width: 32em; margin: auto }"
    " .sentence { font-size: 17px; color: #777 }"
)


@dataclass(frozen=True, slots=True)
class Card:
    """A term, what it means, and the sentence that it stands in, with the term's bounds there."""

    term: str
    meaning: str
    sentence: str
    start: int
    end: int

    def fields(self) -> str:
        """As HTML, as Anki keeps them."""
        before, term, after = (
            html.escape(part)
            for part in (
                self.sentence[: self.start],
                self.sentence[self.start : self.end],
                self.sentence[self.end :],
            )
        )
        shown = f"{before}<b>{term}</b>{after}"
        return "\x1f".join((html.escape(self.term), html.escape(self.meaning), shown))


def cards(doc: Document) -> Iterator[Card]:
    """What the document and its notes explain, each term once, in the order of the text."""
    lang = document_language(doc)
    bounds = list(sentences(doc.text, lang))
    seen: set[str] = set()
    place = 0
    for start, end, meaning in sorted(_explained(doc)):
        term = " ".join(doc.text[start:end].split())
        if not meaning or term.casefold() in seen:
            continue
        seen.add(term.casefold())
        while place + 1 < len(bounds) and bounds[place + 1][0] <= start:
            place += 1
        low, high = bounds[place] if bounds else (start, end)
        low = max(min(low, start), start - MAX_SENTENCE // 2)
        high = min(max(high, end), end + MAX_SENTENCE // 2)
        yield Card(term, meaning, doc.text[low:high].rstrip(), start - low, end - low)


def _explained(doc: Document) -> Iterator[tuple[int, int, str]]:
    for note in doc.annotations:
        if isinstance(note.attrs.get("meaning"), str) and not note.attrs.get("part_of"):
            yield note.start, note.end, note.attrs["meaning"]
    for summary in doc.meta.get("summary", {}).values():
        for entry in (summary or {}).get("glossary", ()):
            # A short form stands behind the long form that explains it.
            term = re.compile(re.escape(str(entry["term"])), re.IGNORECASE)
            if found := term.search(doc.text, int(entry["start"])):
                yield *found.span(), str(entry.get("meaning") or "")


def dump(docs: Sequence[Document]) -> bytes:
    """One deck for each document."""
    db = sqlite3.connect(":memory:")
    try:
        db.executescript(_SCHEMA)
        decks = {1: _deck(1, "Default")}
        ids = count(1)
        for doc in docs:
            name = str(doc.meta.get("title") or doc.id).replace("::", ": ") or "Marginalia"
            deck = _number(name)
            decks[deck] = _deck(deck, name)
            for card in cards(doc):
                _add(db, next(ids), deck, name, card)
        settings: list[Any] = [
            {"curDeck": 1, "activeDecks": [1], "nextPos": 1, "schedVer": 2},
            {str(MODEL): _model()},
            {str(id): deck for id, deck in decks.items()},
            {"1": _OPTIONS},
            {},
        ]
        db.execute(
            "INSERT INTO col VALUES (1, 0, 0, 0, 11, 0, 0, 0, ?, ?, ?, ?, ?)",
            [json.dumps(one) for one in settings],
        )
        db.commit()
        content = db.serialize()
    finally:
        db.close()
    return archive.pack({"collection.anki2": content, "media": "{}"})


def _add(db: sqlite3.Connection, id: int, deck: int, name: str, card: Card) -> None:
    guid = hashlib.sha256(f"{name} {card.term.casefold()}".encode()).hexdigest()[:16]
    number = _number(guid)  # opened twice, it is the same note
    check = int(hashlib.sha1(card.term.encode(), usedforsecurity=False).hexdigest()[:8], 16)
    note = (number, guid, MODEL, 0, -1, "", card.fields(), card.term, check, 0, "")
    db.execute("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", note)
    db.execute(  # never seen yet: no interval, no repetition
        "INSERT INTO cards VALUES (?, ?, ?, 0, 0, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
        (number, number, deck, id),
    )


def _number(name: str) -> int:
    """An id of Anki's size, the same for the same name."""
    return 10**12 + int(hashlib.sha256(name.encode()).hexdigest()[:12], 16) % (8 * 10**12)


def _deck(id: int, name: str) -> dict[str, Any]:
    days = {f"{one}Today": [0, 0] for one in ("new", "rev", "lrn", "time")}
    more = {"desc": "", "dyn": 0, "conf": 1, "collapsed": False, "extendNew": 10, "extendRev": 50}
    return {"id": id, "name": name, "mod": 0, "usn": -1, **days, **more}


def _model() -> dict[str, Any]:
    names = ("Word", "Meaning", "Sentence")
    field = {"font": "Georgia", "size": 20, "rtl": False, "sticky": False, "media": []}
    front = '{{Word}}<br><br><span class="sentence">{{Sentence}}</span>'
    template = {"name": "Word", "ord": 0, "did": None, "bqfmt": "", "bafmt": ""}
    return {
        "id": MODEL,
        "name": "Marginalia",
        "type": 0,
        "mod": 0,
        "usn": -1,
        "sortf": 0,
        "did": 1,
        "css": _CSS,
        "latexPre": "",
        "latexPost": "",
        "req": [[0, "any", [0]]],
        "tags": [],
        "vers": [],
        "flds": [{"name": name, "ord": place, **field} for place, name in enumerate(names)],
        "tmpls": [{**template, "qfmt": front, "afmt": '{{FrontSide}}<hr id="answer">{{Meaning}}'}],
    }


_OPTIONS = {
    "id": 1,
    "name": "Default",
    "mod": 0,
    "usn": 0,
    "maxTaken": 60,
    "autoplay": True,
    "timer": 0,
    "replayq": True,
    "new": {"delays": [1, 10], "ints": [1, 4, 7], "initialFactor": 2500, "order": 1, "perDay": 20, "bury": True},
    "rev": {"perDay": 100, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1, "bury": True},
    "lapse": {"delays": [10], "mult": 0, "minInt": 1, "leechFails": 8, "leechAction": 0},
}  # fmt: skip

ANKI = Format(name="anki", suffixes=(".apkg",), media="application/vnd.anki", write=dump)
