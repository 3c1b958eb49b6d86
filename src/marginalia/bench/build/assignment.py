"""Who rates what: sheets of items with hidden gold questions, so many ratings of each, so many items for each rater.

Source: STS 2013 overview, section 3: one gold pair among each five, five ratings of a pair; for TYPED at most twenty
pairs for each rater, "to avoid getting answers from people that are either tired or bored".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from marginalia.core.errors import FormatError


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one rater sees, in order; ``gold`` are those of the ids whose answer is known."""

    number: int
    ids: tuple[str, ...]
    gold: frozenset[str]


def assign(
    items: Sequence[str],
    gold: Sequence[str] = (),
    *,
    ratings: int = 5,
    per_rater: int = 20,
    gold_every: int = 5,
    seed: int = 0,
) -> list[Sheet]:
    """Sheets such that each item is on ``ratings`` of them and none has more than ``per_rater`` items.

    No sheet has an item twice. Of each ``gold_every`` questions one is a gold question, at a random place; a sheet
    never repeats one, so a sheet has at most as many as there are.
    """
    if ratings < 1 or per_rater < 1 or gold_every < 2:
        raise FormatError(
            "ratings and items of a rater are at least 1, and gold at most every second"
        )
    repeated = len(items) - len(set(items))
    if repeated:
        raise FormatError(f"{repeated} items are given twice")
    if set(items) & set(gold):
        raise FormatError(f"{min(set(items) & set(gold))!r} is an item and a gold question")
    chance = Random(f"{seed}:{ratings}:{per_rater}")  # noqa: S311 - an order, not a secret
    sheets: list[Sheet] = []
    for _ in range(ratings):
        # Each round gives every item out once, so a sheet cannot repeat one.
        order = list(items)
        chance.shuffle(order)
        for start in range(0, len(order), per_rater):
            own = order[start : start + per_rater]
            sheets.append(_sheet(len(sheets) + 1, own, gold, gold_every, chance))
    return sheets


def _sheet(
    number: int, own: Sequence[str], gold: Sequence[str], gold_every: int, chance: Random
) -> Sheet:
    step = gold_every - 1
    wanted = -(-len(own) // step) if gold else 0
    hidden = chance.sample(list(gold), min(wanted, len(gold)))
    ids: list[str] = []
    for place, start in enumerate(range(0, len(own), step)):
        part = list(own[start : start + step])
        if place < len(hidden):
            part.insert(chance.randint(0, len(part)), hidden[place])
        ids += part
    return Sheet(number, tuple(ids), frozenset(hidden))
