"""A quantity's text cut into numbers, words with a role and other words, all with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from marginalia.tasks.measurement.quantities.cues import LONGEST, SIGNS, cues
from marginalia.tasks.measurement.quantities.number_words import (
    ARTICLES,
    LONGEST_WORD,
    PERIODS,
    SCALES,
    read_words,
)
from marginalia.tasks.measurement.quantities.numerals import (
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

NONE: frozenset[str] = frozenset()
CURRENCIES = tuple("$€£¥")
_AMOUNTS = {"k": 3, "m": 6, "mn": 6, "bn": 9}
"""Behind a currency sign and its number: ``£2.1m`` is no length."""
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
    r"(?P<sign>\+\s?/\s?[-−–]|<=|=<|>=|and/or\b|[<>≪≫≤⩽≦≥⩾≧≲⪅≳⪆~∼≈≃≅～˜±∓,;&×✕*…→:∶/])"
    rf"|(?P<dash>[{MINUS}―])|(?P<plus>\+)|(?P<open>[(\[{{])|(?P<close>[)\]}}])|(?P<other>\S)"
)


@dataclass(slots=True)
class Piece:
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


def cut(quote: str, language: str, gaps: Iterable[tuple[int, int]] = ()) -> list[Piece]:
    """The pieces in reading order; what lies in ``gaps`` is left out."""
    pieces = list(_scan(quote, language, sorted(gaps)))
    pieces = list(_join(quote, pieces, language))
    if any(piece.kind == "number" and not piece.article for piece in pieces):
        for piece, after in zip(pieces, [*pieces[1:], None], strict=True):
            if piece.article and not (after and after.roles):  # not "ein bis zwei"
                piece.kind = "words"
    return pieces


def _scan(quote: str, language: str, gaps: list[tuple[int, int]]) -> Iterator[Piece]:
    at = 0
    for start, end in [*gaps, (len(quote), len(quote))]:
        for match in _compiled(language).finditer(quote, at, start):
            kind = match.lastgroup or "other"
            a, b = match.span()
            if kind == "number":
                numeral = read_numeral(quote, a, b, language)
                yield Piece("number", a, b, numeral=numeral, value=numeral.value)
            elif kind == "power":
                yield Piece("power", a, b, power=read_power(match.group()))
            elif kind == "sign":
                sign = "+/-" if match.group()[0] == "+" else match.group()
                yield Piece("sign", a, b, frozenset(SIGNS.get(sign, "and").split()))
            else:
                yield Piece("word" if kind == "deviation" else kind, a, b)
        at = end


@cache
def _compiled(language: str) -> re.Pattern[str]:
    number = rf"(?P<number>{pattern(language)})"
    return re.compile(rf"(?P<power>{POWER})|{_DEVIATION}|{number}|{_WORD}|{_SIGN}")


def _join(quote: str, pieces: list[Piece], language: str) -> Iterator[Piece]:
    """Words become number words and phrases; numbers take the scale behind them."""
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        if piece.kind == "word":
            made, taken = _words(quote, pieces, at, language)
        elif piece.kind == "number":
            made, taken = _grow(quote, pieces, at, language)
        else:
            made, taken = piece, 1
        yield made
        at += taken


def _text(quote: str, piece: Piece) -> str:
    return quote[piece.start : piece.end].lower()


def _following(quote: str, pieces: list[Piece], at: int, most: int) -> tuple[list[str], list[int]]:
    """Words that stand behind one another, with blanks or a hyphen between, and the pieces they are."""
    words: list[str] = []
    places: list[int] = []
    while at < len(pieces) and len(words) < most:
        piece = pieces[at]
        if piece.kind == "word" and piece.end - piece.start <= LONGEST_WORD:
            words.append(_text(quote, piece))
            places.append(at)
        elif not (
            piece.kind == "dash"
            and words
            and piece.start == pieces[at - 1].end
            and at + 1 < len(pieces)
            and pieces[at + 1].start == piece.end
        ):
            break
        at += 1
    return words, places


def _words(quote: str, pieces: list[Piece], at: int, language: str) -> tuple[Piece, int]:
    words, places = _following(quote, pieces, at, 12)
    start = pieces[at].start
    if not words:
        return Piece("words", start, pieces[at].end), 1
    if found := read_words(words, language):
        value, count, vague = found
        last = places[count - 1]
        piece = Piece("number", start, pieces[last].end, value=value, vague=vague)
        piece.article = count == 1 and words[0] in ARTICLES[language]
        return _half(quote, pieces, piece, last + 1, at, language)
    if language == "en" and words[0] in ARTICLES["en"] and words[1:2] and words[1] in PERIODS:
        piece = Piece("number", start, pieces[places[1]].end, value=Decimal(1), article=True)
        return _half(quote, pieces, piece, places[1] + 1, at, language, noun=True)
    known = cues(language)
    for count in range(min(LONGEST, len(words)), 0, -1):
        last = places[count - 1]
        end = pieces[last].end
        end += quote[end : end + 1] == "." and f"{words[count - 1]}." in known
        phrase = " ".join([*words[: count - 1], quote[pieces[last].start : end].lower()])
        if phrase in known or (phrase := " ".join(words[:count])) in known:
            taken = last + 1 - at
            taken += end > pieces[last].end and last + 1 < len(pieces)
            return Piece("words", start, end, known[phrase]), taken
    return Piece("words", start, pieces[at].end), 1


def _grow(quote: str, pieces: list[Piece], at: int, language: str) -> tuple[Piece, int]:
    """``5.9 million``, ``3/4``, ``1 1/2``, ``2 and a half``."""
    piece = pieces[at]
    if fraction := _fraction(quote, pieces, at):
        return fraction, 3
    if (
        at + 3 < len(pieces)
        and pieces[at + 1].kind == "number"
        and pieces[at + 1].start == piece.end + 1
        and quote[piece.start : piece.end].isdecimal()
        and (fraction := _fraction(quote, pieces, at + 1))
        and fraction.value is not None
        and piece.value is not None
        and 0 < fraction.value < 1
    ):
        return Piece("number", piece.start, fraction.end, value=add(piece.value, fraction.value)), 4
    words, places = _following(quote, pieces, at + 1, 1)
    if (
        words
        and words[0] in _AMOUNTS
        and piece.value is not None
        and quote[max(0, piece.start - 1) : piece.start] in CURRENCIES
        and pieces[places[0]].start == piece.end
    ):
        value, end = shift(piece.value, _AMOUNTS[words[0]]), pieces[places[0]].end
        return Piece("number", piece.start - 1, end, value=value), 2  # alone, "2m" would be metres
    if words and words[0] in SCALES[language] and piece.value is not None:
        power = SCALES[language][words[0]]
        numeral = Numeral(piece.start, pieces[places[0]].end, piece.value, piece.end, power)
        end = numeral.end
        return Piece(
            "number", piece.start, end, numeral=numeral, value=shift(piece.value, power)
        ), 2
    return _half(quote, pieces, piece, at + 1, at, language)


def _half(
    quote: str,
    pieces: list[Piece],
    piece: Piece,
    after: int,
    at: int,
    language: str,
    *,
    noun: bool = False,
) -> tuple[Piece, int]:
    """The number with ``and a half`` behind it, or behind its noun: ``a month and a half``."""
    if language == "en" and piece.value is not None:
        words, places = _following(quote, pieces, after, 4)
        skip = 0 if words[:1] == ["and"] else 1
        if words[skip : skip + 3] == ["and", "a", "half"] and not (noun and skip):
            if quote[pieces[places[0]].start].isupper():  # "5 AD and a half" is a date
                return piece, after - at
            last = places[skip + 2]
            value = add(piece.value, Decimal("0.5"))
            return Piece("number", piece.start, pieces[last].end, value=value), last + 1 - at
    return piece, after - at


def _fraction(quote: str, pieces: list[Piece], at: int) -> Piece | None:
    """``3/4`` as one number; ``80/20`` is a ratio of two."""
    if at + 2 >= len(pieces) or quote[pieces[at].end : pieces[at].end + 1] != "/":
        return None
    top, sign, bottom = pieces[at : at + 3]
    whole = quote[top.start : top.end].isdecimal() and quote[bottom.start : bottom.end].isdecimal()
    if not (
        bottom.kind == "number"
        and whole
        and sign.end == bottom.start
        and bottom.end - top.start < 20
    ):
        return None
    a, b = Decimal(quote[top.start : top.end]), Decimal(quote[bottom.start : bottom.end])
    if not 0 < a < b or a + b == 100 or quote[bottom.end : bottom.end + 1] == "/":
        return None
    return Piece("number", top.start, bottom.end, value=divide(a, b))
