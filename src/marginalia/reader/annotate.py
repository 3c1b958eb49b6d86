"""Notes on a document: each task that has some to make adds its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import SILENT, Annotation, Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.registry import all_annotators, get_annotator
from marginalia.nlp.prompting import as_model
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prose import spans_of
from marginalia.reader.cache import NoteCache
from marginalia.reader.known_words import known_words
from marginalia.reader.parts import Joiner, parts
from marginalia.reader.skipped_regions import find_skipped, knowing, open_regions

Progress = Callable[[str, int, int], None]
"""progress(task name, characters done, characters in all), called as the work goes on."""
NOTES_PER_BATCH = 32
"""Notes of a task that reads the whole document that are passed on together."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Notes that one task has made on one part of the document, or what it says of the whole."""

    task: str
    notes: tuple[Annotation, ...]
    done: int
    """How far the task has come, in characters."""
    summary: Mapping[str, Any] | None = None
    """With the last batch of a task that sums up."""
    early: bool = False
    """Whether the notes are on the beginning alone, to be shown until those of the whole document come."""


def annotate(
    doc: Document,
    annotators: Iterable[str | Annotator] | None = None,
    *,
    options: Mapping[str, str] | None = None,
    include: Iterable[str] = (),
    progress: Progress | None = None,
    cache: NoteCache | None = None,
    llm: str | LanguageModel | None = None,
) -> Document:
    """The document with the notes of these tasks; of all tasks that make notes, if none is named.

    Earlier notes of the same tasks are replaced, so that annotating twice is annotating once. What a
    task's ``summary`` says of the whole document goes to ``meta["summary"]``. ``options`` go to the
    tasks that know them, such as ``audience`` for hard words; what the reader's and the project's lists have is known
    (``known_words``). With a ``cache`` nothing is done twice. ``llm`` is a language model, by the name that ``llm models`` lists,
    that annotators which can do so ask as well: passages of the text go to it, one a request.

    No notes are made on silent regions (``core.document.SILENT``) nor in languages that a task does not know:
    ``meta["skipped"]`` says on how much of the text and why. ``include`` names kinds of regions to open.
    """
    chosen, include = choose_annotators(annotators), tuple(include)

    def batches() -> Iterator[Batch]:
        for batch in stream(doc, chosen, options=options, include=include, cache=cache, llm=llm):
            yield batch
            if progress:
                progress(batch.task, batch.done, len(doc.text))

    return assemble(doc, chosen, batches(), include=include)


def assemble(
    doc: Document,
    annotators: Iterable[Annotator],
    batches: Iterable[Batch],
    *,
    include: Iterable[str] = (),
) -> Document:
    """The document with the notes that ``stream`` gave for these tasks, in place of earlier ones of theirs."""
    annotators = list(annotators)
    names = {annotator.name for annotator in annotators}
    kept = [note for note in doc.annotations if note.task not in names]
    summaries = dict(doc.meta.get("summary", {}))
    for batch in batches:
        kept += batch.notes
        if batch.summary is not None:
            summaries[batch.task] = batch.summary
    skipped = find_skipped(doc, annotators, include=tuple(include))
    meta = {**doc.meta, "skipped": skipped.to_dict()}
    if summaries:
        meta["summary"] = summaries
    return replace(doc, annotations=(), meta=meta).annotate(kept)


def stream(
    doc: Document,
    annotators: Iterable[str | Annotator] | None = None,
    *,
    options: Mapping[str, str] | None = None,
    include: Iterable[str] = (),
    cache: NoteCache | None = None,
    llm: str | LanguageModel | None = None,
    early: bool = False,
) -> Iterator[Batch]:
    """The same notes as they are made: part by part, then those that need the whole document, in reading order as far as they can.

    With ``early`` the latter are made on the first part as well, for a reader who waits; such batches say so, and are no part
    of the result.
    """
    chosen = choose_annotators(annotators)
    options = _with_known_words(doc, check_options(options or {}, chosen), chosen)
    bare = open_regions(replace(doc, annotations=()), include)
    model = as_model(llm)
    new = []
    for annotator in knowing(bare, chosen):
        # What a model answered is kept elsewhere: with it, notes depend on more than the text and the options.
        found = (
            cache.get(bare, annotator, options) if cache and not _asks(annotator, model) else None
        )
        if found is None:
            new.append(annotator)
        else:
            yield Batch(annotator.name, tuple(found.notes), len(doc.text), found.summary)
    made: dict[str, list[Annotation]] = {annotator.name: [] for annotator in new}
    local = [annotator for annotator in new if not annotator.whole]
    joiners = {annotator.name: Joiner() for annotator in local}
    if early and any(annotator.whole for annotator in new):
        yield from _stream_early(bare, [one for one in new if one.whole], options)
    for start, part in parts(bare) if local else ():
        for annotator in local:
            notes = joiners[annotator.name].join(
                annotator.annotated(part, llm=model, **options).annotations, start
            )
            notes = list(spoken(bare, notes))
            made[annotator.name] += notes
            if start + len(part.text) < len(doc.text):
                yield Batch(annotator.name, tuple(notes), start + len(part.text))
            else:
                kept = None if _asks(annotator, model) else cache
                yield _last(bare, annotator, notes, made[annotator.name], options, kept)
    for annotator in new:
        if annotator.whole:
            yield from _stream_whole(bare, annotator, options, cache, model)


def _stream_early(
    doc: Document, annotators: list[Annotator], options: Mapping[str, str]
) -> Iterator[Batch]:
    """Notes on the first part, where there are others."""
    _, first = next(parts(doc))
    if len(first.text) < len(doc.text):
        for annotator in annotators:
            notes = spoken(doc, annotator.annotated(first, **options).annotations)
            yield Batch(annotator.name, tuple(notes), len(first.text), early=True)


def _asks(annotator: Annotator, model: LanguageModel | None) -> bool:
    return annotator.asks and model is not None


def _stream_whole(
    doc: Document,
    annotator: Annotator,
    options: Mapping[str, str],
    cache: NoteCache | None,
    model: LanguageModel | None = None,
) -> Iterator[Batch]:
    """The notes of a task that reads the whole document, as they come.

    Those with links wait for the end: a link may lead to a note that comes later and is dropped.
    """
    made: list[Annotation] = []
    waiting: list[Annotation] = []
    linked, dropped = False, set[str]()
    cache = None if _asks(annotator, model) else cache
    for note in annotator.notes_on(doc, llm=model, **options):
        waiting.append(note)
        linked = linked or bool(note.links)
        if len(waiting) >= NOTES_PER_BATCH and not linked:
            notes = list(spoken(doc, doc.annotate(waiting).annotations))
            dropped |= {one.id for one in waiting} - {one.id for one in notes}
            done = min(one.start for one in waiting)
            made, waiting = made + notes, []
            yield Batch(annotator.name, tuple(notes), done)
    notes = list(spoken(doc, doc.annotate(waiting).annotations, dropped))
    made = list(doc.annotate([*made, *notes]).annotations)
    yield _last(doc, annotator, notes, made, options, cache)


def _last(
    doc: Document,
    annotator: Annotator,
    notes: list[Annotation],
    all_notes: list[Annotation],
    options: Mapping[str, str],
    cache: NoteCache | None,
) -> Batch:
    summary = None
    if annotator.summary is not None:
        summary = annotator.summary(doc, **annotator.own_options(options))
    if cache:
        cache.put(doc, annotator, options, all_notes, summary)
    return Batch(annotator.name, tuple(notes), len(doc.text), summary)


def check_options(options: Mapping[str, str], annotators: Iterable[Annotator]) -> dict[str, str]:
    """The options, if some task knows each of them and its value."""
    known: dict[str, set[str]] = {}
    for annotator in annotators:
        for name, values in annotator.options.items():
            known.setdefault(name, set()).update(values)
    for name, value in options.items():
        if name not in known:
            takers = [annotator.name for annotator in all_annotators() if name in annotator.options]
            if takers:
                raise FormatError(f"the option '{name}' is for {' and '.join(takers)} notes only")
            raise UnknownNameError("option of these notes", name, known)
        if known[name] and value not in known[name]:
            raise UnknownNameError(name, value, known[name])
    return dict(options)


def _with_known_words(
    doc: Document, options: dict[str, str], annotators: Iterable[Annotator]
) -> dict[str, str]:
    """The options, with the words that the reader and the project know for the tasks that ask."""
    if "known" in options or not any("known" in annotator.options for annotator in annotators):
        return options
    known = known_words(doc)
    return {**options, "known": known} if known else options


def choose_annotators(annotators: Iterable[str | Annotator] | None) -> list[Annotator]:
    """The annotators of these names; all of them if none is named."""
    if annotators is None:
        return all_annotators()
    chosen = (get_annotator(one) if isinstance(one, str) else one for one in annotators)
    return list({annotator.name: annotator for annotator in chosen}.values())


def spoken(
    doc: Document, notes: Iterable[Annotation], gone: Iterable[str] = ()
) -> Iterator[Annotation]:
    """The notes outside of silent regions, without links to those inside nor to those that are ``gone``."""
    notes = list(notes)
    silent = spans_of(doc, SILENT)
    dropped = {note.id for note in notes if silent.touch(note.start, note.end)}.union(gone)
    for note in notes:
        if note.id in dropped:
            continue
        if any(target in dropped for ids in note.links.values() for target in ids):
            links = {
                role: tuple(id for id in ids if id not in dropped)
                for role, ids in note.links.items()
            }
            note = replace(note, links={role: ids for role, ids in links.items() if ids})
        yield note
