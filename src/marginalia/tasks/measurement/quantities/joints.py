"""Neighbouring numbers that are one quantity: ranges, tolerances, sizes and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from marginalia.tasks.measurement.quantities.candidates import Candidate
from marginalia.tasks.measurement.quantities.lexicon import APPROXIMATE, BLANK, BOUND, DASH, SIGNS

BETWEEN_WINDOW = 60
"""Characters before a number that are searched for "between"."""
MAX_JOINT_LENGTH = 30
"""Characters between two numbers of one quantity."""
MAX_LIST_MEMBERS = 40
"""A longer list is a table."""


_SOFT = rf"(?:(?:{APPROXIMATE}|{BOUND}|even){BLANK}){{0,2}}"
_JOINTS = {
    "tolerance": re.compile(rf"{BLANK}?(?:±|\+/?[-−–]){BLANK}?\Z"),
    "range": re.compile(
        rf"(?:{BLANK}?{DASH}{BLANK}?|{BLANK}?{DASH}?{BLANK}?to{BLANK}"
        rf"|{BLANK}(?:bis|bis{BLANK}zu|through){BLANK}){_SOFT}{SIGNS}\Z"
    ),
    "size": re.compile(rf"{BLANK}?[×x]{BLANK}?\Z"),
    "and": re.compile(rf",?{BLANK}(?:and|or|und|oder|&){BLANK}(?:the{BLANK})?{_SOFT}{SIGNS}\Z"),
    "comma": re.compile(rf",{BLANK}?{SIGNS}\Z"),
}
_FIRM = frozenset({"range", "tolerance", "size"})
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
        yield _joined(members[i : j + 1], frozenset(joints))
        i = j + 1


def _joined(members: Sequence[Candidate], joints: frozenset[str]) -> Candidate:
    """The unit is the last that is written: "5 to 10 m"."""
    unit = next((member.unit for member in reversed(members) if member.unit), None)
    return members[0]._replace(end=members[-1].end, unit=unit, joints=joints)


def _joint(text: str, a: Candidate, b: Candidate) -> str:
    if b.start - a.end > MAX_JOINT_LENGTH:
        return ""
    gap = text[a.end : b.start]
    name = next((name for name, joint in _JOINTS.items() if joint.match(gap)), "")
    if name == "range" and a.unit and b.unit:  # not "grew 5% to 200 kg"
        return name if _SHARE.match(text, *b.unit) or not _SHARE.match(text, *a.unit) else ""
    return name


def _is_list(text: str, members: Sequence[Candidate], gaps: Sequence[str]) -> bool:
    """A list is one quantity if its members share a unit ("1, 5 and 10 μg"), or if three or more have the same."""
    if "and" not in gaps or len({member.kind for member in members}) > 1:
        return False
    units = [text[slice(*member.unit)] if member.unit else None for member in members]
    apart = _RESPECTIVELY.match(text, members[-1].end) is not None
    if any(units[:-1]):
        return len(set(units)) == 1 and units[0] != "%" and len(members) > 2 and not apart
    return units[-1] is not None or not apart
