"""Documents: open, list, look at, listen to, save, put away and bring back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import AfterValidator, Field
from starlette.concurrency import run_in_threadpool

from marginalia.core import archive
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.report import plain
from marginalia.reader.decisions import apply
from marginalia.reader.formats.registry import get_format
from marginalia.reader.pdf.ocr import scan_of
from marginalia.reader.profiles import get_profile
from marginalia.reader.read import read_picture
from marginalia.reader.view.blocks import blocks
from marginalia.web.api.asking import (
    Asked,
    library_of,
    pasted_name,
    person_of,
    receive_file,
    record_of,
)
from marginalia.web.entry import Entry, profile_of
from marginalia.web.known import known_to, without_known
from marginalia.web.pages import cover, page_image, page_lines, page_sizes
from marginalia.web.showing import Showing
from marginalia.web.store.annotated_documents import Brief, brief_of
from marginalia.web.store.documents import Record

router = APIRouter()

POLL_SECONDS = 0.1
"""Seconds between two looks for news."""
Language = Annotated[str | None, Query(pattern="^[a-z]{2}$")]


def _known_profile(name: str | None) -> str | None:
    return get_profile(name).name if name else None


Audience = Annotated[str | None, AfterValidator(_known_profile)]


class Change(Asked):
    """What can be changed of a document; what is left out stays."""

    title: str | None = Field(
        None, max_length=200, description="Empty: as the document calls itself."
    )
    collection: str | None = Field(
        None, max_length=80, description="The one it is in; empty: in none."
    )
    tags: list[str] | None = Field(None, max_length=50)
    shared: bool | None = None


class Place(Asked):
    """How far one has read."""

    at: int = Field(ge=0, le=10**9, description="An offset into the text.")
    share: float = Field(ge=0, le=1, description="The share of the text that was seen so far.")


class Again(Asked):
    """How to read a document once more; what is left out stays."""

    lang: str | None = Field(None, pattern="^[a-z]{2}$", description="None: the text tells.")
    audience: Audience = Field(None, description="A profile. None: the project's, or a reader.")
    catalogue: str | None = Field(
        None, max_length=40, description="The id of a catalogue. None: the server's own, if any."
    )
    llm: bool = Field(False, description="Whether to ask the server's language model too.")
    ocr: bool = Field(False, description="Whether to recognise the text of scanned pages first.")


@router.get("/documents")
def list_documents(request: Request, removed: bool = False) -> list[dict[str, Any]]:
    """The documents, with what was found in each; or those that were removed."""
    library, person = library_of(request), person_of(request)
    store = library.store
    briefs, decided = store.annotated.briefs(), store.decisions.decided()
    read = store.positions.of(person.name)
    return [
        {
            **_brief(request, record, briefs.get(record.id)),
            "decided": decided.get(record.id, 0),
            "progress": read[record.id].share if record.id in read else 0.0,
            "last_read": read[record.id].at if record.id in read else None,
        }
        for record in store.documents.all()
        if person.sees(record.owner, record.shared) and bool(record.removed) == removed
    ]


@router.post("/documents", status_code=201)
async def add_document(
    request: Request,
    name: Annotated[str | None, Query(max_length=200)] = None,
    lang: Language = None,
    audience: Annotated[Audience, Query()] = None,
    shared: bool = False,
    llm: bool = False,
) -> dict[str, Any]:
    """Open a document: the body is the file, its name says what kind; without a name the text itself does.

    Once this is answered the document is on the disk. Notes are made from then on.
    """
    library, person = library_of(request), person_of(request)
    path, head = await receive_file(request)
    if not head.strip():
        path.unlink(missing_ok=True)
        raise FormatError(f"{name or 'the text'}: there is nothing in it")
    name = name or pasted_name(head)
    entry = await run_in_threadpool(
        lambda: library.add(
            name, path, lang=lang, audience=audience, owner=person.name, shared=shared, llm=llm
        )
    )
    return _brief(request, library.store.documents.get(entry.id), None)


@router.put("/documents/{id}/file")
async def replace_document(
    request: Request, id: str, name: Annotated[str | None, Query(max_length=200)] = None
) -> dict[str, Any]:
    """A new version of a document: the body is the file. What was decided finds its place in it, or is listed as lost."""
    record = record_of(request, id)
    library = library_of(request)
    path, head = await receive_file(request)
    if not head.strip():
        path.unlink(missing_ok=True)
        raise FormatError(f"{name or record.name}: there is nothing in it")
    await run_in_threadpool(lambda: library.replace_file(id, name or record.name, path))
    return _brief(request, library.store.documents.get(id), None)


@router.get("/documents/{id}")
def document(request: Request, id: str) -> dict[str, Any]:
    """A document with its text, paragraphs and the notes made so far, each with what was decided about it."""
    record = record_of(request, id)
    library = library_of(request)
    entry = library.get(id)
    seen = len(entry.events)
    if entry.doc is None:
        return {**_brief(request, record, None), "seen": seen}
    doc = entry.annotated()
    applied = apply(doc, library.store.decisions.current(id), keep="decisions")
    return {
        **_brief(request, record, brief_of(entry.shown(doc))),
        "seen": seen,
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
        "annotations": [plain(note.to_dict()) for note in entry.shown(applied.doc).annotations],
        "lost": [one.to_dict() for one in applied.lost],
        "known_words": known_to(person_of(request), library.store.people),
        **entry.ranking(applied.doc),
        "pages": page_sizes(doc),
        "position": _position(request, id),
    }


def _position(request: Request, id: str) -> dict[str, Any] | None:
    found = library_of(request).store.positions.of(person_of(request).name).get(id)
    return {"at": found.place, "share": found.share} if found else None


@router.put("/documents/{id}/position", status_code=204)
def keep_position(request: Request, id: str, body: Annotated[Place, Body()]) -> None:
    """Remember where one reads in a document, to go on there."""
    record_of(request, id)
    positions = library_of(request).store.positions
    positions.put(person_of(request).name, id, place=body.at, share=body.share)


@router.patch("/documents/{id}")
def change_document(request: Request, id: str, body: Annotated[Change, Body()]) -> dict[str, Any]:
    """Change title, collection and tags of a document, or whether all see it; the latter only who it belongs to."""
    record = record_of(request, id)
    library, person = library_of(request), person_of(request)
    if body.shared is not None:
        if not person.all and record.owner != person.name:
            raise FormatError(f"only {record.owner}, who opened it, can share it")
        library.store.documents.set(id, shared=body.shared)
    if body.title is not None:
        library.store.documents.set(id, title=" ".join(body.title.split()) or None)
    if body.collection is not None:
        library.store.documents.set(id, collection=" ".join(body.collection.split()))
    if body.tags is not None:
        library.store.documents.set_tags(id, body.tags)
    briefs = library.store.annotated.briefs()
    return _brief(request, library.store.documents.get(id), briefs.get(id))


@router.post("/documents/{id}/read")
def read_document(request: Request, id: str, body: Annotated[Again, Body()]) -> dict[str, Any]:
    """Read a document once more: one that failed, in another language, for another reader, or with another catalogue."""
    record = record_of(request, id)
    library = library_of(request)
    given = body.model_fields_set
    lang = body.lang if "lang" in given else record.lang
    audience = body.audience if "audience" in given else record.audience
    catalogue = record.catalogue
    if "catalogue" in given:
        catalogue = library.store.catalogues.get(body.catalogue).id if body.catalogue else None
    entry = library.in_memory(id)
    asks = body.llm if "llm" in given else entry is not None and entry.asks
    if given and given <= {"audience", "llm"}:
        library.read_for(id, audience, llm=asks)
    else:
        scanned = body.ocr if "ocr" in given else entry is not None and entry.recognises
        library.read_again(id, lang, audience, catalogue, llm=asks, ocr=scanned)
    return _brief(request, library.store.documents.get(id), None)


@router.delete("/documents/{id}", status_code=204)
def drop_document(request: Request, id: str, for_good: bool = False) -> None:
    """Put a document away. It can be restored, unless it is removed for good with all that was decided about it."""
    record = record_of(request, id, removed=True)
    person = person_of(request)
    if not person.all and record.owner != person.name:
        raise FormatError(f"only {record.owner}, who opened it, can remove it")
    library_of(request).drop(id, for_good=for_good)


@router.post("/documents/{id}/restore")
def restore_document(request: Request, id: str) -> dict[str, Any]:
    """Bring back a document that was removed."""
    record_of(request, id, removed=True)
    library = library_of(request)
    library.restore(id)
    return _brief(
        request, library.store.documents.get(id), library.store.annotated.briefs().get(id)
    )


@router.get("/documents/{id}/events")
def events(request: Request, id: str, after: int = 0) -> StreamingResponse:
    """What happens to a document, as server-sent events: read, notes, then done or failed."""
    record_of(request, id)
    library = library_of(request)
    entry = library.get(id)

    async def news() -> AsyncIterator[str]:
        place = max(0, after)
        while not (library.is_stopping or entry.is_gone or await request.is_disconnected()):
            while place < len(entry.events):
                event = entry.events[place]
                place += 1
                yield f"id: {place}\nevent: {event['kind']}\ndata: {json.dumps(event)}\n\n"
                if event["kind"] in {"done", "failed"}:
                    return
            await asyncio.sleep(POLL_SECONDS)

    return StreamingResponse(news(), media_type="text/event-stream")


@router.get("/documents/{id}/export")
def export(
    request: Request,
    id: str,
    format: str = "json",
    notes: str = "shown",
    hide: Annotated[str, Query(max_length=1_000)] = "",
    many: Annotated[int | None, Query(ge=0, le=100)] = None,
    show: Literal["open", "accepted", "rejected", "all"] = "open",
) -> Response:
    """The annotated document in any format of ``marginalia read``; of several files, a zip archive.

    ``notes`` is what to keep: shown (what the page shows), open (not rejected), accepted, decisions (all, each with its
    decision), or all (as made). Of what is shown, ``hide`` names annotators to leave out, ``many`` is the percentage of
    notes, ``show`` the decisions, all as on the page.
    """
    record_of(request, id)
    library, person = library_of(request), person_of(request)
    chosen = get_format(format, "write")
    entry = library.get(id)
    keep = "decisions" if notes == "shown" else notes
    made = apply(entry.annotated(), library.store.decisions.current(id), keep=keep)
    doc = without_known(entry.shown(made.doc), known_to(person, library.store.people))
    if notes == "shown":
        set_by = library.store.people.settings(person.name).get("thresholds") or {}
        showing = Showing(state=show, hide=hide.split(","), many=many, thresholds=set_by)
        doc = showing.notes_of(doc, entry.ranking(doc))
    docs = [doc]
    content: str | bytes
    try:
        if chosen.several:
            content, media, suffix = archive.pack(chosen.write_files(docs)), archive.MEDIA, ".zip"
        else:
            # The file is not where ``meta`` says, which holds the name that it came with.
            is_from = chosen.can("write_from")
            content = chosen.write_from(docs[0], entry.path) if is_from else chosen.write(docs)
            media, suffix = chosen.media, chosen.suffixes[0]
    except UnicodeEncodeError as error:
        raise FormatError(
            f"this document cannot be written as {chosen.name}: {error.reason}"
        ) from error
    return saved(content, media, f"{Path(entry.path).stem}{suffix}")


def saved(content: str | bytes, media: str, name: str) -> Response:
    """What the browser keeps as a file."""
    name = name.encode("ascii", "replace").decode().replace('"', "_").replace("\\", "_")
    return Response(
        content,
        media_type=media,
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


@router.get("/documents/{id}/pages/{number}")
def page(request: Request, id: str, number: int) -> Response:
    """A page of a PDF as a picture."""
    record_of(request, id)
    picture = page_image(_read(request, id), number)
    return Response(
        picture, media_type="image/png", headers={"cache-control": "private, max-age=3600"}
    )


@router.get("/documents/{id}/cover")
def first_page(request: Request, id: str) -> Response:
    """The first page of a PDF as a small picture."""
    record = record_of(request, id, removed=True)
    return Response(
        cover(record.path, record.sha256),
        media_type="image/png",
        headers={"cache-control": "private, max-age=86400"},
    )


@router.get("/documents/{id}/figures/{number}")
def figure(request: Request, id: str, number: int) -> Response:
    """A picture that the file of a document holds, counted from 1 as in its ``meta``; those of a PDF are on its pages."""
    record_of(request, id)
    entry = _read(request, id)
    figures = entry.doc.meta.get("figures", ()) if entry.doc else ()
    if not 1 <= number <= len(figures) or "page" in figures[number - 1]:
        raise MissingError("there is no such picture in this document")
    picture, media = read_picture(entry.path, figures[number - 1])
    return Response(picture, media_type=media, headers={"cache-control": "private, max-age=3600"})


@router.get("/documents/{id}/pages/{number}/lines")
def lines_of_page(request: Request, id: str, number: int) -> list[dict[str, Any]]:
    """Where the characters of a page stand: of each line its offset in the text, ``top``, ``bottom`` and the edges ``x`` of
    its characters, as shares of the page."""
    record_of(request, id)
    doc = _read(request, id).doc
    return page_lines(doc, number) if doc else []


def _read(request: Request, id: str) -> Entry:
    entry = library_of(request).get(id)
    if entry.doc is None:
        raise MissingError("this document is not read yet, or could not be")
    return entry


def _brief(request: Request, record: Record, brief: Brief | None) -> dict[str, Any]:
    entry = library_of(request).in_memory(record.id)
    if brief is None and entry is not None and entry.doc is not None:
        brief = brief_of(entry.shown(entry.annotated()))
    person = person_of(request)
    error = entry.error if entry is not None else record.error
    return {
        "id": record.id,
        "name": record.name,
        "title": record.title or (brief.title if brief else "") or record.name,
        "authors": brief.authors if brief else "",
        "page_count": brief.pages if brief else 0,
        "collection": record.collection,
        "lang": brief.lang if brief else record.lang,
        "asked_lang": record.lang,
        "audience": profile_of(record.audience).name,
        "catalogue": record.catalogue,
        "llm": entry is not None and entry.asks,
        "state": entry.state if entry is not None else record.state,
        "error": error,
        "scan": scan_of(error),
        "characters": brief.characters if brief else 0,
        "words": brief.words if brief else 0,
        "counts": brief.counts if brief else {},
        "summary": brief.summary if brief else {},
        "tags": list(record.tags),
        "owner": record.owner,
        "mine": person.all or record.owner == person.name,
        "shared": record.shared,
        "added": record.added,
        "changed": record.changed,
        "removed": record.removed,
    }
