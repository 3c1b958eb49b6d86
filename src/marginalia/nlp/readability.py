"""How hard a text is to read, by the formulas that editors know; each has its source.

The formulas are few lines over counts of words, sentences and syllables, which are ours (``nlp.syllables``): a package
for them would bring a pronouncing dictionary and its own idea of a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.nlp.syllables import syllables

LONG_WORD_LETTERS = 6
"""A word of more letters is a long one, for LIX and the Wiener Sachtextformel."""
MANY_SYLLABLES = 3


@dataclass(frozen=True, slots=True)
class Counts:
    """What the formulas need to know of a text."""

    words: int
    sentences: int
    syllables: int
    long_words: int
    many_syllables: int
    """Words of three or more syllables."""
    one_syllable: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def count(sentences: Iterable[Iterable[str]], lang: str) -> Counts:
    """The counts of sentences that are given as words."""
    number = words = parts = long = many = one = 0
    for sentence in sentences:
        own = [word for word in sentence if any(char.isalpha() for char in word)]
        number += bool(own)
        for word in own:
            spoken = syllables(word, lang)
            words, parts = words + 1, parts + spoken
            long += sum(char.isalpha() for char in word) > LONG_WORD_LETTERS
            many += spoken >= MANY_SYLLABLES
            one += spoken == 1
    return Counts(words, number, parts, long, many, one)


def flesch(counts: Counts) -> float:
    """Flesch Reading Ease: 206.835 − 1.015 · words/sentences − 84.6 · syllables/words.

    R. Flesch, A new readability yardstick, Journal of Applied Psychology 32 (1948). 60 to 70 is plain English.
    """
    return (
        206.835 - 1.015 * counts.words / counts.sentences - 84.6 * counts.syllables / counts.words
    )


def flesch_kincaid(counts: Counts) -> float:
    """Flesch–Kincaid grade level: .39 · words/sentences + 11.8 · syllables/words − 15.59.

    J. P. Kincaid et al., Derivation of new readability formulas for Navy enlisted personnel (1975). Years of school in the USA.
    """
    return 0.39 * counts.words / counts.sentences + 11.8 * counts.syllables / counts.words - 15.59


def amstad(counts: Counts) -> float:
    """Flesch Reading Ease for German: 180 − words/sentences − 58.5 · syllables/words.

    T. Amstad, Wie verständlich sind unsere Zeitungen? (1978). 60 to 70 is plain German.
    """
    return 180 - counts.words / counts.sentences - 58.5 * counts.syllables / counts.words


def wiener_sachtextformel(counts: Counts) -> float:
    """First Wiener Sachtextformel: .1935 · MS + .1672 · SL + .1297 · IW − .0327 · ES − .875.

    MS, IW and ES are the percentages of words with three or more syllables, with more than six letters and with one syllable; SL is words per
    sentence. R. Bamberger and E. Vanecek, Lesen – Verstehen – Lernen – Schreiben (1984). The school year that can read it, 4 to 15.
    """
    percent = 100 / counts.words
    return (
        0.1935 * counts.many_syllables * percent
        + 0.1672 * counts.words / counts.sentences
        + 0.1297 * counts.long_words * percent
        - 0.0327 * counts.one_syllable * percent
        - 0.875
    )


def lix(counts: Counts) -> float:
    """LIX: words/sentences + 100 · long words/words, for any language.

    C. H. Björnsson, Läsbarhet (1968). Below 30 easy, above 50 difficult.
    """
    return counts.words / counts.sentences + 100 * counts.long_words / counts.words


FORMULAS = {
    "en": {"Flesch Reading Ease": flesch, "Flesch–Kincaid grade": flesch_kincaid, "LIX": lix},
    "de": {"Flesch (Amstad)": amstad, "Wiener Sachtextformel": wiener_sachtextformel, "LIX": lix},
}
"""The figures of each language."""


def readability(counts: Counts, lang: str) -> dict[str, float]:
    """Name of the formula -> figure, to one decimal; empty for a text without sentences or in another language."""
    if not counts.words or not counts.sentences:
        return {}
    return {name: round(formula(counts), 1) for name, formula in FORMULAS.get(lang, {}).items()}
