"""The systems and encoders that the tools of this task work with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.task import SystemCard
from marginalia.nlp.encoder import Encoder, for_language
from marginalia.tasks.similarity.official.data import Pair
from marginalia.tasks.similarity.systems import languages

DATASET = "documents"
"""The set that pairs from outside belong to: none of those a system may know."""
TYPED = "typed"
TOGETHER = 256


def card_of(name: str | None, split: str = "test") -> SystemCard:
    """The system of that name, for sentences or (``typed``) for records; without a name the best one.

    The command line cannot train: a system that must be fitted first is none here.
    """
    from marginalia.tasks.similarity.task import TASK

    card = TASK.card(name, split=split)
    if card.splits and split not in card.splits:
        what = "records" if split == TYPED else "sentences"
        raise FormatError(f"the system '{card.name}' does not compare {what}")
    if card.trains:
        raise MissingError(f"The system '{card.name}' must be trained before it can compare.")
    return card


@cache
def system_of(name: str) -> Any:
    from marginalia.tasks.similarity.task import TASK

    return TASK.system(name)


def scores_of(pairs: Sequence[tuple[str, str]], name: str) -> list[float]:
    """The similarity from 0 to 5 of each pair of sentences, by the system of that name."""
    items = {str(place): Pair(*pair, DATASET) for place, pair in enumerate(pairs)}
    return [pred.score for pred in system_of(name).predict(items).values()]


def language_of(texts: Iterable[str], lang: str | None = None) -> str:
    """``en`` where all texts are English; else ``de``, which takes the encoder that reads both."""
    if lang is not None:
        return lang
    return "en" if all(languages.language_of(text) == "en" for text in texts) else "de"


def encoder_of(lang: str, cache: Path | None = None) -> Encoder:
    """The encoder for a language; with ``cache``, one that keeps its vectors in that file."""
    encoder = for_language(lang)
    if cache is None:
        return encoder
    keeping = copy(encoder)
    keeping.cache = cache
    return keeping
