"""TEI, as GROBID and many editions write it: title, abstract, divisions, notes and bibliography."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.nlp.language import language_code
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.formulas import add_formula, linear, markup_of
from marginalia.reader.parse.ledger import text_nodes
from marginalia.reader.parse.xml import XML_LANG, Walker, citation, heading, parse_xml

ROOTS = frozenset({"TEI", "TEI.2", "teiCorpus", "tei", "tei.2"})

_SKIPPED = frozenset(
    "facsimile fw graphic idno index interp sourceDoc standOff teiHeader teiheader witList".split()
)
_BLOCKS = frozenset(
    "ab argument bibl biblStruct body byline closer dateline div div1 div2 div3 docTitle epigraph figDesc "
    "figure floatingText front back head item label lg list listBibl note opener p quote sp "
    "stage table titlePage titlePart trailer".split()
)
_REGIONS = {
    "code": "code",
    "eg": "code",
    "figDesc": "caption",
    "formula": "formula",
    "item": "item",
    "listBibl": "references",
    "note": "footnote",
    "quote": "quote",
    "table": "table",
}
_LEFT_OUT = {
    **dict.fromkeys(("facsimile", "sourceDoc", "standOff", "witList", "interp"), "apparatus"),
    **{"teiHeader": "front", "teiheader": "front", "fw": "running", "formula": "formula"},
    **{"biblStruct": "references", "idno": "front", "index": ""},
}
_DIVISIONS = frozenset({"div", "div1", "div2", "div3", "div4", "div5"})


def parse(data: bytes, path: Path) -> Content:
    root = parse_xml(data, path)
    texts = root.findall("text") or root.findall(".//TEI/text") or root.findall(".//text")[:1]
    if root.tag not in ROOTS or not texts:
        raise FormatError(f"expected TEI with a <text>, found the element <{root.tag}>", path=path)
    builder = Builder()
    walker = Walker(
        builder,
        path,
        skipped=_SKIPPED,
        blocks=_BLOCKS,
        regions=_REGIONS,
        inline=("code",),
        rows=("row",),
        cells=("cell",),
        lines=("lb", "l"),
        notes=("note",),
        special=_special,
    )
    title = root.find("teiHeader//titleStmt/title")
    if title is not None and "".join(title.itertext()).strip():
        heading(walker, title, 1)
    for abstract in root.iterfind("teiHeader/profileDesc/abstract"):
        if "".join(abstract.itertext()).strip():
            with builder.block("heading", level=2):
                builder.add("Abstract")
            walker.inside(abstract)
            builder.gap("\n\n")
    for text in texts:
        walker.inside(text)
        builder.gap("\n\n")
    named = root.find("teiHeader//langUsage/language")
    declared = (
        texts[0].get(XML_LANG)
        or root.get(XML_LANG)
        or (named.get("ident") if named is not None else "")
    )
    return builder.build(
        title=builder.heading(1),
        lang=language_code(declared or ""),
        pieces=text_nodes(root, lambda element: _LEFT_OUT.get(element.tag)),
    )


def _special(walker: Walker, element: Any) -> bool:
    tag, parent = element.tag, element.getparent()
    if tag == "head":
        if parent is not None and parent.tag in ("figure", "table", "list"):
            with walker.builder.block("caption"):
                walker.inside(element)
            return True
        number = element.get("n")
        if number:
            element.text = f"{number} {element.text or ''}"
        heading(walker, element, 1 + sum(1 for _ in element.iterancestors(*_DIVISIONS)))
        return True
    if tag == "biblStruct":
        citation(walker, element)
        return True
    if tag == "formula":
        display = parent is None or parent.tag in _DIVISIONS or parent.tag == "body"
        math, text = element.find(".//math"), "".join(element.itertext())
        is_tex = "tex" in (element.get("notation") or "").lower() or "\\" in text
        source = markup_of(math) if math is not None else " ".join(text.split()) if is_tex else ""
        text = linear(math) if math is not None else text.strip() or _described(element)
        walker.builder.gap("\n\n" if display else "")
        add_formula(walker.builder, text, source, inline=not display)
        walker.builder.gap("\n\n" if display else "")
        return True
    if tag in ("hi", "seg") and element.get("rend") in ("superscript", "sup", "subscript", "sub"):
        walker.inside(element, "sup" if element.get("rend").startswith("sup") else "sub")
        return True
    return False


def _described(element: Any) -> str:
    """The words that stand for a formula that is a picture."""
    graphic = element.find("graphic")
    return "" if graphic is None else graphic.findtext("desc") or graphic.get("n") or ""
