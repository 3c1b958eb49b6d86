"""What was made of a document: its text and notes, and the index to search them by."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.report import plain
from marginalia.reader.choose import count_words
from marginalia.reader.view.caption import is_part
from marginalia.web.store.database import Database

MAX_HITS = 100
MAX_AUTHORS_CHARACTERS = 120
_WORD = re.compile(r"\w+")
_NOT_A_NAME = re.compile(r"[\d*†‡§¶∗⋆¹²³⁰-⁹]+")
_ADDRESS = re.compile(r"(?:[\w-]*[Mm]ail[\w-]*:?\s*)?\S*@.*", re.DOTALL)
_YEAR = re.compile(r"\d{4}")
_COMMAS = re.compile(r"\s*(?:,\s*)+")
MARK = ("\u2068", "\u2069")
"""What stands before and after a word that was found; no document is shown with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """What a list shows of a document."""

    title: str
    lang: str | None
    characters: int
    words: int
    counts: Mapping[str, int]
    summary: Mapping[str, Any]
    authors: str
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A document in which something was found, and where."""

    document: str
    title: str
    text: str
    notes: str


class AnnotatedDocuments:
    def __init__(self, db: Database) -> None:
        self.db = db

    def put(self, id: str, doc: Document) -> Brief:
        """Keep a document with its notes: it is done."""
        brief = brief_of(doc)
        data = zlib.compress(json.dumps(plain(doc.to_dict())).encode(), 3)
        with self.db.change() as db:
            db.execute(
                "INSERT OR REPLACE INTO annotated_documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (id, brief.title, brief.lang, brief.characters, brief.words,
                 json.dumps(brief.counts), json.dumps(brief.summary), data, brief.authors, brief.pages),
            )  # fmt: skip
            db.execute(
                "INSERT INTO texts (document, title, text, notes) VALUES (?, ?, ?, ?) ON CONFLICT (document)"
                " DO UPDATE SET title = excluded.title, text = excluded.text, notes = excluded.notes",
                (id, brief.title, _storable(doc.text), _storable(_said(doc))),
            )
            db.execute("UPDATE documents SET state = 'done', error = '' WHERE id = ?", (id,))
        return brief

    def get(self, id: str) -> Document | None:
        row = self.db.row("SELECT data FROM annotated_documents WHERE document = ?", (id,))
        if row is None:
            return None
        try:
            return Document.from_dict(json.loads(zlib.decompress(row["data"])))
        except (zlib.error, ValueError, FormatError):
            return None  # it is read again

    def briefs(self) -> dict[str, Brief]:
        rows = self.db.rows(
            "SELECT document, title, lang, characters, words, counts, summary, authors, pages"
            " FROM annotated_documents"
        )
        return {
            row["document"]: Brief(
                title=row["title"],
                lang=row["lang"],
                characters=row["characters"],
                words=row["words"],
                counts=json.loads(row["counts"]),
                summary=json.loads(row["summary"]),
                authors=row["authors"],
                pages=row["pages"],
            )
            for row in rows
        }

    def search(self, query: str, *, phrase: bool = False, some: bool = False) -> list[Hit]:
        """Documents with all words of the query, or words that begin so, in title, text or notes; best first. A phrase
        stands in them as it is; some: the more of the words the better."""
        found = _WORD.findall(query)[:20]
        wanted = [f'"{" ".join(found)}"'] if phrase and found else [f'"{word}"*' for word in found]
        if not wanted:
            return []
        rows = self.db.rows(
            "SELECT t.document, t.title, snippet(search, 1, ?, ?, '…', 24) AS text,"
            " snippet(search, 2, ?, ?, '…', 16) AS notes FROM search JOIN texts t ON t.id = search.rowid"
            " WHERE search MATCH ? ORDER BY bm25(search, 8.0, 1.0, 0.5) LIMIT ?",
            (*MARK, *MARK, (" OR " if some else " ").join(wanted), MAX_HITS),
        )
        return [Hit(**dict(row)) for row in rows]


def brief_of(doc: Document) -> Brief:
    counts: dict[str, int] = {}
    for note in doc.annotations:
        if not is_part(note):
            counts[note.task] = counts.get(note.task, 0) + 1
    return Brief(
        title=str(doc.meta.get("title") or doc.id),
        lang=doc.meta.get("lang"),
        characters=len(doc.text),
        words=count_words(doc),
        counts=counts,
        summary=plain(doc.meta.get("summary", {})),
        authors=_authors(doc),
        pages=len(doc.meta.get("geometry", {}).get("pages", ())),
    )


def _authors(doc: Document) -> str:
    """The first line of the document that names its authors, without addresses and the signs that lead to footnotes; no line
    that begins with such a sign, as an affiliation does, and none with the number of a year."""
    found = (one for one in doc.meta.get("regions", ()) if one.get("kind") == "authors")
    lines = (_ADDRESS.sub("", doc.text[one["start"] : one["end"]]) for one in found)
    named = (line for line in lines if line[:1].isupper() and not _YEAR.search(line))
    first = _COMMAS.sub(", ", " ".join(_NOT_A_NAME.sub(" ", next(named, "")).split())).strip(", ")
    return first[:MAX_AUTHORS_CHARACTERS] if " " in first else ""


def _said(doc: Document) -> str:
    """What the notes say, each once."""
    found = (f"{note.quote}: {note.attrs.get('why', '')}" for note in doc.annotations)
    return "\n".join(dict.fromkeys(" ".join(one.split()) for one in found))


def _storable(text: str) -> str:
    """SQLite takes no halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode()
