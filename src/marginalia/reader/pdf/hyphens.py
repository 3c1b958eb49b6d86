"""Words that a line end divides are made whole again; hyphens that belong to a word stay."""

from __future__ import annotations

import re
from collections.abc import Collection

from marginalia.nlp.frequency import zipf

HYPHENS = "\xad‐-"  # the plain one last, as character classes want it

_LAST = re.compile(rf"([^\W\d_]+(?:['’{HYPHENS}][^\W\d_]+)*)[{HYPHENS}]\Z")
_FIRST = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
"""Words whose hyphens, within a line, tell how they are written."""

_AND = frozenset("and or to und oder bzw sowie bis als".split())
MAX_WHOLE_ZIPF = 1.5
"""A word as rare as this without the hyphen may be two words with one."""
MIN_PART_ZIPF = 2.5
MAX_GERMAN_LEAD = 0.3
"""Parts that are this much commoner in German make a German compound, which has no hyphen."""
MIN_DIVIDED_LETTERS = 3
"""Fewer letters are not put on the next line when a word is divided."""


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
    if first is None:
        return 0, ""
    head, tail = last.group(1).lower(), first.group().lower()
    if not first.group()[0].islower():  # a word in capitals may be divided too
        is_whole = (
            first.group().isupper() and head + tail in known and f"{head}-{tail}" not in known
        )
        return (1, "") if is_whole else (0, "")
    if tail in _AND:
        return 0, " "
    if f"{head}-{tail}" in known:
        return 0, ""
    if head + tail in known:
        return 1, ""
    part = re.split(rf"[{HYPHENS}]", head)[-1]
    goes_on = after[first.end() : first.end() + 1] in HYPHENS and len(after) > first.end()
    is_german = "und" in known and "the" not in known  # which writes compounds as one word
    kept = goes_on or len(part) == 1 or (not is_german and _is_compound(part, tail))
    kept |= part != head and not is_german and _is_chain(part, tail)
    return (0, "") if kept else (1, "")


def _is_chain(part: str, tail: str) -> bool:
    """Whether a word that has hyphens already goes on after one more: two words, though the first may be rare, and no whole."""
    return zipf(tail) >= MIN_PART_ZIPF and not zipf(part + tail) and len(part) > MIN_DIVIDED_LETTERS


def _is_compound(part: str, tail: str) -> bool:
    """Whether two words are joined by the hyphen, rather than one divided at it: by how common they are and their whole."""
    english = zipf(part), zipf(tail)
    whole = max(zipf(part + tail, lang) for lang in ("en", "de"))
    if len(tail) < MIN_DIVIDED_LETTERS and whole < min(english):
        return True
    lead = max(zipf(word, "de") - own for word, own in zip((part, tail), english, strict=True))
    return whole < MAX_WHOLE_ZIPF and min(english) >= MIN_PART_ZIPF and lead < MAX_GERMAN_LEAD
