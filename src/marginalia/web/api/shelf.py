"""The library as a whole: search it, take it along, bring it back, look whether it is sound."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from marginalia.core.errors import FormatError
from marginalia.web.api.asking import library_of, person_of, receive_file
from marginalia.web.store.archive import export_library, import_library

router = APIRouter()


@router.get("/search")
def search(request: Request, q: Annotated[str, Query(max_length=400)]) -> list[dict[str, Any]]:
    """Documents with all these words in title, text or notes; what was found stands between U+2068 and U+2069."""
    store, person = library_of(request).store, person_of(request)
    seen = {
        record.id
        for record in store.documents.all()
        if person.sees(record.owner, record.shared) and not record.removed
    }
    hits = store.annotated.search(q)
    return [
        {"id": one.document, "title": one.title, "text": one.text, "notes": one.notes}
        for one in hits
        if one.document in seen
    ]


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
