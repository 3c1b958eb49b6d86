"""Catalogues of survey variables: kept in the library, chosen for documents; candidates accepted and rejected."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Query, Request
from pydantic import Field
from starlette.concurrency import run_in_threadpool

from marginalia.core.errors import FormatError
from marginalia.web.api.asking import Asked, library_of, person_of, receive_file
from marginalia.web.api.deciding import DecisionRequest
from marginalia.web.candidates import decided_candidate
from marginalia.web.store.catalogues import KeptCatalogue

router = APIRouter()


class CandidateVerdict(Asked):
    """What is decided about one candidate of a note."""

    note: str = Field(max_length=200)
    variable: str = Field(min_length=1, max_length=400)
    verdict: Literal["accepted", "rejected", "undecided"]


@router.get("/catalogues")
def list_catalogues(request: Request) -> list[dict[str, Any]]:
    """The catalogues of the library; all who use it may choose them."""
    return [_brief(one) for one in library_of(request).store.catalogues.all()]


@router.post("/catalogues", status_code=201)
async def add_catalogue(
    request: Request, name: Annotated[str, Query(min_length=1, max_length=200)]
) -> dict[str, Any]:
    """Take a catalogue: the body is the file (DDI, JSON, CSV, XLSX, SPSS, Stata), its name says what kind."""
    library, person = library_of(request), person_of(request)
    path, _ = await receive_file(request)
    try:
        kept = await run_in_threadpool(
            lambda: library.store.catalogues.add(name, path, owner=person.name)
        )
    finally:
        path.unlink(missing_ok=True)
    return _brief(kept)


@router.delete("/catalogues/{id}", status_code=204)
def drop_catalogue(request: Request, id: str) -> None:
    """Remove a catalogue with what was decided by it; the notes that were made with it stay."""
    library, person = library_of(request), person_of(request)
    kept = library.store.catalogues.get(id)
    if not person.all and kept.owner != person.name:
        raise FormatError(f"only {kept.owner}, who brought it, can remove it")
    library.store.catalogues.delete(id)


@router.post("/documents/{id}/candidates")
def decide_candidate(
    request: Request, id: str, body: Annotated[CandidateVerdict, Body()]
) -> dict[str, Any]:
    """Accept or reject a candidate of a note, or leave it undecided again; undone as any decision."""
    change = DecisionRequest(request, id)
    note = change.note(body.note)
    attrs = {k: v for k, v in note.attrs.items() if not k.startswith(("decision", "decided_"))}
    made = next((one for one in change.made.annotations if one.id == note.id), note)
    attrs["why"] = made.attrs.get("why", "")
    edited = decided_candidate(replace(note, attrs=attrs), body.variable, body.verdict)
    if any("decision" in one for one in edited.attrs["candidates"]):
        change.log.add(id, [change.decided(note, "edited", edited)], who=change.who)
    elif "decision_id" in note.attrs:
        change.log.clear(id, [str(note.attrs["decision_id"])], who=change.who)
    return change.difference()


def _brief(one: KeptCatalogue) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "variables": one.variables,
        "owner": one.owner,
        "added": one.added,
    }
