"""What of a web page is not its text: menus, banners, share buttons, lists of other pages.

Elements are known by their role, by the words in their class and id, and by being made of links. What
holds a good part of all text is never furniture, whatever it is called.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

MIN_KEPT_SHARE = 0.4
"""The share of all text from which on an element is kept."""
MAX_LINKED_SHARE = 0.75
"""The share of its text that is in links from which on a list or box is a menu."""
MIN_LINKS = 3

_ROLES = frozenset(
    "alert alertdialog banner complementary contentinfo dialog menu menubar navigation search tablist "
    "toolbar".split()
)
_WORDS = frozenset(
    "ad ads advert advertisement advertising breadcrumb breadcrumbs comments consent cookie "
    "cookies disqus footer gdpr login masthead menu modal nav navbar navigation navigationbar newsletter "
    "overlay pager pagination paywall popup promo promoted recirculation recommended recommendations "
    "related share sharing sidebar signup skip skiplink social sponsor sponsored subscribe subscription "
    "teaser teasers toolbar topbar widget widgets".split()
)
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_BOXES = frozenset("div ol section table tbody td tr ul".split())
_SILENT = frozenset("noscript script style template".split())
_KEPT = frozenset("article body html main".split())


class Furniture:
    """The furniture of one page, found in one walk through it."""

    def __init__(self, root: Any, *, boxes: bool) -> None:
        """``boxes``: whether to know boxes by their links too, as where no main text is named."""
        self.found: set[Any] = set()
        lengths: list[list[int]] = []  # of the elements that are open: text, text in links, links
        marked: list[tuple[Any, list[int], bool]] = []
        in_link = total = 0
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                lengths.append([0, 0, 0])
                in_link += element.tag == "a"
                if element.tag not in _SILENT:
                    self._count(lengths[-1], element.text, in_link)
                continue
            own = lengths.pop()
            if element.tag == "a":
                in_link -= 1
                own[2] += 1
            named = self._is_named(element)
            if named or (boxes and element.tag in _BOXES):
                marked.append((element, own, named))
            if lengths:
                for place, number in enumerate(own):
                    lengths[-1][place] += number
                self._count(lengths[-1], element.tail, in_link)
            total = own[0]
        for element, (length, linked, links), named in marked:
            if element.tag in _KEPT or element is root or length >= MIN_KEPT_SHARE * total:
                continue
            if named or (links >= MIN_LINKS and linked >= MAX_LINKED_SHARE * length):
                self.found.add(element)

    def __contains__(self, element: Any) -> bool:
        return element in self.found

    @staticmethod
    def _count(lengths: list[int], text: str | None, in_link: int) -> None:
        length = len(text.strip()) if text else 0
        lengths[0] += length
        lengths[1] += length if in_link else 0

    @staticmethod
    def _is_named(element: Any) -> bool:
        if element.get("role") in _ROLES:
            return True
        name = f"{element.get('class') or ''} {element.get('id') or ''}"
        return len(name) > 1 and any(part.lower() in _WORDS for part in _PART.findall(name[:500]))
