"""Article XML of other schemas in the words of JATS: those of Elsevier, Nature and IOP, and DocBook.

Only names are changed and parts moved to where JATS has them; what a schema has beyond that is read as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lxml import etree

_ELSEVIER = {
    "acknowledgment": "ack",
    "appendices": "app-group",
    "appendix": "app",
    "bib-reference": "ref",
    "bibliography": "ref-list",
    "displayed-quote": "disp-quote",
    "entry": "td",
    "figure": "fig",
    "footnote": "fn",
    "formula": "disp-formula",
    "inf": "sub",
    "note-para": "p",
    "other-ref": "mixed-citation",
    "para": "p",
    "reference": "element-citation",
    "row": "tr",
    "section": "sec",
    "section-title": "title",
    "simple-para": "p",
    "table": "table-wrap",
    "table-footnote": "fn",
    "tgroup": "table",
}
_NATURE = {
    "abs": "abstract",
    "atl": "article-title",
    "bib": "ref",
    "bibl": "ref-list",
    "reftxt": "mixed-citation",
    "super": "sup",
}
_IOP = {
    "acknowledgment": "ack",
    "book-ref": "element-citation",
    "conf-ref": "element-citation",
    "display-eqn": "disp-formula",
    "figure": "fig",
    "heading": "title",
    "inline-eqn": "inline-formula",
    "journal-ref": "element-citation",
    "misc-ref": "element-citation",
    "references": "ref-list",
    **{f"sec-level{level}": "sec" for level in range(1, 6)},
    "table": "table-wrap",
    "tgroup": "table",
    "row": "tr",
    "entry": "td",
}
_DOCBOOK = {
    "appendix": "app",
    "bibliography": "ref-list",
    "blockquote": "disp-quote",
    "bibliomixed": "mixed-citation",
    "chapter": "sec",
    "code": "monospace",
    "entry": "td",
    "equation": "disp-formula",
    "example": "boxed-text",
    "figure": "fig",
    "footnote": "fn",
    "informaltable": "table-wrap",
    "itemizedlist": "list",
    "listitem": "list-item",
    "literal": "monospace",
    "orderedlist": "list",
    "para": "p",
    "part": "sec",
    "programlisting": "preformat",
    "row": "tr",
    "screen": "preformat",
    "sect1": "sec",
    "sect2": "sec",
    "sect3": "sec",
    "sect4": "sec",
    "section": "sec",
    "simpara": "p",
    "superscript": "sup",
    "subscript": "sub",
    "table": "table-wrap",
    "term": "p",
    "tgroup": "table",
}


def as_jats(root: Any) -> Any:
    """The article of a tree without namespaces as one of JATS; a tree of another kind stays what it is."""
    for names, find, change in _DIALECTS:
        article = find(root)
        if article is not None:
            _rename(article, names)
            return change(article)
    return root


def _rename(article: Any, names: Mapping[str, str]) -> None:
    for element in article.iter():
        if element.tag in names:
            element.tag = names[element.tag]


def _find_elsevier(root: Any) -> Any:
    places = (place for place in root.iter("item-info") if place.getparent() is not None)
    return next((place.getparent() for place in places), None)


def _elsevier(article: Any) -> Any:
    head = article.find("head")
    jats = _article(article, head.find("title") if head is not None else None)
    for abstract in head.findall("abstract") if head is not None else ():
        jats.find("front").append(abstract)
    body, tail = article.find("body"), article.find("tail")
    jats.append(etree.Element("body") if body is None else body)
    for float_ in article.findall("floats/*"):
        jats.find("body").append(float_)
    if tail is not None:
        tail.tag = "back"
        jats.append(tail)
    # A space of a width of its own is a space.
    for space in jats.iter("hsp"):
        space.text = " "
    return jats


def _find_nature(root: Any) -> Any:
    return root if root.find("fm/atl") is not None and root.find("bdy") is not None else None


def _nature(article: Any) -> Any:
    jats = _article(article, article.find("fm/article-title"))
    for abstract in article.findall("fm/abstract"):
        jats.find("front").append(abstract)
    body = etree.SubElement(jats, "body")
    place = body
    for child in article.find("bdy"):
        if child.tag == "crosshd":
            place = etree.SubElement(body, "sec")
            child.tag = "title"
        place.append(child)
    back = article.find("bm")
    if back is not None:
        for title in back.iter("figtl"):
            caption = title.getparent().find("caption")
            title.tag = "p"
            if caption is not None:
                caption.insert(0, title)
        back.tag = "back"
        jats.append(back)
    return jats


def _find_iop(root: Any) -> Any:
    return root if root.find("header/title-group/title") is not None else None


def _iop(article: Any) -> Any:
    header = article.find("header")
    jats = _article(article, header.find("title-group/title"))
    for abstract in header.iterfind("abstract-group/abstract"):
        jats.find("front").append(abstract)
    jats.extend([part for part in article if part.tag in ("body", "back")])
    # Numbers of sections and figures are attributes.
    for numbered in jats.xpath("//sec[@label] | //caption[@label]"):
        label = etree.Element("label")
        label.text = numbered.get("label")
        (numbered if numbered.tag == "sec" else numbered.getparent()).insert(0, label)
    return jats


def _find_docbook(root: Any) -> Any:
    has_text = root.find(".//para") is not None or root.find(".//simpara") is not None
    return root if root.tag in ("article", "book", "chapter") and has_text else None


def _docbook(article: Any) -> Any:
    info = next((part for part in article if str(part.tag).endswith("info")), None)
    title = article.find("title")
    if title is None and info is not None:
        title = info.find("title")
    jats = _article(article, title)
    if info is not None:
        article.remove(info)
    article.tag = "body"
    for listing in article.iter("list"):
        if listing.find("list-item") is not None and listing.get("numeration"):
            listing.set("list-type", "order")
    jats.append(article)
    return jats


def _article(article: Any, title: Any) -> Any:
    """An article of JATS with this title and nothing else."""
    jats = etree.Element("article", dict(article.attrib))
    front = etree.SubElement(jats, "front")
    if title is not None:
        title.tag, title.tail = "article-title", None
        etree.SubElement(front, "title-group").append(title)
    return jats


_DIALECTS: tuple[tuple[Mapping[str, str], Callable[[Any], Any], Callable[[Any], Any]], ...] = (
    (_ELSEVIER, _find_elsevier, _elsevier),
    (_NATURE, _find_nature, _nature),
    (_IOP, _find_iop, _iop),
    (_DOCBOOK, _find_docbook, _docbook),
)
