"""OpenDocument text: headings, paragraphs, lists, tables, notes and text boxes. Deletions and comments are left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.nlp.language import language_code
from marginalia.reader.parse.content import Content, shifted
from marginalia.reader.parse.formulas import add_formula, linear, markup_of
from marginalia.reader.parse.ledger import Piece, text_nodes
from marginalia.reader.parse.package import OfficeText, Package, attribute
from marginalia.reader.parse.pictures import SUFFIXES
from marginalia.reader.parse.plain import require_length
from marginalia.reader.parse.tables import span_of

MAX_ANCESTORS = 20
"""Styles that a style is based on, one on the other."""
MAX_REPEATED = 100
"""Empty cells that stand in the file as one."""

_SKIPPED = frozenset(
    "annotation annotation-end bookmark deletion desc forms image note-citation ruby-text sequence-decls "
    "soft-page-break title tracked-changes variable-decls user-field-decls".split()
)
_LEFT_OUT = {
    **dict.fromkeys(("annotation", "annotation-end"), "comment"),
    **dict.fromkeys(("deletion", "tracked-changes"), "deleted"),
    **dict.fromkeys(("desc", "title"), "alt"),
    **dict.fromkeys(("forms", "note-citation", "sequence-decls", "user-field-decls"), ""),
    **{"variable-decls": "", "ruby-text": "ruby", "math": "formula"},
}
_KINDS = {
    "Caption": "caption",
    "Drawing": "caption",
    "Figure": "caption",
    "Illustration": "caption",
    "Table": "caption",
    "Preformatted_20_Text": "code",
    "Quotations": "quote",
    "Title": "title",
}
"""Kinds of regions by the names of LibreOffice's styles."""
_CONTENTS = frozenset("alphabetical-index illustration-index table-index table-of-content".split())
_AROUND = frozenset(
    "index-body section table-header-rows table-rows table-row-group table-header-columns".split()
)


def parse(data: bytes, path: Path) -> Content:
    package = Package(data, path, "ODT")
    if "content.xml" not in package.parts:
        raise FormatError("the file is no OpenDocument: it has no content.xml", path=path)
    root = package.xml("content.xml")
    body = root.find("body/text")
    if body is None:
        raise FormatError("the OpenDocument is no text document", path=path)
    styles = [root, package.xml("styles.xml")] if "styles.xml" in package.parts else [root]
    text = _Text(path, _Styles(styles), package)
    text.blocks(body)
    builder = text.builder
    meta = package.xml("meta.xml").find("meta") if "meta.xml" in package.parts else None
    title = "" if meta is None else " ".join((meta.findtext("title") or "").split())
    lang = "" if meta is None else meta.findtext("language") or ""
    return builder.build(
        title=title or builder.heading(1) or builder.heading(),
        lang=language_code(lang),
        pieces=_pieces([body, *(root.find("master-styles") for root in styles)]),
    )


def _pieces(roots: list[Any]) -> Iterator[Piece]:
    """The texts of the body, and of heads and feet."""
    for number, root in enumerate(roots):
        for kind, text in text_nodes(root, _kind_left_out) if root is not None else ():
            yield "running" if number else kind, text


def _kind_left_out(element: Any) -> str | None:
    return _LEFT_OUT.get(element.tag)


class _Styles:
    """Kinds of paragraphs and scripts of spans by the names of their styles."""

    def __init__(self, roots: list[Any]) -> None:
        self._elements: dict[str, Any] = {}
        for root in roots:
            for style in root.iter("style"):
                self._elements.setdefault(attribute(style, "name") or "", style)
        self._kinds: dict[str, str] = {}

    def kind(self, name: str) -> str:
        if name not in self._kinds:
            self._kinds[name] = self._find(name)
        return self._kinds[name]

    def _find(self, name: str) -> str:
        for _ in range(MAX_ANCESTORS):
            if name in _KINDS:
                return _KINDS[name]
            if name not in self._elements:
                return ""
            name = attribute(self._elements[name], "parent-style-name") or ""
        return ""

    def script(self, name: str) -> str:
        """Whether the text of a style stands above or below the line."""
        style = self._elements.get(name)
        options = style.find("text-properties") if style is not None else None
        place = (attribute(options, "text-position") or "").split() if options is not None else []
        if not place:
            return ""
        if place[0] in ("super", "sub"):
            return {"super": "sup"}.get(place[0], "sub")
        shift = place[0].removesuffix("%")
        return ("sub" if shift[:1] == "-" else "sup") if shift.strip("-0") else ""


class _Text(OfficeText):
    def __init__(self, path: Path, styles: _Styles, package: Package) -> None:
        super().__init__(path)
        self.styles, self.package, self.parts = styles, package, package.parts

    def blocks(self, element: Any) -> None:
        for block in element:
            tag = block.tag
            if tag in ("p", "h"):
                self.paragraph(block)
            elif tag == "list":
                self.items(block)
            elif tag == "table":
                self.table(block)
            elif tag in _CONTENTS or tag == "bibliography":
                self.region("references" if tag == "bibliography" else "contents", block)
            elif tag in _AROUND:
                self.blocks(block)

    def region(self, kind: str, element: Any, **more: Any) -> None:
        with self.builder.block(kind, **more):
            self.blocks(element)

    def items(self, element: Any) -> None:
        for item in element:
            if item.tag == "list-item":
                self.region("item", item)
            elif item.tag == "list-header":
                self.blocks(item)

    def paragraph(self, element: Any) -> None:
        kind, more = self.styles.kind(attribute(element, "style-name") or ""), dict[str, int]()
        if element.tag == "h":
            level = span_of(attribute(element, "outline-level"))
            kind, more = "heading", {"level": min(6, level + self.below)}
        elif kind == "title":
            kind, more, self.below = "heading", {"level": 1}, 1
        self.add_paragraph(element, kind, **more)

    def table(self, table: Any) -> None:
        self.builder.gap("\n\n")
        self.builder.open_table()
        self.cells += 1
        self.rows(table, head=False)
        self.cells -= 1
        self.builder.close_table()
        self.builder.gap("\n\n")
        self.follow()

    def rows(self, element: Any, *, head: bool) -> None:
        for row in element:
            if row.tag in _AROUND:
                self.rows(row, head=head or row.tag == "table-header-rows")
            elif row.tag == "table-row":
                self.builder.open_row()
                for cell in row.iterchildren("table-cell"):
                    self.cell(cell, head)

    def cell(self, cell: Any, head: bool) -> None:
        rows, columns = (
            span_of(attribute(cell, f"number-{what}-spanned")) for what in ("rows", "columns")
        )
        repeated = span_of(attribute(cell, "number-columns-repeated"))
        for _ in range(min(repeated, MAX_REPEATED)):
            self.builder.open_cell(head=head, rows=rows, columns=columns)
            self.lines(cell)
            self.builder.close_cell()
            require_length(self.builder.length, self.path)

    def lines(self, element: Any) -> None:
        for block in element:
            if block.tag in ("p", "h"):
                self.inline(block)
                self.builder.gap(" ")
            elif block.tag not in _SKIPPED:
                self.lines(block)

    def inline(self, element: Any, script: str = "") -> None:
        self.add(element.text, script)
        for piece in element:
            tag = piece.tag
            if tag in ("s", "tab"):
                self.builder.gap(" " if tag == "s" or self.cells else "\t")
            elif tag == "line-break":
                self.builder.gap("\n")
            elif tag == "note-body" or tag == "text-box":
                self.waiting.append(piece)
            elif tag == "span":
                self.inline(
                    piece, self.styles.script(attribute(piece, "style-name") or "") or script
                )
            elif tag == "image":
                self.picture(piece)
            elif tag == "object":
                self.formula(piece)
            elif tag not in _SKIPPED:
                self.inline(piece, script)
            self.add(piece.tail, script)

    def picture(self, image: Any) -> None:
        part, frame = attribute(image, "href") or "", image.getparent()
        if part in self.parts and part.lower().endswith(SUFFIXES):
            alt = frame.findtext("desc") or frame.findtext("title") or ""
            self.builder.picture(alt, part=part)

    def formula(self, element: Any) -> None:
        """A formula, which is a document of its own in the package."""
        part = f"{(attribute(element, 'href') or '').removeprefix('./')}/content.xml"
        root = self.package.xml(part) if part in self.parts else element.find("math")
        if root is not None and root.tag == "math":
            add_formula(self.builder, linear(root), markup_of(root), inline=True)

    def add(self, text: str | None, script: str) -> None:
        if text:
            self.builder.flow(shifted(text, script))
            require_length(self.builder.length, self.path)
