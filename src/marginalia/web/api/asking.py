"""Who asks, what of, and how long it may take: what every part of the API begins with."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from fastapi import Request
from pydantic import BaseModel, model_validator
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from marginalia.core.errors import MarginaliaError, MissingError
from marginalia.reader.formats.signature import sniff
from marginalia.reader.view.caption import shorten
from marginalia.web.answers import TookTooLongError
from marginalia.web.library import Library
from marginalia.web.store.documents import Record
from marginalia.web.store.people import Person

T = TypeVar("T")
OPEN_IT = "try again later, send less at once, or open the text as a document, whose notes come as they are made"
CHUNK_BYTES = 2**20
MAX_PEEKED_BYTES = 20_000
_FRAGMENT = re.compile(
    rb"\s*<(?:p|div|h[1-6]|ul|ol|table|article|section|main|body|blockquote)\b[^<>]*>", re.I
)
_MARK_UP = re.compile(r"<[^<>]*>|^[#>*+\-\s]+|[*_`]{1,3}")


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


def pasted_name(data: bytes) -> str:
    """A file name for it: its first words, and the extension of what it looks like."""
    head = data[:MAX_PEEKED_BYTES]
    if _FRAGMENT.match(head):
        suffix = ".html"
    else:
        try:
            suffix = sniff(head, Path("pasted")).suffixes[0]
        except MarginaliaError:
            suffix = ".txt"
    lines = (
        _MARK_UP.sub(" ", line).strip() for line in head.decode("utf-8", "replace").split("\n")
    )
    first = next((line for line in lines if line), "text")
    return shorten(first, 48).replace("/", " ") + suffix


class Turn:
    """Turns of one request, until its time is over or its client has left."""

    def __init__(self, request: Request, *, quick: bool, advice: str = OPEN_IT) -> None:
        self.request, self.quick, self.advice = request, quick, advice
        self.turns = library_of(request).turns
        self.seconds: float = request.app.state.request_seconds
        self.end = time.monotonic() + self.seconds

    async def take(self, work: Callable[[], T]) -> T:
        if await self.request.is_disconnected():
            raise ClientDisconnect
        try:
            async with asyncio.timeout(max(0.0, self.end - time.monotonic())):
                return await self.turns.run(work, quick=self.quick)
        except TimeoutError:
            raise TookTooLongError(
                f"this took longer than {self.seconds:g} s: {self.advice}"
            ) from None
