"""How common a word is, from the ``wordfreq`` lists."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache

from marginalia.core.errors import UnknownNameError
from marginalia.lang import language
from marginalia.nlp.tokens import words

MAX_SEARCHES = 16
"""So often a list is searched from end to end before a dictionary is made of it."""
_SEARCHES: Counter[str] = Counter()


MAX_LETTERS = 200
"""Of a word that is looked for; what is longer is no word, and to take it apart in all ways would never end."""


def zipf(word: str, lang: str = "en") -> float:
    """Zipf frequency: log10 of occurrences per thousand million words; 0 for an unknown word.

    ``the`` has 7.7, ``measure`` 4.7, ``serendipity`` 2.7.
    """
    return _zipf(word, lang) if len(word) <= MAX_LETTERS else 0.0


_UNSPACED = frozenset({"ja", "ko", "zh"})
"""Their words are found by analysers that are not installed."""


@cache
def has_words(lang: str) -> bool:
    """Whether there is a list of this language's words, and their spaces tell them apart."""
    from wordfreq import available_languages

    return lang in available_languages() and lang not in _UNSPACED


@lru_cache(maxsize=200_000)
def _zipf(word: str, lang: str) -> float:
    from wordfreq import available_languages, zipf_frequency  # 50 ms and a list: only when asked

    try:
        return float(zipf_frequency(word, lang))
    except LookupError:
        raise UnknownNameError("language with a word list", lang, available_languages()) from None


def zipfs(asked: Iterable[str], lang: str) -> dict[str, float]:
    """``zipf`` of several words at once, for a language of which few words are asked for.

    Lists are searched as they lie in the file. A dictionary of one (half a million words) takes ten times as long and 40 MB;
    who asks again and again gets it.
    """
    asked = set(asked)
    simple = {word: word.lower() for word in asked if word.isascii() and word.isalpha()}
    if _SEARCHES[lang] >= MAX_SEARCHES or not simple:
        return {word: zipf(word, lang) for word in asked}
    from wordfreq import get_frequency_list

    _SEARCHES[lang] += 1
    wanted = set(simple.values())
    listed = dict.fromkeys(wanted, 0.0)
    for centibels, bucket in enumerate(get_frequency_list(lang)):
        listed.update(dict.fromkeys(wanted.intersection(bucket), _of_bucket(centibels)))
    found = {word: listed[lower] for word, lower in simple.items()}
    return found | {word: zipf(word, lang) for word in asked - simple.keys()}


@cache
def _of_bucket(centibels: int) -> float:
    """The Zipf frequency of the words in a bucket, rounded as ``wordfreq`` does."""
    from wordfreq import cB_to_freq, freq_to_zipf

    freq = 1.0 / (1.0 / cB_to_freq(-centibels))
    return round(freq_to_zipf(round(freq, math.floor(-math.log(freq, 10)) + 3)), 2)


def mean_zipf(phrase: str, lang: str = "en") -> float:
    """Mean Zipf frequency of the words of a phrase; 0 if it has none."""
    values = [zipf(match.group(), lang) for match in words(phrase)]
    return sum(values) / len(values) if values else 0.0


def one_in(value: float, lang: str = "en") -> str:
    """A Zipf frequency as people say it: ``1 in 2 million words``, in German ``1 von 2 Millionen Wörtern``."""
    known = language(lang)
    if value <= 0:
        return known.say("notes", "in_no_list")
    count = 10 ** (9 - value)
    if count >= 1e6:
        said, shown = "one_in_millions", f"{count / 1e6:,.0f}"
    elif count >= 1e3:
        said, shown = "one_in", f"{count / 1e3:,.0f},000"
    else:
        said, shown = "one_in", f"{max(1, count):,.0f}"
    if known.data("numbers").get("decimal") == ",":
        shown = shown.replace(",", ".")
    return known.say("notes", said, count=shown)
