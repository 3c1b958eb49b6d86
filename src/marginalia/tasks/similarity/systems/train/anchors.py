"""Where the ends of the scale lie in German and between the languages: pairs that need no raters.

A German-English dictionary has sentences with their translations, and sentences with others that say
the same in the same language. Two of its sentences taken at random have nothing to do with each other.
Only means over hundreds of such pairs are kept, nothing of the text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import numpy as np

from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines
from marginalia.tasks.similarity.systems.inputs import Line, Measures, line
from marginalia.tasks.similarity.systems.languages import MIXED
from marginalia.tasks.similarity.systems.meaning import NAMES

MIN_WORDS = 5
PAIRS_PER_KIND = 400
"""Pairs of each kind that are measured."""
UNRELATED_STEP = 7
"""So far apart in the shuffled list are two sentences taken as unrelated."""

_REMARKS = re.compile(r"\{[^}]*\}|\[[^\]]*\]|<[^>]*>")
_SENTENCE = re.compile(r"[A-ZÄÖÜ][^()/…]*[.?!]\Z")

Means = Mapping[str, float]
Couple = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Sentences in German and English that translate each other, and pairs that say the same in one language."""

    translations: list[Couple]
    alike: dict[str, list[Couple]]


def read_dictionary(path: Path) -> Dictionary:
    """The sentences of a dictionary in the layout of Ding: ``German; other words | ... :: English | ...``."""
    translations: set[Couple] = set()
    alike: dict[str, set[Couple]] = {"de": set(), "en": set()}
    for _, text in read_lines(path):
        german, mark, english = text.partition("::")
        if not mark or text.startswith("#"):
            continue
        for entry in zip_longest(german.split("|"), english.split("|"), fillvalue=""):
            sides = [list(_sentences(part)) for part in entry]
            for lang, found in zip(("de", "en"), sides, strict=True):
                alike[lang] |= {(found[0], found[1])} if len(found) > 1 else set()
            if all(";" not in part for part in entry) and sides[0] and sides[1]:
                translations.add((sides[0][0], sides[1][0]))
    if min(len(translations), *map(len, alike.values())) < 2:
        raise FormatError("no sentences with translations and variants in it", path=path)
    return Dictionary(
        _drawn(translations), {lang: _drawn(couples) for lang, couples in alike.items()}
    )


def _sentences(part: str) -> Iterator[str]:
    for variant in part.split(";"):
        bare = " ".join(_REMARKS.sub(" ", variant).split())
        if _SENTENCE.match(bare) and len(bare.split()) >= MIN_WORDS:
            yield bare


def _drawn(couples: set[Couple]) -> list[Couple]:
    ordered = sorted(couples)
    return random.Random(0).sample(ordered, min(PAIRS_PER_KIND, len(ordered)))  # noqa: S311 - no secret


def unrelated(couples: Sequence[Couple], left: int, right: int) -> list[Couple]:
    """One side of each couple beside a side of another couple."""
    turned = [*couples[UNRELATED_STEP % len(couples) :], *couples[: UNRELATED_STEP % len(couples)]]
    return [(one[left], other[right]) for one, other in zip(couples, turned, strict=True)]


def means(measures: Measures, couples: Sequence[Couple]) -> Means:
    """The mean of each measure of meaning."""
    found = list(measures.of(couples))
    return {name: float(np.mean([one[name] for one in found])) for name in NAMES}


def learn_scales(
    dictionary: Dictionary, measures: Measures, same: Means
) -> dict[str, dict[str, Line]]:
    """The lines that move German and mixed measures to where English ones are.

    ``same`` are the means of English pairs that people rated 5: there translations belong. German
    sentences in other words belong where English ones are that stand in the dictionary in the same way.
    """
    translations = dictionary.translations
    german, english = (means(measures, dictionary.alike[lang]) for lang in ("de", "en"))
    translated = means(measures, translations)
    apart = {
        kind: means(measures, unrelated(translations, *sides))
        for kind, sides in {"de": (0, 0), "en": (1, 1), MIXED: (0, 1)}.items()
    }
    ends = {"de": (german, english), MIXED: (translated, same)}
    return {
        kind: {
            name: line(apart[kind][name], high[name], apart["en"][name], to_high[name])
            for name in NAMES
        }
        for kind, (high, to_high) in ends.items()
    }
