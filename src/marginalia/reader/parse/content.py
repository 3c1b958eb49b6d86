"""What a parser makes of a file: its text, where in it headings, code and the like stand, and its sections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from marginalia.reader.parse.ledger import Ledger, Piece
from marginalia.reader.parse.pictures import MAX_PICTURES

MAX_CHARACTERS = 20_000_000
"""About twenty long novels: more than this is a corpus, not a document."""

MAX_ALT_CHARACTERS = 500
"""Of the words that stand for a picture."""
GAPS = ("", " ", "\t", "\n", "\n\n")
"""What may stand between two pieces of text, weakest first. Two gaps in a row count as the stronger."""

_SPACES = re.compile(r"[ \t\n\r\f]+")

FIGURES = {
    "sup": str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ"),
    "sub": str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}


_BETWEEN_FIGURES = frozenset(",;–*∗†‡§ ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The text of a file, with half-open code-point offsets into it."""

    text: str
    title: str = ""
    lang: str = ""
    """The language the file declares."""
    regions: list[dict[str, Any]] = field(default_factory=list)
    """``{kind, start, end}`` in reading order. Kinds: heading (with level), code, formula, table, caption,
    quote, item (with number in a numbered list), footnote, contents, references, authors, foreign (with lang). Code and formulae within
    a line have ``inline``."""
    tables: list[dict[str, Any]] = field(default_factory=list)
    """``{start, end, rows}`` where the format marks rows and cells; see ``parse.tables``."""
    figures: list[dict[str, Any]] = field(default_factory=list)
    """``{start, end, alt}`` with ``part`` or ``data``: pictures that the file holds; see ``parse.pictures``."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """What only this format knows, for example pages."""


class Builder:
    """Puts a text together piece by piece and keeps the offsets of its regions true."""

    def __init__(self) -> None:
        self.length = 0
        self.regions: list[dict[str, Any]] = []
        self.tables: list[dict[str, Any]] = []
        self.figures: list[dict[str, Any]] = []
        self.ledger = Ledger()
        self._parts: list[str] = []
        self._gap = ""
        self._open: list[dict[str, Any]] = []
        self._rows: list[list[list[dict[str, Any]]]] = []
        """The rows of each table that is open; the tables in a cell of another are not kept."""

    def gap(self, gap: str) -> None:
        """Ask for a gap before the next piece; at the start of the text there is none."""
        self._gap = max(self._gap, gap, key=_strength)

    def drop_space(self) -> None:
        """Take back a gap that is no more than a space."""
        self._gap = "" if self._gap == " " else self._gap

    def add(self, text: str) -> None:
        """A piece as it is; a line end that was written as an entity is one like all others."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not text:
            return
        self._append(self._gap if self.length else "")
        self._gap = ""
        for region in self._open:
            region.setdefault("start", self.length)
        self._append(text)

    def keep(self, text: str) -> None:
        """A piece as it is, but without the line ends at its end if nothing like it follows."""
        body = text.rstrip("\n")
        self.add(body)
        self.gap(text[len(body) :])

    def flow(self, text: str) -> None:
        """A piece whose white space means no more than a space, as in HTML."""
        text = _SPACES.sub(" ", text)
        if text.startswith(" "):
            self.gap(" ")
        self.add(text.strip(" "))
        if text.endswith(" "):
            self.gap(" ")

    def open(self, kind: str, **more: Any) -> None:
        """Begin a region; it starts with the next piece."""
        self._open.append({"kind": kind, **more})

    def close(self) -> None:
        """End the region that was opened last; without text it never was."""
        region = self._open.pop()
        if "start" in region:
            self.regions.append({**region, "end": self.length})

    @contextmanager
    def block(self, kind: str, **more: Any) -> Iterator[None]:
        """A region that stands alone: what is added within it is in paragraphs of its own."""
        self.gap("\n\n")
        self.open(kind, **more)
        yield
        self.close()
        self.gap("\n\n")

    def picture(self, alt: str, **source: str) -> None:
        """A picture stands here, before the piece that comes next."""
        if len(self.figures) < MAX_PICTURES:
            alt = " ".join(alt.split())[:MAX_ALT_CHARACTERS]
            self.figures.append({"start": self.length, "end": self.length, "alt": alt, **source})

    def open_table(self) -> None:
        """Begin a region of this kind, whose rows and cells are kept."""
        self.open("table")
        self._rows.append([])

    def close_table(self) -> None:
        rows = [row for row in self._rows.pop() if row]
        before = len(self.regions)
        self.close()
        if rows and not self._rows and len(self.regions) > before:
            place = self.regions[-1]
            for cell in (cell for row in rows for cell in row if cell["end"] < place["start"]):
                cell["start"] = cell["end"] = place["start"]
            self.tables.append({"start": place["start"], "end": place["end"], "rows": rows})

    def open_row(self) -> None:
        self.gap("\n")
        self._rows[-1].append([])

    def open_cell(self, *, head: bool = False, rows: int = 1, columns: int = 1) -> None:
        """Begin a cell. It may span several rows and columns."""
        self.gap("\t")
        spans = {"row_span": rows, "col_span": columns}
        self._open.append({"head": head, **{name: n for name, n in spans.items() if n > 1}})

    def close_cell(self) -> dict[str, Any]:
        """End the cell that was opened last. One without text stands at the end of what is before it."""
        opened = self._open.pop()
        rows = self._rows[-1]
        if not rows:
            rows.append([])
        cell = {"start": opened.pop("start", self.length), "end": self.length, **opened}
        rows[-1].append(cell)
        return cell

    def leave_out(self, kind: str, text: str) -> None:
        """Something that the file shows stands here and is no text of the document."""
        self.ledger.leave_out(kind, text, self.length)

    def build(self, *, pieces: Iterable[Piece] = (), **more: Any) -> Content:
        """The whole. ``pieces`` are all texts of the source: those that did not get here are in the ledger."""
        text = self.text
        self.ledger.audit(text, pieces)
        meta, known = self.ledger.meta(text), more.pop("meta", {})
        problems = [*known.get("problems", ()), *meta.get("problems", ())]
        meta |= known | ({"problems": problems} if problems else {})
        regions = sorted(self.regions, key=lambda region: (region["start"], -region["end"]))
        return Content(
            text=text,
            regions=regions,
            tables=self.tables,
            figures=self.figures,
            meta=meta,
            **more,
        )

    @property
    def text(self) -> str:
        """What was put together so far."""
        return "".join(self._parts)

    def include(self, content: Content) -> None:
        """All of another content, after a blank line."""
        self.gap("\n\n")
        self.add(content.text)
        start = self.length - len(content.text)
        self.ledger.include(content.meta, start)
        self.regions += [moved(region, start) for region in content.regions]
        self.tables += [moved(table, start) for table in content.tables]
        self.figures += [moved(figure, start) for figure in content.figures]
        self.gap("\n\n")

    def heading(self, level: int = 6) -> str:
        """The text of the first heading of this level or a higher one."""
        text = self.text
        for region in self.regions:
            if region["kind"] == "heading" and region["level"] <= level:
                return text[region["start"] : region["end"]]
        return ""

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)


def moved(place: Any, by: int) -> Any:
    """A region or table whose offsets have moved."""
    if isinstance(place, list):
        return [moved(one, by) for one in place]
    if not isinstance(place, dict):
        return place
    return {
        name: value + by if name in ("start", "end") else moved(value, by)
        for name, value in place.items()
    }


def _strength(gap: str) -> float:
    """Its rank among the gaps; any number of kept line ends yields to the end of a block."""
    return GAPS.index(gap) if gap in GAPS else GAPS.index("\n\n") - 0.5


def shifted(text: str, script: str) -> str:
    """The text above (``sup``) or below (``sub``) the line; unchanged where a letter has no such form."""
    figures = FIGURES.get(script, {})
    is_able = all(ord(sign) in figures or sign in _BETWEEN_FIGURES for sign in text)
    return text.translate(figures) if is_able else text


def sections(text: str, regions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """``{title, level, start, end}`` of each section: from its heading to the next that is not below it."""
    heads = [region for region in regions if region["kind"] == "heading"]
    heads.sort(key=lambda region: region["start"])
    found: list[dict[str, Any]] = []
    unfinished: list[dict[str, Any]] = []
    for head in heads:
        while unfinished and unfinished[-1]["level"] >= head["level"]:
            unfinished.pop()["end"] = head["start"]
        title = " ".join(text[head["start"] : head["end"]].split())
        section = {"title": title, "level": head["level"], "start": head["start"], "end": len(text)}
        found.append(section)
        unfinished.append(section)
    for section in found:
        section["end"] = section["start"] + len(text[section["start"] : section["end"]].rstrip())
    # A heading within a heading leaves nothing for the outer one.
    return [section for section in found if section["start"] < section["end"]]
