"""What is looked for in kinds of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from marginalia.core.errors import UnknownNameError


@dataclass(frozen=True, slots=True, kw_only=True)
class Genre:
    name: str
    summary: str
    also: tuple[str, ...] = ()
    """Codes of rules and of notes, or their families, that are on beside the usual ones."""
    limits: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Code -> language -> bound."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Of the annotators."""


USUAL = Genre(name="", summary="the usual rules")
GENRES = {
    one.name: one
    for one in (
        Genre(
            name="manual",
            summary="instructions: nothing vague, no sentence above 30 words",
            also=("wording.vague",),
            limits={"sentences.long": {"en": 30, "de": 28}},
        ),
        Genre(
            name="paper",
            summary="articles and theses: abbreviations, quotation marks and per cent signs are looked at too",
            limits={"abbreviations.undefined": {"en": 1, "de": 1}},
            also=("abbreviations.unused", "marks.quotes", "numbers.percent", "wording.vague"),
        ),
        Genre(
            name="plain-language",
            summary="texts for everybody: hard words for learners, no sentence above 20 words",
            also=("wording.wordy", "words.hard-word", "words.hard-expression"),
            limits={"sentences.long": {"en": 20, "de": 18}},
            options={"audience": "learner"},
        ),
    )
}


def get_genre(name: str | None) -> Genre:
    if not name:
        return USUAL
    if name not in GENRES:
        raise UnknownNameError("genre", name, GENRES)
    return GENRES[name]
