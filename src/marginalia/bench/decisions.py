"""How right notes were for a reader: of what was decided, the share that was kept, by kind and by score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from marginalia.core.decisions import Decision

SHARE = 0.8
"""What should have been kept of what is shown."""
MIN_DECIDED = 10
"""Fewer decisions above a threshold say nothing about it."""
Z_95 = 1.959964


@dataclass(frozen=True, slots=True, kw_only=True)
class KindPrecision:
    """The decisions about one kind of note."""

    kind: str
    accepted: int
    edited: int
    rejected: int
    precision: float
    low: float
    high: float
    """The 95 % interval of the precision, after Wilson (1927)."""
    threshold: float | None
    """The lowest score from which on the wanted share was kept; None if no score does it, or scores are missing."""
    shown: float | None
    """The share of the decided notes that have this score or a higher one."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def score_decisions(decisions: Iterable[Decision], *, share: float = SHARE) -> list[KindPrecision]:
    """One row per kind of note, most decided first. An edited note was kept; one of the reader's own says nothing."""
    by_kind: dict[str, list[Decision]] = {}
    for decision in decisions:
        if decision.verdict != "added":
            by_kind.setdefault(decision.kind, []).append(decision)
    rows = [_row(kind, decisions, share) for kind, decisions in by_kind.items()]
    return sorted(rows, key=lambda row: (-(row.accepted + row.edited + row.rejected), row.kind))


def _row(kind: str, decisions: list[Decision], share: float) -> KindPrecision:
    kept = sum(decision.is_kept for decision in decisions)
    low, high = wilson(kept, len(decisions))
    lowest = threshold(decisions, share)
    return KindPrecision(
        kind=kind,
        accepted=sum(decision.verdict == "accepted" for decision in decisions),
        edited=sum(decision.verdict == "edited" for decision in decisions),
        rejected=len(decisions) - kept,
        precision=kept / len(decisions),
        low=low,
        high=high,
        threshold=lowest,
        shown=None
        if lowest is None
        else sum((decision.note.score or 0.0) >= lowest for decision in decisions) / len(decisions),
    )


def threshold(decisions: Iterable[Decision], share: float = SHARE) -> float | None:
    """The lowest score such that of all decided notes with it or a higher one at least this share was kept."""
    scored = sorted(
        ((one.note.score, one.is_kept) for one in decisions if one.note.score is not None),
        reverse=True,
    )
    best, kept = None, 0
    for place, (score, is_kept) in enumerate(scored, 1):
        kept += is_kept
        # Notes of one score are shown together.
        last = place == len(scored) or scored[place][0] < score
        if last and place >= MIN_DECIDED and kept / place >= share:
            best = score
    return best


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """The Wilson score interval: ``(p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n)``."""
    p, n, z2 = successes / trials, trials, Z_95**2
    middle = p + z2 / (2 * n)
    reach = Z_95 * sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    return max(0.0, (middle - reach) / (1 + z2 / n)), min(1.0, (middle + reach) / (1 + z2 / n))
