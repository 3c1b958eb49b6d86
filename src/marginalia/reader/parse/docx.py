"""DOCX: headings, paragraphs, lists, tables, equations, text boxes and footnotes of a Word document.

What was deleted while changes were tracked is left out, what was inserted is kept. Comments, headers, footers and
hidden text are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.nlp.language import language_code
from marginalia.reader.parse.content import Content, shifted
from marginalia.reader.parse.formulas import add_formula, markup_of
from marginalia.reader.parse.ledger import TEXT, Piece
from marginalia.reader.parse.package import OfficeText, Package
from marginalia.reader.parse.plain import require_length
from marginalia.reader.parse.tables import span_of
from marginalia.reader.parse.word_xml import (
    Style,
    Styles,
    all_relations,
    child,
    children,
    is_on,
    linear,
    pictures,
    relations,
    short,
    value,
)

MAX_HEADING = 300
"""Characters of a heading; a longer paragraph is one of the text, whatever its style says."""

_LEFT_OUT = frozenset(
    "w:del w:delText w:instrText w:moveFrom w:pPr w:rPr w:rt w:sdtPr w:sdtEndPr w:softHyphen".split()
)
_AROUND = frozenset("w:customXml w:ins w:moveTo w:sdt w:sdtContent w:smartTag".split())
"""What stands around paragraphs, rows and cells without being one."""
_SIGNS = {"w:noBreakHyphen": "-", "w:br": "\n", "w:cr": "\n"}
_SYMBOL = dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)) | {
    0x44: "Δ", 0x57: "Ω", 0x53: "Σ", 0xA3: "≤", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•", 0xB9: "≠",
    0xBB: "≈", 0xD6: "√", 0xAE: "→", 0xA5: "∞",
}  # fmt: skip
"""Characters of the font Symbol, by their codes."""


def parse(data: bytes, path: Path) -> Content:
    package = Package(data, path, "DOCX")
    main = relations(package, "").get("officeDocument", "word/document.xml")
    if main not in package.parts:
        raise FormatError("the file is no Word document: it has no text part", path=path)
    body = child(package.xml(main, namespaces=True), "w:body")
    if body is None:
        raise package.damaged()
    related = relations(package, main)
    text = _Text(path, Styles(_related(package, related, "styles")), pictures(package, main))
    for kind in ("footnote", "endnote"):
        root = _related(package, related, f"{kind}s")
        for note in children(root, f"w:{kind}") if root is not None else ():
            if value(note, "type") in (None, "normal"):  # Word's own separators are none
                text.notes[kind, value(note, "id")] = note
    text.blocks(body)
    title, lang = _properties(package)
    builder = text.builder
    return builder.build(
        title=title or builder.heading(1) or builder.heading(),
        lang=lang,
        pieces=_pieces(package, main, body),
    )


def _pieces(package: Package, main: str, body: Any) -> Iterator[Piece]:
    """All texts of the file: those of the body and its notes, of comments and of heads and feet."""
    yield from _texts(body, TEXT)
    kinds = {"comments": "comment", "endnotes": TEXT, "footer": "running", "footnotes": TEXT, "header": "running"}  # fmt: skip
    for kind, part in all_relations(package, main):
        if kind in kinds and part in package.parts:
            yield from _texts(package.xml(part, namespaces=True), kinds[kind])


def _texts(root: Any, kind: str) -> Iterator[Piece]:
    for element in root.iter():
        name = short(element.tag)
        if name in ("w:t", "w:delText", "m:t"):
            around = [short(one.tag) for one in element.iterancestors()]
            if "mc:Fallback" in around:  # the same once more
                continue
            run = element.getparent()
            if name == "w:delText" or "w:del" in around or "w:moveFrom" in around:
                yield "deleted", element.text or ""
            elif "w:rt" in around:
                yield "ruby", element.text or ""
            elif is_on(child(run, "w:rPr", "w:vanish")):
                yield "hidden", element.text or ""
            else:
                yield "formula" if name == "m:t" else kind, element.text or ""


def _related(package: Package, related: dict[str, str], kind: str) -> Any | None:
    part = related.get(kind)
    return package.xml(part, namespaces=True) if part in package.parts else None


def _properties(package: Package) -> tuple[str, str]:
    """The title and the language that the file declares."""
    part = relations(package, "").get("core-properties")
    if part not in package.parts:
        return "", ""
    root = package.xml(part)
    return " ".join((root.findtext("title") or "").split()), language_code(
        root.findtext("language") or ""
    )


class _Text(OfficeText):
    def __init__(self, path: Path, styles: Styles, pictures: dict[str, str]) -> None:
        super().__init__(path)
        self.styles, self.pictures = styles, pictures
        self.notes: dict[tuple[str, str | None], Any] = {}
        self.alt = ""
        """The words that stand for the picture at hand."""

    def blocks(self, element: Any) -> None:
        for block in element:
            name = short(block.tag)
            if name == "w:p":
                self.paragraph(block)
            elif name == "w:tbl":
                self.table(block)
            elif name in _AROUND:
                self.blocks(block)
            elif name == "mc:AlternateContent":
                self.blocks(_chosen(block))

    def paragraph(self, paragraph: Any) -> None:
        style = self.styles.of(paragraph)
        if style.kind == "heading" and _length(paragraph) > MAX_HEADING:
            style = Style()
        more = {}
        if style.kind == "heading":
            self.below = self.below or int(style.level == 0)
            more["level"] = min(6, style.level + self.below) or 1
        self.add_paragraph(paragraph, style.kind, **more)

    def table(self, table: Any) -> None:
        self.builder.gap("\n\n")
        self.builder.open_table()
        self.cells += 1
        merged: dict[int, dict[str, Any]] = {}
        rows = _found(table, "w:tr")
        is_headed = len(rows) > 1 and _is_bold(rows[0]) and not _is_bold(rows[1])
        for row in rows:
            options = child(row, "w:trPr")
            if options is not None and child(options, "w:del") is not None:
                continue
            is_head = options is not None and is_on(child(options, "w:tblHeader"))
            is_head |= is_headed and row is rows[0]
            self.builder.open_row()
            column = 0
            for cell in _found(row, "w:tc"):
                own = child(cell, "w:tcPr")
                width = span_of(value(child(own, "w:gridSpan"))) if own is not None else 1
                merge = child(own, "w:vMerge") if own is not None else None
                if merge is not None and value(merge) != "restart" and column in merged:
                    merged[column]["row_span"] = merged[column].get("row_span", 1) + 1
                    column += width
                    continue
                self.builder.open_cell(head=is_head, columns=width)
                self.lines(cell)
                made = self.builder.close_cell()
                merged.pop(column, None)
                if merge is not None:
                    merged[column] = made
                column += width
            require_length(self.builder.length, self.path)
        self.cells -= 1
        self.builder.close_table()
        self.builder.gap("\n\n")
        self.follow()

    def lines(self, element: Any) -> None:
        for block in element:
            name = short(block.tag)
            if name == "w:p":
                self.inline(block)
                self.builder.gap(" ")
            elif name in _AROUND or name in ("w:tbl", "w:tr", "w:tc"):
                self.lines(block)
            elif name == "mc:AlternateContent":
                self.lines(_chosen(block))

    def inline(self, element: Any, script: str = "") -> None:
        for piece in element:
            name = short(piece.tag)
            if name == "w:t":
                self.builder.flow(shifted(piece.text or "", script))
                require_length(self.builder.length, self.path)
            elif name in _LEFT_OUT:
                continue
            elif name == "w:r":
                options = child(piece, "w:rPr")
                if options is None:
                    self.inline(piece)
                elif not is_on(child(options, "w:vanish")):
                    self.inline(piece, _script(options))
            elif name in ("w:tab", "w:ptab"):
                self.builder.gap(" " if self.cells else "\t")
            elif name in _SIGNS:
                sign = _SIGNS[name]
                self.builder.gap(sign) if sign == "\n" else self.builder.add(sign)
            elif name == "w:sym":
                self.builder.add(_symbol(piece))
            elif name in ("w:footnoteReference", "w:endnoteReference"):
                kind = name.removeprefix("w:").removesuffix("Reference")
                note = self.notes.pop((kind, value(piece, "id")), None)
                self.waiting += [] if note is None else [note]
            elif name in ("m:oMath", "m:oMathPara"):
                if text := linear(piece).strip():
                    inline = name == "m:oMath"
                    add_formula(self.builder, text, markup_of(piece), inline=inline)
            elif name == "mc:AlternateContent":
                self.inline(_chosen(piece), script)
            elif name == "w:txbxContent":
                self.waiting.append(piece)
            elif name in ("x:docPr", "x:shape"):
                self.alt = value(piece, "descr") or value(piece, "alt") or ""
                self.inline(piece, script)
            elif name in ("x:blip", "x:imagedata"):
                if part := self.pictures.get(value(piece, "embed") or value(piece, "id") or ""):
                    self.builder.picture(self.alt, part=part)
            else:
                self.inline(piece, script)


def _found(element: Any, name: str) -> list[Any]:
    """The rows of a table or the cells of a row, also those in a content control or an insertion."""
    found = []
    for one in element:
        if short(one.tag) == name:
            found.append(one)
        elif short(one.tag) in _AROUND:
            found += _found(one, name)
    return found


def _is_bold(row: Any) -> bool:
    """Whether all text of a row is; a first row that alone is so has the heads, for want of another mark."""
    runs = [
        run
        for run in row.iter()
        if short(run.tag) == "w:r"
        and any((text.text or "").strip() for text in children(run, "w:t"))
    ]
    bold = (child(run, "w:rPr", "w:b") for run in runs)
    return bool(runs) and all(is_on(one) for one in bold)


def _chosen(element: Any) -> Any:
    """One of several ways to write the same; they all hold its text."""
    choice = child(element, "mc:Choice")
    if choice is None:
        choice = child(element, "mc:Fallback")
    return () if choice is None else choice


def _length(paragraph: Any) -> int:
    return sum(len(piece.text or "") for piece in paragraph.iter() if short(piece.tag) == "w:t")


def _script(options: Any) -> str:
    """Whether the characters of a run stand above or below the line."""
    place = value(child(options, "w:vertAlign")) or ""
    return {"superscript": "sup", "subscript": "sub"}.get(place, "")


def _symbol(element: Any) -> str:
    """A character of a font for symbols; those of fonts unlike Symbol are not known."""
    code = value(element, "char") or ""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    if (value(element, "font") or "").startswith("Symbol"):
        return _SYMBOL.get(number & 0xFF, "")
    return "" if 0xD800 <= number <= 0xF8FF or not 32 <= number <= 0x10FFFF else chr(number)
