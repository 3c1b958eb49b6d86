"""The server under the application: its socket, and an end that comes soon."""

from __future__ import annotations

import asyncio
import socket
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import uvicorn

from marginalia.core.errors import FormatError
from marginalia.web.guard import say
from marginalia.web.library import GRACE_SECONDS
from marginalia.web.protocol import impatient

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Stoppable(Protocol):
    """What works behind the application, and ends with the server."""

    def stop(self) -> None: ...


PATIENCE_SECONDS = 15.0
"""How long a client may take for the head of a request, or for taking in what it asked for."""


def bind(host: str, port: int) -> socket.socket:
    """A socket that listens: whoever is told its address may connect at once. Port 0 takes any that is free."""
    try:
        sock = uvicorn.Config("", host=host, port=port, log_level="warning").bind_socket()
        sock.listen()
    except (SystemExit, OSError):
        raise FormatError(
            f"port {port} of {host} cannot be used: name another with `port=`"
        ) from None
    # Connections inherit it. Without it the end of an answer waits for the browser to confirm its beginning: 40 ms for
    # each request. asyncio sees to that only for sockets that were made with the protocol's number, unlike uvicorn's.
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


class Server(uvicorn.Server):
    """Told to end, it ends: event streams at once, requests and notes within the time they are given."""

    def __init__(
        self, app: ASGIApp, library: Stoppable, *, patience: float = PATIENCE_SECONDS
    ) -> None:
        self.library = library
        super().__init__(
            uvicorn.Config(
                _answered(app),
                http=impatient(patience),
                log_level="warning",
                lifespan="on",
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.library.stop()
        super().handle_exit(sig, frame)


def _answered(app: ASGIApp) -> ASGIApp:
    """The application; a request that is given up at the end is told so, and nobody gets to see a traceback of it."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        is_started = False

        async def noted(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await app(scope, receive, noted)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not is_started:
                await say(send, 503, "the server has ended before this was done")

    return answered
