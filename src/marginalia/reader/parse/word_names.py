"""Names in the XML of Word files, the same for the transitional and the strict kind, and their relations."""

from __future__ import annotations

import posixpath
from functools import cache
from typing import Any

from marginalia.reader.parse.package import Package
from marginalia.reader.parse.pictures import SUFFIXES

_PREFIXES = {
    "wordprocessingml": "w:",
    "officeDocument/math": "m:",
    "officeDocument/2006/math": "m:",
    "markup-compatibility": "mc:",
}


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
    """An attribute, whatever its namespace."""
    if element is None:
        return None
    return next((v for key, v in element.attrib.items() if key.rpartition("}")[2] == name), None)


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
    return {
        (one.get("Type") or "").rpartition("/")[2]: _target(part, one)
        for one in _relations(package, part)
    }


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
