"""JATS, the XML of journal articles: title, abstract, body, back matter and references.

Articles of some other schemas are brought into its words first; see ``dialects``.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import Any

from lxml import etree

from marginalia.core.errors import FormatError
from marginalia.nlp.language import language_code
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.dialects import as_jats
from marginalia.reader.parse.formulas import NO_TEXT, add_formula, linear, markup_of
from marginalia.reader.parse.ledger import text_nodes
from marginalia.reader.parse.xml import XML_LANG, Walker, citation, heading, parse_xml

ROOTS = frozenset({"article", "sub-article", "response"})

_SKIPPED = frozenset(
    "alt-text annotation annotation-xml article-id contrib-id counts custom-meta-group "
    "graphic history inline-graphic media object-id permissions processing-meta pub-date related-article "
    "self-uri supplementary-material tex-math".split()
)
_LEFT_OUT = {
    **dict.fromkeys(("contrib-group", "aff", "aff-alternatives", "author-notes"), "authors"),
    **dict.fromkeys(("article-meta", "journal-meta", "counts", "object-id", "front-stub"), "front"),
    **dict.fromkeys(("disp-formula", "inline-formula", "disp-formula-group"), "formula"),
    **dict.fromkeys(("sub-article", "response"), "sub-article"),
    **dict.fromkeys(("alternatives", "annotation", "annotation-xml", "tex-math"), ""),
    **{"alt-text": "alt", "label": "label", "permissions": "licence", "related-article": "front"},
    **{"supplementary-material": "supplement", "media": "supplement", "ref": "references"},
}
"""What is left out on purpose, and what nothing shows."""
_BLOCKS = frozenset(
    "abstract ack app app-group back body boxed-text caption def def-item def-list disp-formula disp-quote "
    "fig fig-group fn fn-group glossary label list list-item mixed-citation element-citation p preformat "
    "ref ref-list sec statement table table-wrap table-wrap-foot title trans-abstract verse-group".split()
)
_REGIONS = {
    "caption": "caption",
    "code": "code",
    "disp-quote": "quote",
    "fn": "footnote",
    "list-item": "item",
    "monospace": "code",
    "preformat": "code",
    "ref-list": "references",
    "table": "table",
}
_SHOWN = etree.XPath(".//text()[not(ancestor::label or ancestor::alt-text or ancestor::object-id)]")
_TEX_BODY = re.compile(r".*?\\begin\{document\}\s*(.*?)\s*\\end\{document\}.*", re.DOTALL)
_INLINE = frozenset({"monospace"})


def parse(data: bytes, path: Path) -> Content:
    root = as_jats(parse_xml(data, path))
    articles = [root] if root.tag in ROOTS else root.findall(".//article")
    if not articles:
        raise FormatError(f"expected a JATS article, found the element <{root.tag}>", path=path)
    if len(articles) > 1:
        raise FormatError(f"one article was expected, but there are {len(articles)}", path=path)
    article = articles[0]
    builder = Builder()
    walker = Walker(
        builder,
        path,
        skipped=_SKIPPED,
        blocks=_BLOCKS,
        regions=_REGIONS,
        inline=_INLINE,
        rows=("tr",),
        cells=("td", "th"),
        lines=("break", "verse-line"),
        notes=("fn",),
        scripts={"sup": "sup", "sub": "sub"},
        special=_special,
    )
    title = article.find("front//title-group/article-title")
    if title is not None:
        heading(walker, title, 1)
    abstracts = [
        one
        for one in article.xpath("front//abstract | front//trans-abstract")
        if one.get("abstract-type") not in ("graphical", "teaser", "toc")
    ]
    for abstract in abstracts:
        _section(walker, abstract, 2, "Abstract")
    for notes in article.iterfind("front/notes"):
        _section(walker, notes, 2, "")
    for name in ("body", "floats-group", "back"):
        if (part := article.find(name)) is not None:
            walker.walk(part)
    # Front matter is left out but for the abstracts.
    pieces = chain(*(text_nodes(one, _kind_left_out) for one in (*abstracts, article)))
    return builder.build(
        title=builder.heading(1), lang=language_code(article.get(XML_LANG) or ""), pieces=pieces
    )


def _kind_left_out(element: Any) -> str | None:
    return _LEFT_OUT.get(element.tag)


def _special(walker: Walker, element: Any) -> bool:
    tag = element.tag
    if tag in ("sec", "app", "ack", "glossary", "fn-group", "ref-list"):
        depth = sum(1 for up in element.iterancestors("sec", "app"))
        if tag == "ref-list":
            _references(walker, element, depth + 2)
        else:
            _section(walker, element, depth + 2, "")
        return True
    if tag in ("disp-formula", "inline-formula"):
        _formula(walker, element)
        return True
    if tag == "element-citation":
        citation(walker, element)
        return True
    if tag == "list" and element.get("list-type") == "order":
        for number, child in enumerate(element.iterchildren("list-item"), 1):
            with walker.builder.block("item", number=number):
                walker.inside(child)
        return True
    if tag == "label":
        # The number of a figure stands before its caption; others are added when it is shown.
        return element.getparent().tag not in ("fig", "table-wrap")
    if tag in ("fig", "table-wrap"):
        _captioned(walker, element)
        return True
    return False


def _formula(walker: Walker, element: Any) -> None:
    """A formula of MathML, of TeX, or a picture with words for it; its number after it."""
    inline = element.tag == "inline-formula"
    math, tex = element.find(".//math"), element.find(".//tex-math")
    source = " ".join((tex.text or "").split()) if tex is not None else ""
    label = element.findtext("label") or ""
    if math is not None:
        text, source = linear(math), source or markup_of(math)
    elif tex is not None:
        text = source = _TEX_BODY.sub(r"\1", source)
    else:
        text = "".join(_SHOWN(element)).strip() or " ".join(element.xpath(".//alt-text//text()"))
    walker.builder.gap("" if inline or walker.in_table else "\n\n")
    add_formula(walker.builder, f"{text.strip() or NO_TEXT} {label}", source, inline=inline)
    walker.builder.gap("" if inline or walker.in_table else "\n\n")


def _section(walker: Walker, element: Any, level: int, name: str) -> None:
    """A section with its title as a heading, its number before it."""
    walker.builder.gap("\n\n")
    title, label = element.find("title"), element.find("label")
    if title is not None:
        if label is not None and label.text:
            title.text = f"{label.text.strip()} {title.text or ''}"
        heading(walker, title, level)
    elif name:
        with walker.builder.block("heading", level=level):
            walker.builder.add(name)
    for child in element:
        if child is not title and child is not label:
            walker.walk(child)
    walker.builder.gap("\n\n")


def _references(walker: Walker, element: Any, level: int) -> None:
    title = element.find("title")
    if title is not None:
        heading(walker, title, level)
    with walker.builder.block("references"):
        for child in element:
            if child is not title:
                walker.walk(child)


def _captioned(walker: Walker, element: Any) -> None:
    """A figure or table: label and caption as one paragraph, then the table."""
    walker.builder.gap("\n\n")
    label, caption = element.find("label"), element.find("caption")
    if label is not None or caption is not None:
        with walker.builder.block("caption"):
            for part in (label, caption):
                if part is not None:
                    walker.in_table += 1  # its title and text go on the same line
                    walker.inside(part)
                    walker.in_table -= 1
                    walker.builder.gap(" ")
    for child in element:
        if child is not label and child is not caption:
            walker.walk(child)
    walker.builder.gap("\n\n")
