"""Contexts with their fillers, ratings, and what a language model says of them, as training takes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from marginalia.core.benchmark import Split
from marginalia.tasks.clarification.official.data import Item, sentence_of
from marginalia.tasks.clarification.systems.inputs import MARKS, Floats, Packed, pack
from marginalia.tasks.clarification.systems.passes import CENTRE, HEADS, SPREAD

LM_CENTRE, LM_SPREAD, AFTER_SPREAD = -9.0, 4.0, 3.0
FURTHER = 6
"""Words of the language model beside the rated fillers of a context, others in each epoch."""


@dataclass(frozen=True, slots=True)
class Context:
    """The fillers of a sentence with their mean ratings, where they are known."""

    item: Item
    fillers: tuple[str, ...]
    ratings: tuple[float, ...]
    taught: Mapping[str, Any] | None = None

    @property
    def size(self) -> int:
        """About how long it is, in characters: enough to sort by."""
        item = self.item
        return min(500, sum(map(len, (item.title, item.previous, item.sentence, item.followup))))


@dataclass(frozen=True, slots=True)
class Example:
    """A packed context and what the heads should say: a row for each filler, NaN for the unknown."""

    packed: Packed
    wanted: Floats


def contexts(split: Split, taught: Mapping[str, Any]) -> list[Context]:
    gold = split.require_gold()
    parts: dict[str, list[str]] = {}
    for id in split.items:
        parts.setdefault(sentence_of(id), []).append(id)
    return [
        Context(
            item=split.items[ids[0]],
            fillers=tuple(split.items[id].filler for id in ids),
            ratings=tuple(gold[id].score for id in ids),
            taught=taught.get(sentence),
        )
        for sentence, ids in parts.items()
    ]


def make_example(
    context: Context, tokenizer: Any, random: Random, marks: tuple[int, int, int] = MARKS
) -> Example:
    fillers = list(context.fillers)
    wanted = [targets(rating) for rating in context.ratings]
    if context.taught is not None:
        known = context.taught["fillers"]
        mean = float(np.mean([known[filler][1] for filler in fillers]))
        for row, filler in zip(wanted, fillers, strict=True):
            own, after, _ = known[filler]
            row[3], row[4] = (own - LM_CENTRE) / LM_SPREAD, (after - mean) / AFTER_SPREAD
        words = context.taught["words"]
        for word in random.sample(sorted(words), min(FURTHER, len(words))):
            fillers.append(word)
            row = np.full(len(HEADS), np.nan, dtype=np.float32)
            row[3] = (words[word] - LM_CENTRE) / LM_SPREAD
            wanted.append(row)
    return Example(pack(context.item, fillers, tokenizer, marks), np.clip(np.stack(wanted), -4, 4))


def targets(rating: float) -> Floats:
    """What the heads should say of a filler with this mean rating."""
    row = np.full(len(HEADS), np.nan, dtype=np.float32)
    row[:3] = (rating - CENTRE) / SPREAD, rating > 2.5, rating >= 4
    return row
