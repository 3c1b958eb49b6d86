"""The sentences of a document with vectors, for search across documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from marginalia.core.document import SILENT, Document
from marginalia.nlp.prose import prose_sentences

WIDTH = 384
"""Numbers in a vector, of both encoders."""
MIN_WORDS = 5
MAX_CHARACTERS = 2_000
"""What is longer is a table or list that lost its line ends."""
WITHOUT = SILENT | {"caption", "heading", "table"}

_BLANK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Sentence:
    """``doc.text[start:end]``, with every kind of white space as a blank."""

    text: str
    start: int
    end: int
    section: str


def find_sentences(doc: Document) -> Iterator[Sentence]:
    """The sentences of prose that have enough words to say something, in reading order."""
    sections = sorted(doc.meta.get("sections", ()), key=lambda one: one["start"])
    above = ""
    for start, end in prose_sentences(doc, without=WITHOUT, lang=doc.meta.get("lang")):
        while sections and sections[0]["start"] <= start:
            above = sections.pop(0)["title"]
        text = _BLANK.sub(" ", doc.text[start:end])
        if len(text) <= MAX_CHARACTERS and len(text.split()) >= MIN_WORDS:
            yield Sentence(text, start, end, above)


def encode(doc: Document, texts: list[str]) -> tuple[str, Any]:
    """The name of the encoder for the document's language, and a unit vector of 16-bit numbers for each text.

    Where the notes have read the same sentences just before, the encoder still knows them.
    """
    import numpy as np

    from marginalia.nlp.encoder import for_language

    encoder = for_language(str(doc.meta.get("lang") or "en"))
    return encoder.folder.name, encoder.vectors(texts).astype(np.float16)
