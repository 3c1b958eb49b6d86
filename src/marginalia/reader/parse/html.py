"""HTML: the main text of a page without scripts, styles and navigation. Nothing in it is interpreted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from marginalia.core.errors import FormatError
from marginalia.core.files import decode
from marginalia.nlp.language import language_code
from marginalia.reader.parse.article import (
    MAX_PAGE_BYTES,
    find_article,
    find_title,
    fold_lists,
    is_article,
    is_contents,
    unfold_lists,
)
from marginalia.reader.parse.boxes import visible_text
from marginalia.reader.parse.content import FIGURES, Builder, Content, shifted
from marginalia.reader.parse.formulas import add_formula, linear, show_formulas, source_of
from marginalia.reader.parse.ledger import Piece, text_nodes
from marginalia.reader.parse.pictures import MIN_PIXELS, data_hash
from marginalia.reader.parse.plain import check
from marginalia.reader.parse.restore import restore
from marginalia.reader.parse.tables import is_layout, span_of
from marginalia.reader.parse.xml import XML_LANG

FindPart = Callable[[str], str | None]
_SKIPPED = frozenset(
    "annotation annotation-xml audio button canvas datalist dialog embed head iframe input map menu "
    "nav noscript object script select style svg template textarea title video".split()
)
_OUTER = frozenset("aside footer header".split())
"""Around the main text these hold menus and credits; within an article they belong to it."""
_BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr legend li main ol p pre section summary table "
    "ul".split()
)
_REGIONS = {
    **{f"h{level}": "heading" for level in range(1, 7)},
    "blockquote": "quote",
    "caption": "caption",
    "code": "code",
    "dd": "item",
    "figcaption": "caption",
    "kbd": "code",
    "li": "item",
    "pre": "code",
    "samp": "code",
    "table": "table",
}
_PARTS = {"tr": "row", "td": "cell", "th": "cell"}
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_INLINE = re.compile(r"display\s*:\s*(?:-webkit-)?inline", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]*?charset\s*=\s*["']?\s*([\w\-]+)""", re.IGNORECASE)
_LATIN = re.compile(r"(us-)?ascii|latin-?1|(iso-?8859|windows|cp)-?\d+", re.IGNORECASE)


def parse(data: bytes, path: Path) -> Content:
    page = check(decode_page(data, path), path)
    tree = _tree(page, path)
    if tree is None:
        return Content(text="")
    if show_formulas(tree):
        page = etree.tostring(tree, encoding="unicode", method="html")
    builder = _read_article(page, tree) or _read_whole(tree)
    return builder.build(
        title=find_title(tree) or builder.heading(1) or builder.heading(),
        lang=language_code(tree.get("lang") or tree.get(XML_LANG) or ""),
    )


def _read_article(page: str, tree: Any) -> Builder | None:
    """The main text of the page; None where the page is better read whole."""
    if len(page) > MAX_PAGE_BYTES:
        return None
    copy = _tree(page, None)
    lists = fold_lists(copy)
    if lists:
        page = etree.tostring(copy, encoding="unicode", method="html")
    found = find_article(page)
    article = _tree(found, None) if found else None
    if article is None or not unfold_lists(article, lists):
        return None
    left_out = restore(tree, article)
    builder = Builder()
    places = dict.fromkeys((one.following for one in left_out), 0)
    _walk(builder, article, within=True, places=places)
    if not is_article(tree, builder.text):
        return None
    places[None] = builder.length
    for one in left_out:
        builder.ledger.leave_out(one.kind, visible_text(one.block), places[one.following])
    return builder


def _read_whole(tree: Any) -> Builder:
    """All of the page but menus and the like; if it names its main element, all of that."""
    builder = Builder()
    main = _main(tree)
    _walk(builder, main if main is not None else tree, within=main is not None)
    if not builder.length and main is not None:
        _walk(builder, tree, within=False)
    builder.ledger.audit(builder.text, shown_texts(tree))
    return builder


def shown_texts(tree: Any) -> Iterator[Piece]:
    """The texts of a page, those beside the main text too."""
    return text_nodes(tree, _kind_left_out)


def _kind_left_out(element: Any) -> str | None:
    tag = element.tag
    if tag in ("annotation", "annotation-xml", "head", "math", "script", "style", "template"):
        return ""
    if tag in _OUTER or tag in ("menu", "nav"):
        return "menu"
    if tag in _SKIPPED:
        return "control"
    return "hidden" if _is_hidden(element) else None


def add(builder: Builder, text: str, find_part: FindPart | None = None) -> list[Piece]:
    """Add the text of a piece of HTML, as Markdown may hold it; all texts that it shows.

    ``find_part`` knows the part that a picture's address names.
    """
    tree = _tree(text, None)
    if tree is None:
        return []
    _walk(builder, tree, within=True, find_part=find_part)
    return list(shown_texts(tree))


def decode_page(data: bytes, path: Path) -> str:
    """UTF-8, or the Latin encoding that the page declares in its head."""
    declared = _CHARSET.search(data[:1024])
    name = declared.group(1).decode("ascii") if declared else "utf-8"
    if _LATIN.fullmatch(name) and not data.startswith(b"\xef\xbb\xbf"):
        # Browsers read both of these as Windows-1252, and pages are written for browsers.
        name = "cp1252" if name.lower() in ("latin1", "latin-1", "iso-8859-1") else name
        try:
            return data.decode(name)
        except (LookupError, UnicodeDecodeError):
            raise FormatError(f"the page is not {name} text, as it declares", path=path) from None
    return decode(data, path).removeprefix("\ufeff")


def _tree(text: str, path: Path | None) -> Any:
    """The tree of the page; None if there is nothing in it."""
    parser = lxml_html.HTMLParser(
        encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True
    )
    try:
        tree = lxml_html.document_fromstring(text.encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None
    # The parser drops the rest of the page at its limits and says so only in its log.
    if any(entry.level_name == "FATAL" for entry in parser.error_log):
        raise FormatError("the HTML is nested more than 2,000 levels deep", path=path)
    return tree


def _main(tree: Any) -> Any:
    """The element that holds the main text, if the page names one."""
    for found in (tree.xpath("//main | //*[@role='main']"), tree.xpath("//article")):
        if len(found) == 1:
            return found[0]
    # Of several articles, the one that is longer than all the rest of the page.
    whole = len(tree.text_content())
    long = (one for one in tree.xpath("//article[not(ancestor::article)]"))
    return next((one for one in long if len(one.text_content()) > whole / 2), None)


def _walk(
    builder: Builder,
    root: Any,
    *,
    within: bool,
    find_part: FindPart | None = None,
    places: dict[Any, int] | None = None,
) -> None:
    """Add the text of ``root``, without recursion: a page may be nested deeply. ``places`` gets the offsets of its elements."""
    skip = _SKIPPED if within else _SKIPPED | _OUTER
    verbatim = cells = 0
    script = ""
    regions: list[str | None] = []
    numbers: Counter[Any] = Counter()
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        tag = element.tag
        skipped = (tag in skip and not _is_term(element)) or _is_hidden(element) or tag == "math"
        if event == "start" and skipped:
            walker.skip_subtree()
            if tag == "math":
                add_formula(builder, linear(element), source_of(element), inline=True)
        elif event == "start":
            builder.gap(_gap(element, cells))
            kind = _kind(element, cells) if not verbatim else None
            if kind:
                _open(builder, kind, element, numbers)
            regions.append(kind)
            if places and element in places:
                places[element] = builder.length
            cells += kind == "table"
            verbatim += tag == "pre"
            if tag == "img":
                _picture(builder, element, find_part)
            script = tag if tag in FIGURES else script
            text = shifted(element.text or "", script)
            _add(builder, text.removeprefix("\n") if tag == "pre" else text, verbatim)
        else:
            if not skipped:
                kind = regions.pop()
                if kind in ("table", "cell"):
                    (builder.close_table if kind == "table" else builder.close_cell)()
                elif kind and kind != "row":
                    builder.close()
                cells -= kind == "table"
                verbatim -= tag == "pre"
                script = "" if tag in FIGURES else script
                builder.gap(_gap(element, cells) if tag in _BLOCKS else "")
            if element is not root:
                _add(builder, shifted(element.tail or "", script), verbatim)


def _picture(builder: Builder, element: Any, find_part: FindPart | None) -> None:
    """A picture that the file holds, and that is none of its icons."""
    sides = (element.get(name) or "" for name in ("width", "height"))
    if any(side.isdecimal() and int(side) < MIN_PIXELS for side in sides):
        return
    source, alt = element.get("src") or "", element.get("alt") or ""
    if source.startswith("data:"):
        if name := data_hash(source):
            builder.picture(alt, data=name)
    elif find_part is not None and (part := find_part(source)):
        builder.picture(alt, part=part)


def _is_term(element: Any) -> bool:
    """A button that is all of a term: it opens and closes what the term means."""
    if element.tag != "button":
        return False
    while element.tag != "dt":
        parent = element.getparent()
        beside = element.getprevious() is not None or element.getnext() is not None
        if parent is None or beside or f"{parent.text or ''}{element.tail or ''}".strip():
            return False
        element = parent
    return True


def _is_hidden(element: Any) -> bool:
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    return style is not None and _HIDDEN.search(style) is not None


def _gap(element: Any, cells: int) -> str:
    """What stands before an element; within the cells of a table there are no paragraphs."""
    tag = element.tag
    if tag in _BLOCKS and _INLINE.search(element.get("style") or ""):
        return ""
    if tag == "br":
        return "\n"
    if tag in ("tr", "td", "th"):
        return "\n\n" if not cells else "\n" if tag == "tr" else "\t"
    return "" if tag not in _BLOCKS else " " if cells else "\n\n"


def _kind(element: Any, cells: int) -> str | None:
    """The region an element makes, or the part of a table. A table that lays out a page is none."""
    if cells and element.tag in _PARTS:
        return _PARTS[element.tag]
    kind = _REGIONS.get(element.tag)
    if element.tag in ("ol", "ul") and is_contents(element):
        return "contents"
    return None if kind == "table" and is_layout(element) else kind


def _open(builder: Builder, kind: str, element: Any, numbers: Counter[Any]) -> None:
    """Begin the region of an element; ``numbers`` counts the items of each numbered list."""
    parent = element.getparent()
    if kind == "table":
        builder.open_table()
    elif kind == "row":
        builder.open_row()
    elif kind == "cell":
        is_head = element.tag == "th" or (parent is not None and parent.getparent().tag == "thead")
        rows, columns = span_of(element.get("rowspan")), span_of(element.get("colspan"))
        builder.open_cell(head=is_head, rows=rows, columns=columns)
    elif kind == "heading":
        builder.open(kind, level=int(element.tag[1]))
    elif kind == "code" and element.tag != "pre":
        builder.open(kind, inline=True)
    elif element.tag == "li" and parent is not None and parent.tag == "ol":
        numbers[parent] += 1
        builder.open(kind, number=numbers[parent])
    else:
        builder.open(kind)


def _add(builder: Builder, text: str, verbatim: int) -> None:
    if verbatim:
        builder.keep(text)
    else:
        builder.flow(text)
