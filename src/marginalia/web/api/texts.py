"""Texts that are answered at once: notes, similarity, variables."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from pydantic import Field

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.registry import all_annotators
from marginalia.core.report import plain
from marginalia.reader.annotate import Batch, assemble, choose_annotators, stream
from marginalia.reader.choose import choose_notes
from marginalia.reader.parse.plain import read_text
from marginalia.reader.profiles import get_profile, known_profiles
from marginalia.web.api.asking import Asked, Turn, library_of
from marginalia.web.library import Library

router = APIRouter()
QUICK_CHARACTERS = 5_000
"""A text up to here comes before parts of longer ones."""


class Text(Asked):
    """A text to annotate at once."""

    text: str = Field(max_length=200_000)
    lang: str | None = Field(None, pattern="^[a-z]{2}$")
    notes: list[str] | None = Field(None, description="Annotators, as in /api/annotators.")
    options: dict[str, str] = Field(
        {},
        description="Such as audience; catalogue is the name of the server's own, as in /api/annotators.",
    )
    all: bool = Field(False, description="Every note, not only the most useful.")


class Sentences(Asked):
    """Two texts to compare."""

    a: str = Field(max_length=10_000)
    b: str = Field(max_length=10_000)


class Statement(Asked):
    """A sentence to link to the variables of the server's catalogue."""

    text: str = Field(max_length=10_000)
    limit: int = Field(10, ge=1, le=100)


@router.get("/annotators")
def annotators(request: Request) -> list[dict[str, Any]]:
    """The kinds of notes in the order in which they are shown, with their options and what a page says of them; for those
    that take one the catalogue that can be named in their options."""
    described = []
    for annotator in sorted(all_annotators(), key=lambda one: (one.look.order, one.name)):
        shown: dict[str, Any] = {
            "name": annotator.name,
            "question": annotator.question,
            "audiences": annotator.audiences,
            "options": list(annotator.options),
            "look": annotator.look.to_dict(),
        }
        if "catalogue" in annotator.options:
            shown["catalogues"] = list(library_of(request).catalogues)
        described.append(shown)
    return described


@router.get("/profiles")
def profiles() -> list[dict[str, Any]]:
    """Who may read: ours and the project's, with the annotators whose notes each gets."""
    usual = get_profile(None).name
    return [
        {
            "name": one.name,
            "summary": one.summary,
            "default": one.name == usual,
            "notes": [annotator.name for annotator in one.annotators()],
        }
        for one in known_profiles()
    ]


@router.get("/llm")
def language_model(request: Request) -> dict[str, str | None]:
    """The language model that the server was started with; it is asked about a document only where a request says so."""
    model = library_of(request).llm
    return {"model": model.name if model else None}


@router.post("/annotate")
async def annotate_text(request: Request, body: Annotated[Text, Body()]) -> dict[str, Any]:
    """A text with its notes, at once. A long one is better opened as a document, whose notes come as they are made."""
    library = library_of(request)
    options = dict(body.options)
    if "catalogue" in options:
        options["catalogue"] = _catalogue(library, options["catalogue"])
    if "units" in options:  # a path, which would let a request open any file of the server
        raise FormatError("a request cannot define units")
    doc = await asyncio.to_thread(read_text, body.text, lang=body.lang)
    chosen = choose_annotators(body.notes)
    batches = stream(doc, chosen, options=options, cache=library.cache)
    turn = Turn(request, quick=len(doc.text) <= QUICK_CHARACTERS)
    found: list[Batch] = []
    if turn.quick:
        found = await turn.take(lambda: list(batches))
    else:
        while (batch := await turn.take(lambda: next(batches, None))) is not None:
            found.append(batch)

    def finish() -> Document:
        made = assemble(doc, chosen, found)
        return made if body.all else choose_notes(made)

    return dict(plain((await asyncio.to_thread(finish)).to_dict()))


@router.post("/similar")
async def similar(request: Request, body: Annotated[Sentences, Body()]) -> dict[str, Any]:
    """How similar two sentences are, from 0 to 5, and why."""
    from marginalia import compare

    made = await Turn(request, quick=True).take(lambda: compare(body.a, body.b))
    return dict(plain(made.to_dict()))


@router.post("/link")
async def link(request: Request, body: Annotated[Statement, Body()]) -> list[dict[str, Any]]:
    """The variables of the server's catalogue that a sentence uses, best first."""
    from marginalia import rank_variables

    catalogue = _catalogue(library_of(request))
    ranked = await Turn(request, quick=True).take(
        lambda: rank_variables(body.text, catalogue, limit=body.limit)
    )
    return [plain(one.to_dict()) for one in ranked]


def _catalogue(library: Library, name: str | None = None) -> str:
    """Where the server's catalogue is. It has a name here: a path would let a request open any file of the server."""
    known = library.catalogues
    if not known:
        raise FormatError("this server was started without a catalogue")
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise UnknownNameError("catalogue", name[:80], known)
    return known[name]
