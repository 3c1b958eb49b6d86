"""The web application: the page, its files, and the API."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from marginalia import __version__
from marginalia.core.errors import MarginaliaError
from marginalia.web import answers
from marginalia.web.api import catalogues, comparing, deciding, documents, people, shelf, texts
from marginalia.web.files import add_files
from marginalia.web.guard import LOOPBACK, Guard, Limits
from marginalia.web.library import Library
from marginalia.web.store.people import Person, check_token

REQUEST_SECONDS = 120.0
"""A request that asks for notes at once is given up after this."""


def create_app(
    library: Library,
    *,
    hosts: Iterable[str] = LOOPBACK,
    token: str | None = None,
    tokens: bool = False,
    limits: Limits | None = None,
    request_seconds: float = REQUEST_SECONDS,
) -> FastAPI:
    """The application for the documents of this library.

    With ``token`` whoever has it may do everything. With ``tokens``, or beside ``token``, the named tokens of the
    library are taken. With neither nobody is asked who they are.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        library.close()

    # The usual pages of documentation load scripts from elsewhere; the description alone is at openapi.json.
    app = FastAPI(
        title="Marginalia",
        summary="Reads a document and writes in its margins.",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        default_response_class=answers.Json,
    )
    app.state.library = library
    app.state.request_seconds = request_seconds
    app.state.compared = comparing.Compared()
    for part in (documents, deciding, comparing, catalogues, shelf, people, texts):
        app.include_router(part.router, prefix="/api")
    app.add_exception_handler(MarginaliaError, answers.explain)
    app.add_exception_handler(HTTPException, answers.explain_http)
    app.add_exception_handler(RequestValidationError, answers.explain_invalid)
    app.add_exception_handler(UnicodeEncodeError, answers.explain_half)
    app.add_exception_handler(answers.TookTooLongError, answers.explain_slow)
    app.add_exception_handler(Exception, answers.explain_unforeseen)
    add_files(app, __package__)
    if token is not None:
        check_token(token)

    def find(given: str) -> Person | None:
        if token is not None and hmac.compare_digest(
            given.encode("utf-8", "replace"), token.encode()
        ):
            return library.here
        return library.store.people.find(given)

    asks = find if token is not None or tokens else None
    app.add_middleware(Guard, here=library.here, hosts=hosts, find=asks, limits=limits)
    return app
