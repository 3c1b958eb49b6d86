"""Neighbouring numbers that are one quantity: ranges, tolerances, sizes and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from marginalia import lang
from marginalia.quantities.amounts import CENTS, CENTS_IN_ALL, PARTS_OF_MONEY
from marginalia.quantities.candidates import Candidate
from marginalia.quantities.compounds import follows, parse_compound
from marginalia.quantities.currencies import is_money
from marginalia.quantities.lexicon import BLANK, DASH, SIGNS, lexicon

BETWEEN_WINDOW = 60
"""Characters before a number that are searched for "between"."""
MAX_JOINT_LENGTH = 30
"""Characters between two numbers of one quantity."""
MAX_LIST_MEMBERS = 40
"""A longer list is a table."""


_UP = re.compile(rf"{BLANK}?\+\Z")
_DOWN = re.compile(rf"{BLANK}?/?{BLANK}?[−–-]{BLANK}?\d+(?:\.\d+)?")
_DOWN_GAP = re.compile(rf"{BLANK}?/?{BLANK}?[−–-]\Z")
_FIRM = frozenset({"range", "tolerance", "size", "compound"})
_PARTS_OF_MONEY = re.compile(PARTS_OF_MONEY)
_AGE = re.compile(
    r"(?:\w+\s(?:years?|months?|weeks?|days?)(?:,\s|,?\sand\s|\s)){1,3}\w+\s(?:months?|weeks?|days?)\s(?:old|of\sage)\b"
)
_AGED = re.compile(r"\b(?:aged|age\sof)\s\Z")
_VERSUS = re.compile(r"\s(?:vs\.?|versus)\s\Z")
MAX_BARE_LENGTH = 80
"""Characters of a text that is nothing but a quantity."""
_CENTS = re.compile(CENTS)
_DATED = re.compile(rf"\b(?:in|by|of|im|since|seit){BLANK}\Z")
_NO_NOUN = re.compile(r"\s*(?:\Z|[.,;:!?)](?!\d)|(?:more|less)\b)")
_MORE_SIDES = re.compile(rf"{BLANK}by{BLANK}\d")
_DIMENSIONS = {
    "m": "length", "g": "mass", "l": "volume", "L": "volume", "s": "time", "min": "time", "h": "time", "d": "time", "Hz": "frequency",
    "V": "voltage", "W": "power", "J": "energy", "eV": "energy", "K": "temperature", "°C": "temperature", "Pa": "pressure",
    "mol": "amount", "%": "share", "A": "current", "N": "force",
}  # fmt: skip
"""Of symbols without their prefix: a range has both ends in one dimension."""


class Joints(NamedTuple):
    """What stands between the numbers of one quantity, in the words of a language, and the units that matter for it."""

    language: str
    named: dict[str, re.Pattern[str]]
    between: re.Pattern[str]
    compound: re.Pattern[str]
    respectively: re.Pattern[str]
    share: re.Pattern[str]
    fold: re.Pattern[str]
    length: re.Pattern[str]
    apart: re.Pattern[str]
    """Units of which each is a quantity of its own in running text; other ones add up."""


def _joints(language: str) -> Joints:
    return _compiled(lang.language(language))


@cache
def _compiled(language: lang.Language) -> Joints:
    words = lexicon(language.code)
    even, by, to, and_or, times, between, respectively = (
        words.any_of("numbers", name)
        for name in ("even", "by", "to", "and_or", "times", "between", "respectively")
    )
    share, fold, length, apart = (
        words.pattern("units", name) for name in ("share", "fold", "length", "apart")
    )
    soft = rf"(?:(?:{words.approximate}|{words.bound}|{even}){BLANK}){{0,2}}"
    and_ = "|".join(
        known.data("numbers").get("and", "(?!)") for known in language.with_borrowed("numbers")
    )
    named = {
        "tolerance": rf"{BLANK}?(?:±|\+/?[-−–]){BLANK}?\Z",
        "range": rf"(?:{BLANK}?{DASH}{BLANK}?|{BLANK}?{DASH}?{BLANK}?(?:{to}){BLANK}){soft}{SIGNS}\Z",
        "size": rf"{BLANK}?(?:[×x]|(?<={BLANK})(?:{times})(?={BLANK})){BLANK}?\Z",
        "by": rf"{BLANK}(?:{by}){BLANK}\Z",
        "and": rf",?{BLANK}(?:{and_or}|&){BLANK}(?:the{BLANK})?{soft}{SIGNS}\Z",
        "comma": rf",{BLANK}?{SIGNS}\Z",
    }
    return Joints(
        language.code,
        {name: re.compile(pattern) for name, pattern in named.items()},
        re.compile(rf"\b(?:{between}){BLANK}{soft}{SIGNS}\Z", re.IGNORECASE),
        re.compile(rf"(?:\.?,?{BLANK}(?:(?:{and_}){BLANK})?)\Z"),
        re.compile(rf",?\s\(?(?:{respectively})"),
        re.compile(rf".*%|‰|{share}"),
        re.compile(rf"×|{fold}"),
        re.compile(rf"[nμµmcdk]?m|[\"″]|px|{length}"),
        re.compile(apart),
    )


def join(
    text: str, members: Sequence[Candidate], language: str, *, lists: bool = True
) -> Iterator[Candidate]:
    """One candidate for numbers that are one quantity.

    Ranges, tolerances and sizes first; then lists, whose members are single numbers. Without ``lists`` each
    member stays by itself, and has the unit that they share, wherever that stands.
    """
    if not lists:
        return _share_units(text, list(_joined_numbers(text, members, language, lists)), language)
    return _joined_numbers(text, members, language, lists)


def _share_units(text: str, found: list[Candidate], language: str) -> Iterator[Candidate]:
    """Each with the unit of the next, where it has none and only a comma or "and" parts them: "25 vs 75 ms"."""
    named = _joints(language).named
    for place in range(len(found) - 2, -1, -1):
        one, following = found[place], found[place + 1]
        if one.unit or not following.unit or one.kind != following.kind:
            continue
        gap = text[one.end : following.start]
        if len(gap) <= MAX_JOINT_LENGTH and (
            named["and"].match(gap) or named["comma"].match(gap) or _VERSUS.match(gap)
        ):
            found[place] = one._replace(unit=following.unit)
    return iter(found)


def _joined_numbers(
    text: str, members: Sequence[Candidate], language: str, lists: bool
) -> Iterator[Candidate]:
    joints_of = _joints(language)
    gaps = [_joint(text, a, b, joints_of) for a, b in pairwise(members)] + [""]
    i = 0
    while i < len(members):
        j, start = i, members[i].start
        joints: set[str] = set()
        if gaps[i] == "and" and joints_of.between.search(
            text, max(0, start - BETWEEN_WINDOW), start
        ):
            j, joints = i + 1, {"range"}
        while gaps[j] in _FIRM:
            joints.add(gaps[j])
            j += 1
        if i == j:
            while (
                gaps[j] in ("and", "comma")
                and gaps[j + 1] not in _FIRM
                and j - i < MAX_LIST_MEMBERS
            ):
                j += 1
            if lists and _is_list(text, members[i : j + 1], gaps[i:j], joints_of):
                joints.add("list")
            else:
                j = i
        if members[i].kind == "bracketed":
            joints.add("tolerance" if "±" in text[start : members[i].end] else "range")
        yield _joined(
            text,
            members[i : j + 1],
            frozenset(joints - {"compound"}),
            joints_of.share,
            compound="compound" in joints,
        )
        i = j + 1


def _joined(
    text: str,
    members: Sequence[Candidate],
    joints: frozenset[str],
    shares: re.Pattern[str],
    *,
    compound: bool,
) -> Candidate:
    """The unit is the last that is written: "5 to 10 m"; of "5 feet 2 inches" and "10 mm ± 5%" it is the first."""
    last = members[-1].unit
    share = "tolerance" in joints and last is not None and shares.match(text, *last) is not None
    order = members if compound or share else reversed(members)
    unit = next((member.unit for member in order if member.unit), None)
    return members[0]._replace(end=members[-1].end, unit=unit, joints=joints)


def _joint(text: str, a: Candidate, b: Candidate, joints: Joints) -> str:
    if b.start - a.end > MAX_JOINT_LENGTH:
        return ""
    gap = text[a.end : b.start]
    if a.unit and joints.compound.match(gap) and _is_compound(text, a, b, joints):
        return "compound"
    name = next((name for name, joint in joints.named.items() if joint.match(gap)), "")
    if (_UP.match(gap) and _DOWN.match(text, b.end)) or (
        _DOWN_GAP.match(gap) and text[max(0, a.start - 1) : a.start] == "+"
    ):
        return "tolerance"  # "5.2 +0.3/−0.2"
    if name == "by":
        return "size" if _are_lengths(text, a, b, joints.length) else ""
    if name == "range" and a.unit and b.unit:  # not "grew 5% to 200 kg"
        if not (joints.share.match(text, *b.unit) or not joints.share.match(text, *a.unit)):
            return ""
        below = [text[slice(*one.unit)].partition("/")[2] for one in (a, b) if one.unit]
        if below[0] != below[1]:
            return ""  # "von 2.900 U/min bis zu 12 m³/h"
        if joints.fold.fullmatch(text, *a.unit) and not joints.fold.fullmatch(text, *b.unit):
            return ""  # "rose 2.5-fold to 35 Gt"
        first, last = (_dimension(text[slice(*one.unit)]) for one in (a, b) if one.unit)
        return name if first is None or last is None or first == last else ""
    if (
        name == "range"
        and a.kind == "year"
        and b.kind != "year"
        and _DATED.search(text, max(0, a.start - 8), a.start)
    ):
        return ""  # "from 0.29 in 1990 to 0.35 in 2015": years bound no values
    return name


def _are_lengths(text: str, a: Candidate, b: Candidate, length: re.Pattern[str]) -> bool:
    """Whether "by" stands between two sides: "10 by 12 feet"; not in "fell 10 m by 2005" or "3 by 3"."""
    units = [text[slice(*one.unit)] for one in (a, b) if one.unit]
    ends = b.unit is not None or _MORE_SIDES.match(text, b.end) is not None
    return ends and all(map(length.fullmatch, units))


def _dimension(unit: str) -> str | None:
    """What a plain symbol measures; None if that is not known at a glance."""
    if unit in _DIMENSIONS:
        return _DIMENSIONS[unit]
    return _DIMENSIONS.get(unit[1:]) if unit[:1] in tuple("fpnuµμmcdkMG") else None


def _is_compound(text: str, a: Candidate, b: Candidate, joints: Joints) -> bool:
    """Two units in one quantity: "5 feet 2 inches", "3 dollars 50"."""
    if a.unit is None or a.end != a.unit[1] or a.kind == "article":
        return False
    whole = text[slice(*a.unit)]
    if b.unit is not None:
        part, gap = text[slice(*b.unit)], text[a.end : b.start]
        number = text[b.start : b.unit[0]].strip("- ")
        if _PARTS_OF_MONEY.fullmatch(part):
            return is_money(whole) and not (number.isdecimal() and int(number) >= CENTS_IN_ALL)
        if not follows(whole, part, number, gap, joints.language) or joints.respectively.match(
            text, b.end
        ):
            return False
        return not joints.apart.fullmatch(whole) or _is_age(text, a.start, joints.language)
    if not is_money(whole) or text[a.unit[0] - 1 : a.unit[0]] not in (" ", "\u00a0"):
        return False
    return bool(_CENTS.fullmatch(text, b.start, b.end) and _NO_NOUN.match(text, b.end))


def _is_age(text: str, start: int, language: str) -> bool:
    """Whether years, months and days are one age, or all that the text says; elsewhere readers take them apart."""
    if _AGE.match(text, start) or _AGED.search(text, max(0, start - 12), start):
        return True
    return (
        len(text) <= MAX_BARE_LENGTH and parse_compound(text.strip(), language=language) is not None
    )


def _is_list(text: str, members: Sequence[Candidate], gaps: Sequence[str], joints: Joints) -> bool:
    """A list is one quantity if its members share a unit ("1, 5 and 10 μg"), or if three or more have the same."""
    if "and" not in gaps or len({member.kind for member in members}) > 1:
        return False
    units = [text[slice(*member.unit)] if member.unit else None for member in members]
    apart = joints.respectively.match(text, members[-1].end) is not None
    if any(units[:-1]):
        return len(set(units)) == 1 and units[0] != "%" and len(members) > 2 and not apart
    return units[-1] is not None or not apart
