"""The web application of a competition: its pages, and the API that pages and programs use."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import Body, FastAPI, Header, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from marginalia import __version__
from marginalia.bench.host.database import DatabaseError
from marginalia.bench.host.errors import JudgeError, OutOfOrderError, RefusedError
from marginalia.bench.host.site import Site
from marginalia.bench.host.submissions import Upload
from marginalia.bench.host.teams import Team
from marginalia.core.errors import MarginaliaError
from marginalia.web.files import SHARED, add_files
from marginalia.web.guard import LOOPBACK, Guard, Limits
from marginalia.web.store.people import Person

ANYBODY = Person("anybody", "write")
Authorization = Annotated[str, Header()]


def create_app(site: Site, *, hosts: Iterable[str] = LOOPBACK) -> FastAPI:
    """The application of a competition that is already set up; it scores while it runs."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(site.start)
        yield
        await run_in_threadpool(site.stop)

    app = FastAPI(
        title="Marginalia competition",
        summary="Hand in predictions, get the official score, see the leaderboard.",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    _add_public(app, site)
    _add_own(app, site)
    app.add_exception_handler(MarginaliaError, _explain)
    add_files(app, __package__, SHARED)
    size = site.competition.limits.upload_mb * 2**20
    limits = Limits(upload_bytes=size, json_bytes=size)
    # Teams have tokens of their own, which the site looks up: to the guard everybody is alike.
    app.add_middleware(Guard, here=ANYBODY, hosts=hosts, limits=limits)
    return app


def _add_public(app: FastAPI, site: Site) -> None:
    @app.get("/api/competition")
    def competition() -> dict[str, Any]:
        """Task, phases, limits, and the hash of the last entry of the log."""
        return site.about()

    @app.get("/api/board")
    def board(
        phase: Annotated[str, Query(max_length=40)],
        figure: Annotated[str, Query(max_length=100)] = "",
        authorization: Authorization = "",
    ) -> list[dict[str, Any]]:
        """The leaderboard of a phase, ranked by a figure, by default the first; organisers see the final figures at any time."""
        reveal = bool(authorization) and _team(site, authorization).is_organiser
        return site.board(phase, figure=figure, reveal=reveal)

    @app.get("/api/log")
    def log(after: Annotated[int, Query(ge=0, le=2**53)] = 0) -> list[dict[str, Any]]:
        """The audit log, 200 entries at a time."""
        return site.log(after)

    @app.post("/api/teams", status_code=201)
    def register(name: Annotated[str, Body(embed=True, max_length=200)]) -> dict[str, str]:
        """Register a team. The token is in this answer only: keep it."""
        return {"token": site.register(name)}


def _add_own(app: FastAPI, site: Site) -> None:
    """What needs a team's token, as ``Authorization: Bearer …``."""

    @app.get("/api/team")
    def team(authorization: Authorization = "") -> dict[str, Any]:
        found = _team(site, authorization)
        return {"name": found.name, "organiser": found.is_organiser}

    @app.post("/api/submissions", status_code=202)
    async def submit(
        request: Request,
        phase: Annotated[str, Query(max_length=40)],
        file: Annotated[str, Query(max_length=200)],
        idempotency_key: Annotated[str, Header(max_length=200)],
        description: Annotated[str, Query(max_length=500)] = "",
        authorization: Authorization = "",
    ) -> dict[str, Any]:
        """Hand in a file or a zip as the body. The same ``Idempotency-Key`` never makes two submissions."""
        found = await run_in_threadpool(_team, site, authorization)
        upload = Upload(
            file=file,
            content=await request.body(),
            request=idempotency_key,
            description=description.strip(),
        )
        return await run_in_threadpool(site.submit, found, phase, upload)

    @app.get("/api/submissions")
    def submissions(authorization: Authorization = "") -> list[dict[str, Any]]:
        """Your team's submissions, the newest first."""
        return site.submissions(_team(site, authorization))

    @app.get("/api/submissions/{id}")
    def submission(id: int, authorization: Authorization = "") -> dict[str, Any]:
        return site.submission(_team(site, authorization), _number(id))

    @app.get("/api/submissions/{id}/file")
    def file(id: int, authorization: Authorization = "") -> Response:
        """The file that your team handed in."""
        name, content = site.file(_team(site, authorization), _number(id))
        # As a download of no type: whatever it holds, no browser shows it as a page of this site.
        ascii_name = name.encode("ascii", "replace").decode().replace("?", "_")
        return Response(
            content,
            media_type="application/octet-stream",
            headers={"content-disposition": f'attachment; filename="{ascii_name}"'},
        )

    @app.post("/api/submissions/{id}/withdrawal")
    def withdraw(
        id: int,
        reason: Annotated[str, Body(embed=True, max_length=500)] = "",
        authorization: Authorization = "",
    ) -> dict[str, Any]:
        """Withdraw a submission: it stays on the board, marked and without a place."""
        return site.withdraw(_team(site, authorization), _number(id), reason)


def _team(site: Site, authorization: str) -> Team:
    return site.team(authorization.removeprefix("Bearer ").strip())


def _number(id: int) -> int:
    """A number that both databases can hold; any other names no submission."""
    return id if 0 < id < 2**53 else 0


def _explain(_: Request, error: Exception) -> JSONResponse:
    status = 422
    if isinstance(error, RefusedError):
        status = error.status
    elif isinstance(error, (DatabaseError, OutOfOrderError)):
        status = 503
    said = f"it cannot be scored: {error}" if isinstance(error, JudgeError) else str(error)
    return JSONResponse({"error": said}, status_code=status)
