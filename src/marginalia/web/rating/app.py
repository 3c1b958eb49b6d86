"""The web application of a rating campaign."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import Body, FastAPI, Header, Query, Request
from fastapi.responses import JSONResponse

from marginalia import __version__
from marginalia.bench.host.errors import RefusedError
from marginalia.bench.rating import Desk
from marginalia.core.errors import MarginaliaError
from marginalia.web.files import SHARED, add_files
from marginalia.web.guard import LOOPBACK, Guard, Limits
from marginalia.web.store.people import Person

MAX_BYTES = 2**20
"""Of one answer."""


def create_app(desk: Desk, *, hosts: Iterable[str] = LOOPBACK) -> FastAPI:
    """The application for the raters of a campaign; a rater is known by ``Authorization: Bearer …``."""
    app = FastAPI(
        title="Marginalia ratings",
        summary="Answer questions; a session goes on where it stopped.",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )

    @app.get("/api/campaign")
    def campaign() -> dict[str, str]:
        return {"title": desk.campaign.title}

    @app.post("/api/sessions", status_code=201)
    def begin(name: Annotated[str, Body(embed=True, max_length=200)]) -> dict[str, str]:
        """Begin to rate. With the token the session goes on, from anywhere."""
        return {"token": desk.begin(name)}

    @app.get("/api/session")
    def session(authorization: Annotated[str, Header()] = "") -> dict[str, Any]:
        """How far you are, and your next question."""
        return desk.session(_token(authorization))

    @app.get("/api/question")
    def question(
        id: Annotated[str, Query(max_length=500)], authorization: Annotated[str, Header()] = ""
    ) -> dict[str, Any]:
        """One of your questions, with your answer."""
        return desk.question(_token(authorization), id)

    @app.post("/api/answers")
    def answer(
        id: Annotated[str, Body(max_length=500)],
        answer: Annotated[Any, Body()] = None,
        authorization: Annotated[str, Header()] = "",
    ) -> dict[str, Any]:
        """Answer a question; what comes next."""
        return desk.answer(_token(authorization), id, answer)

    app.add_exception_handler(MarginaliaError, _explain)
    add_files(app, __package__, SHARED)
    # Raters have tokens of their own: to the guard everybody is alike.
    limits = Limits(upload_bytes=MAX_BYTES, json_bytes=MAX_BYTES)
    app.add_middleware(Guard, here=Person("anybody", "write"), hosts=hosts, limits=limits)
    return app


def _token(authorization: str) -> str:
    return authorization.removeprefix("Bearer ").strip()


def _explain(_: Request, error: Exception) -> JSONResponse:
    status = error.status if isinstance(error, RefusedError) else 422
    return JSONResponse({"error": str(error)}, status_code=status)
