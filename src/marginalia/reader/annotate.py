"""Notes on a document: each task that has some to make adds its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from marginalia.core.document import SILENT, Annotation, Document
from marginalia.core.errors import UnknownNameError
from marginalia.core.registry import all_tasks, get_task
from marginalia.core.task import Task

Progress = Callable[[str, int, int], None]
"""progress(task name, tasks done, tasks in all), called before each task and at the end."""


def annotate(
    doc: Document,
    tasks: Iterable[str | Task] | None = None,
    *,
    options: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Document:
    """The document with the notes of these tasks; of all tasks that make notes, if none is named.

    Earlier notes of the same tasks are replaced, so that annotating twice is annotating once. What a
    task's tool ``summary`` says of the whole document goes to ``meta["summary"]``. ``options`` go to the
    tasks that know them, such as ``level`` for hard words.
    """
    chosen = _chosen(tasks)
    options = _checked(options or {}, chosen)
    names = {task.name for task in chosen}
    kept = tuple(note for note in doc.annotations if note.task not in names)
    bare = replace(doc, annotations=kept)
    notes: list[Annotation] = []
    for done, task in enumerate(chosen):
        if progress:
            progress(task.name, done, len(chosen))
        notes += task.annotated(replace(doc, annotations=()), **options).annotations
    if progress:
        progress("", len(chosen), len(chosen))
    summaries = {
        task.name: task.tools["summary"](doc, **task.own_options(options))
        for task in chosen
        if "summary" in task.tools
    }
    if summaries:
        earlier = bare.meta.get("summary", {})
        bare = replace(bare, meta={**bare.meta, "summary": {**earlier, **summaries}})
    return bare.annotate(_spoken(doc, notes))


def _checked(options: Mapping[str, str], tasks: Iterable[Task]) -> dict[str, str]:
    """The options, if some task knows each of them and its value."""
    known: dict[str, set[str]] = {}
    for task in tasks:
        for name, values in task.note_options.items():
            known.setdefault(name, set()).update(values)
    for name, value in options.items():
        if name not in known:
            raise UnknownNameError("option of these notes", name, known)
        if value not in known[name]:
            raise UnknownNameError(name, value, known[name])
    return dict(options)


def _chosen(tasks: Iterable[str | Task] | None) -> list[Task]:
    able = {task.name: task for task in all_tasks() if task.annotate is not None}
    if tasks is None:
        return list(able.values())
    chosen = [task if isinstance(task, Task) else get_task(task) for task in tasks]
    for task in chosen:
        if task.annotate is None:
            raise UnknownNameError("kind of note", task.name, able)
    return list({task.name: task for task in chosen}.values())


def _spoken(doc: Document, notes: list[Annotation]) -> Iterator[Annotation]:
    """The notes outside of silent regions, without links to those inside."""
    silent = [region for region in doc.meta.get("regions", ()) if region["kind"] in SILENT]
    dropped = _overlapping(notes, silent)
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


def _overlapping(notes: Iterable[Annotation], regions: list[dict[str, Any]]) -> set[str]:
    """The ids of notes that share a character with a region; both are walked through in reading order."""
    spans: list[list[int]] = []
    for start, end in sorted((region["start"], region["end"]) for region in regions):
        if spans and start <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([start, end])
    found, index = set(), 0
    for note in sorted(notes, key=lambda note: note.start):
        while index < len(spans) and spans[index][1] <= note.start:
            index += 1
        if index < len(spans) and spans[index][0] < note.end:
            found.add(note.id)
    return found
