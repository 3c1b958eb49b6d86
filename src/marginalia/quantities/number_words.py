"""Numbers written in words: ``sixteen``, ``two and a half``, ``zweihundertfünf``, ``anderthalb``.

The words are those of the language. Where it has blanks between them, they are read one by one; where it joins them, as
German does, the word is taken apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any

from marginalia import lang
from marginalia.quantities.numerals import divide

MAX_WORD_LENGTH = 60
HUNDRED, THOUSAND = 2, 3
"""As powers of ten."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberWords:
    """The words for numbers of a language, in small letters."""

    small: dict[str, int]
    """Up to nineteen."""
    tens: dict[str, int]
    said: Mapping[str, Decimal]
    """What else is a number by itself: ``twice``, ``anderthalb``."""
    scales: Mapping[str, int]
    """Word -> power of ten; a German Billion is a million millions."""
    vague: Mapping[str, int]
    """``hundreds``: the power is all that is said; taken as that number, roughly."""
    few: frozenset[str]
    """``several hundred`` is vague, too."""
    dozens: Mapping[str, int]
    parts: Mapping[str, int]
    """``third`` -> 3."""
    added: Mapping[tuple[str, ...], Decimal]
    """Behind a number: ``and a half``."""
    endings: Mapping[str, Decimal]
    """At the end of a word, and what they add: ``einhalb``, ``fold``."""
    articles: frozenset[str]
    halves: frozenset[str]
    """``halbe``: a half by themselves, and with an article before them."""
    and_: str
    of: str
    joined: bool

    def scale(self, power: int) -> str:
        """The first word for a power of ten."""
        return next((word for word, known in self.scales.items() if known == power), "")

    def value(self, word: str) -> int | None:
        """What one word counts, below a hundred or as a dozen: ``twenty-five``, ``fünfundzwanzig``."""
        numbers = {**self.dozens, **self.small, **self.tens}
        if self.joined and word not in numbers and word not in self.articles:
            value = _whole(word, self)
            return None if value is None or value in (100, 1000) else int(value)
        ten, _, small = word.partition("-")
        if ten in self.tens and self.small.get(small, 0) in range(1, 10):
            return self.tens[ten] + self.small[small]
        return numbers.get(word)


def counted(language: lang.Language, name: str, start: int = 0, step: int = 1) -> dict[str, int]:
    """The words of a list in their order; forms of one number have a comma between them."""
    listed = str(language.data("numbers").get(name, "")).split()
    return {
        word: step * place
        for place, forms in enumerate(listed, start)
        for word in forms.split(",")
        if word != "-"
    }


def number_words(language: str) -> NumberWords:
    """Those of the language of a code."""
    return _number_words(lang.language(language))


@cache
def _number_words(language: lang.Language) -> NumberWords:
    def table(name: str) -> dict[str, Any]:
        return {word.lower(): value for word, value in language.table("numbers", name).items()}

    return NumberWords(
        small=counted(language, "ones"),
        tens=counted(language, "tens", start=2, step=10),
        said={word: Decimal(str(value)) for word, value in table("said_numbers").items()},
        scales=table("scales"),
        vague=table("vague"),
        few=language.words("numbers", "few"),
        dozens=table("dozens"),
        parts=table("parts"),
        added={tuple(word.split()): Decimal(str(value)) for word, value in table("added").items()},
        endings={word: Decimal(str(value)) for word, value in table("endings").items()},
        articles=language.words("numbers", "articles"),
        halves=language.words("numbers", "halves"),
        and_=language.data("numbers").get("and", ""),
        of=language.data("numbers").get("of", ""),
        joined=language.data("numbers").get("joined", False),
    )


def read_words(words: Sequence[str], language: str) -> tuple[Decimal, int, bool] | None:
    """The number at the beginning, how many words it has, and whether it is vague."""
    known = number_words(language)
    return _read_joined(words, known) if known.joined else _read_spaced(words, known)


def _part_of(word: str, known: NumberWords) -> int | None:
    """3 of ``third`` and ``thirds``."""
    return known.parts.get(word) or known.parts.get(word.removesuffix("s"))


def _read_spaced(words: Sequence[str], known: NumberWords) -> tuple[Decimal, int, bool] | None:
    first = words[0]
    article = first in known.articles
    second = words[1] if len(words) > 1 else ""
    if first in known.vague or first in known.few or (article and second in known.few):
        return _read_vague(words, known)
    if dozens := _read_dozens(words[article:], known, article=article):
        return dozens[0], dozens[1] + article, False
    if article and second in known.scales:
        rest = _read_spaced(words[1:], known)
        return rest and (rest[0], rest[1] + 1, rest[2])
    if known.parts.get(first) == 2:
        return _read_half(words, known)
    if article and (part := known.parts.get(second)):
        return _scaled(words, divide(Decimal(1), Decimal(part)), 2, known)
    if first in known.said:
        return known.said[first], 1, False
    value, at = _cardinal(words, known)
    if not at:
        fold = _without_ending(first, known.small | known.tens, known)
        return None if fold is None else (fold, 1, False)
    behind = tuple(words[at:])
    added = next((phrase for phrase in known.added if behind[: len(phrase)] == phrase), ())
    if added:
        value, at = value + known.added[added], at + len(added)
        if at < len(words) and words[at] in known.scales:
            value, at = value * 10 ** known.scales[words[at]], at + 1
    elif at < len(words) and value and (part := _part_of(words[at], known)) and value < 100:
        return _scaled(words, divide(value, Decimal(part)), at + 1, known)
    elif dozens := _read_dozens(words[at:], known, article=False):
        value, at = value * dozens[0], at + 1
    return value, at, False


def _without_ending(word: str, numbers: Mapping[str, int], known: NumberWords) -> Decimal | None:
    """The number in ``tenfold``."""
    for end, more in known.endings.items():
        if word.endswith(end) and (stem := word.removesuffix(end)) in numbers:
            return numbers[stem] + more
    return None


def _read_dozens(
    words: Sequence[str], known: NumberWords, *, article: bool
) -> tuple[Decimal, int] | None:
    """``dozen``; behind an article also ``baker's dozen`` and ``gross``."""
    for count in (2, 1) if article else (1,):
        dozens = known.dozens.get(" ".join(words[:count]))
        if dozens and len(words) >= count and (article or dozens == 12):
            return Decimal(dozens), count
    return None


def _scaled(
    words: Sequence[str], value: Decimal, at: int, known: NumberWords
) -> tuple[Decimal, int, bool]:
    """``three quarters billion``, ``a quarter of a million``."""
    of_a = len(words) > at + 1 and words[at] == known.of and words[at + 1] in known.articles
    skip = at + 2 if of_a else at
    if skip < len(words) and words[skip] in known.scales:
        return value * 10 ** known.scales[words[skip]], skip + 1, False
    return value, at, False


def _read_half(words: Sequence[str], known: NumberWords) -> tuple[Decimal, int, bool]:
    """``half``, ``half a million``, ``half million``, ``half a dozen``."""
    value = Decimal("0.5")
    at = 2 if len(words) > 1 and words[1] in known.articles else 1
    if at < len(words) and words[at] in known.scales:
        return value * 10 ** known.scales[words[at]], at + 1, False
    if dozens := _read_dozens(words[at:], known, article=False):
        return divide(dozens[0], Decimal(2)), at + 1, False
    return value, 1, False


def _cardinal(words: Sequence[str], known: NumberWords) -> tuple[Decimal, int]:
    """``two hundred and fifty thousand``; no words if there is no number."""
    total = current = 0
    at, limit, open_ = 0, 10**18, 10**18
    # ``open_``: what may still be added to ``current`` must be less; ``limit``: scales must fall.
    for i, word in enumerate(words):
        further = words[i + 1] if i + 1 < len(words) else ""
        spoken = further in known.small or further in known.tens
        if word == known.and_ and 0 < at == i and open_ == 100 and spoken:
            continue
        if word in known.small and known.small[word] < open_:
            current, open_ = current + known.small[word], 0
        elif word in known.tens and known.tens[word] < open_:
            current, open_ = current + known.tens[word], 10
        elif known.scales.get(word) == HUNDRED:
            if not (0 < (current or 1) < 100 and open_ != 100):
                break
            current, open_ = (current or 1) * 100, 100
        elif word in known.scales and 10 ** known.scales[word] < limit:
            limit = 10 ** known.scales[word]
            total, current, open_ = total + (current or 1) * limit, 0, 100
        else:
            break
        at = i + 1
    return Decimal(total + current), at


def _read_joined(words: Sequence[str], known: NumberWords) -> tuple[Decimal, int, bool] | None:
    first = words[0]
    if first in known.vague or first in known.few:
        return _read_vague(words, known)
    if first in known.halves:
        return Decimal("0.5"), 1, False
    value = _compound(first, known)
    if value is None:
        return None
    follows = words[1] if len(words) > 1 else ""
    if follows in known.scales:
        return value * 10 ** known.scales[follows], 2, False
    if follows in known.halves and first in known.articles:
        return Decimal("0.5"), 2, False
    if part := _part_of(follows, known):
        return divide(value, Decimal(part)), 2, False
    if follows in known.dozens:
        return value * known.dozens[follows], 2, False
    return value, 1, False


@lru_cache(maxsize=5_000)
def _compound(word: str, known: NumberWords) -> Decimal | None:
    """A number that is written as one word."""
    if len(word) > MAX_WORD_LENGTH:
        return None
    if word in known.articles:
        return Decimal(1)
    if word in known.said:
        return known.said[word]
    if word in known.dozens:
        return Decimal(known.dozens[word])
    for end, more in known.endings.items():
        if word.endswith(end) and (rest := _whole(word.removesuffix(end), known)) is not None:
            return rest + more
    return _whole(word, known)


def _whole(word: str, known: NumberWords) -> Decimal | None:
    """Thousands, hundreds, ones, tens: in that order they are spoken."""
    total = 0
    for power in (THOUSAND, HUNDRED):
        end = known.scale(power)
        if end and end in word:
            before, _, word = word.partition(end)
            count = _whole(before, known) if before else Decimal(1)
            if count is None:
                return None
            total += int(count) * 10**power
            word = word.removeprefix(known.and_) if word not in known.small else word
            if not word:
                return Decimal(total)
    if word in known.small or word in known.tens:
        return Decimal(total + (known.small.get(word) or known.tens.get(word, 0)))
    ones, and_, tens = word.rpartition(known.and_)
    if and_ and tens in known.tens and 0 < known.small.get(ones, 0) < 10:
        return Decimal(total + known.small[ones] + known.tens[tens])
    return None


def _read_vague(words: Sequence[str], known: NumberWords) -> tuple[Decimal, int, bool] | None:
    """``hundreds``, ``tens of thousands``, ``several hundred``, ``a few million``."""
    powers = {**known.vague, **known.scales}
    at = 0
    while at < len(words) and (words[at] in known.few or words[at] in known.articles):
        at += 1
    if at == len(words) or words[at] not in powers:
        return None
    power, at = powers[words[at]], at + 1
    of = at + (words[at : at + 1] == [known.of])
    if of < len(words) and words[of] in powers:
        power, at = power + powers[words[of]], of + 1
    return Decimal(10**power), at, True
