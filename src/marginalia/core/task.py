"""What a task is made of: splits, systems, scores, and the card that holds them together."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from marginalia.core.distributions import find_weights, missing_weights
from marginalia.core.errors import FormatError, MissingError, UnknownNameError
from marginalia.core.hashing import uniform
from marginalia.core.own_weights import own_weights
from marginalia.core.report import Metric as Metric
from marginalia.core.report import Report as Report
from marginalia.core.report import plain as plain

if TYPE_CHECKING:
    from marginalia.core.across import Across
    from marginalia.core.building import BuildStep, Built
    from marginalia.core.course import Recipe
    from marginalia.core.document import Annotation, Document
    from marginalia.core.extraction import Extraction
    from marginalia.core.outcome import Facets, Outcomes
    from marginalia.core.question import Question

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
    """``baseline`` (the organisers'), ``floor`` (an honest lower bound) or ``system`` (ours)."""
    trains: bool = False
    """Whether it must be fitted on the train split before it can predict."""
    trained_on: tuple[str, ...] = ()
    """The splits its shipped weights have seen; a score on them means little."""
    splits: tuple[str, ...] = ()
    """The splits it is made for; empty for all (only similarity has two kinds of items)."""
    needs: str = ""
    """The optional part of the package it needs (``lm``, ``train``); it is run when named, not with all."""
    weights: str = ""
    """The distribution that brings its weights, where the one that has the system does not."""
    own: str = ""
    """What stands for the weights that somebody trained, where it takes those."""

    def loaded(self) -> System:
        """The system, made once in a process and shared by all notes, tools and commands."""
        return _load(self)


@cache
def _load(card: SystemCard) -> System:
    return card.make()


Statistic = Callable[[Any], float]
"""A headline figure computed on resampled groups, given their indices as an array."""

Triple = tuple[str, str, Any]
"""Subject, predicate and object. The subject is the id of an annotation, a part ``#name`` of the document, an
absolute IRI or a blank node ``_:name``; the predicate is an absolute IRI; the object is a plain value, or
``{"@id": ...}`` for an annotation, part, IRI or blank node."""


class Extract(Protocol):
    """``extract(doc, system=None)``: the records in one document, by the named system or the task's own choice.

    A task may have options of its own, such as ``min_confidence``.
    """

    def __call__(
        self, doc: Document, *, system: str | None = None, **options: Any
    ) -> Extraction[Any]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The card of a task: composed of functions, never inherited from.

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
    best: str
    """The system taken when none is named."""
    for_documents: Mapping[str, str] = field(default_factory=dict)
    """Language -> the system that annotates documents in it, where that is not ``best``; the default one takes over where
    its weights are not installed."""
    with_lm: str = ""
    """The system that the bench takes, when none is named, where the language model of ``marginalia[lm]`` is installed. Documents
    keep theirs: it is slower."""
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
    """System -> how it is trained anew, for ``marginalia train``; the first is the one trained when none is named."""
    fallback: str = ""
    """The system taken in its place where the weights of the best one are not installed."""
    outcomes: Callable[[Split, Predictions], Outcomes] | None = None
    """``outcomes(split, predictions) -> {metric path: {id: Outcome}}``: the items behind each figure, for error analysis"""
    facets: Callable[[Split], Facets] | None = None
    """``facets(split) -> {name: {id: value}}``: what figures can be broken down by, such as genre"""
    read_submission: Callable[[Split, Path], Predictions] | None = None
    """``read_submission(split, path) -> predictions``, from official files; a row that does not fit is told by file and line"""
    tolerance: float = 1e-9
    """How far two predictions may be apart that count as the same, relative to their size: rounding, not a decision"""
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keywords of ``load`` that the command line offers, with their values."""
    score_flags: tuple[str, ...] = ()
    """Keywords of ``score_files`` that the command line offers as flags."""
    derive: Callable[[Path], dict[str, str]] | None = None
    """``derive(data_folder) -> {path: content}`` of files computed from downloaded ones"""
    annotate: Callable[..., Iterable[Annotation]] | None = None
    """``annotate(document, **options) -> annotations``"""
    whole: bool = False
    """Whether a note may depend on the whole document. Where not, long documents are annotated part by part; where it does, notes
    that ``annotate`` yields one after the other are told as they come."""
    note_languages: tuple[str, ...] = ()
    """The languages that its notes know, as ISO 639-1 codes; empty for any. A document in another gets no such note, and
    its reader is told so."""
    findings: Mapping[str, str] = field(default_factory=dict)
    """The labels of notes that a writer should look at, with their severity (note, warning or error): what
    ``lint`` reports; "off" for those that it reports only if asked. Other notes only inform."""
    note_options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keywords of ``annotate`` and ``summary`` that the command line offers, with their values."""
    summary: Callable[..., Mapping[str, Any]] | None = None
    """``summary(document, **options)`` -> what the task says of the document as a whole, as JSON data"""
    rows: Callable[[Document], Iterable[Mapping[str, Any]]] | None = None
    """``rows(annotated document)`` -> the rows of its table: ``id``, the annotation that a row is about, and the
    task's own columns; the reader fills in the rest. Annotations without a row are left out. Without this
    function each annotation is one row."""
    triples: Callable[[Document], Iterable[Triple]] | None = None
    """``triples(annotated document)`` -> what its annotations say of the world, as RDF. Without this function each
    annotation has the triples of its fields."""
    extract: Extract | None = None
    """``extract(document, system=None) -> Extraction``: records as a table and files, for ``marginalia extract``"""
    extract_options: tuple[str, ...] = ()
    """Options of ``extract`` beside ``system``, such as ``min_confidence`` and ``query``"""
    check_extract: Callable[..., None] | None = None
    """``check_extract(**options)`` raises ``FormatError`` for an option that ``extract`` would refuse, so that it is told
    before any document is read"""
    across: Callable[..., Iterable[Across]] | None = None
    """``across(old document, new document, progress=None, repetitions=True)`` -> what one says that the other contradicts or repeats"""
    agreement: Callable[[Path], Report] | None = None
    """``agreement(data folder)`` -> how far those agree who annotated the task's data; figures by what they annotated"""
    compare_annotators: Callable[[Sequence[Path]], Report] | None = None
    """``compare_annotators(files)`` -> the same for the files of several annotators, in the official format"""
    merge_annotators: Callable[[Sequence[Path]], str] | None = None
    """``merge_annotators(files)`` -> the text of one such file, made of theirs"""
    build_steps: tuple[BuildStep, ...] = ()
    """How such data are made, as the task's paper says: ``marginalia bench build TASK STEP``"""
    questions: Callable[[Path], Iterable[Question]] | None = None
    """``questions(items)`` -> what raters are asked about the items of a file or folder, for ``marginalia bench annotate``"""
    export_answers: Callable[[Path, Mapping[str, Mapping[str, Any]]], Built] | None = None
    """``export_answers(items, {rater: {question: answer}})`` -> official files; without it, answers are a table of ratings"""

    def card(self, name: str | None = None, *, split: str | None = None) -> SystemCard:
        """The card of a system; without a name, of the default one, or of the first made for the split."""
        cards = {card.name: card for card in self.systems}
        if name is None:
            name = self.default
            if split and split not in (cards[name].splits or (split,)):
                name = next((c.name for c in self.systems if split in c.splits), name)
            elif name != self.best and not own_weights(self.name):
                self._say_missing(self.best)
        if name not in cards:
            raise UnknownNameError(f"system for {self.name}", name, cards)
        return self._with_own(cards[name])

    def _with_own(self, card: SystemCard) -> SystemCard:
        """The card as it is with the weights that somebody trained: it needs nothing else any more."""
        own = own_weights(self.name, card.name)
        if own is None:
            return card
        return replace(
            card, trains=False, needs="", weights="", trained_on=own.trained_on, own=own.digest
        )

    @property
    def default(self) -> str:
        """The system taken when none is named: the one that somebody trained, else the best one whose weights are installed."""
        if own := own_weights(self.name):
            return own.systems[0]
        return self._installed

    @property
    def _installed(self) -> str:
        return self.fallback if self.fallback and self.missing(self.best) else self.best

    def missing(self, name: str) -> str:
        """What must be installed before this system can predict, in one sentence; empty where nothing is."""
        card = self.card(name)
        if not card.weights or find_weights(self.name) is not None:
            return ""
        return missing_weights(self.name, card.weights)

    def incomplete(self) -> str:
        """What must be installed before the systems meant for predictions and documents are the ones taken."""
        names = (self.best, *self.for_documents.values())
        return next((sentence for name in names if (sentence := self.missing(name))), "")

    def _say_missing(self, name: str) -> None:
        said = self.missing(name).removesuffix(".")
        say_once(f"{said}; until then the system '{self.default}' takes over.")

    def ready(
        self, name: str | None = None, *, split: str | None = None, language: str = ""
    ) -> SystemCard:
        """The card of a system that needs no training: the one way of notes, tools and commands to theirs.

        Without a name, the one for documents in the language, else as in ``card``. ``loaded()`` of the card
        is the system.
        """
        own = own_weights(self.name)
        wanted = self.for_documents.get(language)
        if name is None and own:
            name = None if own.documents else wanted or self._installed
        elif name is None and wanted:
            if self.missing(wanted):
                self._say_missing(wanted)
            else:
                name = wanted
        card = self.card(name, split=split)
        if card.trains:
            names = ", ".join(card.name for card in self.systems if not card.trains)
            raise MissingError(
                f"The system '{card.name}' must be trained before it can be used here; ready are {names}."
            )
        return card

    def knows(self, lang: str) -> bool:
        """Whether its notes are made for documents in this language."""
        return not self.note_languages or lang in self.note_languages

    def require_language(self, doc: Document) -> None:
        """Refuse a document that says it is in a language the task does not know: what it found would be wrong."""
        lang = doc.meta.get("lang")
        if lang and not self.knows(lang):
            raise FormatError(
                f"the text is in '{lang}', {self.name} knows {' and '.join(self.note_languages)}; "
                "`lang=` says otherwise",
                path=doc.meta.get("path"),
            )

    def system(self, name: str | None = None) -> System:
        """A new system of that name, which can be fitted; without a name, the default one."""
        return self.card(name).make()

    def check_split(self, name: str) -> str:
        if name not in self.splits:
            raise UnknownNameError(f"split of {self.name}", name, self.splits)
        return name

    def annotated(self, doc: Document, **options: str) -> Document:
        """The document with this task's annotations; options of other tasks are passed over."""
        return doc.annotate(self.notes_on(doc, **options))

    def notes_on(self, doc: Document, **options: str) -> Iterable[Annotation]:
        """This task's annotations of the document; some tasks give them as they make them."""
        return self.annotate(doc, **self.own_options(options)) if self.annotate else ()

    def own_options(self, options: Mapping[str, str]) -> dict[str, str]:
        """Those of the options that this task's notes know."""
        return {name: value for name, value in options.items() if name in self.note_options}


@cache
def say_once(what: str) -> None:
    """A warning that comes once in a process, however many documents are read."""
    warnings.warn(what, stacklevel=3)


def lazy(package: str, path: str) -> Callable[..., Any]:
    """A function that imports ``package.module`` at its first call and then calls ``module.name``.

    ``lazy(__package__, "data.load")`` keeps ``marginalia tasks`` free of every task's imports.
    """
    module, _, name = path.rpartition(".")

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(importlib.import_module(f"{package}.{module}"), name)(*args, **kwargs)

    call.__qualname__ = call.__name__ = name
    call.__doc__ = f"{package}.{path}, imported when called"
    call.target = (f"{package}.{module}", name)  # type: ignore[attr-defined]
    return call
