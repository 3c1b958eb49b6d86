"""Passages of documents at hand that say something similar to one that a reader points at: by words first, then by meaning."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from marginalia.core.document import Document
from marginalia.reader.passages import Sentence, encode, find_sentences

MAX_DOCUMENTS = 12
MAX_ENCODED = 48
"""Sentences with the most words in common that are compared by meaning; each takes some milliseconds."""
MAX_SHOWN = 4
MIN_COSINE = 0.85
"""Of 1,000 pairs of sentences of different documents 999 are less similar."""
MIN_WORD_LETTERS = 4
MAX_WORD_SHARE = 0.1
"""A word in more of the sentences says nothing of what they are about."""

_WORD = re.compile(rf"[^\W\d_]{{{MIN_WORD_LETTERS},}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """A sentence of a document, and how similar it is, from 0 to 1."""

    document: str
    start: int
    text: str
    score: float


def words_of(text: str) -> set[str]:
    """What a sentence can be found by."""
    return {word.casefold() for word in _WORD.findall(text)}


def similar_passages(
    doc: Document, start: int, end: int, others: Mapping[str, Document]
) -> list[Similar]:
    """The most similar sentences, best first. ``others`` are documents by the names they are given back with; they have to be
    in the language of ``doc``, which may be among them."""
    lang = doc.meta.get("lang")
    asked = " ".join(doc.text[start:end].split())
    pool = [
        (name, sentence)
        for name, other in list(others.items())[:MAX_DOCUMENTS]
        if other.meta.get("lang") == lang
        for sentence in find_sentences(other)
        if not (other.text == doc.text and sentence.start < end and sentence.end > start)
    ]
    nearest = _by_words(words_of(asked), pool)
    if not nearest:
        return []
    _, vectors = encode(doc, [asked, *(sentence.text for _, sentence in nearest)])
    scores = vectors[1:].astype("float32") @ vectors[0].astype("float32")
    found = {
        sentence.text: Similar(
            document=name, start=sentence.start, text=sentence.text, score=round(float(score), 3)
        )
        for (name, sentence), score in zip(nearest, scores, strict=True)
        if score >= MIN_COSINE
    }
    return sorted(found.values(), key=lambda one: -one.score)[:MAX_SHOWN]


def _by_words(wanted: set[str], pool: Iterable[tuple[str, Sentence]]) -> list[tuple[str, Sentence]]:
    """Those that share the rarest words, best first."""
    read = [(one, words_of(one[1].text)) for one in pool]
    often = Counter(word for _, words in read for word in words & wanted)
    most = max(2, MAX_WORD_SHARE * len(read))
    weights = {
        word: math.log(1 + len(read) / number) for word, number in often.items() if number <= most
    }
    ranked = [(sum(weights.get(word, 0.0) for word in words), one) for one, words in read]
    best = sorted((row for row in ranked if row[0]), key=lambda row: -row[0])
    return [one for _, one in best[:MAX_ENCODED]]
