"""Annotators, benchmarks and builders by name, found through entry points.

Ours register there just as those of any other distribution do.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from marginalia.core.annotator import Annotator
from marginalia.core.benchmark import Benchmark
from marginalia.core.building import Builder
from marginalia.core.entry_points import Entry, entries
from marginalia.core.errors import ContractError, UnknownNameError

Card = TypeVar("Card", Annotator, Benchmark, Builder)


@dataclass(frozen=True)
class Registry(Generic[Card]):
    """The cards of one entry-point group; one is imported when it is asked for."""

    group: str
    kind: type[Card]
    noun: str

    def names(self) -> list[str]:
        return sorted(_entries(self.group))

    def get(self, name: str) -> Card:
        card = _load(self.group, self.noun, name)
        if not isinstance(card, self.kind) or card.name != name:
            raise ContractError(
                f"the entry point '{name}' in {self.group} must name an object of "
                f"{self.kind.__name__} with that name, not {card!r:.80}"
            )
        return card

    def all(self) -> list[Card]:
        """Every card that loads; one that does not costs a warning, not the others."""
        cards = []
        for name in self.names():
            try:
                cards.append(self.get(name))
            except ContractError as error:
                warnings.warn(str(error), stacklevel=3)
        return cards


@cache
def _entries(group: str) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries(group)}


@cache
def _load(group: str, noun: str, name: str) -> object:
    known = _entries(group)
    if name not in known:
        raise UnknownNameError(noun, name, known)
    try:
        return known[name].load()
    except Exception as error:  # foreign code may fail in any way
        raise ContractError(
            f"the {noun} '{name}' cannot be loaded: {type(error).__name__}: {error}"
        ) from error


ANNOTATORS = Registry("marginalia.annotators", Annotator, "kind of note")
BENCHMARKS = Registry("marginalia.benchmarks", Benchmark, "task")
BUILDERS = Registry("marginalia.builders", Builder, "task with build steps")


def get_annotator(name: str) -> Annotator:
    """The card of what writes these notes, importing its ``annotator.py`` only."""
    return ANNOTATORS.get(name)


def find_annotator(name: str) -> Annotator | None:
    """The annotator of a note; None if it is not installed here."""
    return get_annotator(name) if name in ANNOTATORS.names() else None


def all_annotators() -> list[Annotator]:
    """The cards of all annotators that are installed, in the order of their names."""
    return ANNOTATORS.all()


def get_benchmark(name: str) -> Benchmark:
    """The card of a shared task, importing its ``benchmark.py`` only."""
    return BENCHMARKS.get(name)


def all_benchmarks() -> list[Benchmark]:
    """The cards of all shared tasks that are installed, in the order of their names."""
    return BENCHMARKS.all()


def as_benchmark(task: str | Benchmark) -> Benchmark:
    """A shared task by its name, or as it is."""
    return task if isinstance(task, Benchmark) else get_benchmark(task)
