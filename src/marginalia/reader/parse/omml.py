"""Word's equations as a line of text: exponents as such, fractions with a stroke."""

from __future__ import annotations

from typing import Any

from marginalia.reader.parse.scripts import shifted
from marginalia.reader.parse.word_names import child, short, value

_SCRIPTS = {"m:sSup": ("m:sup",), "m:sSub": ("m:sub",), "m:sSubSup": ("m:sub", "m:sup")}


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
