"""What stands between the network and the reader: who may ask, how much, and what a page may load.

A page in some other tab can send requests to a server on this machine. It cannot forge ``Host`` and
``Origin``, so those must name us. Beyond this machine a token is needed as well.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

from starlette.requests import ClientDisconnect

from marginalia.web.store.people import Person

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MAX_BYTES = 50 * 2**20
COOKIE = "marginalia-token"
READING = frozenset({"GET", "HEAD"})
ASKING = frozenset({"/api/annotate", "/api/similar", "/api/link"})
"""What is posted here changes nothing."""
UPLOADS = frozenset({"/api/documents", "/api/library", "/api/catalogues"})
"""Where a body is a file, which goes to the disk as it comes."""


def _is_reading(method: str, path: str) -> bool:
    """Whether a request changes nothing but how far the one who sends it has read."""
    return method in READING or path in ASKING or (method == "PUT" and path.endswith("/position"))


HEADERS = {
    # Nothing from elsewhere, nothing inline: text of a document can never become script or style.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class TooLargeError(Exception):
    """More was sent than is taken."""


class TooSlowError(Exception):
    """What was sent came too slowly."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much and how long a request may send."""

    upload_bytes: int = MAX_BYTES
    json_bytes: int = 4 * 2**20
    """A body that is not a file; what it may hold is short."""
    pause_seconds: float = 20.0
    """How long the sender of a body may say nothing."""
    bytes_per_second: int = 10_000
    """A body must come as fast as this in the long run."""


class Guard:
    """ASGI middleware. ``hosts`` are the names without port under which we are reached.

    ``find`` tells whose token one is; without it everybody is ``here``, whoever sits at this machine.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        here: Person,
        hosts: Iterable[str] = LOOPBACK,
        find: Callable[[str], Person | None] | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.app, self.here, self.hosts, self.find = app, here, frozenset(hosts), find
        self.limits = limits or Limits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        answer = self._with_headers(scope, send)
        limit = self.limits.upload_bytes if _is_upload(scope) else self.limits.json_bytes
        refusal = self._refusal(scope, headers, limit)
        if refusal:
            await say(answer, *refusal)
            return
        person, token = self.here, ""
        if self.find is not None:
            found, token = self._who(scope, headers)
            if found is None:
                await say(answer, 401, "open the address with ?token=… that you were given")
                return
            person = found
        if person.may != "write" and not _is_reading(scope["method"], scope["path"]):
            await say(answer, 403, f"the token of {person.name} may read, not change anything")
            return
        if token and "token" in parse_qs(scope["query_string"].decode("latin-1")):
            await self._enter(scope, answer, token)
            return
        scope.setdefault("state", {})["person"] = person
        try:
            await self.app(scope, self._counted(receive, limit), answer)
        except TooLargeError:
            await say(answer, 413, _limit(limit))
        except TooSlowError:
            await say(answer, 408, "what was sent came too slowly: try again")
        except ClientDisconnect:
            pass  # nobody is there to be told

    def _refusal(self, scope: Scope, headers: dict[str, str], limit: int) -> tuple[int, str] | None:
        host = headers.get("host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if "*" not in self.hosts and name.lower() not in self.hosts:
            return 403, f"the Host {host[:80]!r} is not one this server answers to"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, f"a page of {origin[:80]!r} may not use this server"
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return 403, "another site may not use this server"
        length = headers.get("content-length", "0")
        if not (
            length.isascii() and length.isdigit() and len(length) < 20 and int(length) <= limit
        ):
            return 413, _limit(limit)
        return None

    def _who(self, scope: Scope, headers: dict[str, str]) -> tuple[Person | None, str]:
        """Whose token came with the request, in its address, a header or a cookie."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        given.append(headers.get("authorization", "").removeprefix("Bearer "))
        try:
            cookies: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
            given += [cookies[COOKIE].value] if COOKIE in cookies else []
        except CookieError:
            pass
        for token in given:
            person = self.find(token) if self.find and token else None
            if person is not None:
                return person, token
        return None, ""

    async def _enter(self, scope: Scope, send: Send, token: str) -> None:
        """The token moves from the address, where people copy it, into a cookie."""
        cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
        # One slash: two would lead to another host. Quoted: a line end would be a header of somebody else's.
        place = "/" + quote(scope["path"].lstrip("/\\"), errors="replace")
        moved = [(b"location", place.encode()), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": moved})
        await send({"type": "http.response.body", "body": b""})

    def _counted(self, receive: Receive, limit: int) -> Receive:
        """A body is counted as it comes, and must come soon."""
        seen, began, is_whole = 0, time.monotonic(), False

        async def counted() -> Message:
            nonlocal seen, is_whole
            if is_whole:  # whoever asks now waits for the client to leave, which may take for ever
                return await receive()
            left = began + self.limits.pause_seconds + seen / self.limits.bytes_per_second
            wait = min(self.limits.pause_seconds, left - time.monotonic())
            try:
                message = await asyncio.wait_for(receive(), max(wait, 0))
            except TimeoutError:
                raise TooSlowError from None
            seen += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if seen > limit:
                raise TooLargeError
            return message

        return counted

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        keep = "no-store" if scope["path"].startswith("/api/") else "no-cache"
        own = {**HEADERS, "cache-control": keep}

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = list(message.get("headers", ()))
                names = {name for name, _ in given}
                given += [
                    (n.encode(), v.encode()) for n, v in own.items() if n.encode() not in names
                ]
                message = {**message, "headers": given}
            await send(message)

        return answer


def _is_upload(scope: Scope) -> bool:
    path = scope["path"]
    return path in UPLOADS or (path.startswith("/api/documents/") and path.endswith("/file"))


def _limit(limit: int) -> str:
    return f"more than {limit // 2**20 or limit} {'MB' if limit >= 2**20 else 'bytes'} were sent, the limit"


async def say(send: Send, status: int, error: str) -> None:
    """An answer that is one sentence of what was wrong."""
    body: Any = json.dumps({"error": error}).encode()
    kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status in (408, 413):  # what the client still sends is not read
        kind.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": kind})
    await send({"type": "http.response.body", "body": body})
