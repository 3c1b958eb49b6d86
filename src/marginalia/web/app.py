"""The web application: the page, its files, and the API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from marginalia import __version__
from marginalia.core.errors import MarginaliaError, MissingError, UnknownNameError
from marginalia.web.api import router
from marginalia.web.files import add_files
from marginalia.web.guard import LOOPBACK, MAX_BYTES, Guard
from marginalia.web.library import Library


def create_app(
    library: Library,
    *,
    hosts: Iterable[str] = LOOPBACK,
    token: str | None = None,
    max_bytes: int = MAX_BYTES,
) -> FastAPI:
    """The application for the documents of this library."""

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
    )
    app.state.library = library
    app.include_router(router, prefix="/api")
    app.add_exception_handler(MarginaliaError, _explain)
    add_files(app, __package__)
    app.add_middleware(Guard, hosts=hosts, token=token, max_bytes=max_bytes)
    return app


def _explain(_: Request, error: Exception) -> JSONResponse:
    known = isinstance(error, (UnknownNameError, MissingError))
    return JSONResponse({"error": str(error)}, status_code=404 if known else 422)
