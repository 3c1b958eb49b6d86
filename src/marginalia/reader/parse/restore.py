"""What the search for the main text of a page lost of it: headings, terms, items, captions and tables beside what was kept.

Each block of the page that was not kept is put back if it stands where the kept ones do, and is no list of links.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any, NamedTuple

from lxml import etree

from marginalia.reader.parse.ledger import TEXT

MAX_LINKED, MAX_LINKED_LIST = 0.5, 0.75
"""A block with a larger share of its letters in links leads elsewhere, unless it is a heading."""
MIN_TEXT = 80
"""Letters of a block that is missed as text."""
KEY = 60
"""So many letters and digits tell a block."""
MIN_LONG = 25
"""A block with so many is found anywhere in the text; a shorter one must be a whole block there."""
MAX_LEAVES = 5_000
"""A page of more blocks is a book, and is left as it was found."""
MIN_KEPT = 3
"""As many blocks were kept in the box that another one stands in."""
MIN_HOME = 0.2
"""Of all blocks that were kept: fewer are in a box beside the text."""
MIN_SHARE = 0.5
"""Of the letters in its own box, if a block has one."""
MIN_LISTED = 0.8
"""Of the letters in the box of a list, and of the cells that a table has left."""

_FRAMES = frozenset("blockquote details figure li".split())
_UNSEEN = frozenset("annotation annotation-xml math script style svg template noscript".split())
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_LEAVES = (
    frozenset(
        "blockquote caption dd div dt figcaption li p pre section summary table td th".split()
    )
    | _HEADINGS
)
_BOXES = etree.XPath(
    "boolean(ancestor-or-self::*[self::nav or self::footer or self::aside or self::form or self::button or self::noscript"
    " or @hidden or @aria-hidden='true' or @role='navigation' or @role='complementary'])"
)
_HIDDEN = etree.XPath(
    "boolean(ancestor-or-self::*[@hidden or @aria-hidden='true' or contains(@style, 'display:none') or contains(@style, 'display: none')])"
)
_INNER = etree.XPath(
    "boolean(.//p|.//div|.//li|.//dd|.//dt|.//h1|.//h2|.//h3|.//h4|.//h5|.//h6|.//table|.//blockquote|.//pre"
    "|.//figcaption|.//section|.//article|.//ul|.//ol|.//dl)"
)
_NO_DISPLAY = re.compile(r"display\s*:\s*none")
_LETTERS = re.compile(r"\W+")


def restore(page: Any, article: Any) -> list[LeftOut]:
    """Put blocks of the page back into its article; the blocks that are still left out, in the order of the page."""
    _complete_tables(page, article)
    places: dict[str, deque[Any]] = defaultdict(deque)
    for leaf in _leaves(article):
        places[_key(leaf)].append(leaf)
    text = _plain(visible_text(article))
    leaves = [(leaf, key) for leaf in _leaves(page) if (key := _key(leaf))]
    if len(leaves) > MAX_LEAVES:
        return []
    is_kept = {leaf: key in places or _is_in(leaf, text) for leaf, key in leaves}
    boxes = _Boxes(leaf for leaf, is_in in is_kept.items() if is_in)
    waiting: list[Any] = []
    before: Any = None
    left: list[LeftOut] = []
    for leaf, key in leaves:
        if not places.get(key):
            waiting += [] if is_kept[leaf] else [leaf]
            continue
        anchor = places[key].popleft()
        # Before the first block that was kept stand menus, but also the heading of all and first paragraphs.
        for number, one in enumerate(waiting, 1):
            is_near = before is not None or number == len(waiting) or boxes.kept[one.getparent()]
            if is_near and boxes.belongs(one):
                anchor.addprevious(_copy(one))
            else:
                left.append(LeftOut(one, boxes.kind(one), anchor))
        before, waiting = anchor, []
    for one in waiting:
        if before is not None and boxes.belongs(one):
            copied = _copy(one)
            copied.tail, before.tail = before.tail, None
            before.addnext(copied)
            before = copied
        else:
            left.append(LeftOut(one, boxes.kind(one), None))
    return left


class LeftOut(NamedTuple):
    """A block of the page, what it is, and the block of the article that it stands before; None at the end."""

    block: Any
    kind: str
    following: Any


class _Boxes:
    """The elements around the blocks of a page, and how many blocks were kept in each."""

    def __init__(self, kept: Iterable[Any]) -> None:
        self.kept = Counter(box for leaf in kept for box in leaf.iterancestors())
        self.most = max(self.kept.values(), default=1)
        self._letters: dict[Any, int] = {}
        self._links: dict[Any, int] = {}

    def kind(self, leaf: Any) -> str:
        """What was left out: a menu, links, a box of which the name or the place tells, or text."""
        if _HIDDEN(leaf):
            return "hidden"
        if _BOXES(leaf):
            return "menu"
        if self.linked(leaf) > MAX_LINKED:
            return "links"
        boxes = [leaf]
        for box in leaf.iterancestors():
            if 2 * self.kept[box] >= self.most:
                break
            boxes.append(box)
        outer = boxes[-1].getparent()
        is_beside = outer is None or outer.tag in ("body", "html")
        is_short = self.letters(leaf) < MIN_TEXT
        return "aside" if is_short or is_beside or any(map(_is_aside, boxes)) else TEXT

    def belongs(self, leaf: Any) -> bool:
        """Whether a block stands among the kept ones, alone in its box or beside them, and is no list of links."""
        if _BOXES(leaf) or leaf.tag in ("td", "th"):  # of a table that lays out the page
            return False
        top, home = leaf, leaf.getparent()
        while home is not None and not self.kept[home]:
            top, home = home, home.getparent()
        if home is None or home.tag in ("body", "html") or self.kept[home] < MIN_KEPT:
            return False
        share = self.kept[home] / self.most
        if share < MIN_HOME:
            return False
        if top.tag in (
            "ul",
            "ol",
            "dl",
        ):  # a list beside the paragraphs, and not in a box of its own
            above = top.getprevious()
            return self.linked(top) <= MAX_LINKED or (above is not None and above.tag in _HEADINGS)
        if leaf.tag in ("li", "dt", "dd") and share > 0.5:
            listed = next(leaf.iterancestors("ul", "ol", "dl"), top)
            is_all = self.letters(listed) >= MIN_LISTED * self.letters(top)
            return is_all and self.linked(top) <= MAX_LINKED_LIST
        if leaf.tag not in _HEADINGS and self.linked(leaf) > MAX_LINKED:
            return False
        in_frame = top is leaf or top.tag in _FRAMES
        if leaf.tag in ("p", "div", "section") and not (
            in_frame and self.letters(leaf) >= MIN_LONG
        ):
            return False
        return self.letters(leaf) >= MIN_SHARE * self.letters(top)

    def letters(self, element: Any) -> int:
        if element not in self._letters:
            self._letters[element] = len(_plain(visible_text(element)))
        return self._letters[element]

    def linked(self, element: Any) -> float:
        """The share of an element's letters that are in links."""
        if element not in self._links:
            self._links[element] = sum(map(self.letters, element.iter("a")))
        return self._links[element] / max(1, self.letters(element))


def _is_aside(box: Any) -> bool:
    from readability.readability import REGEXES

    name = f"{box.get('class') or ''} {box.get('id') or ''}"
    return any(REGEXES[kind].search(name) for kind in ("unlikelyCandidatesRe", "negativeRe"))


def _complete_tables(page: Any, article: Any) -> None:
    """Put whole tables in the place of those that lost some of their cells."""
    there = list(article.iter("table"))
    for table in page.iter("table") if there else ():
        whole = _plain(visible_text(table))
        for other in there if not _INNER(table) else ():
            cells = [cell for one in other.iter("td", "th") if (cell := _plain(visible_text(one)))]
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
        elif tag in _LEAVES and (not _INNER(element) or _own_letters(element) >= MIN_LONG):
            yield element
            walker.skip_subtree()


def _own_letters(element: Any) -> int:
    """Letters of a block that are in none of the blocks within it."""
    if element.tag in ("div", "section", "table"):
        return 0
    texts = [element.text or ""]
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, one in walker:
        if event == "end" and one is not element:
            texts.append(one.tail or "")
        elif one is not element and (one.tag in _LEAVES or one.tag in _UNSEEN):
            walker.skip_subtree()
        elif event == "start" and one is not element:
            texts.append(one.text or "")
    return len(_plain("".join(texts)))


def _is_in(leaf: Any, text: str) -> bool:
    """Whether the beginning, the middle or the end of a block is in the text."""
    own = _plain(visible_text(leaf))
    places = (0, len(own) // 2 - KEY // 2, len(own) - KEY)
    return len(own) >= MIN_LONG and any(own[max(0, n) :][:KEY] in text for n in places)


def _copy(leaf: Any) -> Any:
    one = deepcopy(leaf)
    one.tail = None
    return one


def _key(leaf: Any) -> str:
    return _plain(visible_text(leaf))[:KEY]


def visible_text(element: Any) -> str:
    """The text of an element without formulae, scripts and what a style hides."""
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, one in walker:
        if event == "end":
            parts.append(one.tail or "" if one is not element else "")
        elif one is not element and (
            one.tag in _UNSEEN or _NO_DISPLAY.search(one.get("style") or "")
        ):
            walker.skip_subtree()
        else:
            parts.append(one.text or "")
    return "".join(parts)


def _plain(text: str) -> str:
    return _LETTERS.sub("", text).casefold()
