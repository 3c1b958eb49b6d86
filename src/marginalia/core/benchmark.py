"""What a shared task is to the bench: splits, systems, scores, and the card that holds them together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from marginalia.core.distributions import find_weights, missing_weights
from marginalia.core.errors import FormatError, MissingError, UnknownNameError

if TYPE_CHECKING:
    from marginalia.core.census import Count
    from marginalia.core.report import Facets, Metric, Outcomes, Report
    from marginalia.core.training_log import Recipe


Predictions = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Items, gold and groups by id.

    A system sees ``items`` only, and an item has no label field. ``gold`` is None where the labels
    are not there: such a split can be predicted, not scored. ``group`` names what statistics
    resample, for example the document.
    """

    name: str
    items: Mapping[str, Any]
    gold: Mapping[str, Any] | None
    group: Mapping[str, str]
    files: tuple[Path, ...] = ()
    together: Mapping[str, str] | None = None
    """What cross-validation keeps together, where that is more than a group."""

    def __len__(self) -> int:
        return len(self.items)

    def require_gold(self) -> Mapping[str, Any]:
        if self.gold is None:
            raise MissingError(
                f"The gold labels of the split '{self.name}' are not in the data folder: it can be "
                "predicted, but not scored here."
            )
        return self.gold

    @property
    def kept_together(self) -> Mapping[str, str]:
        """What cross-validation never divides, by id."""
        return self.group if self.together is None else self.together

    def take(self, ids: Iterable[str]) -> Split:
        """The part of the split with these ids, in this order."""
        ids = list(ids)
        return Split(
            name=self.name,
            items={id: self.items[id] for id in ids},
            gold=None if self.gold is None else {id: self.gold[id] for id in ids},
            group={id: self.group[id] for id in ids},
            files=self.files,
            together=None if self.together is None else {id: self.together[id] for id in ids},
        )

    def folds(self, n: int) -> Iterator[tuple[Split, Split]]:
        """What to train on and what to predict, ``n`` times or as often as there are groups."""
        keys = self.kept_together
        names = sorted(set(keys.values()), key=uniform)
        if n < 2:
            raise FormatError(f"{n} folds: at least two were expected")
        fold = {name: place % n for place, name in enumerate(names)}
        for number in range(min(n, len(names))):
            out = [id for id in self.items if fold[keys[id]] == number]
            rest = [id for id in self.items if fold[keys[id]] != number]
            yield self.take(rest), self.take(out)


@runtime_checkable
class System(Protocol):
    """Anything that predicts. Its constructor only stores its arguments; one text is a batch of one.

    Optional: ``fit(split)`` learns from a labelled split and returns the system; ``save(folder)``
    and the class method ``load(folder)`` keep what was learned.
    """

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemCard:
    """A system by name. ``make`` builds it, with nothing imported before."""

    name: str
    make: Callable[[], System]
    summary: str
    kind: str = "baseline"
    """``baseline`` (the organisers'), ``floor`` (an honest lower bound), ``system`` (ours) or ``prompted`` (asks a language
    model that the user names)."""
    trains: bool = False
    """Whether it must be fitted on the train split before it can predict."""
    trained_on: tuple[str, ...] = ()
    """The splits its shipped weights have seen; a score on them means little."""
    splits: tuple[str, ...] = ()
    """The splits it is made for; empty for all (only similarity has two kinds of items)."""
    needs: str = ""
    """The optional part of the package it needs (``lm``, ``llm``, ``train``); it is run when named, not with all."""
    weights: str = ""
    """The distribution that brings its weights, where the one that has the system does not."""
    own: str = ""
    """The digest of the weights that a user trained, where it takes those."""

    def loaded(self) -> System:
        """The system, made once in a process and shared by all notes, tools and commands."""
        return _load(self)


@cache
def _load(card: SystemCard) -> System:
    return card.make()


Statistic = Callable[[Any], float]
"""A headline figure computed on resampled groups, given their indices as an array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """The card of a shared task: composed of functions, never inherited from.

    The functions live in the task's modules and are named with ``lazy``, so that listing the tasks
    imports none of them.
    """

    name: str
    question: str
    shared_task: str
    data_licence: str
    weights_licence: str
    splits: Mapping[str, str]
    """Split name -> the official name and what it is; train, dev and test first."""
    metrics: tuple[Metric, ...]
    systems: tuple[SystemCard, ...]
    preferred: Mapping[str, tuple[str, ...]]
    """Which system is taken when none is named, the first that is installed: by use, ``bench``, ``documents`` or
    ``documents:LANGUAGE``. ``core.resolution.resolve`` decides."""
    load: Callable[..., Split]
    """``load(split_name, data_folder) -> Split``"""
    score: Callable[[Split, Predictions], Report]
    """``score(split, predictions) -> Report``"""
    statistics: Callable[[Split, Predictions], Mapping[str, Statistic]]
    """``statistics(split, predictions) -> {metric path: Statistic}``, over ``sorted(set(split.group.values()))``"""
    score_files: Callable[..., Report]
    """``score_files(gold_path, prediction_path, text=None, **flags) -> Report``, from official files"""
    write_submission: Callable[[Split, Predictions], dict[str, str]]
    """``write_submission(split, predictions) -> {file name: content}``, the official files"""
    encode: Callable[[Any], Any]
    """One prediction as JSON data"""
    decode: Callable[[Any], Any]
    """... and back"""
    sources: Callable[[], Any]
    """``sources()``: the public files of the task's data, with their hashes"""
    published: Callable[[], Any]
    """``published()``: the leaderboards of the shared task"""
    board_columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Board -> its published columns, each with the path of the same figure in the scores of a run"""
    recipes: Mapping[str, Recipe] = field(default_factory=dict)
    """System -> how it is trained again, for ``marginalia train``; the first is the one trained when none is named."""
    outcomes: Callable[[Split, Predictions], Outcomes] | None = None
    """``outcomes(split, predictions) -> {metric path: {id: Outcome}}``: the items behind each figure, for error analysis"""
    facets: Callable[[Split], Facets] | None = None
    """``facets(split) -> {name: {id: value}}``: what figures can be broken down by, such as genre"""
    read_submission: Callable[[Split, Path], Predictions] | None = None
    """``read_submission(split, path) -> predictions``, from official files; a row that does not fit is reported by file and line"""
    tolerance: float = 1e-9
    """How far two predictions may be apart that count as the same, relative to their size: rounding, not a decision"""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keywords of ``load`` that the command line offers, with their values."""
    score_flags: tuple[str, ...] = ()
    """Keywords of ``score_files`` that the command line offers as flags."""
    derive: Callable[[Path], dict[str, str]] | None = None
    """``derive(data_folder) -> {path: content}`` of files computed from downloaded ones"""
    census: Callable[[Path], list[Count]] | None = None
    """``census(data folder)`` -> the figures of the paper's data tables, each beside what the files here have"""
    agreement: Callable[[Path], Report] | None = None
    """``agreement(data folder)`` -> how far those agree who annotated the task's data; figures by what they annotated"""

    def card(self, name: str) -> SystemCard:
        """The card of a system by its name."""
        cards = {card.name: card for card in self.systems}
        if name not in cards:
            raise UnknownNameError(f"system for {self.name}", name, cards)
        return cards[name]

    def system(self, name: str) -> System:
        """A new system of that name, which can be fitted."""
        return self.card(name).make()

    def missing(self, name: str) -> str:
        """What must be installed before this system can predict, in one sentence; empty where nothing is."""
        card = self.card(name)
        if not card.weights or find_weights(self.name) is not None:
            return ""
        return missing_weights(self.name, card.weights)

    def check_split(self, name: str) -> str:
        if name not in self.splits:
            raise UnknownNameError(f"split of {self.name}", name, self.splits)
        return name


def uniform(key: str) -> float:
    """A number from 0 to 1 (1 excluded) that depends on the key only."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:6], "big") / 2**48
