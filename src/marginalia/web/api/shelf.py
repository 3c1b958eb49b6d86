"""The library as a whole: search it, ask about words, take it along, bring it back, look whether it is sound."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from marginalia.core.errors import FormatError
from marginalia.core.report import plain
from marginalia.reader.ask import ask, sentence_around
from marginalia.reader.explanation import explain
from marginalia.reader.similar_passages import Similar, similar_passages, words_of
from marginalia.web.api.asking import Turn, library_of, person_of, receive_file, record_of
from marginalia.web.store.archive import export_library, import_library

router = APIRouter()
MAX_ELSEWHERE = 8
"""Other documents that are named where somebody asks about words."""


@router.get("/search")
def search(request: Request, q: Annotated[str, Query(max_length=400)]) -> list[dict[str, Any]]:
    """Documents with all these words in title, text or notes; what was found stands between U+2068 and U+2069."""
    return found_in_library(request, q)


def found_in_library(request: Request, words: str, **how: bool) -> list[dict[str, Any]]:
    """Documents that the one who asks sees and that have these words; ``how`` as the store searches."""
    store, person = library_of(request).store, person_of(request)
    seen = {
        record.id: record
        for record in store.documents.all()
        if person.sees(record.owner, record.shared) and not record.removed
    }
    return [
        {
            "id": one.document,
            "title": seen[one.document].title or one.title,
            "text": one.text,
            "notes": one.notes,
        }
        for one in store.annotated.search(words, **how)
        if one.document in seen
    ]


@router.get("/documents/{id}/ask")
async def ask_margin(
    request: Request, id: str, start: Annotated[int, Query(ge=0)], end: Annotated[int, Query(ge=1)]
) -> dict[str, Any]:
    """What is known of words of a document: their meaning there, its own definition, where else they stand, also in others."""
    record_of(request, id)
    doc = library_of(request).get(id).annotated()
    answer = await Turn(request, quick=True).take(lambda: ask(doc, start, end))
    hits = found_in_library(request, answer.quote, phrase=True)
    elsewhere = [one for one in hits if one["id"] != id]
    return {**plain(answer.to_dict()), "elsewhere": elsewhere[:MAX_ELSEWHERE]}


@router.get("/documents/{id}/similar")
async def similar(
    request: Request, id: str, start: Annotated[int, Query(ge=0)], end: Annotated[int, Query(ge=1)]
) -> list[dict[str, Any]]:
    """Passages like the sentence that has these words: in this document, and in others that the one who asks sees."""
    record_of(request, id)
    library = library_of(request)
    doc = library.get(id).annotated()
    start, end = sentence_around(doc, start, end)
    words = " ".join(sorted(words_of(doc.text[start:end]), key=len)[-20:])
    hits = {one["id"]: one["title"] for one in found_in_library(request, words, some=True)}
    titles = {id: "", **hits}

    def find() -> list[Similar]:
        others = {one: entry.doc for one in titles if (entry := library.get(one)).doc is not None}
        return similar_passages(doc, start, end, others)

    found = await Turn(request, quick=True).take(find)
    return [
        {"id": one.document, "title": titles[one.document], "start": one.start, "text": one.text}
        for one in found
    ]


@router.post("/documents/{id}/explain")
async def explain_words(
    request: Request, id: str, start: Annotated[int, Query(ge=0)], end: Annotated[int, Query(ge=1)]
) -> dict[str, Any]:
    """What the server's language model says of words of a document; the text around them is sent to it."""
    record_of(request, id)
    library = library_of(request)
    model = library.llm
    if model is None:
        raise FormatError("this server was started without a language model")
    doc = library.get(id).annotated()
    answer = await run_in_threadpool(lambda: explain(doc, start, end, model))
    return dict(plain(answer.to_dict()))


@router.get("/library")
def export_all(request: Request) -> StreamingResponse:
    """The whole library as one zip archive of JSON and files, without the tokens."""
    _require_all(request)
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it is sent
    export_library(library_of(request).store, file)
    file.seek(0)

    def chunks() -> Iterator[bytes]:
        with file:
            while chunk := file.read(2**20):
                yield chunk

    headers = {"content-disposition": 'attachment; filename="library.marginalia.zip"'}
    return StreamingResponse(chunks(), media_type="application/zip", headers=headers)


@router.post("/library")
async def import_all(request: Request) -> dict[str, int]:
    """Add what is in such an archive; documents that are here already stay as they are."""
    _require_all(request)
    library = library_of(request)
    path, _ = await receive_file(request)
    try:
        came, stayed = await run_in_threadpool(import_library, library.store, path)
    finally:
        path.unlink(missing_ok=True)
    library.take_up()
    return {"added": came, "known": stayed}


def _require_all(request: Request) -> None:
    """The whole library holds documents of everybody."""
    if not person_of(request).all:
        raise FormatError(
            "only whoever runs the server can take the whole library along or replace it"
        )
