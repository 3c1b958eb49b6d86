"""JATS, the XML of journal articles: title, abstract, body, back matter and references.

Articles of some other schemas are brought into its words first; see ``dialects``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.nlp.language import language_code
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.dialects import as_jats
from marginalia.reader.parse.xml import XML_LANG, Walker, citation, heading, parse_xml

ROOTS = frozenset({"article", "sub-article", "response"})

_SKIPPED = frozenset(
    "alt-text annotation annotation-xml article-id contrib-id counts custom-meta-group "
    "graphic history inline-graphic media object-id permissions processing-meta pub-date related-article "
    "self-uri supplementary-material tex-math".split()
)
_BLOCKS = frozenset(
    "abstract ack app app-group back body boxed-text caption def def-item def-list disp-formula disp-quote "
    "fig fig-group fn fn-group glossary label list list-item mixed-citation element-citation p preformat "
    "ref ref-list sec statement table table-wrap table-wrap-foot title trans-abstract verse-group".split()
)
_REGIONS = {
    "caption": "caption",
    "code": "code",
    "disp-formula": "formula",
    "disp-quote": "quote",
    "fn": "footnote",
    "inline-formula": "formula",
    "list-item": "item",
    "monospace": "code",
    "preformat": "code",
    "ref-list": "references",
    "table": "table",
}
_INLINE = frozenset({"inline-formula", "monospace"})


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
    for abstract in article.iterfind("front//abstract"):
        if abstract.get("abstract-type") not in ("graphical", "teaser", "toc"):
            _section(walker, abstract, 2, "Abstract")
    for part in (article.find("body"), article.find("back")):
        if part is not None:
            walker.walk(part)
    return builder.build(title=builder.heading(1), lang=language_code(article.get(XML_LANG) or ""))


def _special(walker: Walker, element: Any) -> bool:
    tag = element.tag
    if tag in ("sec", "app", "ack", "glossary", "fn-group", "ref-list"):
        depth = sum(1 for up in element.iterancestors("sec", "app"))
        if tag == "ref-list":
            _references(walker, element, depth + 2)
        else:
            _section(walker, element, depth + 2, "")
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
