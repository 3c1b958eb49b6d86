"""Paragraphs in another language than their document: a quotation, an abstract for readers elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from marginalia.core.document import SILENT
from marginalia.nlp.language import MIN_SURE, detect, guess, is_usual
from marginalia.nlp.prose import SpanSet, paragraphs

MIN_CHARACTERS = 120
"""A shorter paragraph may be a name, a title or a list of both."""
MIN_LETTERS = 0.7
"""Share of letters and spaces: figures and signs are in no language."""


def with_foreign(text: str, regions: list[dict[str, Any]], lang: str) -> list[dict[str, Any]]:
    """The regions, with ``{"kind": "foreign", "lang": ...}`` for each paragraph that is surely not in this language."""
    new = list(_foreign(text, regions, lang))
    return sorted([*regions, *new], key=lambda one: (one["start"], -one["end"])) if new else regions


def _foreign(text: str, regions: list[dict[str, Any]], lang: str) -> Iterator[dict[str, Any]]:
    no_prose = {*SILENT, "table", "heading"}
    left_out = SpanSet.merge(
        (one["start"], one["end"])
        for one in regions
        if one["kind"] in no_prose and not one.get("inline")
    )
    seems = ""
    for start, end in paragraphs(text):
        if end - start < MIN_CHARACTERS or left_out.touch(start, end):
            continue
        found = _surely_other(text[start:end], lang)
        if found:
            # Who says that a text is in another language than it seems wants it read so.
            seems = seems or guess(text)
            if found != seems:
                yield {"kind": "foreign", "lang": found, "start": start, "end": end}


@lru_cache(maxsize=2**12)  # a text that is edited has the same paragraphs in each version
def _surely_other(text: str, lang: str) -> str:
    """The language of a paragraph that is surely in another one; empty for others."""
    if not _is_prose(text) or is_usual(text, lang):
        return ""
    found, sure = detect(text)
    return found if found != lang and sure >= MIN_SURE else ""


def _is_prose(text: str) -> bool:
    letters = sum(map(str.isalpha, text)) + sum(map(str.isspace, text))
    return letters >= MIN_LETTERS * len(text)
