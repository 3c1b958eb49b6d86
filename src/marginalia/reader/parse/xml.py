"""XML of articles: parsed without entities, DTDs and network, then walked through into text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from html import unescape
from pathlib import Path
from typing import Any

from lxml import etree

from marginalia.core.errors import FormatError
from marginalia.reader.parse.content import FIGURES, Builder, shifted
from marginalia.reader.parse.plain import require_length
from marginalia.reader.parse.tables import span_of

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def parse_xml(data: bytes, path: Path, *, namespaces: bool = False) -> Any:
    """The root of the tree. A document type that declares entities is refused, any other is not read.

    The names of elements are without their namespaces, unless these are asked for.
    """
    if b"<!ENTITY" in data:
        raise FormatError("the XML declares entities of its own, which are not read", path=path)
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = getattr(error, "lineno", None)
        said = " ".join((error.msg or "it is empty").split())
        raise FormatError(f"not XML that can be read: {said}", path=path, line=line) from None
    for element in () if namespaces else root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    return root


class Walker:
    """Goes through a tree and adds its text to a builder.

    ``regions`` gives the kind of region an element makes (``inline`` are those within a line), ``skipped``
    the elements left out, ``blocks`` those with a blank line around them, ``rows`` and ``cells`` those of
    tables, ``lines`` those that begin a line, ``notes`` those that come after their paragraph.
    ``special`` handles an element in a way of its own; if it returns true, the element is done.
    """

    def __init__(
        self,
        builder: Builder,
        path: Path,
        *,
        skipped: Collection[str],
        blocks: Collection[str],
        regions: Mapping[str, str],
        inline: Collection[str] = (),
        rows: Collection[str] = (),
        cells: Collection[str] = (),
        lines: Collection[str] = (),
        notes: Collection[str] = (),
        scripts: Mapping[str, str] | None = None,
        special: Callable[[Walker, Any], bool] | None = None,
    ) -> None:
        self.builder, self.path = builder, path
        self.skipped, self.blocks, self.regions = skipped, blocks, regions
        self.inline, self.rows, self.cells, self.lines = inline, rows, cells, lines
        self.notes, self.scripts, self.special = notes, scripts or {}, special
        self.in_table = self.in_paragraph = self.tables = 0
        self.waiting: list[Any] = []
        """Notes within a paragraph, which come after it."""

    def walk(self, element: Any, script: str = "") -> None:
        """Add an element with all that is in it, but not what follows it. Nesting is bounded by the parser."""
        tag = element.tag
        if not isinstance(tag, str):  # an entity of a document type that was not read
            self.builder.flow(unescape(element.text or ""))
            return
        if tag in self.notes and self.in_paragraph:
            self.waiting.append(element)
            return
        if tag in self.skipped or (self.special and self.special(self, element)):
            return
        self.builder.gap(self.gap(tag))
        kind = self.regions.get(tag)
        part = self.part(tag)
        if kind == "table":
            self.builder.open_table()
            self.tables += 1
        elif kind:
            self.builder.open(kind, **({"inline": True} if tag in self.inline else {}))
        elif part == "row":
            self.builder.open_row()
        elif part == "cell":
            self.builder.open_cell(**_cell(element))
        self.in_table += kind == "table"
        self.in_paragraph += tag == "p"
        self.inside(element, self.scripts.get(tag, script))
        self.in_table -= kind == "table"
        if kind == "table":
            self.builder.close_table()
            self.tables -= 1
        elif kind:
            self.builder.close()
        elif part == "cell":
            self.builder.close_cell()
        self.builder.gap(self.gap(tag) if tag in self.blocks else "")
        self.in_paragraph -= tag == "p"
        while self.waiting and not self.in_paragraph:
            self.walk(self.waiting.pop(0))

    def part(self, tag: str) -> str:
        """Which part of the table at hand an element is, if any."""
        if not self.tables:
            return ""
        return "row" if tag in self.rows else "cell" if tag in self.cells else ""

    def inside(self, element: Any, script: str = "") -> None:
        """Add what an element holds."""
        self.text(element.text, script)
        for child in element:
            self.walk(child, script)
            self.text(child.tail, script)

    def text(self, text: str | None, script: str = "") -> None:
        if text:
            self.builder.flow(shifted(text, script) if script in FIGURES else text)
            require_length(self.builder.length, self.path)

    def gap(self, tag: str) -> str:
        if self.in_table:
            if tag in self.rows:
                return "\n"
            if tag in self.cells:
                return "\t"
            return " " if tag in self.blocks else ""
        if tag in self.lines:
            return "\n"
        return "\n\n" if tag in self.blocks or tag in self.rows or tag in self.cells else ""


def _cell(element: Any) -> dict[str, Any]:
    """What the attributes of a cell say, in the tables of HTML, TEI and CALS."""
    row = element.getparent()
    group = row.getparent() if row is not None else None
    is_head = (
        element.tag == "th"
        or (group is not None and group.tag == "thead")
        or "label" in (element.get("role"), row.get("role") if row is not None else None)
    )
    rows = span_of(element.get("rowspan") or element.get("rows"))
    if element.get("morerows"):
        rows = 1 + span_of(element.get("morerows"))
    columns = span_of(element.get("colspan") or element.get("cols")) + _columns(element)
    return {"head": is_head, "rows": rows, "columns": columns}


def _columns(element: Any) -> int:
    """The further columns of a CALS entry that goes from one named column to another."""
    first, last = element.get("namest"), element.get("nameend")
    names = element.xpath("ancestor::*[colspec][1]/colspec/@colname") if first and last else []
    known = first in names and last in names
    return max(0, names.index(last) - names.index(first)) if known else 0


def heading(walker: Walker, element: Any, level: int) -> None:
    """Add an element as the heading of its section."""
    with walker.builder.block("heading", level=min(6, max(1, level))):
        walker.inside(element)


def citation(walker: Walker, element: Any) -> None:
    """A reference whose parts have no marks between them: those are made."""
    parts = (" ".join(part.split()) for part in element.itertext())
    walker.builder.gap("\n\n")
    walker.builder.flow(", ".join(part for part in parts if part))
    walker.builder.gap("\n\n")
