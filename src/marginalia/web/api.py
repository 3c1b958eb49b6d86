"""The REST API under ``/api``; its description is ``/api/openapi.json``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, Field

from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.registry import all_tasks
from marginalia.core.task import plain
from marginalia.reader.annotate import annotate
from marginalia.reader.choose import choose_notes
from marginalia.reader.formats import archive
from marginalia.reader.formats.registry import get_format
from marginalia.reader.parse.text import read_text
from marginalia.reader.view.blocks import blocks
from marginalia.reader.view.caption import is_part
from marginalia.web.library import Entry, Library
from marginalia.web.pages import boxes, page_image, page_sizes

router = APIRouter()

POLL_SECONDS = 0.1
"""Seconds between two looks for news."""


class Text(BaseModel):
    """A text to annotate at once."""

    text: str = Field(max_length=200_000)
    lang: str | None = Field(None, pattern="^[a-z]{2}$")
    tasks: list[str] | None = None
    options: dict[str, str] = Field(
        {},
        description="Such as level; catalogue is the name of the server's own, as in /api/tasks.",
    )
    all: bool = Field(False, description="Every note, not only the most useful.")


class Sentences(BaseModel):
    """Two texts to compare."""

    a: str = Field(max_length=10_000)
    b: str = Field(max_length=10_000)


class Statement(BaseModel):
    """A sentence to link to the variables of the server's catalogue."""

    text: str = Field(max_length=10_000)
    limit: int = Field(10, ge=1, le=100)


@router.get("/tasks")
def tasks(request: Request) -> list[dict[str, Any]]:
    """The kinds of notes, and for those that take one the catalogue that can be named in their options."""
    found = []
    for task in all_tasks():
        if task.annotate is not None:
            shown: dict[str, Any] = {
                "name": task.name,
                "question": task.question,
                "shared_task": task.shared_task,
            }
            if "catalogue" in task.note_options:
                shown["catalogues"] = list(_library(request).catalogues)
            found.append(shown)
    return found


@router.get("/documents")
def list_documents(request: Request) -> list[dict[str, Any]]:
    """The open documents, with what was found in each."""
    return [_brief(entry) for entry in _library(request)]


@router.post("/documents", status_code=201)
async def add_document(
    request: Request,
    name: Annotated[str, Query(max_length=200)] = "text.txt",
    lang: Annotated[str | None, Query(pattern="^[a-z]{2}$")] = None,
) -> dict[str, Any]:
    """Open a document: the body is the file, its name says what kind. Notes are made from then on."""
    data = await request.body()
    if not data.strip():
        raise FormatError(f"{name}: there is nothing in it")
    return _brief(_library(request).add(name, data, lang=lang))


@router.get("/documents/{id}")
def document(request: Request, id: str) -> dict[str, Any]:
    """A document with its text, paragraphs and the notes made so far."""
    entry = _library(request).get(id)
    seen = len(entry.events)
    found = {**_brief(entry), "seen": seen}
    if entry.doc is None:
        return found
    doc = entry.annotated()
    return found | {
        "text": doc.text,
        "meta": plain({k: v for k, v in doc.meta.items() if k != "geometry"}),
        "blocks": [
            {
                "kind": block.kind,
                "start": block.start,
                "end": block.end,
                "level": block.regions[-1].get("level") if block.regions else None,
                "marker": block.marker,
            }
            for block in blocks(doc)
        ],
        "annotations": [plain(note.to_dict()) for note in doc.annotations],
        **entry.ranking(),
        "pages": page_sizes(doc),
    }


@router.delete("/documents/{id}", status_code=204)
def drop_document(request: Request, id: str) -> None:
    """Close a document; a file that was uploaded is deleted."""
    _library(request).drop(id)


@router.get("/documents/{id}/events")
def events(request: Request, id: str, after: int = 0) -> StreamingResponse:
    """What happens to a document, as server-sent events: read, notes, then done or failed."""
    library = _library(request)
    entry = library.get(id)

    async def news() -> AsyncIterator[str]:
        place = max(0, after)
        while not (library.is_stopping or await request.is_disconnected()):
            while place < len(entry.events):
                event = entry.events[place]
                place += 1
                yield f"id: {place}\nevent: {event['kind']}\ndata: {json.dumps(event)}\n\n"
                if event["kind"] in {"done", "failed"}:
                    return
            await asyncio.sleep(POLL_SECONDS)

    return StreamingResponse(news(), media_type="text/event-stream")


@router.get("/documents/{id}/export")
def export(request: Request, id: str, format: str = "json") -> Response:
    """The annotated document in any format of ``marginalia read``; of several files, a zip archive."""
    chosen = get_format(format, "write")
    entry = _library(request).get(id)
    docs = [entry.annotated()]
    content: str | bytes
    if chosen.several:
        content, media, suffix = archive.pack(chosen.write_files(docs)), archive.MEDIA, ".zip"
    else:
        content, media, suffix = chosen.write(docs), chosen.media, chosen.suffixes[0]
    name = f"{entry.path.stem}{suffix}".encode("ascii", "replace").decode().replace('"', "_")
    return Response(
        content,
        media_type=media,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@router.get("/documents/{id}/pages/{number}")
def page(request: Request, id: str, number: int) -> Response:
    """A page of a PDF as a picture."""
    picture = page_image(_library(request).get(id), number)
    return Response(
        picture, media_type="image/png", headers={"cache-control": "private, max-age=3600"}
    )


@router.get("/documents/{id}/pages/{number}/boxes")
def page_boxes(request: Request, id: str, number: int) -> dict[str, list[list[float]]]:
    """Where the notes of a page stand on it: note -> boxes of left, top, width, height as shares of the page."""
    return boxes(_library(request).get(id).annotated(), number)


@router.post("/annotate")
def annotate_text(request: Request, body: Annotated[Text, Body()]) -> dict[str, Any]:
    """A text with its notes, at once."""
    library = _library(request)
    options = dict(body.options)
    if "catalogue" in options:
        options["catalogue"] = _catalogue(library, options["catalogue"])
    if "units" in options:  # a path, which would let a request open any file of the server
        raise FormatError("a request cannot define units")
    doc = read_text(body.text, lang=body.lang)
    with library.busy:
        doc = annotate(doc, body.tasks, options=options, cache=library.cache)
    doc = doc if body.all else choose_notes(doc)
    return dict(plain(doc.to_dict()))


@router.post("/similar")
def similar(request: Request, body: Annotated[Sentences, Body()]) -> dict[str, Any]:
    """How similar two sentences are, from 0 to 5, and why."""
    from marginalia import compare

    with _library(request).busy:
        return dict(plain(compare(body.a, body.b).to_dict()))


@router.post("/link")
def link(request: Request, body: Annotated[Statement, Body()]) -> list[dict[str, Any]]:
    """The variables of the server's catalogue that a sentence uses, best first."""
    from marginalia import rank_variables

    library = _library(request)
    catalogue = _catalogue(library)
    with library.busy:
        ranked = rank_variables(body.text, catalogue, limit=body.limit)
    return [plain(one.to_dict()) for one in ranked]


def _library(request: Request) -> Library:
    library: Library = request.app.state.library
    return library


def _catalogue(library: Library, name: str | None = None) -> str:
    """Where the server's catalogue is. It has a name here: a path would let a request open any file of the server."""
    known = library.catalogues
    if not known:
        raise FormatError("this server was started without a catalogue")
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise UnknownNameError("catalogue", name[:80], known)
    return known[name]


def _brief(entry: Entry) -> dict[str, Any]:
    counts: dict[str, int] = {}
    for note in list(entry.notes):
        if not is_part(note):
            counts[note.task] = counts.get(note.task, 0) + 1
    return {
        "id": entry.id,
        "name": entry.name,
        "title": str(entry.doc.meta.get("title") or entry.name) if entry.doc else entry.name,
        "lang": entry.doc.meta.get("lang") if entry.doc else None,
        "state": entry.state,
        "error": entry.error,
        "characters": len(entry.doc.text) if entry.doc else 0,
        "counts": counts,
        "summary": entry.summary,
    }
