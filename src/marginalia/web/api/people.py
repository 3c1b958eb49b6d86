"""What belongs to whoever asks: their name, settings, words they know, and how right notes were for them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request
from pydantic import Field

from marginalia.bench.decisions import score_decisions
from marginalia.web.api.asking import Asked, library_of, person_of
from marginalia.web.known import forget, known_to, learn

router = APIRouter()


Kind = Annotated[str, Field(max_length=80)]
Score = Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)]


class Settings(Asked):
    """Settings that follow a person; null forgets one, what is left out stays."""

    thresholds: dict[Kind, Score] | None = Field(
        None,
        max_length=100,
        description="Kind of note such as measurement.count -> its least score.",
    )


class Word(Asked):
    """A word for one's own list."""

    word: str = Field(min_length=1, max_length=100)


@router.get("/me")
def me(request: Request) -> dict[str, Any]:
    """Who asks, what they may do, their settings and the words they know."""
    person, people = person_of(request), library_of(request).store.people
    return {
        "name": person.name,
        "may": person.may,
        "all": person.all,
        "settings": people.settings(person.name),
        "known_words": known_to(person, people),
    }


@router.put("/me/settings")
def set_settings(request: Request, body: Annotated[Settings, Body()]) -> dict[str, Any]:
    """Change one's settings."""
    person, people = person_of(request), library_of(request).store.people
    for name in body.model_fields_set:
        people.set(person.name, name, getattr(body, name))
    return people.settings(person.name)


@router.post("/me/words")
def add_word(request: Request, body: Annotated[Word, Body()]) -> list[str]:
    """Put a word on one's own list: there is no note on it from now on, in any document."""
    person, people = person_of(request), library_of(request).store.people
    learn(person, people, [body.word])
    return known_to(person, people)


@router.delete("/me/words")
def drop_word(request: Request, word: Annotated[str, Query(max_length=200)]) -> list[str]:
    """Take a word off the list."""
    person, people = person_of(request), library_of(request).store.people
    forget(person, people, [word])
    return known_to(person, people)


@router.get("/me/precision")
def precision(request: Request) -> list[dict[str, Any]]:
    """How many notes of each kind this person kept, in all documents they see, and from which score on 80 % were kept."""
    library, person = library_of(request), person_of(request)
    decisions = [
        one
        for record in library.store.documents.all()
        if person.sees(record.owner, record.shared)
        for one in library.store.decisions.current(record.id)
        if one.who == person.name
    ]
    return [row.to_dict() for row in score_decisions(decisions)]
