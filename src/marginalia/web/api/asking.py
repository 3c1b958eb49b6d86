"""Who asks, and what of: what every part of the API begins with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import Request
from pydantic import BaseModel, model_validator
from starlette.concurrency import run_in_threadpool

from marginalia.core.errors import MissingError
from marginalia.web.library import Library
from marginalia.web.store.documents import Record
from marginalia.web.store.people import Person

CHUNK_BYTES = 2**20


class Asked(BaseModel):
    """The body of a request. JSON can hold half of a surrogate pair; files, SQLite and answers cannot."""

    @model_validator(mode="before")
    @classmethod
    def refuse_halves(cls, data: Any) -> Any:
        try:
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("the text holds half of a surrogate pair") from None
        except (TypeError, RecursionError):
            raise ValueError("this is not understood") from None
        return data

    @model_validator(mode="before")
    @classmethod
    def refuse_unknown(cls, data: Any) -> Any:
        """A misspelt field would be left out without a word, and its default count."""
        for name in data if isinstance(data, dict) else ():
            if name not in cls.model_fields:
                known = ", ".join(cls.model_fields)
                raise ValueError(f"there is no field {str(name)[:40]!r}; known are {known}")
        return data


def library_of(request: Request) -> Library:
    library: Library = request.app.state.library
    return library


def person_of(request: Request) -> Person:
    person: Person = request.state.person
    return person


def record_of(request: Request, id: str, *, removed: bool = False) -> Record:
    """The document, if it is here and whoever asks may see it; the same sentence if not, whatever the reason."""
    record = library_of(request).store.documents.get(id)
    if not person_of(request).sees(record.owner, record.shared) or (record.removed and not removed):
        raise MissingError("there is no document of that id here")
    return record


async def receive_file(request: Request) -> tuple[Path, bytes]:
    """Write the body to the disk as it comes; where it lies, and how it begins."""
    path = library_of(request).incoming()
    head = b""
    try:
        with path.open("xb") as file:
            waiting = bytearray()
            async for chunk in request.stream():
                waiting += chunk
                if len(head) < CHUNK_BYTES:
                    head += chunk[: CHUNK_BYTES - len(head)]
                if len(waiting) >= CHUNK_BYTES:
                    await run_in_threadpool(file.write, bytes(waiting))
                    waiting.clear()
            await run_in_threadpool(file.write, bytes(waiting))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path, head
