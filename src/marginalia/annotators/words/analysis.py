"""What notes and summary of a document are made from, worked out once for both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from marginalia.annotators.words.compounds import hard_compounds
from marginalia.annotators.words.document import Hard, candidates, hard_words
from marginalia.annotators.words.glosses.fields import field_words
from marginalia.annotators.words.levels import level_of
from marginalia.annotators.words.uses import Uses, uses_in
from marginalia.core.document import Document
from marginalia.nlp.own_words import own_words
from marginalia.nlp.stems import stem

MIN_TECHNICAL_REGIONS = 3
"""A document with so much code or so many formulas is technical: its readers know the words of computing and mathematics, for
which WordNet has mostly other senses."""


class Analysis:
    """Words and candidates of a document at once, what the models say of the candidates when it is asked for.

    Threads may share it: whoever comes before the first is ready works it out as well.
    """

    def __init__(
        self,
        uses: Uses,
        find: Callable[[], Iterator[Hard]],
    ) -> None:
        self.uses, self._find = uses, find
        self._found: tuple[Hard, ...] | None = None

    def found(self) -> Iterator[Hard]:
        """The hard words in reading order, as they are found."""
        if self._found is not None:
            yield from self._found
            return
        made = []
        for hard in self._find():
            made.append(hard)
            yield hard
        self._found = tuple(made)

    @property
    def hard(self) -> list[Hard]:
        """The hard words that something can be said about."""
        return [one for one in self.found() if one.gloss]

    @property
    def unexplained(self) -> list[Hard]:
        return [one for one in self.found() if not one.gloss]


def language(doc: Document) -> str:
    """German has rules of its own; what names no language is read as English."""
    return "de" if doc.meta.get("lang") == "de" else "en"


def analyse(doc: Document, level: str, field: str, known: str) -> Analysis:
    """What is hard in a document for such readers of this field who know these words, one a line."""
    level_of(level)
    regions = tuple(
        (region["kind"], region["start"], region["end"], bool(region.get("inline")))
        for region in doc.meta.get("regions", ())
    )
    return _analysed(doc.text, language(doc), regions, level, field, known)


@lru_cache(maxsize=2)  # notes and summary of the same document
def _analysed(
    text: str,
    lang: str,
    regions: tuple[tuple[str, int, int, bool], ...],
    level_name: str,
    field: str,
    known: str,
) -> Analysis:
    meta: Mapping[str, Any] = {
        "lang": lang,
        "regions": [
            {"kind": kind, "start": start, "end": end, "inline": inline}
            for kind, start, end, inline in regions
        ],
    }
    doc = Document(id="", text=text, meta=meta)
    level, uses = level_of(level_name), uses_in(doc, lang)
    kinds = Counter(kind for kind, *_ in regions)
    technical = kinds["code"] + kinds["formula"] >= MIN_TECHNICAL_REGIONS
    scholarly = technical or kinds["references"] > 0
    easy = known_stems(lang, known, field, scholarly)
    easy |= {stem(part, lang) for one in own_words(doc, lang) for part in one.word.split()}
    if lang == "de":
        compounds = tuple(hard_compounds(doc, uses, easy)) if level_name == "learner" else ()
        return Analysis(uses, lambda: iter(compounds))
    places = list(candidates(doc, uses, level, easy))
    return Analysis(uses, lambda: hard_words(places, level, technical=technical))


def known_stems(lang: str, known: str, field: str, scholarly: bool) -> frozenset[str]:
    """The stems of what the reader knows: words of a list, of a field, and of the fields that every technical document uses."""
    words = set(known.split())
    if lang == "en" and field:
        words |= field_words(field)
    if lang == "en" and scholarly:
        words |= field_words("computing") | field_words("mathematics")
    return frozenset(stem(word, lang) for word in words)
