"""The ledger of a file: what of its visible text reached neither the text of the document nor one of its regions.

``meta["not_read"]`` is ``{share, parts}``: the share of the visible characters, and of each part ``{kind, start, characters,
text}``: what it is, where in the text it would stand, how long it is, and how it begins. Menus, running heads, comments and
the like are left out on purpose. What is of kind ``text`` was lost: much of it is a problem of the document.

A parser names what it leaves out; ``audit`` then compares the text with the pieces of the source, so that a piece which a
parser does not know is counted too.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

MAX_LOST = 0.02
"""A larger share of lost prose is reported."""
MAX_RUN = 200
"""As long a piece of lost prose is reported."""
MAX_PARTS = 200
"""More of them are counted, but not kept one by one."""
SHOWN = 80
TEXT = "text"

CHUNK = 40
"""So many letters of a piece are looked for at once: a note or a formula may stand between others."""
NEAR = 5_000
"""Letters after the last piece among which the next one is sought first."""
MAX_SOUGHT = 2_000_000_000
"""Letters that are looked through for all pieces; a file that needs more is not compared any further."""
MIN_WORDS, MIN_FOUND = 5, 0.5
"""A paragraph of a source with so many words is there if this share of them is."""

_BLANK = re.compile(r"\n\s*\n")
_OTHERS = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]{4,}")

Piece = tuple[str, str]
"""The kind of what is left out if this is not in the text, and its text."""


class Ledger:
    """What is left out of one file while it is read."""

    def __init__(self) -> None:
        self.parts: list[dict[str, Any]] = []
        self.characters = self.lost = self.longest = 0

    def leave_out(self, kind: str, text: str, start: int) -> None:
        text = " ".join(text.split())
        count = len(text.replace(" ", ""))
        if count:
            self._count({"kind": kind, "start": start, "characters": count, "text": text[:SHOWN]})

    def include(self, meta: Mapping[str, Any], start: int) -> None:
        """What was left out of a part of the file, whose text begins at ``start``."""
        for part in meta.get("not_read", {}).get("parts", ()):
            self._count({**part, "start": part["start"] + start})

    def _count(self, part: dict[str, Any]) -> None:
        count = part["characters"]
        self.characters += count
        if part["kind"] == TEXT:
            self.lost += count
            self.longest = max(self.longest, count)
        if len(self.parts) < MAX_PARTS:
            self.parts.append(part)

    def audit(self, text: str, pieces: Iterable[Piece]) -> None:
        """Leave out the pieces of the source that are not in the text; what is lost in a row is one part."""
        search = _Search(text)
        for kind, run in _runs(pieces):
            lost, start = list[str](), 0
            # What is set in several fonts is in several pieces: first they are looked for as one.
            for piece in run if search.missing("".join(run)) else ():
                missing = search.missing(piece)
                if missing:
                    start = start if lost else search.offset
                    lost.append(missing)
            self.leave_out(kind, " ".join(lost), start)

    def audit_source(self, text: str, source: str, kind_of: Callable[[str], str]) -> None:
        """Leave out the paragraphs of a marked-up source of whose words the text has hardly any.

        ``kind_of`` says what a paragraph is; one of no kind shows nothing.
        """
        folded, place = text.casefold(), 0
        there = set(_WORD.findall(folded))
        for paragraph in _BLANK.split(source):
            kind = kind_of(paragraph)
            words = _WORD.findall(paragraph.casefold()) if kind else []
            found = sum(word in there for word in words)
            if len(words) >= MIN_WORDS and found < MIN_FOUND * len(words):
                self.leave_out(kind, paragraph, min(place, len(text)))
            elif words:
                place = max(place, folded.find(words[-1], place) + len(words[-1]))

    def meta(self, text: str) -> dict[str, Any]:
        """What a document says of it: ``not_read``, and ``problems`` if prose was lost."""
        if not self.parts:
            return {}
        kept = len("".join(text.split()))
        left = {"share": round(self.characters / (self.characters + kept), 4), "parts": self.parts}
        if self.lost <= MAX_LOST * (kept + self.lost) and self.longest <= MAX_RUN:
            return {"not_read": left}
        longest = max((p for p in self.parts if p["kind"] == TEXT), key=lambda p: p["characters"])
        share = self.lost / (kept + self.lost)
        problem = f"{share:.0%} of the text was left out: {self.lost:,} characters, such as “{longest['text']}”"
        return {"not_read": left, "problems": [problem]}


class _Search:
    """Finds pieces of a source in a text by their letters and digits, mostly in the same order."""

    def __init__(self, text: str) -> None:
        self.starts, self.offsets = [0], [0]
        parts = []
        for number, part in enumerate(re.split(r"(?<=\n)", text)):
            parts.append(_plain(part))
            self.starts.append(self.starts[number] + len(parts[-1]))
            self.offsets.append(self.offsets[number] + len(part))
        self.whole = "".join(parts)
        self.place = self.sought = 0

    @property
    def offset(self) -> int:
        """Where in the text the line is that the last piece was found in."""
        return self.offsets[max(0, bisect_right(self.starts, max(0, self.place - 1)) - 1)]

    def missing(self, piece: str) -> str:
        """What of a piece is not in the text: nothing, all, or two or more chunks of it in a row."""
        own = _plain(piece)
        chunks = [own[n : n + CHUNK] for n in range(0, len(own), CHUNK)]
        absent = [not self._find(chunk) for chunk in chunks]
        if all(absent):
            return piece if len(own) > 2 else ""
        if not any(a and b for a, b in pairwise(absent)):
            return ""
        share = sum(absent) / len(absent)
        first = absent.index(True) * len(piece) // len(absent)
        return piece[first : first + round(share * len(piece))]

    def _find(self, chunk: str) -> bool:
        if len(chunk) < 3 or self.sought > MAX_SOUGHT:
            return True
        found = self.whole.find(chunk, self.place, self.place + NEAR)
        if found >= 0:
            self.place = found + len(chunk)
            return True
        self.sought += len(self.whole)
        return chunk in self.whole


def _plain(text: str) -> str:
    return _OTHERS.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _runs(pieces: Iterable[Piece]) -> Iterator[tuple[str, list[str]]]:
    """Pieces of one kind that follow each other, a few lines of text at once."""
    last, run, size = "", list[str](), 0
    for kind, piece in pieces:
        if run and (kind != last or size > MAX_RUN):
            yield last, run
            run, size = [], 0
        if piece.strip():
            last, size = kind, size + len(piece)
            run.append(piece)
    if run:
        yield last, run


def text_nodes(root: Any, kind_of: Callable[[Any], str | None]) -> Iterator[Piece]:
    """The texts of a tree with what each is if it is left out: what ``kind_of`` says of the outermost element, else ``text``.

    An element whose kind is empty shows nothing.
    """
    from lxml import etree

    walker = etree.iterwalk(root, events=("start", "end"))
    above = ""
    outermost: Any = None
    for event, element in walker:
        if event == "start":
            kind = kind_of(element) if isinstance(element.tag, str) else ""
            if kind == "" and element is not root:
                walker.skip_subtree()
                continue
            if kind and outermost is None:
                above, outermost = kind, element
            yield above or TEXT, element.text or ""
        else:
            if element is outermost:
                above, outermost = "", None
            if element is not root:
                yield above or TEXT, element.tail or ""
