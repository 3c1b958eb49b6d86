"""Neighbouring numbers that are one quantity: ranges, tolerances, sizes and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from marginalia.quantities.amounts import CENTS, CENTS_IN_ALL, PARTS_OF_MONEY
from marginalia.quantities.candidates import Candidate
from marginalia.quantities.compounds import follows, parse_compound
from marginalia.quantities.currencies import is_money
from marginalia.quantities.lexicon import APPROXIMATE, BLANK, BOUND, DASH, SIGNS

BETWEEN_WINDOW = 60
"""Characters before a number that are searched for "between"."""
MAX_JOINT_LENGTH = 30
"""Characters between two numbers of one quantity."""
MAX_LIST_MEMBERS = 40
"""A longer list is a table."""


_SOFT = rf"(?:(?:{APPROXIMATE}|{BOUND}|even){BLANK}){{0,2}}"
_TIMES = rf"(?:[×x]|(?<={BLANK})mal(?={BLANK}))"
_JOINTS = {
    "tolerance": re.compile(rf"{BLANK}?(?:±|\+/?[-−–]){BLANK}?\Z"),
    "range": re.compile(
        rf"(?:{BLANK}?{DASH}{BLANK}?|{BLANK}?{DASH}?{BLANK}?to{BLANK}"
        rf"|{BLANK}(?:bis|bis{BLANK}zu|through){BLANK}){_SOFT}{SIGNS}\Z"
    ),
    "size": re.compile(rf"{BLANK}?{_TIMES}{BLANK}?\Z"),
    "by": re.compile(rf"{BLANK}by{BLANK}\Z"),
    "and": re.compile(rf",?{BLANK}(?:and|or|und|oder|&){BLANK}(?:the{BLANK})?{_SOFT}{SIGNS}\Z"),
    "comma": re.compile(rf",{BLANK}?{SIGNS}\Z"),
}
_UP = re.compile(rf"{BLANK}?\+\Z")
_DOWN = re.compile(rf"{BLANK}?/?{BLANK}?[−–-]{BLANK}?\d+(?:\.\d+)?")
_DOWN_GAP = re.compile(rf"{BLANK}?/?{BLANK}?[−–-]\Z")
_FIRM = frozenset({"range", "tolerance", "size", "compound"})
_COMPOUND = re.compile(rf"(?:\.?,?{BLANK}(?:(?:and|und){BLANK})?)\Z")
_PARTS_OF_MONEY = re.compile(PARTS_OF_MONEY)
_CALENDAR = re.compile(r"years?|months?|weeks?|days?")
"""English units of which each is a quantity of its own in running text; German and shorter ones add up."""
_AGE = re.compile(
    r"(?:\w+\s(?:years?|months?|weeks?|days?)(?:,\s|,?\sand\s|\s)){1,3}\w+\s(?:months?|weeks?|days?)\s(?:old|of\sage)\b"
)
_AGED = re.compile(r"\b(?:aged|age\sof)\s\Z")
MAX_BARE_LENGTH = 80
"""Characters of a text that is nothing but a quantity."""
_CENTS = re.compile(CENTS)
_DATED = re.compile(rf"\b(?:in|by|of|im|since|seit){BLANK}\Z")
_NO_NOUN = re.compile(r"\s*(?:\Z|[.,;:!?)](?!\d)|(?:more|less)\b)")
_FOLD = re.compile(r"fold|times|×|fach|mal")
_MORE_SIDES = re.compile(rf"{BLANK}by{BLANK}\d")
_LENGTH = re.compile(
    r"[nμµmcdk]?m|(?:[cC]enti|[mM]illi|[kK]ilo)?(?:met(?:er|re)s?|Meter)|inch(?:es)?|in\.?|foot|feet|ft\.?|yards?|yd|miles?|mi|[\"″]|pixels?|px|Zoll|Fuß"
)
_DIMENSIONS = {
    "m": "length", "g": "mass", "l": "volume", "L": "volume", "s": "time", "min": "time", "h": "time", "d": "time", "Hz": "frequency",
    "V": "voltage", "W": "power", "J": "energy", "eV": "energy", "K": "temperature", "°C": "temperature", "Pa": "pressure",
    "mol": "amount", "%": "share", "A": "current", "N": "force",
}  # fmt: skip
"""Of symbols without their prefix: a range has both ends in one dimension."""

_BETWEEN = re.compile(rf"\b(?:between|zwischen){BLANK}{_SOFT}{SIGNS}\Z", re.IGNORECASE)
_SHARE = re.compile(r".*%|per\s?cent|Prozent|‰")
_RESPECTIVELY = re.compile(r",?\s\(?(?:respectively|beziehungsweise|bzw)")


def join(text: str, members: Sequence[Candidate]) -> Iterator[Candidate]:
    """One candidate for numbers that are one quantity.

    Ranges, tolerances and sizes first; then lists, whose members are single numbers.
    """
    gaps = [_joint(text, a, b) for a, b in pairwise(members)] + [""]
    i = 0
    while i < len(members):
        j, start = i, members[i].start
        joints: set[str] = set()
        if gaps[i] == "and" and _BETWEEN.search(text, max(0, start - BETWEEN_WINDOW), start):
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
            if _is_list(text, members[i : j + 1], gaps[i:j]):
                joints.add("list")
            else:
                j = i
        if members[i].kind == "bracketed":
            joints.add("tolerance" if "±" in text[start : members[i].end] else "range")
        yield _joined(
            text, members[i : j + 1], frozenset(joints - {"compound"}), "compound" in joints
        )
        i = j + 1


def _joined(
    text: str, members: Sequence[Candidate], joints: frozenset[str], compound: bool = False
) -> Candidate:
    """The unit is the last that is written: "5 to 10 m"; of "5 feet 2 inches" and "10 mm ± 5%" it is the first."""
    last = members[-1].unit
    share = "tolerance" in joints and last is not None and _SHARE.match(text, *last) is not None
    order = members if compound or share else reversed(members)
    unit = next((member.unit for member in order if member.unit), None)
    return members[0]._replace(end=members[-1].end, unit=unit, joints=joints)


def _joint(text: str, a: Candidate, b: Candidate) -> str:
    if b.start - a.end > MAX_JOINT_LENGTH:
        return ""
    gap = text[a.end : b.start]
    if a.unit and _COMPOUND.match(gap) and _is_compound(text, a, b):
        return "compound"
    name = next((name for name, joint in _JOINTS.items() if joint.match(gap)), "")
    if (_UP.match(gap) and _DOWN.match(text, b.end)) or (
        _DOWN_GAP.match(gap) and text[max(0, a.start - 1) : a.start] == "+"
    ):
        return "tolerance"  # "5.2 +0.3/−0.2"
    if name == "by":
        return "size" if _are_lengths(text, a, b) else ""
    if name == "range" and a.unit and b.unit:  # not "grew 5% to 200 kg"
        if not (_SHARE.match(text, *b.unit) or not _SHARE.match(text, *a.unit)):
            return ""
        below = [text[slice(*one.unit)].partition("/")[2] for one in (a, b) if one.unit]
        if below[0] != below[1]:
            return ""  # "von 2.900 U/min bis zu 12 m³/h"
        if _FOLD.fullmatch(text, *a.unit) and not _FOLD.fullmatch(text, *b.unit):
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


def _are_lengths(text: str, a: Candidate, b: Candidate) -> bool:
    """Whether "by" stands between two sides: "10 by 12 feet"; not in "fell 10 m by 2005" or "3 by 3"."""
    units = [text[slice(*one.unit)] for one in (a, b) if one.unit]
    ends = b.unit is not None or _MORE_SIDES.match(text, b.end) is not None
    return ends and all(map(_LENGTH.fullmatch, units))


def _dimension(unit: str) -> str | None:
    """What a plain symbol measures; None if that is not known at a glance."""
    if unit in _DIMENSIONS:
        return _DIMENSIONS[unit]
    return _DIMENSIONS.get(unit[1:]) if unit[:1] in tuple("fpnuµμmcdkMG") else None


def _is_compound(text: str, a: Candidate, b: Candidate) -> bool:
    """Two units in one quantity: "5 feet 2 inches", "3 dollars 50"."""
    if a.unit is None or a.end != a.unit[1] or a.kind == "article":
        return False
    whole = text[slice(*a.unit)]
    if b.unit is not None:
        part, gap = text[slice(*b.unit)], text[a.end : b.start]
        number = text[b.start : b.unit[0]].strip("- ")
        if _PARTS_OF_MONEY.fullmatch(part):
            return is_money(whole) and not (number.isdecimal() and int(number) >= CENTS_IN_ALL)
        if not follows(whole, part, number, gap) or _RESPECTIVELY.match(text, b.end):
            return False
        return not _CALENDAR.fullmatch(whole) or _is_age(text, a.start)
    if not is_money(whole) or text[a.unit[0] - 1 : a.unit[0]] not in (" ", "\u00a0"):
        return False
    return bool(_CENTS.fullmatch(text, b.start, b.end) and _NO_NOUN.match(text, b.end))


def _is_age(text: str, start: int) -> bool:
    """Whether years, months and days are one age, or all that the text says; elsewhere readers take them apart."""
    if _AGE.match(text, start) or _AGED.search(text, max(0, start - 12), start):
        return True
    return len(text) <= MAX_BARE_LENGTH and parse_compound(text.strip()) is not None


def _is_list(text: str, members: Sequence[Candidate], gaps: Sequence[str]) -> bool:
    """A list is one quantity if its members share a unit ("1, 5 and 10 μg"), or if three or more have the same."""
    if "and" not in gaps or len({member.kind for member in members}) > 1:
        return False
    units = [text[slice(*member.unit)] if member.unit else None for member in members]
    apart = _RESPECTIVELY.match(text, members[-1].end) is not None
    if any(units[:-1]):
        return len(set(units)) == 1 and units[0] != "%" and len(members) > 2 and not apart
    return units[-1] is not None or not apart
