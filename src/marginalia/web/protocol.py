"""Connections of clients that never finish asking, or never take their answer, are cut off."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


def impatient(seconds: float) -> type[asyncio.Protocol]:
    """The protocol of connections with so much patience.

    uvicorn waits for ever for the head of a request and for room in the client's buffer; a few hundred such
    connections would be all that the system allows. How long a body takes is the guard's business.
    """

    class Impatient(H11Protocol):
        _head: asyncio.TimerHandle | None = None
        _stuck: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._await_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._head = _cancelled(self._head)
            self._stuck = _cancelled(self._stuck)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._is_asked():
                self._head = _cancelled(self._head)
            elif self._head is None:
                self._await_head()

        def pause_writing(self) -> None:
            super().pause_writing()
            if self._stuck is None:
                self._stuck = self.loop.call_later(seconds, self._cut)

        def resume_writing(self) -> None:
            self._stuck = _cancelled(self._stuck)
            super().resume_writing()

        def _is_asked(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _await_head(self) -> None:
            self._head = self.loop.call_later(seconds, self._cut_unasked)

        def _cut_unasked(self) -> None:
            self._head = None
            if not self._is_asked():
                self._cut()

        def _cut(self) -> None:
            self._stuck = None
            if not self.transport.is_closing():
                self.transport.abort()

    return Impatient


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    if timer is not None:
        timer.cancel()
    return None
