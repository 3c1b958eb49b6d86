"""What stands between the network and the reader: who may ask, how much, and what a page may load.

A page in some other tab can send requests to a server on this machine. It cannot forge ``Host`` and
``Origin``, so those must name us. Beyond this machine a token is needed as well.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MAX_BYTES = 50 * 2**20
COOKIE = "marginalia-token"

HEADERS = {
    # Nothing from elsewhere, nothing inline: text of a document can never become script or style.
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class TooLargeError(Exception):
    """More was sent than is taken."""


class Guard:
    """ASGI middleware. ``hosts`` are the names without port under which we are reached."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] = LOOPBACK,
        token: str | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.app, self.hosts, self.token, self.max_bytes = app, frozenset(hosts), token, max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        answer = self._with_headers(scope, send)
        refusal = self._refusal(scope, headers)
        if refusal:
            await say(answer, *refusal)
            return
        if self.token and "token" in parse_qs(scope["query_string"].decode("latin-1")):
            await self._enter(scope, answer)
            return
        try:
            await self.app(scope, self._counted(receive), answer)
        except TooLargeError:
            await say(answer, 413, self._limit())

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if "*" not in self.hosts and name.lower() not in self.hosts:
            return 403, f"the Host {host[:80]!r} is not one this server answers to"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, f"a page of {origin[:80]!r} may not use this server"
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return 403, "another site may not use this server"
        if self.token and not self._knows(scope, headers):
            return 401, "open the address with ?token=… that the server printed"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.max_bytes:
            return 413, self._limit()
        return None

    def _limit(self) -> str:
        return f"more than {self.max_bytes // 2**20} MB were sent, the limit"

    def _knows(self, scope: Scope, headers: dict[str, str]) -> bool:
        given = [headers.get("authorization", "").removeprefix("Bearer ")]
        given += parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        try:
            cookies: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
            given += [cookies[COOKIE].value] if COOKIE in cookies else []
        except CookieError:
            pass
        token = (self.token or "").encode()
        return any(hmac.compare_digest(one.encode(), token) for one in given)

    async def _enter(self, scope: Scope, send: Send) -> None:
        """The token moves from the address, where people copy it, into a cookie."""
        cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        moved = [(b"location", scope["path"].encode()), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": moved})
        await send({"type": "http.response.body", "body": b""})

    def _counted(self, receive: Receive) -> Receive:
        """A body without a length is counted as it comes."""
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self.max_bytes:
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


async def say(send: Send, status: int, error: str) -> None:
    """An answer that is one sentence of what was wrong."""
    body: Any = json.dumps({"error": error}).encode()
    kind = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": kind})
    await send({"type": "http.response.body", "body": body})
