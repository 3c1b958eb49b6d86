"""How long a request may wait for the models."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request
from starlette.requests import ClientDisconnect

from marginalia.web.answers import TookTooLongError
from marginalia.web.api.asking import library_of

T = TypeVar("T")
OPEN_IT = "try again later, send less at once, or open the text as a document, whose notes come as they are made"


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
