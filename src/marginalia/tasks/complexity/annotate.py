"""Rare words in a document become notes."""

from __future__ import annotations

from collections.abc import Iterator

from marginalia.core.document import Annotation, Document
from marginalia.nlp.frequency import one_in, zipf
from marginalia.nlp.tokens import words

RARE = 3.0
"""Below this Zipf frequency, once in a million words, many readers do not know a word."""


def annotate(doc: Document) -> Iterator[Annotation]:
    """A note on each rare word, with how rare it is."""
    lang = doc.meta.get("lang", "en")
    number = 0
    for match in words(doc.text):
        word = match.group()
        if not word.isalpha() or len(word) < 3:
            continue
        value = zipf(word, lang)
        if value < RARE:
            number += 1
            yield Annotation(
                id=f"complexity-{number}",
                task="complexity",
                label="rare word",
                start=match.start(),
                end=match.end(),
                quote=word,
                attrs={"zipf": value, "why": one_in(value)},
                system="frequency",
            )
