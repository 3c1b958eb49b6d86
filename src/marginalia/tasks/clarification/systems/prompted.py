"""Plausibility by a language model of the user's choice, alone and blended with the shipped system.

The fillers of a gap are judged together, as the raters saw them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marginalia.core.benchmark import System
from marginalia.core.registry import get_benchmark
from marginalia.core.resolution import choose_system
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Entry, Request, load_prompt
from marginalia.nlp.prompting.system import Prompted
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating, label_of

SHARE = 0.9
"""What the model's answer counts in the blend: the best of four on the sample of ``benchmarks/prompted.py``."""


def make_prompted() -> Prompted:
    return Prompted(requests, read, shipped)


def asking_too(shipped: System, model: LanguageModel) -> Prompted:
    """A shipped system blended with what a model says, for documents."""
    return Prompted(requests, read, lambda: shipped, blend=blend, model=model)


def make_combined() -> Prompted:
    return Prompted(requests, read, shipped, blend=blend)


def shipped() -> System:
    return choose_system(get_benchmark("clarification")).loaded()


def requests(items: Mapping[str, Item], per_request: int = 0) -> Iterator[Request]:
    return load_prompt(__package__, "clarification").requests(_entries(items), per_request)


def _entries(items: Mapping[str, Item]) -> Iterator[Entry]:
    """One for each gap, with all of its fillers that are asked about."""
    gaps: dict[tuple[str, ...], list[str]] = {}
    for id, item in items.items():
        where = item.title, item.header, item.previous, item.sentence, item.followup
        gaps.setdefault(where, []).append(id)
    for (title, header, previous, sentence, followup), ids in gaps.items():
        fillers = {str(place): items[id].filler for place, id in enumerate(ids, start=1)}
        yield Entry(
            tuple(ids),
            {
                "guide": title,
                "section": header.strip(),
                "before": previous.strip(),
                "sentence": sentence.strip(),
                "after": followup.strip(),
                "fillers": fillers,
            },
        )


def read(
    items: Mapping[str, Item], entry: Entry, answer: Mapping[str, Any], model: LanguageModel
) -> dict[str, Rating]:
    """The class follows from the rating, as in the official data; another number of ratings than of fillers is no answer."""
    ratings = answer["ratings"]
    if len(ratings) != len(entry.ids):
        return {}
    return {id: _rating(float(score)) for id, score in zip(entry.ids, ratings, strict=True)}


def blend(prompted: Rating, shipped: Rating, share: float = SHARE) -> Rating:
    return _rating(share * prompted.score + (1 - share) * shipped.score)


def _rating(score: float) -> Rating:
    return Rating(label_of(score), score)
