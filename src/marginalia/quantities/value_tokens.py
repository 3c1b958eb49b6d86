"""The tokens of a quantity's text: numbers, cue words and other words, with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from math import gcd

from marginalia import lang
from marginalia.quantities.currencies import SCALE_LETTERS
from marginalia.quantities.currencies import SIGNS as CURRENCY_SIGNS
from marginalia.quantities.number_words import MAX_WORD_LENGTH, number_words, read_words
from marginalia.quantities.numerals import (
    MINUS,
    POWER,
    Numeral,
    add,
    divide,
    pattern,
    read_numeral,
    read_power,
    shift,
)

SIGNS = {
    "<": "less", "≪": "less", "≤": "most", "⩽": "most", "≦": "most", "<=": "most", "=<": "most",
    ">": "more", "≫": "more", "≥": "least", "⩾": "least", "≧": "least", ">=": "least",
    "≲": "about most", "⪅": "about most", "≳": "about least", "⪆": "about least",
    "~": "about", "∼": "about", "≈": "about", "≃": "about", "≅": "about", "～": "about", "˜": "about",
    "±": "tolerance", "∓": "tolerance", "+/-": "tolerance",
    ",": "and", ";": "and", "&": "and", "×": "and", "✕": "and", "*": "and", "…": "to", "→": "to",
    ":": "ratio", "∶": "ratio", "/": "ratio",
}  # fmt: skip
"""Sign -> its roles. ``20 × 30 mm`` are two lengths, so that ``×`` makes a list."""

MAX_CUE_WORDS = 5
"""Words of the longest phrase."""
NONE: frozenset[str] = frozenset()
_SLASH = re.compile(r"\s?/\s?")
# Digits behind letters belong to them: CO2, m2, cm−1, g− 1, s^-2. "5 m–6 m" and "5 keV–1 MeV" are ranges,
# "s −1" is not.
_WORD = (
    rf"(?P<word>(?=[fpnuµμmcdhkMGT]?(?P<base>[^\W\d_]+))(?P<stem>[^\W\d_]+)(?:\d\w*|['’][^\W\d_]+)?"
    rf"(?:(?:\^|\*\*)\s?(?:[({{]\s?[+{MINUS}]?\s?\d\s?[)}}]|[+{MINUS}]?\s?\d(?!\d))"
    rf"|[{MINUS}]\s?[1-9](?!\w|[.,]\d|\s?[%°‰]|\s?(?P=stem)\b|\s?[fpnuµμmcdhkMGT]{{0,2}}(?P=base)\b)"
    rf"|(?<=\b[smghLdK])\s[−-][1-4](?!\w|[.,]\d)|(?<=\b(?:[ckmnuμµ][mgsL]|Pa|yr|ha))\s[−-][1-4](?!\w|[.,]\d))?)"
)
_DEVIATION = r"(?P<deviation>\d\s?(?:SDs?|SEs?|σ|sigma)\b)"  # "2SD": a multiple, not a value
_SIGN = (
    r"(?P<sign>\+\s?/\s?[-−–]|\+[-−–](?=\s?\d)|<=|=<|>=|and/or\b|[<>≪≫≤⩽≦≥⩾≧≲⪅≳⪆~∼≈≃≅～˜±∓,;&×✕*…→:∶/])"
    rf"|(?P<dash>[{MINUS}―])|(?P<plus>\+)|(?P<open>[(\[{{])|(?P<close>[)\]}}])|(?P<other>\S)"
)


@dataclass(slots=True)
class Token:
    """``kind`` is number, words, sign, dash, plus, open, close, power or other."""

    kind: str
    start: int
    end: int
    roles: frozenset[str] = NONE
    numeral: Numeral | None = None
    """Of a number in digits."""
    value: Decimal | None = None
    vague: bool = False
    power: int = 0
    article: bool = False
    """``a`` or ``ein``, which is one only where there is no other number."""


def tokenize(quote: str, language: str, gaps: Iterable[tuple[int, int]] = ()) -> list[Token]:
    """The tokens in reading order; what lies in ``gaps`` is left out."""
    tokens = list(_scan(quote, language, sorted(gaps)))
    tokens = list(_join(quote, tokens, language))
    if any(token.kind == "number" and not token.article for token in tokens):
        for token, after in zip(tokens, [*tokens[1:], None], strict=True):
            if token.article and not (after and after.roles):  # not "ein bis zwei"
                token.kind = "words"
    return tokens


def _scan(quote: str, language: str, gaps: list[tuple[int, int]]) -> Iterator[Token]:
    at, numbers = 0, False
    minus = lang.language(language).words("numbers", "minus")
    for start, end in [*gaps, (len(quote), len(quote))]:
        for match in _compiled(lang.language(language)).finditer(quote, at, start):
            kind = match.lastgroup or "other"
            a, b = match.span()
            if kind == "number":
                numeral = read_numeral(quote, a, b, language)
                yield Token("number", a, b, numeral=numeral, value=numeral.value)
            elif kind == "power":
                yield Token("power", a, b, power=read_power(match.group()))
            elif kind == "sign":
                sign = "+/-" if match.group()[0] == "+" else match.group()
                yield Token("sign", a, b, frozenset(SIGNS.get(sign, "and").split()))
            elif kind == "word" and match.group().lower() in minus and not numbers:
                yield Token("dash", a, b)
            else:
                yield Token("word" if kind == "deviation" else kind, a, b)
            numbers |= kind == "number"
        at = end


@cache
def _compiled(language: lang.Language) -> re.Pattern[str]:
    number = rf"(?P<number>{pattern(language.code)})"
    return re.compile(rf"(?P<power>{POWER})|{_DEVIATION}|{number}|{_WORD}|{_SIGN}")


def _join(quote: str, tokens: list[Token], language: str) -> Iterator[Token]:
    """Words become number words and phrases; numbers take the scale behind them."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "word":
            made, taken = _words(quote, tokens, at, language)
        elif token.kind == "number":
            made, taken = _grow(quote, tokens, at, language)
        else:
            made, taken = token, 1
        yield made
        at += taken


def _text(quote: str, token: Token) -> str:
    return quote[token.start : token.end].lower()


def _following(
    quote: str, tokens: list[Token], at: int, most: int, language: str
) -> tuple[list[str], list[int]]:
    """Consecutive words, with blanks or a hyphen between them, and the positions of their tokens."""
    known = number_words(language)
    words: list[str] = []
    places: list[int] = []
    while at < len(tokens) and len(words) < most:
        token = tokens[at]
        if token.kind == "word" and token.end - token.start <= MAX_WORD_LENGTH:
            words.append(_text(quote, token))
            places.append(at)
        elif (
            words
            and words[-1] in known.scales
            and at + 1 < len(tokens)
            and tokens[at + 1].kind == "word"
            and (joint := quote[token.start : token.end]) in (",", "&")
            and _text(quote, tokens[at + 1]) in (known.small | known.tens)
        ):  # "three million, two hundred & forty"
            if joint == "&":
                words.append(known.and_)
                places.append(at)
        elif not (
            token.kind == "dash"
            and words
            and token.start == tokens[at - 1].end
            and at + 1 < len(tokens)
            and tokens[at + 1].start == token.end
        ):
            break
        at += 1
    return words, places


def _words(quote: str, tokens: list[Token], at: int, language: str) -> tuple[Token, int]:
    words, places = _following(quote, tokens, at, 12, language)
    start = tokens[at].start
    if not words:
        return Token("words", start, tokens[at].end), 1
    if found := read_words(words, language):
        value, count, vague = found
        last = places[count - 1]
        token = Token("number", start, tokens[last].end, value=value, vague=vague)
        token.numeral = _scaled(quote, tokens, places[:count], value, language)
        token.article = count == 1 and words[0] in number_words(language).articles
        return _half(quote, tokens, token, last + 1, at, language)
    one_of = lang.language(language).words("numbers", "one_of")
    if words[0] in number_words(language).articles and words[1:2] and words[1] in one_of:
        token = Token("number", start, tokens[places[1]].end, value=Decimal(1), article=True)
        return _half(quote, tokens, token, places[1] + 1, at, language, noun=True)
    known = _phrases(language)
    for count in range(min(MAX_CUE_WORDS, len(words)), 0, -1):
        last = places[count - 1]
        end = tokens[last].end
        end += quote[end : end + 1] == "." and f"{words[count - 1]}." in known
        phrase = " ".join([*words[: count - 1], quote[tokens[last].start : end].lower()])
        if phrase in known or (phrase := " ".join(words[:count])) in known:
            taken = last + 1 - at
            taken += end > tokens[last].end and last + 1 < len(tokens)
            return Token("words", start, end, known[phrase]), taken
    return Token("words", start, tokens[at].end), 1


def _scaled(
    quote: str, tokens: list[Token], places: list[int], value: Decimal, language: str
) -> Numeral | None:
    """Of ``three hundred`` in "two or three hundred": 3, and 2 as its power of ten."""
    power = number_words(language).scales.get(_text(quote, tokens[places[-1]]))
    if power is None or len(places) != 2:
        return None
    start, end = tokens[places[0]].start, tokens[places[-1]].end
    return Numeral(start, end, shift(value, -power), tokens[places[0]].end, power)


def _grow(quote: str, tokens: list[Token], at: int, language: str) -> tuple[Token, int]:
    """``5.9 million``, ``3/4``, ``1 1/2``, ``2 and a half``."""
    token = tokens[at]
    if fraction := _fraction(quote, tokens, at):
        return fraction, 3
    if mixed := _mixed(quote, tokens, at):
        return mixed
    words, places = _following(quote, tokens, at + 1, 1, language)
    if (
        words
        and words[0] in SCALE_LETTERS
        and token.value is not None
        and quote[max(0, token.start - 1) : token.start] in tuple(CURRENCY_SIGNS)
        and tokens[places[0]].start <= token.end + 1
    ):
        value, end = shift(token.value, SCALE_LETTERS[words[0]]), tokens[places[0]].end
        return Token("number", token.start - 1, end, value=value), 2  # alone, "2m" would be metres
    known = number_words(language)
    if words and known.dozens.get(words[0]) == 12 and token.value is not None:
        value = token.value * 12
        return Token("number", token.start, tokens[places[0]].end, value=value), 2
    if words and words[0] in known.scales and token.value is not None:
        power = known.scales[words[0]]
        numeral = Numeral(token.start, tokens[places[0]].end, token.value, token.end, power)
        end = numeral.end
        return Token(
            "number", token.start, end, numeral=numeral, value=shift(token.value, power)
        ), 2
    return _half(quote, tokens, token, at + 1, at, language)


def _mixed(quote: str, tokens: list[Token], at: int) -> tuple[Token, int] | None:
    """``1 1/2`` and ``1-1/2``: as a range, the latter would fall."""
    token = tokens[at]
    dashed = at + 1 < len(tokens) and tokens[at + 1].kind == "dash"
    top = at + 1 + dashed
    if top >= len(tokens) or tokens[top].kind != "number" or tokens[top].start != token.end + 1:
        return None
    fraction = _fraction(quote, tokens, top)
    whole = quote[token.start : token.end].isdecimal() and token.value
    if not whole or fraction is None or fraction.value is None:
        return None
    mixed = Token("number", token.start, fraction.end, value=add(whole, fraction.value))
    return mixed, top + 3 - at


def _half(
    quote: str,
    tokens: list[Token],
    token: Token,
    after: int,
    at: int,
    language: str,
    *,
    noun: bool = False,
) -> tuple[Token, int]:
    """The number with ``and a half`` behind it, or behind its noun: ``a month and a half``."""
    known = number_words(language)
    if known.added and token.value is not None:
        words, places = _following(quote, tokens, after, 4, language)
        skip = 0 if words[:1] == [known.and_] else 1
        more = known.added.get(tuple(words[skip : skip + 3]))
        if more is not None and not (noun and skip):
            if quote[tokens[places[0]].start].isupper():  # "5 AD and a half" is a date
                return token, after - at
            last = places[skip + 2]
            value = add(token.value, more)
            return Token("number", token.start, tokens[last].end, value=value), last + 1 - at
    return token, after - at


def _fraction(quote: str, tokens: list[Token], at: int) -> Token | None:
    """``3/4`` and ``1 / 4`` as one number; ``80/20`` and ``5/10`` are ratios of two."""
    if at + 2 >= len(tokens):
        return None
    top, _, bottom = tokens[at : at + 3]
    if not _SLASH.fullmatch(quote, top.end, bottom.start):
        return None
    whole = quote[top.start : top.end].isdecimal() and quote[bottom.start : bottom.end].isdecimal()
    if not (bottom.kind == "number" and whole and bottom.end - top.start < 20):
        return None
    a, b = Decimal(quote[top.start : top.end]), Decimal(quote[bottom.start : bottom.end])
    if not 0 < a < b or a + b == 100 or quote[bottom.end : bottom.end + 1] == "/":
        return None
    if gcd(int(a), int(b)) > 1:  # nobody writes a half as 5/10
        return None
    return Token("number", top.start, bottom.end, value=divide(a, b))


def _phrases(language: str) -> dict[str, frozenset[str]]:
    """Phrase -> its roles: which one it plays depends on where it stands."""
    return _cues(lang.language(language))


@cache
def _cues(language: lang.Language) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for role, listed in language.table("numbers", "cues").items():
        for phrase in listed.split(";"):
            found.setdefault(" ".join(phrase.split()), set()).add(role)
    return {phrase: frozenset(roles) for phrase, roles in found.items()}
