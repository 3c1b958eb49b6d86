"""Duties and permissions: what must, may, need not or must not be done."""

from __future__ import annotations

import re
from dataclasses import dataclass

DUTY, FREE, PERMITTED, FORBIDDEN = "duty", "free", "permitted", "forbidden"
CONFLICTS = frozenset(
    frozenset(pair) for pair in ((DUTY, FREE), (DUTY, FORBIDDEN), (PERMITTED, FORBIDDEN))
)

_NOT = r"(?:\s+not|n['’]t)"
_WORDS = {
    FREE: (
        rf"\bneed(?:s)?{_NOT}\b|\b(?:do|does|did){_NOT}\s+(?:have|need)\s+to\b|\bneed\s+not\b|\bnot\s+(?:strictly\s+)?(?:required|mandatory|"
        r"necessary|obligatory|compulsory)\b|\boptional\b|\bvoluntary\b"
        r"|\bfreiwillig\b|\boptional\b|\b(?:brauch|braucht|brauchen)\b(?=.*\b(?:nicht|kein\w*)\b)"
        r"|\bnicht\s+(?:erforderlich|notwendig|nötig|verpflichtend)\b"
    ),
    FORBIDDEN: (
        rf"\b(?:must|may|can){_NOT}\b|\bcannot\b|\b(?:is|are|was|were){_NOT}\s+(?:allowed|permitted)\b|\bforbidden\b|\bprohibited\b|\bbanned\b"
        r"|\bverboten\b|\buntersagt\b|\bnicht\s+(?:erlaubt|gestattet|zulässig)\b|\bunzulässig\b"
    ),
    DUTY: (
        r"\bmust\b|\b(?:has|have)\s+to\b|\b(?:is|are)\s+(?:required|obliged)\s+to\b|\bmandatory\b|\brequired\b|\bobligatory\b|\bcompulsory\b"
        r"|\bmuss\b|\bmüssen\b|\bverpflichtend\b|\bobligatorisch\b|\bPflicht\b|\berforderlich\b|\bvorgeschrieben\b"
    ),
    PERMITTED: (
        r"\bmay\b|\bcan\b|\b(?:allowed|permitted)\b|\bdarf\b|\bdürfen\b|\bkann\b|\bkönnen\b|\berlaubt\b|\bgestattet\b|\bzulässig\b"
    ),
}
_MODALS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _WORDS.items()}
_GERMAN_DUTY = re.compile(r"(?:muss|müssen)", re.IGNORECASE)
_GERMAN_PERMISSION = re.compile(r"(?:darf|dürfen|kann|können)", re.IGNORECASE)
_GERMAN_NO = re.compile(r"\b(?:nicht|kein\w{0,2})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Modality:
    """What the sentence demands or allows, and the words that say so."""

    kind: str
    start: int
    end: int
    denial: tuple[int, int] | None = None
    """A negation that belongs to it and stands apart: ``müssen … keinen``."""

    @property
    def said(self) -> tuple[int, int]:
        """The words that say so, up to the negation: ``muss nicht``, not ``muss``."""
        return self.start, max(self.end, self.denial[1] if self.denial else 0)


def modality(text: str) -> Modality | None:
    """The first word of duty or permission, with the negation that belongs to it."""
    best: Modality | None = None
    for kind, pattern in _MODALS.items():  # the negated ones come first
        match = pattern.search(text)
        if match and (best is None or match.start() < best.start):
            best = Modality(kind, *match.span())
    if best is None:
        return None
    word = text[best.start : best.end]
    denial = _GERMAN_NO.search(text, best.end)
    if denial and "," not in text[best.end : denial.start()]:
        if _GERMAN_DUTY.fullmatch(word):
            return Modality(FREE, best.start, best.end, denial.span())
        if _GERMAN_PERMISSION.fullmatch(word):
            return Modality(FORBIDDEN, best.start, best.end, denial.span())
    return best


def conflict(a: Modality, b: Modality) -> bool:
    """Whether what one demands or allows the other denies."""
    return frozenset((a.kind, b.kind)) in CONFLICTS
