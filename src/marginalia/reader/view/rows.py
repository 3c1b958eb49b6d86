"""The annotations of a document as rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import ContractError
from marginalia.core.report import plain
from marginalia.reader.hooks import find_annotator

COLUMNS = (
    "document",
    "id",
    "task",
    "label",
    "start",
    "end",
    "quote",
    "score",
    "system",
    "page",
    "attrs",
    "links",
)
"""What every row tells of its note; ``attrs`` and ``links`` are data. A task's own columns follow as ``task.column``."""
FIXED = tuple("why" if name == "attrs" else name for name in COLUMNS)
"""The columns of every table: of ``attrs`` the reason, the rest as columns of the task."""


def rows(doc: Document) -> Iterator[dict[str, Any]]:
    """One row per annotation, or those that its task supplies for it."""
    supplied: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for name in sorted({note.task for note in doc.annotations}):
        annotator = find_annotator(name)
        if annotator is not None and annotator.rows is not None:
            supplied[name] = _by_id(doc, name, annotator.rows(doc))
    for note in doc.annotations:
        fixed = _row(doc, note)
        more = supplied[note.task].get(note.id, []) if note.task in supplied else [{}]
        for row in more:
            own = {f"{note.task}.{key}": plain(row[key]) for key in row if key != "id"}
            yield {**fixed, **own}


def columns(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The fixed columns of a table, then those of the tasks in order of their task's name."""
    own = dict.fromkeys(key for row in rows for key in row if key not in {*FIXED, *COLUMNS})
    return [*FIXED, *sorted(own, key=lambda key: key.partition(".")[0])]


def _row(doc: Document, note: Annotation) -> dict[str, Any]:
    data = note.to_dict()
    return {
        "document": doc.id,
        **{key: plain(data[key]) for key in COLUMNS if key in data},
        "page": doc.page(note.start),
    }


def _by_id(
    doc: Document, task: str, rows: Iterable[Mapping[str, Any]]
) -> dict[str, list[Mapping[str, Any]]]:
    own = {note.id for note in doc.notes(task)}
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if row.get("id") not in own:
            raise ContractError(
                f"{task}: a row is about {row.get('id')!r}, which is none of its annotations"
            )
        found.setdefault(row["id"], []).append(row)
    return found
