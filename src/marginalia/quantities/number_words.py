"""Numbers written in words: ``sixteen``, ``two and a half``, ``zweihundertfünf``, ``anderthalb``."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from marginalia.quantities.numerals import divide

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = {word: i for i, word in enumerate(_ONES)} | {"once": 1, "twice": 2, "thrice": 3, "none": 0}
TENS = {word: 10 * i for i, word in enumerate(_TENS, start=2)}
SCALES = {
    "en": {
        "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "bn": 9, "mn": 6, "mio": 6,
    },
    "de": {
        "hundert": 2, "tausend": 3, "tsd": 3, "tsd.": 3, "million": 6, "millionen": 6, "mio": 6, "mio.": 6,
        "milliarde": 9, "milliarden": 9, "mrd": 9, "mrd.": 9, "billion": 12, "billionen": 12,
    },
}  # fmt: skip
"""Word -> power of ten; a German Billion is a million millions."""
VAGUE = {
    "en": {"tens": 1, "hundreds": 2, "thousands": 3, "millions": 6, "billions": 9},
    "de": {"hunderte": 2, "hunderten": 2, "tausende": 3, "tausenden": 3},
}
"""``hundreds``: the power is all that is said; taken as that number, roughly."""
FEW = {
    "en": frozenset("several few many some".split()),
    "de": frozenset("mehrere mehreren einige einigen".split()),
}
"""``several hundred`` is vague, too."""
_PARTS = {
    "en": {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8,
           "tenth": 10, "hundredth": 100, "thousandth": 1000},
    "de": {"drittel": 3, "viertel": 4, "fünftel": 5, "sechstel": 6, "achtel": 8, "zehntel": 10,
           "hundertstel": 100, "tausendstel": 1000},
}  # fmt: skip
_BEHIND = {
    ("and", "a", "half"): Decimal("0.5"), ("and", "one", "half"): Decimal("0.5"),
    ("and", "a", "quarter"): Decimal("0.25"), ("and", "three", "quarters"): Decimal("0.75"),
}  # fmt: skip
_DOZENS = {"baker's dozen": 13, "baker’s dozen": 13, "square dozen": 144, "gross": 144}
ARTICLES = {
    "en": frozenset(("a", "an")),
    "de": frozenset("ein eine einen einem einer eines".split()),
}
PERIODS = frozenset(
    "second minute hour day week month year decade century gallon pint quart pound ounce mile foot inch yard ton tonne "
    "barrel cup tablespoon teaspoon litre liter kilo hectare acre".split()
)
"""``within a month``, ``a gallon``: before these ``a`` means one."""
_GERMAN = {
    "null": 0, "eins": 1, "ein": 1, "zwei": 2, "zwo": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
    "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11, "zwölf": 12, "dreizehn": 13,
    "vierzehn": 14, "fünfzehn": 15, "sechzehn": 16, "siebzehn": 17, "achtzehn": 18, "neunzehn": 19,
}  # fmt: skip
_GERMAN_TENS = {
    "zwanzig": 20, "dreißig": 30, "dreissig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60,
    "siebzig": 70, "achtzig": 80, "neunzig": 90,
}  # fmt: skip
_HALVES = ("halb", "halbe", "halber", "halbes", "halben", "halbem")
MAX_WORD_LENGTH = 60


def read_words(words: Sequence[str], language: str) -> tuple[Decimal, int, bool] | None:
    """The number at the beginning, how many words it has, and whether it is vague."""
    return _read_english(words) if language == "en" else _read_german(words)


def part_of(word: str, language: str) -> int | None:
    """3 of ``third`` and ``thirds``."""
    parts = _PARTS[language]
    return parts.get(word) or parts.get(word.removesuffix("s"))


def _read_english(words: Sequence[str]) -> tuple[Decimal, int, bool] | None:
    first, scales = words[0], SCALES["en"]
    article = first in ARTICLES["en"]
    if first in VAGUE["en"] or first in FEW["en"] or (article and words[1:2] == ["few"]):
        return _read_vague(words, "en")
    if first == "dozen" or (article and words[1:2] == ["dozen"]):
        return Decimal(12), 1 + article, False
    if article and (
        dozens := _DOZENS.get(" ".join(words[1:3])) or _DOZENS.get(" ".join(words[1:2]))
    ):
        return Decimal(dozens), 2 if words[1] == "gross" else 3, False
    if article and len(words) > 1 and words[1] in scales:
        rest = _read_english(words[1:])
        return rest and (rest[0], rest[1] + 1, rest[2])
    if first == "half":
        return _read_half(words)
    if article and len(words) > 1 and (part := _PARTS["en"].get(words[1])):
        return _scaled(words, divide(Decimal(1), Decimal(part)), 2)
    value, at = _cardinal(words)
    if not at and first.endswith("fold"):
        fold = (SMALL | TENS).get(first.removesuffix("fold"))
        return None if fold is None else (Decimal(fold), 1, False)
    if not at:
        return None
    behind = tuple(words[at : at + 3])
    if behind in _BEHIND:
        value, at = value + _BEHIND[behind], at + 3
        if at < len(words) and words[at] in scales:
            value, at = value * 10 ** scales[words[at]], at + 1
    elif at < len(words) and value and (part := part_of(words[at], "en")) and value < 100:
        return _scaled(words, divide(value, Decimal(part)), at + 1)
    elif words[at : at + 1] == ["dozen"]:
        value, at = value * 12, at + 1
    return value, at, False


def _scaled(words: Sequence[str], value: Decimal, at: int) -> tuple[Decimal, int, bool]:
    """``three quarters billion``, ``a quarter of a million``."""
    skip = (
        at + 2
        if list(words[at : at + 1]) == ["of"]
        and words[at + 1 : at + 2]
        and words[at + 1] in ARTICLES["en"]
        else at
    )
    if skip < len(words) and words[skip] in SCALES["en"]:
        return value * 10 ** SCALES["en"][words[skip]], skip + 1, False
    return value, at, False


def _read_half(words: Sequence[str]) -> tuple[Decimal, int, bool]:
    """``half``, ``half a million``, ``half million``, ``half a dozen``."""
    value = Decimal("0.5")
    at = 2 if words[1:2] and words[1] in ARTICLES["en"] else 1
    if at < len(words) and words[at] in SCALES["en"]:
        return value * 10 ** SCALES["en"][words[at]], at + 1, False
    if words[at : at + 1] == ["dozen"]:
        return Decimal(6), at + 1, False
    return value, 1, False


def _cardinal(words: Sequence[str]) -> tuple[Decimal, int]:
    """``two hundred and fifty thousand``; no words if there is no number."""
    total = current = 0
    at, limit, open_ = 0, 10**18, 10**18
    # ``open_``: what may still be added to ``current`` must be less; ``limit``: scales must fall.
    for i, word in enumerate(words):
        if word == "and" and at == i and at and open_ == 100 and _small(words[i + 1 : i + 2]):
            continue
        if word in SMALL and SMALL[word] < open_:
            current, open_ = current + SMALL[word], 0
        elif word in TENS and TENS[word] < open_:
            current, open_ = current + TENS[word], 10
        elif word == "hundred" and 0 < (current or 1) < 100 and open_ != 100:
            current, open_ = (current or 1) * 100, 100
        elif word in SCALES["en"] and word != "hundred" and 10 ** SCALES["en"][word] < limit:
            limit = 10 ** SCALES["en"][word]
            total, current, open_ = total + (current or 1) * limit, 0, 100
        else:
            break
        at = i + 1
    return Decimal(total + current), at


def _small(words: Sequence[str]) -> bool:
    return bool(words) and (words[0] in SMALL or words[0] in TENS)


def _read_german(words: Sequence[str]) -> tuple[Decimal, int, bool] | None:
    first = words[0]
    if first in VAGUE["de"] or first in FEW["de"]:
        return _read_vague(words, "de")
    if first in _HALVES:
        return Decimal("0.5"), 1, False
    value = read_compound(first)
    if value is None:
        return None
    follows = words[1] if len(words) > 1 else ""
    if follows in SCALES["de"]:
        return value * 10 ** SCALES["de"][follows], 2, False
    if follows in _HALVES and first in ARTICLES["de"]:
        return Decimal("0.5"), 2, False
    if part := part_of(follows, "de"):
        return divide(value, Decimal(part)), 2, False
    if follows == "dutzend":
        return value * 12, 2, False
    return value, 1, False


@lru_cache(maxsize=5_000)
def read_compound(word: str) -> Decimal | None:
    """A German number, written as one word."""
    if len(word) > MAX_WORD_LENGTH:
        return None
    if word in ARTICLES["de"] or word == "einmal":
        return Decimal(1)
    if word == "anderthalb":
        return Decimal("1.5")
    if word == "dutzend":
        return Decimal(12)
    for end in ("einhalb", "mal", "fach", "fache"):
        if word.endswith(end) and (rest := _whole(word.removesuffix(end))) is not None:
            return rest + (Decimal("0.5") if end == "einhalb" else 0)
    return _whole(word)


def _whole(word: str) -> Decimal | None:
    """Thousands, hundreds, ones, tens: in that order they are spoken."""
    total = 0
    for end, size in (("tausend", 1000), ("hundert", 100)):
        if end in word:
            before, _, word = word.partition(end)
            count = _whole(before) if before else Decimal(1)
            if count is None:
                return None
            total += int(count) * size
            word = word.removeprefix("und") if word not in _GERMAN else word
            if not word:
                return Decimal(total)
    if word in _GERMAN or word in _GERMAN_TENS:
        return Decimal(total + (_GERMAN | _GERMAN_TENS)[word])
    ones, und, tens = word.rpartition("und")
    if und and tens in _GERMAN_TENS and 0 < _GERMAN.get(ones, 0) < 10:
        return Decimal(total + _GERMAN[ones] + _GERMAN_TENS[tens])
    return None


def _read_vague(words: Sequence[str], language: str) -> tuple[Decimal, int, bool] | None:
    """``hundreds``, ``tens of thousands``, ``several hundred``, ``a few million``."""
    powers = VAGUE[language] | SCALES[language]
    at = 0
    while at < len(words) and (words[at] in FEW[language] or words[at] in ARTICLES[language]):
        at += 1
    if at == len(words) or words[at] not in powers:
        return None
    power, at = powers[words[at]], at + 1
    of = at + (list(words[at : at + 1]) in (["of"], ["von"]))
    if of < len(words) and words[of] in powers:
        power, at = power + powers[words[of]], of + 1
    return Decimal(10**power), at, True
