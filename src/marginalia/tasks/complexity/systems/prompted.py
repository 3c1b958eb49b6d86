"""Complexity by a language model of the user's choice, alone and blended with the shipped system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marginalia.core.benchmark import System
from marginalia.core.registry import get_benchmark
from marginalia.core.resolution import choose_system
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Entry, Request, load_prompt
from marginalia.nlp.prompting.system import Prompted
from marginalia.tasks.complexity.official.data import Target

SHARE = 0.5
"""What the model's answer counts in the blend: the best of four on the sample of ``benchmarks/prompted.py``."""


def make_prompted() -> Prompted:
    return Prompted(requests, read, shipped)


def make_combined() -> Prompted:
    return Prompted(requests, read, shipped, blend=blend)


def shipped() -> System:
    return choose_system(get_benchmark("complexity")).loaded()


def requests(items: Mapping[str, Target], per_request: int = 0) -> Iterator[Request]:
    """Words and multi-words apart: they are rated on one scale, but not beside each other."""
    entries = [
        Entry((id,), {"sentence": item.sentence, "target": item.token}, item.kind)
        for id, item in items.items()
    ]
    return load_prompt(__package__, "complexity").requests(entries, per_request)


def read(
    items: Mapping[str, Target], entry: Entry, answer: Mapping[str, Any], model: LanguageModel
) -> dict[str, float]:
    """Ratings from 1 to 5 as the task has them, from 0 to 1."""
    return dict.fromkeys(entry.ids, (answer["rating"] - 1) / 4)


def blend(prompted: float, shipped: float, share: float = SHARE) -> float:
    return share * prompted + (1 - share) * shipped
