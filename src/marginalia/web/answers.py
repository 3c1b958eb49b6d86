"""Answers that can always be sent, and what is said where something was wrong."""

from __future__ import annotations

import json
import logging
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from marginalia.core.errors import MissingError, UnknownNameError
from marginalia.core.report import plain

log = logging.getLogger(__name__)


class TookTooLongError(Exception):
    """A request was not done in its time."""


class Json(JSONResponse):
    """JSON of whatever the data is: undefined numbers become null, halves of surrogate pairs are escaped."""

    def render(self, content: Any) -> bytes:
        try:
            return super().render(content)
        except ValueError:  # also what UTF-8 cannot hold
            return json.dumps(plain(content)).encode("ascii")


def say(status: int, sentence: str) -> Json:
    return Json({"error": sentence}, status_code=status)


def explain(_: Request, error: Exception) -> Json:
    known = isinstance(error, (UnknownNameError, MissingError))
    return say(404 if known else 422, str(error))


def explain_http(_: Request, error: Exception) -> Json:
    status = error.status_code if isinstance(error, HTTPException) else 400
    said = {404: "there is nothing at this address", 405: "this address does not take that method"}
    return say(
        status,
        said.get(status, str(getattr(error, "detail", "")) or "this request is not understood"),
    )


def explain_invalid(_: Request, error: Exception) -> Json:
    """What is wrong with a request and where. What was sent is not repeated: it may be anything."""
    found = error.errors() if isinstance(error, RequestValidationError) else []
    first = found[0] if found else {}
    if first.get("type") == "json_invalid":
        return say(422, f"the body is no JSON: {first.get('ctx', {}).get('error', '')}"[:200])
    if first.get("type") == "missing" and first.get("loc") == ("body",):
        return say(422, "the request has no body: send JSON")
    where = [str(one) for one in first.get("loc", ()) if one not in ("body", "query", "path")]
    what = str(first.get("msg", "this request is not understood")).removeprefix("Value error, ")[
        :200
    ]
    return say(422, f"{'.'.join(where)[:80]}: {what}" if where else what)


def explain_half(_: Request, error: Exception) -> Json:
    """JSON can hold half of a surrogate pair; nothing else can."""
    return say(422, "what was sent, or what is to be written, holds half of a surrogate pair")


def explain_slow(_: Request, error: Exception) -> Json:
    return say(503, str(error))


def explain_unforeseen(request: Request, error: Exception) -> Json:
    log.error(
        "%s %.80r: %s: %s",
        request.method,
        request.url.path,
        type(error).__name__,
        error,
        exc_info=error,
    )
    return say(500, "this is a fault of the server; what happened stands in its log")
