"""What the search for the main text of a page lost of it: headings, terms, items, captions and tables beside what was kept.

Each block of the page that was not kept is put back if it stands where the kept ones do, and is no list of links.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from lxml import etree

from marginalia.reader.parse.boxes import (
    HEADINGS,
    LISTS,
    MIN_LISTED,
    MIN_LONG,
    UNSEEN,
    Boxes,
    plain,
    visible_text,
)
from marginalia.reader.parse.tables import is_layout

KEY = 60
"""So many letters and digits tell a block."""
MAX_LEAVES = 5_000
"""A page of more blocks is a book, and is left as it was found."""

_COPIED = "data-copied-list"
_LEAVES = (
    frozenset(
        "blockquote caption dd div dt figcaption li p pre section summary table td th".split()
    )
    | HEADINGS
)
_INNER = etree.XPath(
    "boolean(.//p|.//div|.//li|.//dd|.//dt|.//h1|.//h2|.//h3|.//h4|.//h5|.//h6|.//table|.//blockquote|.//pre"
    "|.//figcaption|.//section|.//article|.//ul|.//ol|.//dl)"
)


def restore(page: Any, article: Any) -> list[LeftOut]:
    """Put blocks of the page back into its article; the blocks that are still left out, in the order of the page."""
    _complete_tables(page, article)
    places: dict[str, deque[Any]] = defaultdict(deque)
    for leaf in _leaves(article):
        places[_key(leaf)].append(leaf)
    text = plain(visible_text(article))
    leaves = [(leaf, key) for leaf in _leaves(page) if (key := _key(leaf))]
    if len(leaves) > MAX_LEAVES:
        return []
    is_kept = {leaf: key in places or _is_in(leaf, text) for leaf, key in leaves}
    boxes = Boxes(leaf for leaf, is_in in is_kept.items() if is_in)
    waiting: list[Any] = []
    before = last = None
    left: list[LeftOut] = []
    for leaf, key in leaves:
        if not places.get(key):
            waiting += [] if is_kept[leaf] else [leaf]
            continue
        anchor = places[key].popleft()
        # Before the first block that was kept stand menus, but also the heading of all and first paragraphs.
        for number, one in enumerate(waiting, 1):
            is_near = before is not None or number == len(waiting) or boxes.kept[one.getparent()]
            if (is_near or boxes.is_within(one)) and boxes.belongs(one):
                last = _copy(one, last)
                if last.getparent() is None:
                    anchor.addprevious(last)
            else:
                left.append(LeftOut(one, boxes.kind(one), anchor))
        before, waiting, last = anchor, [], None
    for one in waiting:
        if before is not None and boxes.belongs(one):
            last = _copy(one, last)
            if last.getparent() is None:
                last.tail, before.tail = before.tail, None
                before.addnext(last)
            before = last
        else:
            left.append(LeftOut(one, boxes.kind(one), None))
    return left


class LeftOut(NamedTuple):
    """A block of the page, what it is, and the block of the article that it stands before; None at the end."""

    block: Any
    kind: str
    following: Any


def _complete_tables(page: Any, article: Any) -> None:
    """Put whole tables in the place of those that lost some of their cells."""
    there = list(article.xpath("//table | //tbody[not(ancestor::table)]"))
    for table in page.iter("table") if there else ():
        whole = plain(visible_text(table))
        for other in there if not is_layout(table) else ():
            cells = [cell for one in other.iter("td", "th") if (cell := plain(visible_text(one)))]
            if cells and sum(cell in whole for cell in cells) >= MIN_LISTED * len(cells):
                copied = _copy(table)
                copied.tail = other.tail
                other.getparent().replace(other, copied)
                there.remove(other)
                break


def _leaves(tree: Any) -> Iterator[Any]:
    """The blocks that hold no other, in the order of the page; a table is one."""
    walker = etree.iterwalk(tree, events=("start",))
    for _, element in walker:
        tag = element.tag
        if tag in ("script", "style", "noscript", "template", "head"):
            walker.skip_subtree()
        elif tag in _LEAVES and _is_leaf(element):
            yield element
            walker.skip_subtree()


def _is_leaf(element: Any) -> bool:
    if not _INNER(element):
        return True
    if element.tag == "table":
        return not is_layout(element)
    own = _own_letters(element)
    return own >= MIN_LONG or 0 < own == len(plain(visible_text(element)))


def _own_letters(element: Any) -> int:
    """Letters of a block that are in none of the blocks within it."""
    if element.tag in ("div", "section"):
        return 0
    texts = [element.text or ""]
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, one in walker:
        if event == "end" and one is not element:
            texts.append(one.tail or "")
        elif one is not element and (one.tag in _LEAVES or one.tag in UNSEEN):
            walker.skip_subtree()
        elif event == "start" and one is not element:
            texts.append(one.text or "")
    return len(plain("".join(texts)))


def _is_in(leaf: Any, text: str) -> bool:
    """Whether the beginning, the middle or the end of a block is in the text."""
    own = plain(visible_text(leaf))
    places = (0, len(own) // 2 - KEY // 2, len(own) - KEY)
    return len(own) >= MIN_LONG and any(own[max(0, n) :][:KEY] in text for n in places)


def _copy(leaf: Any, last: Any = None) -> Any:
    """The block to put back: an item in a list like its own, which is the last one if that was copied of the same."""
    one = deepcopy(leaf)
    one.tail = None
    listed = leaf.getparent()
    if leaf.tag not in ("dd", "dt", "li") or listed.tag not in LISTS:
        return one
    place = listed.getroottree().getpath(listed)
    if last is None or last.get(_COPIED) != place:
        last = etree.Element(listed.tag, {_COPIED: place})
    last.append(one)
    return last


def _key(leaf: Any) -> str:
    return plain(visible_text(leaf))[:KEY]
