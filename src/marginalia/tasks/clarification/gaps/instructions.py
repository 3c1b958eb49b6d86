"""Which sentences of a document tell a reader what to do: how-to guides, recipes, protocols, sections on methods."""

from __future__ import annotations

import re
from collections import defaultdict

from marginalia.tasks.clarification.gaps.orders import is_order
from marginalia.tasks.clarification.gaps.places import Guide, Sentence

MIN_ORDER_SHARE = 0.25
"""A document with such a share of orders is a guide as a whole."""
MIN_ORDERS = 2

_HOW_TO = re.compile(r"\s*how to\b", re.I)
_SECTION = re.compile(
    r"\b(?:methods?|procedures?|protocols?|instructions?|steps?|directions?|preparation|installation|usage|set-?up|"
    r"how to|getting started)\b",
    re.I,
)


def is_instruction(sentence: Sentence) -> bool:
    """Whether the sentence gives an order: ``Fold it``, ``Then fold it``, ``If it sticks, pull``."""
    words = sentence.words
    return any(is_order(words, i) for i in range(len(words)) if i == 0 or words[i].tag == "VERB")


def instructive(guide: Guide) -> frozenset[int]:
    """The numbers of the sentences to look at: all of a guide, else those under a heading on methods.

    A document is a guide if its title says how to do something, or if enough of its sentences are orders.
    Elsewhere a section counts that gives orders too, if its heading is about methods or the orders are steps of a
    list; a report on what was done has none.
    """
    orders = {i for i, sentence in enumerate(guide.sentences) if is_instruction(sentence)}
    count = len(guide.sentences)
    if not orders:
        return frozenset()
    if _HOW_TO.match(guide.title) or (
        len(orders) >= MIN_ORDERS and len(orders) >= MIN_ORDER_SHARE * count
    ):
        return frozenset(range(count))
    chosen: set[int] = set()
    sections: dict[str, set[int]] = defaultdict(set)
    for i, sentence in enumerate(guide.sentences):
        sections[sentence.header].add(i)
    for header, own in sections.items():
        steps = sum(guide.sentences[i].listed for i in own & orders)
        told = _SECTION.search(header) or steps >= MIN_ORDERS
        if told and len(own & orders) >= MIN_ORDER_SHARE * len(own):
            chosen |= own
    return frozenset(chosen)
