"""Do two labels name the same thing? What differs between them decides, not how much they share.

"Links-Rechts: SPD" and "Links-Rechts: CDU" mean nearly the same to an encoder, and so do the second and the fourth child:
a battery's items differ in one word. Labels are the same where every word of each has its counterpart in the other;
where one only says more than the other, they may be.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import lru_cache

from marginalia.nlp.stems import stem
from marginalia.tasks.variables.catalogue.casing import spoken
from marginalia.tasks.variables.index.terms import STOP_WORDS

MIN_NEAR_COSINE = 0.93
"""From this cosine on two labels may name one concept, if one has all words of the other."""
MIN_SAME_COSINE = 0.9
"""Labels of the same words that mean something else are none."""
MIN_SHORTENED = 4
"""Letters that a shortened word has at least: "selbsteinst." for "Selbsteinstufung"."""
_PIECE = re.compile(r"[^\W_]+")
_ITEM = re.compile(r"[a-z]{1,2}\d+[a-z]?")
"""The number of a question before its label: "q7g", "d40a"."""
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SAYS_NOTHING = frozenset(
    "befr befragte befragter befragten respondent respondents own item var variable recoded".split()
)
"""Words of a label that do not change what it measures."""


_NEGATIONS = frozenset("not no nicht kein keine never nie without ohne".split())
"""They change what a label says, though a search passes over them."""


@lru_cache(maxsize=20_000)
def label_words(label: str) -> tuple[str, ...]:
    """The words of a label that count, function words and the number of the question left out; negations count."""
    pieces = _PIECE.findall(_APOSTROPHE.sub("", spoken(label).lower()))
    if len(pieces) > 1 and _ITEM.fullmatch(pieces[0]):
        pieces = pieces[1:]
    found = [p for p in pieces if p not in _SAYS_NOTHING and not _YEAR.fullmatch(p)]
    counting = [p for p in found if p not in STOP_WORDS or p in _NEGATIONS]
    return tuple(dict.fromkeys(counting))


def same_label(one: str, other: str) -> bool:
    """Whether every word of each label has its counterpart in the other."""
    return has_all(one, other) and has_all(other, one)


def has_all(one: str, other: str) -> bool:
    """Whether every word of the other label has its counterpart in the one."""
    said, wanted = label_words(one), label_words(other)
    return bool(wanted) and all(any(_alike(a, b) for a in said) for b in wanted)


@lru_cache(maxsize=100_000)
def _alike(one: str, other: str) -> bool:
    """The same word, another form of it, a shortened one, or one with a slip."""
    if one == other:
        return True
    if any(c.isdigit() for c in one + other):
        return False
    short, long = sorted((one, other), key=len)
    if len(short) < MIN_SHORTENED:
        return False
    if stem(one) == stem(other) or long.startswith(short):
        return True
    from rapidfuzz.distance import OSA

    return len(short) > 6 and OSA.distance(one, other, score_cutoff=1) <= 1


def near_labels(
    ids: Sequence[str], labels: Sequence[str]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Pairs of ids whose labels name the same concept, and pairs that may: one label says more than the other."""
    if len(ids) < 2:
        return [], []
    from marginalia.nlp.encoder import multilingual

    vectors = multilingual().vectors([spoken(label) for label in labels])
    cosines = vectors @ vectors.T
    same, near = [], []
    for a, b in itertools.combinations(range(len(ids)), 2):
        if cosines[a, b] < MIN_SAME_COSINE:
            continue
        more, less = has_all(labels[a], labels[b]), has_all(labels[b], labels[a])
        if more and less:
            same.append((ids[a], ids[b]))
        elif (more or less) and cosines[a, b] >= MIN_NEAR_COSINE:
            near.append((ids[a], ids[b]))
    return same, near
