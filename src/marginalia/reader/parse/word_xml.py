"""The XML of Word files: names, the same for the transitional and the strict kind, relations, styles, and equations as text."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from marginalia.reader.parse.content import shifted
from marginalia.reader.parse.package import Package, attribute
from marginalia.reader.parse.pictures import SUFFIXES

_PREFIXES = {
    "wordprocessingml": "w:",
    "officeDocument/math": "m:",
    "officeDocument/2006/math": "m:",
    "markup-compatibility": "mc:",
}

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

_SCRIPTS = {"m:sSup": ("m:sup",), "m:sSub": ("m:sub",), "m:sSubSup": ("m:sub", "m:sup")}


@cache
def short(tag: Any) -> str:
    """``w:p``, ``m:oMath`` or ``mc:Choice`` for an element of those namespaces, ``x:...`` for others."""
    if not isinstance(tag, str):
        return ""
    space, _, name = tag.removeprefix("{").rpartition("}")
    return next((short for part, short in _PREFIXES.items() if part in space), "x:") + name


def children(element: Any, *names: str) -> list[Any]:
    return [child for child in element if short(child.tag) in names]


def child(element: Any, *path: str) -> Any:
    """The first child of that name, or the first child of that one, and so on; None if there is none."""
    for name in path:
        found = children(element, name)
        if not found:
            return None
        element = found[0]
    return element


def value(element: Any, name: str = "val") -> str | None:
    """An attribute of an element that may be missing."""
    return None if element is None else attribute(element, name)


def is_on(element: Any) -> bool:
    """Whether a switch is there and not turned off."""
    return element is not None and value(element) not in ("0", "false", "off", "none")


def pictures(package: Package, part: str) -> dict[str, str]:
    """The pictures that a part shows, by the ids of their relations."""
    found = {}
    for one in _relations(package, part):
        target = _target(part, one)
        if target in package.parts and target.lower().endswith(SUFFIXES):
            found[one.get("Id") or ""] = target
    return found


def relations(package: Package, part: str) -> dict[str, str]:
    """The parts that a part refers to, by the last word of the kind of relation."""
    return dict(all_relations(package, part))


def all_relations(package: Package, part: str) -> list[tuple[str, str]]:
    """The kinds of relations of a part, and the parts that they lead to; there may be several of a kind."""
    return [
        ((one.get("Type") or "").rpartition("/")[2], _target(part, one))
        for one in _relations(package, part)
    ]


def _relations(package: Package, part: str) -> list[Any]:
    folder, name = posixpath.split(part)
    place = posixpath.join(folder, "_rels", f"{name}.rels")
    if place not in package.parts:
        return []
    return [one for one in package.xml(place) if one.get("TargetMode") != "External"]


def _target(part: str, relation: Any) -> str:
    folder = posixpath.dirname(part)
    named = posixpath.join("/", folder, relation.get("Target") or "")
    return posixpath.normpath(named).lstrip("/")


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


def linear(element: Any) -> str:
    """The text of an equation or of a part of one. Nesting is bounded by the parser."""
    name = short(element.tag)
    if name in ("m:t", "w:t"):
        return element.text or ""
    if name.endswith("Pr"):
        return ""
    if name in _SCRIPTS:
        return _part(element, "m:e") + "".join(_script(element, one) for one in _SCRIPTS[name])
    if name == "m:sPre":
        return _script(element, "m:sub") + _script(element, "m:sup") + _part(element, "m:e")
    if name == "m:f":
        return f"{_grouped(_part(element, 'm:num'))}/{_grouped(_part(element, 'm:den'))}"
    if name == "m:rad":
        degree = _part(element, "m:deg")
        return f"{shifted(degree, 'sup') if degree else ''}√{_grouped(_part(element, 'm:e'))}"
    if name == "m:nary":
        sign = value(child(element, "m:naryPr", "m:chr")) or "∫"
        limits = _script(element, "m:sub") + _script(element, "m:sup")
        return f"{sign}{limits} {_part(element, 'm:e')}"
    if name == "m:d":
        return _fenced(element)
    return "".join(linear(one) for one in element)


def _part(element: Any, name: str) -> str:
    found = child(element, name)
    return "" if found is None else linear(found)


def _script(element: Any, name: str) -> str:
    """A part above or below the line: in characters of that kind, else after a sign."""
    text = _part(element, name).strip()
    if not text:
        return ""
    script = name.removeprefix("m:")
    raised = shifted(text, script)
    return raised if raised != text else ("^" if script == "sup" else "_") + _grouped(text)


def _grouped(text: str) -> str:
    text = text.strip()
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _fenced(element: Any) -> str:
    options = child(element, "m:dPr")
    signs = {"m:begChr": "(", "m:sepChr": "|", "m:endChr": ")"}
    for name in signs:
        said = None if options is None else child(options, name)
        if said is not None:
            signs[name] = value(said) or ""
    inner = signs["m:sepChr"].join(linear(one) for one in element if short(one.tag) == "m:e")
    return f"{signs['m:begChr']}{inner}{signs['m:endChr']}"
