"""Two documents of the library side by side: what changed between them, and what one says that the other denies or repeats."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.core.extraction import Across
from marginalia.core.report import plain
from marginalia.reader.annotate import choose_annotators
from marginalia.reader.decisions import apply
from marginalia.reader.diff.alignment import Row, changed_words
from marginalia.reader.diff.difference import Change, compare_versions, find_across, quoted
from marginalia.reader.diff.render import as_page
from marginalia.web.api.asking import Turn, library_of, person_of, record_of
from marginalia.web.api.documents import saved
from marginalia.web.known import known_to, without_known

router = APIRouter(prefix="/compare")

MAX_KEPT = 16
"""Pairs of documents whose contradictions and repetitions stay in memory."""
Compared = OrderedDict[tuple[str, str, int, int], tuple[Across, ...]]
"""By the ids of two documents and what their texts were."""
ADVICE = "try again in a while, it goes on; the command line has no such limit"


@router.get("")
async def compare(request: Request, old: str, new: str) -> dict[str, Any]:
    """What changed in paragraphs, notes and numbers from one document to another; rejected notes do not count."""
    docs = _documents(request, old, new)

    def work() -> dict[str, Any]:
        found = compare_versions(*docs)
        return {
            "old": _brief(old, docs[0]),
            "new": _brief(new, docs[1]),
            "paragraphs": found.paragraphs,
            "numbers": [
                {"name": one.name, "old": one.old, "new": one.new} for one in found.numbers
            ],
            "changes": [_change(one, docs) for one in found.changes],
            "rows": [_row(row, docs) for row in found.rows],
        }

    return dict(plain(await run_in_threadpool(work)))


@router.get("/across")
async def across(request: Request, old: str, new: str) -> list[dict[str, Any]]:
    """What one says that the other contradicts or repeats. This asks the models, so it comes on its own."""
    docs = _documents(request, old, new)
    return [plain(quoted(one, *docs)) for one in await _across(request, (old, new), docs)]


@router.get("/export")
async def export(
    request: Request, old: str, new: str, format: Literal["html", "json"] = "html"
) -> Response:
    """All of that as a page of its own, or as data: what ``marginalia diff`` writes."""
    docs = _documents(request, old, new)
    pairs = await _across(request, (old, new), docs)

    def work() -> str:
        found = replace(compare_versions(*docs), across=pairs)
        if format == "html":
            return as_page(found)
        return json.dumps(plain(found.to_dict()), ensure_ascii=False, indent=1) + "\n"

    names = [Path(str(doc.meta.get("path") or doc.id)).stem for doc in docs]
    media = "text/html" if format == "html" else "application/json"
    return saved(await run_in_threadpool(work), media, f"{names[0]}-{names[1]}.{format}")


def _documents(request: Request, old: str, new: str) -> tuple[Document, Document]:
    if old == new:
        raise FormatError("choose two documents: this is one and the same")
    return _document(request, old), _document(request, new)


def _document(request: Request, id: str) -> Document:
    """A document as its reader sees it: without what was rejected or is known."""
    record_of(request, id)
    library = library_of(request)
    entry = library.get(id)
    if entry.is_busy:
        raise FormatError(f"{entry.name} is still being read: try again when it is ready")
    if entry.state == "failed":
        raise FormatError(f"{entry.name} could not be read: {entry.error}")
    made = apply(entry.annotated(), library.store.decisions.current(id), keep="open")
    return without_known(entry.shown(made.doc), known_to(person_of(request), library.store.people))


async def _across(
    request: Request, ids: tuple[str, str], docs: tuple[Document, Document]
) -> tuple[Across, ...]:
    """Kept for as long as both texts stay as they are."""
    kept: Compared = request.app.state.compared
    key = (*ids, hash(docs[0].text), hash(docs[1].text))

    def work() -> tuple[Across, ...]:
        # Also for a request that was given up: whoever asks again finds what it has come to.
        if key not in kept:
            kept[key] = find_across(*docs, choose_annotators(None))
            while len(kept) > MAX_KEPT:
                kept.popitem(last=False)
        return kept[key]

    if key in kept:
        return kept[key]
    return await Turn(request, quick=False, advice=ADVICE).take(work)


def _brief(id: str, doc: Document) -> dict[str, Any]:
    return {
        "id": id,
        "title": doc.meta.get("title") or doc.meta.get("path") or id,
        "name": doc.meta.get("path"),
        "lang": doc.meta.get("lang"),
    }


def _change(one: Change, docs: tuple[Document, Document]) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "task": one.note.task,
        "label": one.note.label,
        "old": _note(one.old, docs[0]),
        "new": _note(one.new, docs[1]),
        "values": {name: list(pair) for name, pair in one.values.items()},
        "why": one.note.attrs.get("why"),
    }


def _note(note: Annotation | None, doc: Document) -> dict[str, Any] | None:
    return {"id": note.id, "quote": note.quote, "page": doc.page(note.start)} if note else None


def _row(row: Row, docs: tuple[Document, Document]) -> dict[str, Any]:
    """A paragraph: its text once where it is the same, else in pieces for each side, with what changed."""
    old = docs[0].text[row.old.start : row.old.end] if row.old else ""
    new = docs[1].text[row.new.start : row.new.end] if row.new else ""
    block = row.new or row.old
    shown: dict[str, Any] = {"kind": row.kind, "block": block.kind if block else "paragraph"}
    if row.kind == "same":
        return shown | {"text": new}
    sides = changed_words(old, new) if row.kind == "changed" else ([(old, True)], [(new, True)])
    return shown | {"old": sides[0] if row.old else None, "new": sides[1] if row.new else None}
