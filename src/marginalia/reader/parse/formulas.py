"""Formulae of web pages and articles: MathML on one line, and the places where only a script or a picture has one."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from lxml import etree

from marginalia.reader.parse.content import FIGURES, Builder

MAX_SOURCE = 2_000
"""Characters of a formula's source that are kept."""
MAX_MARKUP = 8_000
"""Characters of MathML or OMML that are kept; of a longer formula there is no source, as half of one is of no use."""
MAX_DEPTH = 50

NO_TEXT = "[formula]"

_WRAPPER = re.compile(r"mwe-math|katex|mathjax|mjx-", re.IGNORECASE)
_PICTURE = etree.XPath("//img[@alt][contains(@class, 'tex') or contains(@class, 'math')]")
_SCRIPT = etree.XPath("//script[starts-with(@type, 'math/tex')]")
_TEX = etree.XPath(".//*[local-name() = 'annotation'][contains(@encoding, 'tex')]/text()")
_DISPLAY = re.compile(r"\A\{\\(?:display|text)style\s*(.*)\}\Z", re.DOTALL)
_SCRIPTS = {
    "msup": "^", "msub": "_", "msubsup": "_^", "mover": "^", "munder": "_", "munderover": "_^",
}  # fmt: skip
_ACCENTS = frozenset("¯ˉ‾˙¨ˆ^~˜→⃗_")
_UNSEEN = frozenset({"annotation", "annotation-xml", "maction", "mphantom"})


def show_formulas(tree: Any) -> bool:
    """Put one ``math`` element in the place of each formula, however a page shows it; whether there was one to put."""
    found = False
    for math in list(tree.iter("math")):
        top = math
        while (box := top.getparent()) is not None and (
            _WRAPPER.search(box.get("class") or "") or "none" in (box.get("style") or "")
        ):
            top = box
        if top is not math:
            _replace(top, math)
            found = True
    for node in [*_SCRIPT(tree), *_PICTURE(tree)]:
        tex = node.text if node.tag == "script" else node.get("alt")
        if tex and tex.strip():
            math = etree.Element("math", alttext=tex.strip())
            etree.SubElement(math, "mtext").text = source_of(math)
            _replace(node, math)
            found = True
    return found


def source_of(math: Any) -> str:
    """The TeX that a formula was made of, if it says so."""
    found = math.get("alttext") or next(iter(_TEX(math)), "")
    found = " ".join(found.split())
    plain = _DISPLAY.match(found)
    return (plain[1].strip() if plain else found)[:MAX_SOURCE]


def markup_of(element: Any) -> str:
    """The source of a formula that is an element: its TeX if it says so, else its XML."""
    if tex := source_of(element):
        return tex
    copied = deepcopy(element)
    copied.tail = None
    etree.cleanup_namespaces(copied)
    source = " ".join(etree.tostring(copied, encoding="unicode").split())
    return source if len(source) <= MAX_MARKUP else ""


def add_formula(builder: Builder, text: str, source: str, *, inline: bool) -> None:
    """Add a formula as a region with its source; one that has no text, as a picture has none, leaves a mark."""
    more: dict[str, Any] = {"inline": True} if inline else {}
    builder.open("formula", **more, **({"source": source} if source else {}))
    builder.flow(" ".join(text.split()) or NO_TEXT)
    builder.close()


def linear(element: Any, depth: int = 0) -> str:
    """MathML on one line: exponents raised where there are such signs, a slash for a fraction."""
    name = etree.QName(element).localname if isinstance(element.tag, str) else ""
    if name in _UNSEEN or not name or depth > MAX_DEPTH:
        return ""
    parts = [linear(child, depth + 1) for child in element]
    marks = _SCRIPTS.get(name)
    if marks and len(parts) > 1:
        if name in ("mover", "munder") and parts[1].strip() in _ACCENTS:
            return parts[0] + parts[1].strip()
        return parts[0] + "".join(map(_script, parts[1:], marks))
    if name == "mfrac" and len(parts) == 2:
        return "/".join(part if len(part) < 2 or part.isalnum() else f"({part})" for part in parts)
    if name == "msqrt":
        return f"√({''.join(parts)})"
    if name == "mtable":
        return "; ".join(part for part in parts if part)
    if name == "mtr":
        return ", ".join(parts)
    own = "" if element.text is None or len(element) else " ".join(element.text.split())
    if name == "mo" and own and not own.isalnum() and own not in "()[]{}|,.′'⁡⁢":
        return f" {own} " if own in "=≠<>≤≥≈≡∼∝⟺⇔⇒→±∓∈⊂⊆∪∩" else own
    if name == "mtext":
        return own if element.getparent() is None or len(element.getparent()) == 1 else f" {own} "
    return own + "".join(parts)


def _script(text: str, mark: str) -> str:
    figures = FIGURES["sup" if mark == "^" else "sub"]
    if text and all(ord(sign) in figures for sign in text):
        return text.translate(figures)
    return f"{mark}{text}" if len(text) < 2 else f"{mark}({text})"


def _replace(node: Any, math: Any) -> None:
    tail = node.tail
    math.tail = None
    node.getparent().replace(node, math)
    math.tail = tail
