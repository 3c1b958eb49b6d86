"""Similarity by a language model of the user's choice, alone and blended with the shipped system: CORE and TYPED."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import chain
from typing import Any

from marginalia.core.benchmark import System
from marginalia.core.registry import get_benchmark
from marginalia.core.resolution import choose_system
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Entry, Request, load_prompt
from marginalia.nlp.prompting.system import Prompted
from marginalia.tasks.similarity.official.data import Pair, Score
from marginalia.tasks.similarity.official.typed import Record, RecordPair, Scores

SHARE = 0.75
"""What the model's answer counts in the blend: the best of four on the sample of ``benchmarks/prompted.py``."""


def make_prompted() -> Prompted:
    return Prompted(requests, read, Shipped)


def asking_too(shipped: System, model: LanguageModel) -> Prompted:
    """A shipped system blended with what a model says, for documents."""
    return Prompted(requests, read, lambda: shipped, blend=blend, model=model)


def make_combined() -> Prompted:
    return Prompted(requests, read, Shipped, blend=blend)


class Shipped:
    """The shipped system of each of the two sub-tasks."""

    def predict(self, items: Mapping[str, Pair | RecordPair]) -> dict[str, Any]:
        pairs = {id: item for id, item in items.items() if isinstance(item, Pair)}
        records = {id: item for id, item in items.items() if id not in pairs}
        found: dict[str, Any] = {}
        for split, some in (("test", pairs), ("typed", records)):
            if some:
                card = choose_system(get_benchmark("similarity"), split=split)
                found |= card.loaded().predict(some)
        return found


def requests(items: Mapping[str, Pair | RecordPair], per_request: int = 0) -> Iterator[Request]:
    """Pairs of one source together: raters use the scale each in their own way."""
    pairs, records = [], []
    for id, item in items.items():
        if isinstance(item, Pair):
            pairs.append(Entry((id,), {"a": item.s1, "b": item.s2}, item.dataset))
        else:
            records.append(Entry((id,), {"a": _fields(item.left), "b": _fields(item.right)}))
    return chain(
        load_prompt(__package__, "similarity").requests(pairs, per_request),
        load_prompt(__package__, "records").requests(records, per_request),
    )


def _fields(record: Record) -> dict[str, str]:
    return {name: text for name, text in asdict(record).items() if text}


def read(
    items: Mapping[str, Pair | RecordPair],
    entry: Entry,
    answer: Mapping[str, Any],
    model: LanguageModel,
) -> dict[str, Score | Scores]:
    if "scores" in answer:
        return {id: tuple(map(float, answer["scores"])) for id in entry.ids}
    return {id: Score(float(answer["similarity"])) for id in entry.ids}


def blend(
    prompted: Score | Scores, shipped: Score | Scores, share: float = SHARE
) -> Score | Scores:
    def mean(one: float, other: float) -> float:
        return share * one + (1 - share) * other

    if isinstance(prompted, Score) and isinstance(shipped, Score):
        return Score(mean(prompted.score, shipped.score))
    assert isinstance(prompted, tuple) and isinstance(shipped, tuple)  # noqa: S101 - for the type checker
    return tuple(map(mean, prompted, shipped))
