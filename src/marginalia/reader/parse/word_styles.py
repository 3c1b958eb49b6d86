"""What the styles of a Word file say of a paragraph; each style is looked at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from marginalia.reader.parse.word_names import child, children, value

MAX_ANCESTORS = 20
"""Styles that a style is based on, one on the other."""

_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_KINDS = {
    "caption": re.compile(r"caption", re.IGNORECASE),
    "code": re.compile(r"code|preformatted|source", re.IGNORECASE),
    "contents": re.compile(r"toc \d|table of figures", re.IGNORECASE),
    "item": re.compile(r"list\b(?! paragraph)", re.IGNORECASE),
    "quote": re.compile(r"quote", re.IGNORECASE),
    "references": re.compile(r"bibliography|references", re.IGNORECASE),
}
"""Kinds of regions by the names of Word's styles."""


@dataclass(frozen=True, slots=True)
class Style:
    """The kind of region its paragraphs are, if any; for a heading its level, 0 for the title."""

    kind: str = ""
    level: int = 0


class Styles:
    def __init__(self, root: Any | None) -> None:
        self._elements: dict[str, Any] = {}
        self._known: dict[str | None, Style] = {None: Style()}
        for element in children(root, "w:style") if root is not None else ():
            self._elements.setdefault(value(element, "styleId") or "", element)

    def of(self, paragraph: Any) -> Style:
        id = value(child(paragraph, "w:pPr", "w:pStyle"))
        if id not in self._known:
            self._known[id] = self._make(id)
        style = self._known[id]
        if not style.kind:
            number = value(child(paragraph, "w:pPr", "w:numPr", "w:numId"))
            if number is not None and number != "0":
                return Style("item")
        return style

    def _make(self, id: str | None) -> Style:
        for element in self._line(id):
            name = value(child(element, "w:name")) or ""
            heading = _HEADING.match(name)
            if name == "Title":
                return Style("heading")
            if heading:
                return Style("heading", int(heading.group(1)))
            for kind, pattern in _KINDS.items():
                if pattern.search(name):
                    return Style(kind)
            level = value(child(element, "w:pPr", "w:outlineLvl")) or ""
            if level.isdecimal() and int(level) < 9:
                return Style("heading", int(level) + 1)
        return Style()

    def _line(self, id: str | None) -> Iterator[Any]:
        """A style and those it is based on; a file may say that one is based on itself."""
        for _ in range(MAX_ANCESTORS):
            element = self._elements.get(id or "")
            if element is None:
                return
            yield element
            id = value(child(element, "w:basedOn"))
