"""How common a word is at its best: itself, its lemma, or the easy word that it is plainly made from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.frequency import MAX_LETTERS, zipf
from marginalia.nlp.inflection import lemmas
from marginalia.nlp.stems import stem

DERIVED_COST = 0.5
"""So much rarer than the word it is made from a derived word counts (verifiable from verify)."""
MIN_BASE = 5
_PREFIXES = tuple(
    "un non re pre mis dis over under sub super inter multi anti auto semi counter in im il ir".split()
)
COMPOUND_COST = 0.6
_COMPOUND_ZIPF = {3: 4.5, 4: 4.0}
"""How common the parts of a compound must be by their letters (sunbeam, notepaper); short words are found everywhere."""
_SUFFIXES = tuple("ly ness able less ful ish ment er ity al".split())
PART_COST = 0.5
"""A German compound is understood from its rarest part, and each further part makes it rarer by this."""
_GERMAN_ENDINGS = tuple("es er en em e s n st t ste sten ter tes ten tem te".split())


@lru_cache(maxsize=50_000)
def ease(word: str, lang: str = "en") -> float:
    """The Zipf frequency that a reader's knowledge of the word goes by."""
    if len(word) > MAX_LETTERS:
        return 0.0
    word = word.lower()
    if lang == "de":
        return max(_german(form) for form in _german_forms(word))
    own = max(zipf(form) for form in _forms(word))
    bases = {base for first in _bases(word) for base in (first, *_bases(first))}
    made = max((zipf(form) for base in bases for form in _forms(base)), default=0.0)
    joined = max(_compound(form) for form in _forms(word))
    return max(own, made - DERIVED_COST, joined - COMPOUND_COST)


def _forms(word: str) -> Iterator[str]:
    yield word
    for part in "nva":
        yield from (lemma for lemma, _ in lemmas(word, part))


def _bases(word: str) -> Iterator[str]:
    """What is left without a prefix or an ending that does not hide its meaning."""
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= MIN_BASE:
            yield word[len(prefix) :]
    for suffix in _SUFFIXES:
        base = word.removesuffix(suffix)
        if base != word and len(base) >= MIN_BASE - 1:
            yield base
            yield base + "e"
            if base.endswith("i"):
                yield base[:-1] + "y"


def _compound(word: str) -> float:
    """The frequency of the rarer part of a word that two common ones make."""
    best = 0.0
    for cut in range(3, len(word) - 2):
        parts = word[:cut], word[cut:]
        values = [zipf(part) for part in parts]
        if all(v >= _COMPOUND_ZIPF[min(4, len(p))] for v, p in zip(values, parts, strict=True)):
            best = max(best, min(values))
    return best


def _german(word: str) -> float:
    """Of a compound, what its rarest part makes of it, if that is more."""
    parts = split_compound(word)
    rarest = min(zipf(part, "de") for part in parts)
    return max(zipf(word, "de"), rarest - PART_COST * (len(parts) - 1))


def _german_forms(word: str) -> Iterator[str]:
    """Pakets is as easy as Paket, verbessertes as verbessert; the stem joins what endings part."""
    yield word
    for ending in _GERMAN_ENDINGS:
        base = word.removesuffix(ending)
        if base != word and len(base) >= 4:
            yield base
    yield stem(word, "de")
