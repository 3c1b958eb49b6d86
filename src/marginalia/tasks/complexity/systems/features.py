"""What can be said of a word and its sentence without a neural network.

A target of several words has the features of its first and last word, their mean, minimum and
maximum, and what the dictionary says of the whole; so words and multi-words share one model.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from marginalia.lexicon.dictionary import dictionary
from marginalia.nlp.frequency import zipf, zipfs
from marginalia.nlp.inflection import lemmas
from marginalia.nlp.syllables import syllables
from marginalia.nlp.tokens import words
from marginalia.tasks.complexity.official.data import Target

GENRES = ("bible", "biomed", "europarl")
SUFFIXES = (
    "tion sion ity ness ment ance ence ism ist ous ive al ic able ible ful less ly ing ed er or s es "
    "ant ent ary ory ate ize ise ify ase in osis itis oma ogy eth en ship dom hood age"
).split()
PREFIXES = (
    "un in im dis re pre non anti inter trans micro poly bio cyto neuro hyper hypo sub super over under "
    "multi intra extra de"
).split()
MAX_WORD_LETTERS = 60
"""Letters of a word that are looked at; no word of the data has more than 31."""
MAX_CACHED_WORDS = 20_000
UNKNOWN = {
    "first_native": 0.88, "first_learner": 0.57, "native": 0.88, "learner": 0.57, "least_native": 0.75, "least_learner": 0.38, "senses": 2.0,
}  # fmt: skip
"""What a word is taken for that the dictionary lacks: the means of those that it has."""
ABROAD = ("fr", "es", "de")
_abroad: dict[str, tuple[float, ...]] = {}

_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]+")
_TWINS = re.compile(r"(.)\1")


def features(target: Target) -> NDArray[np.float32]:
    """The features of a target, always in the same order."""
    parts = target.token.split() or [target.token]
    a, b = _word_row(parts[0]), _word_row(parts[-1])
    core_a, core_b = a[_core()], b[_core()]
    context = context_features(target)
    genre = [
        float(target.corpus == name) if target.corpus in GENRES else 1 / len(GENRES)
        for name in GENRES
    ]
    whole = (
        (a + b) / 2,
        np.minimum(core_a, core_b),
        np.maximum(core_a, core_b),
        core_a,
        core_b,
        list(_known(target.token).values()),
        list(context.values()),
        genre,
        [float(len(parts) > 1)],
    )
    return np.concatenate(whole).astype(np.float32)


@lru_cache(maxsize=MAX_CACHED_WORDS)
def _word_row(written: str) -> NDArray[np.float64]:
    """The features of a word as bare numbers: a dictionary of each would take ten times the memory."""
    return np.array(list(word_features(written).values()))


@cache
def _core() -> list[int]:
    """Where the features stand that describe each part of a multi-word: all but prefixes and suffixes."""
    names = enumerate(word_features("example"))
    return [i for i, name in names if not name.startswith(("suffix_", "prefix_"))]


def word_features(written: str) -> dict[str, float]:
    """How common, how long, how it is built and spelled."""
    word = _small(written)
    found = {
        "zipf": zipf(word),
        "zipf_small": _small_zipf(word),
        "zipf_lemma": max(zipf(lemma) for part in "nva" for lemma, _ in lemmas(word, part)),
        **_family(word),
        **_known(written),
    }
    # A word that other languages share is often a learned one, or a name.
    found |= zip((f"zipf_{lang}" for lang in ABROAD), _look_abroad([word])[word], strict=True)
    count = syllables(word)
    runs = [len(run) for run in _CONSONANTS.findall(word)]
    found |= {
        "letters": len(word),
        "syllables": count,
        "letters_per_syllable": len(word) / max(1, count),
        "vowels": sum(letter in "aeiouy" for letter in word) / max(1, len(word)),
        "consonant_run": max(runs, default=0),
        "distinct_letters": len(set(word)),
        "twin_letters": len(_TWINS.findall(word)),
        "capital": float(written[:1].isupper()),
        "capitals": float(sum(letter.isupper() for letter in written) > 1),
        "digit": float(any(letter.isdigit() for letter in word)),
        "hyphen": float("-" in word),
        "neighbours": _neighbours(word),
        **_spelling(word),
    }
    found |= {f"suffix_{s}": float(word.endswith(s) and len(word) > len(s) + 1) for s in SUFFIXES}
    found |= {f"prefix_{p}": float(word.startswith(p) and len(word) > len(p) + 2) for p in PREFIXES}
    return {name: float(value) for name, value in found.items()}


def look_up(tokens: Iterable[str]) -> None:
    """What is quicker looked up of many words at once than of each: call it with those whose features are wanted next."""
    _look_abroad(_small(part) for token in tokens for part in token.split() or [token])


def _look_abroad(words: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """The Zipf frequencies of these words in other languages, among those of others."""
    global _abroad
    if len(_abroad) > MAX_CACHED_WORDS:
        _abroad = {}  # replaced, not emptied: other threads go on with what they have
    known = _abroad
    new = {word for word in words if word not in known}
    if new:
        each = [zipfs(new, lang) for lang in ABROAD]
        known.update((word, tuple(values[word] for values in each)) for word in new)
    return known


def _small(written: str) -> str:
    return written.lower()[:MAX_WORD_LETTERS]


def _small_zipf(word: str) -> float:
    """Zipf frequency in the smaller list, which knows no word below 3: it tells the common ones apart."""
    from wordfreq import zipf_frequency

    return float(zipf_frequency(word, "en", "small"))


def _neighbours(word: str) -> int:
    """How many of the 30,000 commonest words differ by one letter; 20 at most."""
    if len(word) > 12:  # long words have none
        return 0
    common = _common()
    found = sum(
        word[:i] + letter + word[i + 1 :] in common
        for i, old in enumerate(word)
        for letter in ascii_lowercase
        if letter != old
    )
    return min(20, found)


@cache
def _common() -> frozenset[str]:
    from wordfreq import top_n_list

    return frozenset(top_n_list("en", 30_000))


def _family(word: str) -> dict[str, float]:
    """The commonest word that this one starts with: ``govern`` in ``governmental``."""
    frequency, best, length = zipf(word), 0.0, 0
    for end in range(len(word) - 1, 3, -1):
        stem = word[:end]
        value = max(zipf(stem), zipf(stem + "e"), zipf(stem + "y"))
        if value > best:
            best, length = value, end
    if best <= frequency:
        return {"family_zipf": frequency, "family_share": 1.0}
    return {"family_zipf": best, "family_share": length / len(word)}


def _known(written: str) -> dict[str, float]:
    """How many people know it: the shares that the dictionary gives to its first sense, its best and its rarest known."""
    words = dictionary("en")
    entry = words.entry(written) if words else None
    if entry is None:
        return {**UNKNOWN, "in_dictionary": 0.0}
    senses = entry.senses or (entry,)
    return {
        "first_native": senses[0].native,
        "first_learner": senses[0].learner,
        "native": entry.native,
        "learner": entry.learner,
        "least_native": min(sense.native for sense in senses),
        "least_learner": min(sense.learner for sense in senses),
        "senses": len(entry.senses),
        "in_dictionary": 1.0,
    }


def _spelling(word: str) -> dict[str, float]:
    """How English the letters look: log probabilities of letter triples among common words."""
    triples, pairs = _letters()
    marked = f"^^{word}$"
    logs = [
        math.log((triples[marked[i : i + 3]] + 0.1) / (pairs[marked[i : i + 2]] + 3))
        for i in range(len(marked) - 2)
    ]
    return {
        "spelling_mean": sum(logs) / len(logs),
        "spelling_min": min(logs),
        "spelling_sum": sum(logs),
    }


@cache
def _letters() -> tuple[Counter[str], Counter[str]]:
    """Letter triples and their beginnings in the 60,000 commonest words, with ^^ before and $ behind each."""
    from wordfreq import top_n_list

    common = (word for word in top_n_list("en", 60_000) if word.isascii() and word.isalpha())
    text = "".join(f"^^{word}$" for word in common)
    codes = np.frombuffer(text.encode(), dtype=np.uint8).astype(np.int64)
    first, second, third = codes[:-2], codes[1:-1], codes[2:]
    inside = (first != ord("$")) & (second != ord("$"))  # the others reach into the next word
    triples = _counted((first << 16 | second << 8 | third)[inside], letters=3)
    return triples, _counted((first << 8 | second)[inside], letters=2)


def _counted(codes: NDArray[np.int64], letters: int) -> Counter[str]:
    values, counts = np.unique(codes, return_counts=True)
    names = (value.to_bytes(letters, "big").decode() for value in values.tolist())
    return Counter(dict(zip(names, counts.tolist(), strict=True)))


def context_features(target: Target) -> dict[str, float]:
    """The sentence around the target: its length, how rare its other words are, where the target stands."""
    text = target.sentence
    start, end = target.span() or (0, 0)
    known = _sentence_words(text)
    left = [value for _, stop, value in known if stop <= start]
    right = [value for begin, _, value in known if begin >= end]
    others = left + right or [5.0]
    letters, digits, capitals, brackets = _sentence_letters(text)
    found = {
        "sentence_words": len(known),
        "sentence_letters": letters,
        "others_mean": float(np.mean(others)),
        "others_min": min(others),
        "others_spread": float(np.std(others)),
        "others_rare": sum(value < 4 for value in others) / len(others),
        "left_zipf": left[-1] if left else 7.0,
        "right_zipf": right[0] if right else 7.0,
        "place": len(left) / max(1, len(known)),
        "first": float(not left),
        "capital_inside": float(bool(left) and target.token[:1].isupper()),
        "sentence_digits": digits,
        "sentence_capitals": capitals,
        "sentence_brackets": brackets,
        "times": text.lower().count(target.token.lower()) if target.token else 0,
    }
    return {name: float(value) for name, value in found.items()}


@lru_cache(maxsize=4096)  # a sentence has many targets
def _sentence_words(text: str) -> Sequence[tuple[int, int, float]]:
    return [(m.start(), m.end(), zipf(m.group().lower())) for m in words(text)]


@lru_cache(maxsize=4096)
def _sentence_letters(text: str) -> tuple[float, float, float, float]:
    """Length, share of digits, share of capitals, and whether there are brackets or slashes."""
    length = max(1, len(text))
    digits = sum(map(str.isdigit, text)) / length
    capitals = sum(map(str.isupper, text)) / length
    return math.log1p(len(text)), digits, capitals, float("(" in text or "/" in text)
