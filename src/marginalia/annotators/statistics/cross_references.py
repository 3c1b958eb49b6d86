"""References to figures, tables, sections and equations that a whole document does not have.

Only where the numbering is complete: figures from 1 to the last without a gap, and one reference alone to a number behind it. A
caption that could not be read would be missed by several references.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from marginalia.annotators.statistics.manuscript import SUBJECT, Finding, Manuscript
from marginalia.lang import language

MIN_NUMBERED = 2
"""Captions or headings of a kind, from which on a missing one is noticed."""
MAX_BEYOND = 3
"""So far behind the last number a reference is a slip of this document; farther, it is one to another."""
KINDS = ("figure", "table", "section", "equation")


@cache
def _patterns(lang: str, kind: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A caption, and a reference."""
    names = language(lang).pattern(SUBJECT, kind)
    deep = r"\d{1,2}(?:\.\d{1,2}){0,3}" if kind == "section" else r"\d{1,3}"
    return (
        re.compile(rf"\s*(?:{names})\s?(?P<number>{deep})(?![\d.]\d|\w)", re.I),
        re.compile(
            rf"(?<![\w.-])(?P<name>{names})\s?\(?(?P<number>{deep})(?![\d.]\d|\w|\s?%|[–-]\d)\)?",
            re.I,
        ),
    )


def find(source: Manuscript) -> Iterator[Finding]:
    for kind in KINDS:
        numbers = _numbered(source, kind)
        if len(numbers) < MIN_NUMBERED or numbers != {str(n) for n in range(1, len(numbers) + 1)}:
            continue
        referred: dict[str, list[re.Match[str]]] = defaultdict(list)
        for match in source.matches(_patterns(source.lang, kind)[1]):
            referred[match["number"].split(".")[0]].append(match)
        if len(referred.keys() & numbers) < MIN_NUMBERED:
            continue
        for number, places in referred.items():
            beyond = int(number) - len(numbers)
            if (
                len(places) == 1
                and 0 < beyond <= MAX_BEYOND
                and not _is_elsewhere(source, places[0])
            ):
                values = {"kind": places[0]["name"], "number": number, "last": len(numbers)}
                yield Finding(
                    "missing-reference", *places[0].span(), source.say("missing", **values)
                )


def _numbered(source: Manuscript, kind: str) -> set[str]:
    """The numbers of what stands in the document."""
    regions = source.doc.meta.get("regions", ())
    text, caption = source.text, _patterns(source.lang, kind)[0]
    if kind == "equation":
        ends = (
            text[max(one["start"], one["end"] - 8) : one["end"] + 8]
            for one in regions
            if one["kind"] == "formula" and not one.get("inline")
        )
        return {match[1] for end in ends if (match := re.search(r"\((\d{1,3})\)\s*(?:\n|\Z)", end))}
    if kind == "section":
        heads = (text[one["start"] : one["end"]] for one in regions if one["kind"] == "heading")
        return {
            match[1]
            for head in heads
            if (match := re.match(r"\s*(\d{1,2})(?:\.\d+)*\.?\s+\S", head))
        }
    found = {
        match["number"]
        for one in regions
        if one["kind"] in ("caption", "figure", "table")
        and (match := caption.match(text, one["start"]))
    }
    # What only looks like a caption: a paragraph that begins with the name and its number.
    for match in re.finditer(rf"(?:\A|\n)[ \t]*(?:{caption.pattern})\s?[.:|\n]", text, re.I):
        found.add(match["number"])
    return found


def _is_elsewhere(source: Manuscript, match: re.Match[str]) -> bool:
    """Whether it refers to another work, or to an appendix or supplement."""
    around = source.text[max(0, match.start() - 60) : match.end() + 60]
    return re.search(source.pattern("elsewhere"), around, re.I) is not None
