"""Where the blocks of a web page stand: in the box that holds most of its text, beside it, in a menu, in a list of links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from lxml import etree

from marginalia.reader.parse.ledger import TEXT

MIN_LONG = 25
"""Letters of a block that is told by them from others."""
MIN_LISTED = 0.8
"""Of the letters in the box of a list, and of the cells that a table has left."""
MAX_LINKED, MAX_LINKED_LIST = 0.5, 0.75
"""A block with a larger share of its letters in links leads elsewhere, unless it is a heading."""
MIN_TEXT = 80
"""Letters of a block that is missed as text."""
MIN_HOME = 0.2
"""Of all blocks that were kept: fewer are in a box beside the text."""
MIN_SHARE = 0.5
"""Of the letters in its own box, if a block has one."""
MAX_SECTION = 0.25
"""Of the text: a larger section is not put back with its heading."""
_CAPTIONS = frozenset({"caption", "figcaption"})
_FRAMES = frozenset("blockquote details figure li".split())
UNSEEN = frozenset("annotation annotation-xml math script style svg template noscript".split())
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
LISTS = frozenset({"dl", "ol", "ul"})
_BOXES = etree.XPath(
    "boolean(ancestor-or-self::*[self::nav or self::footer or self::aside or self::form or self::button or self::noscript"
    " or @hidden or @aria-hidden='true' or @role='navigation' or @role='complementary'])"
)
_HIDDEN = etree.XPath(
    "boolean(ancestor-or-self::*[@hidden or @aria-hidden='true' or contains(@style, 'display:none') or contains(@style, 'display: none')"
    " or contains(@style, 'visibility:hidden') or contains(@style, 'visibility: hidden')])"
)
_NO_DISPLAY = re.compile(r"display\s*:\s*none")
_LETTERS = re.compile(r"\W+")


class Boxes:
    """The elements around the blocks of a page, and how many blocks were kept in each."""

    def __init__(self, kept: Iterable[Any]) -> None:
        self.kept = Counter[Any]()
        for leaf in kept:
            rows = sum(1 for _ in leaf.iter("tr")) or 1  # a table is as many blocks as it has rows
            self.kept.update(dict.fromkeys(leaf.iterancestors(), rows))
        self.most = max(self.kept.values(), default=1)
        self.core = self._core()
        self._letters: dict[Any, int] = {}
        self._links: dict[Any, int] = {}
        self._headed: dict[Any, bool] = {}
        self._ids: set[str] = set()

    def _core(self) -> Any:
        """The smallest box that holds most of the text, or what the page itself names so around it."""
        large = [box for box, count in self.kept.items() if count > MIN_SHARE * self.most]
        core = max(large, key=lambda box: sum(1 for _ in box.iterancestors()), default=None)
        if core is None or core.tag in ("article", "main"):
            return core
        named = (next(core.iterancestors(name), None) for name in ("article", "main"))
        return next((box for box in named if box is not None), core)

    def kind(self, leaf: Any) -> str:
        """What was left out: a menu, links, a box of which the name or the place tells, or text."""
        if _HIDDEN(leaf):
            return "hidden"
        if _BOXES(leaf):
            return "menu"
        if self.linked(leaf) > MAX_LINKED:
            return "links"
        if (
            self.core is not None
            and self.core.tag in ("article", "main")
            and not self.is_within(leaf)
        ):
            return "aside"
        boxes = [leaf]
        for box in leaf.iterancestors():
            if 2 * self.kept[box] >= self.most:
                break
            boxes.append(box)
        outer = boxes[-1].getparent()
        is_beside = outer is None or outer.tag in ("body", "html")
        is_short = self.letters(leaf) < MIN_TEXT
        return "aside" if is_short or is_beside or any(map(_is_aside, boxes)) else TEXT

    def is_within(self, leaf: Any) -> bool:
        """Whether a block stands in the box that holds most of the text, if that is not all of the page."""
        core = self.core
        return (
            core is not None and core.tag not in ("body", "html") and core in leaf.iterancestors()
        )

    def belongs(self, leaf: Any) -> bool:
        """Whether a block stands among the kept ones, alone in its box or beside them, and is no list of links."""
        if leaf.tag in ("td", "th") or _HIDDEN(leaf):  # cells of a table that lays out the page
            return False
        top, home = leaf, leaf.getparent()
        while home is not None and not self.kept[home]:
            top, home = home, home.getparent()
        if self.is_within(leaf) and (
            leaf.tag in _CAPTIONS
            or (leaf.tag in HEADINGS and top is leaf and self._leads(leaf))
            or self._is_section(leaf, top)
        ):
            return True
        if _BOXES(leaf):
            return False
        if home is None or home.tag in ("body", "html"):
            return False
        share = self.kept[home] / self.most
        if share < MIN_HOME:
            return False
        if top.tag in LISTS:  # beside the paragraphs, and not in a box of its own
            return not _is_aside(top) and (self.linked(top) <= MAX_LINKED_LIST or _has_heading(top))
        if leaf.tag in ("li", "dt", "dd") and share > 0.5:
            listed = next(leaf.iterancestors("ul", "ol", "dl"), top)
            is_all = self.letters(listed) >= MIN_LISTED * self.letters(top)
            return is_all and self.linked(top) <= MAX_LINKED_LIST
        most = MAX_LINKED_LIST if leaf.tag == "table" else MAX_LINKED
        if leaf.tag not in HEADINGS and self.linked(leaf) > most:
            return False
        in_frame = top is leaf or top.tag in _FRAMES or self._is_long(leaf, top)
        if leaf.tag in ("p", "div", "section") and not (
            in_frame and self.letters(leaf) >= MIN_LONG
        ):
            return False
        return self.letters(leaf) >= MIN_SHARE * self.letters(top)

    def _is_long(self, leaf: Any, top: Any) -> bool:
        """Whether a paragraph with a box of its own is as long as those of the text that it stands in."""
        return self.is_within(leaf) and self.letters(leaf) >= MIN_TEXT and not _is_aside(top)

    def _leads(self, heading: Any) -> bool:
        """Whether a heading is one of the text, and not of a box or a link to another page."""
        return not _BOXES(heading) and self.linked(heading) <= MAX_LINKED

    def _is_section(self, leaf: Any, top: Any) -> bool:
        """Whether a block is of a small section of the text that was left out with its heading."""
        if top is leaf or self.letters(top) > MAX_SECTION * self.letters(self.core):
            return False
        if self.linked(leaf) > MAX_LINKED and leaf.tag not in HEADINGS:
            return False
        boxes = [top, *(box for box in leaf.iterancestors() if top in box.iterancestors())]
        if any(map(_is_aside, boxes)):
            return False
        if top not in self._headed:
            heads = sum(self.letters(one) for one in top.iter(*HEADINGS))
            # More than headings and links.
            self._headed[top] = 0 < heads < round(self.letters(top) * (1 - self.linked(top)))
        return self._headed[top]

    def _is_inner(self, link: Any) -> bool:
        """Whether a link leads to another place of the page."""
        target = link.get("href") or ""
        if not self._ids:
            self._ids.update(link.getroottree().xpath("//@id | //a/@name"))
        return target.startswith("#") and target[1:] in self._ids

    def letters(self, element: Any) -> int:
        if element not in self._letters:
            self._letters[element] = len(plain(visible_text(element)))
        return self._letters[element]

    def linked(self, element: Any) -> float:
        """The share of an element's letters that are in links."""
        if element not in self._links:
            links = (link for link in element.iter("a") if not self._is_inner(link))
            self._links[element] = sum(map(self.letters, links))
        return self._links[element] / max(1, self.letters(element))


def _is_aside(box: Any) -> bool:
    from readability.readability import REGEXES

    name = f"{box.get('class') or ''} {box.get('id') or ''}"
    return any(REGEXES[kind].search(name) for kind in ("unlikelyCandidatesRe", "negativeRe"))


def _has_heading(block: Any) -> bool:
    """Whether a block stands right below a heading, but for menus between them."""
    above = block.getprevious()
    while above is not None and (_BOXES(above) or above.tag in ("table", "style")):
        above = above.getprevious()
    return above is not None and above.tag in HEADINGS


def visible_text(element: Any) -> str:
    """The text of an element without formulae, scripts and what a style hides."""
    parts: list[str] = []
    walker = etree.iterwalk(element, events=("start", "end"))
    for event, one in walker:
        if event == "end":
            parts.append(one.tail or "" if one is not element else "")
        elif one is not element and (
            one.tag in UNSEEN or _NO_DISPLAY.search(one.get("style") or "")
        ):
            walker.skip_subtree()
        else:
            parts.append(one.text or "")
    return "".join(parts)


def plain(text: str) -> str:
    return _LETTERS.sub("", text).casefold()
