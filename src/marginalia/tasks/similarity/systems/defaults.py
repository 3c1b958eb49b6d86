"""The systems and encoders that the tools of this task work with."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from pathlib import Path

from marginalia.core.benchmark import SystemCard
from marginalia.core.errors import FormatError
from marginalia.core.resolution import system_for_documents
from marginalia.nlp.encoder import Encoder, for_language
from marginalia.tasks.similarity.benchmark import BENCHMARK
from marginalia.tasks.similarity.official.data import Pair

DATASET = "documents"
"""The set that pairs from outside belong to: none of those a system may know."""
TYPED = "typed"
PAIRS_PER_BATCH = 256


def card_of(name: str | None, split: str = "test") -> SystemCard:
    """The system of that name, for sentences or (``typed``) for records; without a name the one for documents."""
    language = "" if split == TYPED else "en"  # the system for documents in German is the same
    card = system_for_documents(BENCHMARK, name, split=split, language=language)
    if card.splits and split not in card.splits:
        what = "records" if split == TYPED else "sentences"
        raise FormatError(f"the system '{card.name}' does not compare {what}")
    return card


def scores_of(pairs: Sequence[tuple[str, str]], name: str) -> list[float]:
    """The similarity from 0 to 5 of each pair of sentences, by the system of that name."""
    items = {str(place): Pair(*pair, DATASET) for place, pair in enumerate(pairs)}
    return [
        pred.score
        for pred in system_for_documents(BENCHMARK, name).loaded().predict(items).values()
    ]


def encoder_of(lang: str, cache: Path | None = None) -> Encoder:
    """The encoder for a language; with ``cache``, one that caches its vectors in that file."""
    encoder = for_language(lang)
    if cache is None:
        return encoder
    keeping = copy(encoder)
    keeping.cache = cache
    return keeping
