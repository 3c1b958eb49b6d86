"""The main text of a web page and its title, without menus, banners, comments and the site's name."""

from __future__ import annotations

import logging
import re
from typing import Any

from lxml import etree

from marginalia.reader.parse.boxes import visible_text

MIN_PAGE_BYTES = 1_000
"""Shorter pages are read whole: there is too little to tell the main text by."""
MAX_PAGE_BYTES = 4_000_000
"""Longer pages are books or filings, not articles with menus around them."""
MIN_PARAGRAPH_CHARACTERS = 80
MIN_KEPT_SHARE = 0.1
"""What holds less of the page's long paragraphs than this is not its main text."""
MIN_DEFINITION_CHARACTERS = 40
"""Shorter ones are values in a list of facts, such as a date or a price."""

MIN_CONTENTS, MIN_LINKED = 3, 0.8
"""Links of a table of contents, and their share of its letters."""

_FOLDED = "data-folded-list"
_LISTS = etree.XPath("//dl[not(ancestor::dl)][.//dt]")
_DEFINITIONS = etree.XPath(".//dd[not(.//dd)]")
_BESIDE = etree.XPath("boolean(ancestor::nav or ancestor::footer or ancestor::aside)")
_SEPARATOR = re.compile(r"\s+(?:[|\-–—·•»›:/\\]|::)\s+|\s*[|»›]\s*")
_COLON = re.compile(r":\s+")
_PARAGRAPHS = etree.XPath("//p[not(ancestor::nav or ancestor::footer or ancestor::aside)]")
_HEADINGS = etree.XPath("//h1 | //h2")
_META = (
    "og:title",
    "twitter:title",
    "dc.title",
    "dcterms.title",
    "citation_title",
    "parsely-title",
    "title",
)


def find_article(page: str) -> str | None:
    """The main text of a page as HTML; None where there is no telling and the page is to be read whole.

    Found by readability-lxml, which scores the page's boxes by their paragraphs, commas, links and names.
    """
    from readability import Document
    from readability.readability import Unparseable

    logging.getLogger("readability").setLevel(logging.CRITICAL)  # it tells of every short page
    try:
        return str(Document(page).summary(html_partial=True))
    except (Unparseable, etree.LxmlError, ValueError, RecursionError):
        return None


def fold_lists(tree: Any) -> list[Any]:
    """Put a paragraph of the same words in the place of each list of definitions; returns the lists.

    Of a list, readability may drop the terms and keep what they mean; of a paragraph it keeps all or nothing.
    """
    lists: list[Any] = [one for one in _LISTS(tree) if not _BESIDE(one)]
    for number, one in enumerate(lists):
        folded = one.makeelement("p", {**one.attrib, _FOLDED: str(number)})
        linked = etree.SubElement(folded, "a")  # the share of links counts
        linked.text = " ".join(one.xpath(".//a//text()"))
        folded.text = " ".join(one.xpath(".//text()[not(ancestor::a)]"))
        folded.tail = one.tail
        one.getparent().replace(one, folded)
    return lists


def unfold_lists(article: Any, lists: list[Any]) -> bool:
    """Put the lists back in their places; False where the page is a glossary and some of them were left out."""
    folded = {one.get(_FOLDED): one for one in article.xpath(f"//p[@{_FOLDED}]")}
    places = [folded.get(str(number)) for number in range(len(lists))]
    for one, place in zip(lists, places, strict=True):
        if place is not None:
            one.tail = place.tail
            place.getparent().replace(place, one)
    defined = (len(each.text_content()) for one in lists for each in _DEFINITIONS(one))
    long = sum(size for size in defined if size >= MIN_DEFINITION_CHARACTERS)
    return None not in places or 2 * long < len(article.text_content())


def is_article(tree: Any, text: str) -> bool:
    """Whether the text that was found holds enough of the page's long paragraphs to be its main text."""
    if len(tree.text_content().encode()) < MIN_PAGE_BYTES:
        return False
    there, whole, kept = "".join(text.split()), 0, 0
    for paragraph in _PARAGRAPHS(tree):
        own = "".join(visible_text(paragraph).split())
        if len(own) >= MIN_PARAGRAPH_CHARACTERS:
            whole += len(own)
            # A button or a hidden word may stand in a paragraph, so one of three places is enough.
            half = MIN_PARAGRAPH_CHARACTERS // 2
            places = (0, len(own) // 2, len(own) - half)
            kept += len(own) * any(own[n : n + half] in there for n in places)
    return kept >= MIN_KEPT_SHARE * whole and bool(there)


def is_contents(element: Any) -> bool:
    """Whether a list is the page's own table of contents: hardly more than links to places below."""
    parent = element.getparent()
    links = [] if parent is not None and parent.tag == "li" else list(element.iter("a"))
    if len(links) < MIN_CONTENTS or not all((a.get("href") or "").startswith("#") for a in links):
        return False
    linked = sum(len("".join(link.text_content().split())) for link in links)
    return linked >= MIN_LINKED * len("".join(element.text_content().split()))


def find_title(tree: Any) -> str:
    """The title of the page without the site's name; empty if the page has none."""
    stated = " ".join((tree.findtext("head/title") or "").split())
    names = {_plain(name) for name in _meta(tree, "og:site_name", "application-name")}
    headings = {_plain(heading.text_content()) for heading in _HEADINGS(tree)}
    for title in (*_meta(tree, *_META), stated):
        parts = [part for part in _SEPARATOR.split(title) if part.strip()]
        # A part that a heading says too is the title; else what remains without the site's name.
        finer = [piece for part in parts for piece in _COLON.split(part)]
        for part in (title, *sorted([*parts, *finer], key=len, reverse=True)):
            if _plain(part) in headings and len(part.split()) > 1:
                return part.strip()
        own = [part for part in parts if _plain(part) not in names]
        if len(parts) > 1 and own and len(own) < len(parts):
            return _between(title, own)
        if title:
            return _without_tail(title, parts)
    return ""


def _meta(tree: Any, *names: str) -> list[str]:
    found: dict[str, str] = {}
    for node in tree.iter("meta"):
        name = (node.get("property") or node.get("name") or node.get("itemprop") or "").lower()
        content = " ".join((node.get("content") or "").split())
        if name in names and content:
            found.setdefault(name, content)
    return [found[name] for name in names if name in found]


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


def _between(title: str, own: list[str]) -> str:
    """The title from the first of its own parts to the last, as it is written."""
    start = title.index(own[0])
    return title[start : title.rindex(own[-1]) + len(own[-1])].strip()


def _without_tail(title: str, parts: list[str]) -> str:
    """Without a last part that is short beside the rest, as a site's name is."""
    if len(parts) > 1 and len(parts[-1].split()) <= 4:
        head = title[: title.rindex(parts[-1])]
        head = re.sub(r"[\s|\-–—·•»›:/\\]+\Z", "", head)
        if len(head.split()) >= 4:
            return head
    return title
