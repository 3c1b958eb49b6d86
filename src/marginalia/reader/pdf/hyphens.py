"""Words that a line end divides are made whole again; hyphens that belong to a word stay."""

from __future__ import annotations

import re
from collections.abc import Collection

HYPHENS = "\xad‐-"  # the plain one last, as character classes want it

_LAST = re.compile(rf"([^\W\d_]+(?:['’{HYPHENS}][^\W\d_]+)*)[{HYPHENS}]\Z")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
"""Words whose hyphens, within a line, tell how they are written."""

_AND = frozenset("and or to und oder bzw sowie bis als".split())
# Before or after these a hyphen is more often part of the word than not.
_BEFORE = frozenset(
    "all cross ever far full half hard high ill large long low mid new "
    "non old one open part quasi right self semi short single small so three two time well wide "
    "x".split()
)
_WITHIN = frozenset("a and by for in of on or per the to".split())
"""What a hyphen stands on both sides of, as in ``state-of-the-art``."""
_AFTER = frozenset(
    "aged based being born by called dependent dimensional down driven effect effects free friendly "
    "group groups in income level like line made making off old on oriented out point points quality "
    "rated related report reported reports scale section sectional side sized skilled specific term "
    "test time to treatment type up variable wide word year years".split()
)


def joint(before: str, after: str, known: Collection[str] = ()) -> tuple[int, str]:
    """How one line goes on in the next: how many characters its end loses, and what stands between.

    ``known`` are words of the document, lower-cased, as they are written within lines.
    """
    if not before or before[-1] not in HYPHENS:
        return 0, " "
    soft = 1 if before[-1] == "\xad" else 0
    last, first = _LAST.search(before), _FIRST.match(after)
    if last is None:
        # A range of numbers or years; a dash with a space before it ends no word.
        return (soft, "") if len(before) > 1 and not before[-2].isspace() else (soft, " ")
    if first is None or not first.group()[0].islower():
        return 0, ""
    head, tail = last.group(1).lower(), first.group().lower()
    if tail in _AND:
        return 0, " "
    if f"{head}-{tail}" in known:
        return 0, ""
    if head + tail in known:
        return 1, ""
    part = re.split(rf"[{HYPHENS}]", head)[-1]
    kept = part in _BEFORE or part in _WITHIN or (tail in _AFTER and len(part) > 3)
    return (0, "") if kept else (1, "")
