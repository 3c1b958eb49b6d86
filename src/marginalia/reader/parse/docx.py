"""DOCX: headings, paragraphs, lists, tables and footnotes of a Word document."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.nlp.language import LANGUAGES
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.plain import require_length
from marginalia.reader.parse.scripts import shifted

MAX_FILES = 5_000
MAX_BYTES = 200 * 2**20
"""Of everything in the file once it is unpacked."""

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_KINDS = {
    "caption": re.compile(r"caption", re.IGNORECASE),
    "code": re.compile(r"code|preformatted|source", re.IGNORECASE),
    "item": re.compile(r"list\b(?! paragraph)", re.IGNORECASE),
    "quote": re.compile(r"quote", re.IGNORECASE),
    "references": re.compile(r"bibliography|references", re.IGNORECASE),
}
"""Kinds of regions by the names of Word's styles."""
_LEFT_OUT = frozenset(f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "pPr"))


def parse(data: bytes, path: Path) -> Content:
    import docx
    from docx.table import Table

    _check(data, path)
    try:
        word = docx.Document(io.BytesIO(data))
    except Exception as error:
        # The package raises what its parts raise: KeyError, ValueError, lxml's errors and its own.
        raise FormatError("not a DOCX that can be read: it is damaged", path=path) from error
    text = _Text(path, _footnotes(word))
    for block in word.iter_inner_content():
        if isinstance(block, Table):
            text.table(block)
        else:
            text.paragraph(block)
        require_length(text.builder.length, path)
    properties = word.core_properties
    lang = (properties.language or "").lower()[:2]
    return text.builder.build(
        title=(properties.title or "").strip() or text.builder.heading(1) or text.builder.heading(),
        lang=lang if lang in LANGUAGES else "",
    )


def _check(data: bytes, path: Path) -> None:
    """Refuse what is no package of Word, or too large once it is unpacked, before anything is."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            infos = package.infolist()
            names = {info.filename for info in infos}
            total = sum(info.file_size for info in infos)
            if len(infos) > MAX_FILES or total > MAX_BYTES:
                raise FormatError(
                    f"the DOCX unpacks to {len(infos):,} files of {total:,} bytes, the limit is "
                    f"{MAX_FILES:,} and {MAX_BYTES:,}",
                    path=path,
                )
            if any(info.flag_bits & 1 for info in infos):
                raise FormatError("the DOCX is encrypted; save it without a password", path=path)
            if not {"[Content_Types].xml", "word/document.xml"} <= names:
                raise FormatError("the file is no Word document: it has no text part", path=path)
            for name in ("word/document.xml", "word/footnotes.xml"):
                if name in names and b"<!DOCTYPE" in package.read(name)[:4096]:
                    raise FormatError("the XML in the DOCX declares a document type", path=path)
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError):
        raise FormatError("not a DOCX that can be read: it is damaged", path=path) from None


def _footnotes(word: Any) -> dict[str, Any]:
    """The footnotes by their ids; Word's own separators are none."""
    from docx.oxml import parse_xml

    for relation in word.part.rels.values():
        if relation.reltype.endswith("/footnotes") and not relation.is_external:
            root = parse_xml(relation.target_part.blob)
            return {
                note.get(f"{_W}id"): note
                for note in root.iterchildren(f"{_W}footnote")
                if note.get(f"{_W}type") is None
            }
    return {}


class _Text:
    def __init__(self, path: Path, footnotes: dict[str, Any]) -> None:
        self.builder, self.path, self.footnotes = Builder(), path, footnotes
        self.below = 0
        """1 once there was a title: headings are below it."""
        self.waiting: list[str] = []
        """Footnotes of the paragraph at hand, which come after it."""

    def paragraph(self, paragraph: Any) -> None:
        name = paragraph.style.name if paragraph.style is not None else ""
        heading = _HEADING.match(name)
        kind, more = _kind(paragraph, name), dict[str, int]()
        if name == "Title":
            kind, more, self.below = "heading", {"level": 1}, 1
        elif heading:
            kind, more = "heading", {"level": min(6, int(heading.group(1)) + self.below)}
        self.builder.gap("\n\n")
        if kind:
            self.builder.open(kind, **more)
        self.inline(paragraph._p)
        if kind:
            self.builder.close()
        self.builder.gap("\n\n")
        self.notes()

    def table(self, table: Any) -> None:
        self.builder.gap("\n\n")
        self.builder.open("table")
        # The package's own cells take quadratic time where some are merged.
        for row in table._tbl.iterchildren(f"{_W}tr"):
            self.builder.gap("\n")
            for cell in row.iterchildren(f"{_W}tc"):
                self.builder.gap("\t")
                for part in cell.iter(f"{_W}p"):
                    self.inline(part)
                    self.builder.gap(" ")
        self.builder.close()
        self.builder.gap("\n\n")
        self.notes()

    def notes(self) -> None:
        while self.waiting:
            note = self.footnotes.pop(self.waiting.pop(0), None)
            if note is not None:
                self.builder.gap("\n\n")
                self.builder.open("footnote")
                for part in note.iter(f"{_W}p"):
                    self.inline(part)
                    self.builder.gap(" ")
                self.builder.close()
                self.builder.gap("\n\n")

    def inline(self, element: Any) -> None:
        """The text of a paragraph; formulae within it are marked, what was deleted is left out."""
        for child in _pieces(element):
            tag = child.tag
            if tag == f"{_W}t":
                self.builder.flow(shifted(child.text or "", _script(child.getparent())))
            elif tag == f"{_W}tab":
                self.builder.gap(" ")
            elif tag in (f"{_W}br", f"{_W}cr"):
                self.builder.gap("\n")
            elif tag == f"{_W}noBreakHyphen":
                self.builder.add("-")
            elif tag == f"{_W}footnoteReference":
                self.waiting.append(child.get(f"{_W}id"))
            elif tag == f"{_M}oMath":
                self.builder.open("formula", inline=True)
                self.builder.flow("".join(part.text or "" for part in child.iter(f"{_M}t")))
                self.builder.close()


def _pieces(element: Any) -> Iterator[Any]:
    for child in element:
        if child.tag in _LEFT_OUT:
            continue
        yield child
        if child.tag != f"{_M}oMath":
            yield from _pieces(child)


def _script(run: Any) -> str:
    """Whether the characters of a run stand above or below the line."""
    place = run.find(f"{_W}rPr/{_W}vertAlign")
    value = "" if place is None else place.get(f"{_W}val")
    return {"superscript": "sup", "subscript": "sub"}.get(value, "")


def _kind(paragraph: Any, style: str) -> str:
    for kind, pattern in _KINDS.items():
        if pattern.search(style):
            return kind
    properties = paragraph._p.pPr
    is_numbered = properties is not None and properties.numPr is not None
    return "item" if is_numbered else ""
