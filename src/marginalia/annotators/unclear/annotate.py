"""Margin notes for writers: what an editor would ask, at the places that a learned tagger finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from marginalia.annotators.unclear.places import find_unclear
from marginalia.core.document import Annotation, Document

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

SYSTEM = "places"


def annotate(doc: Document, *, llm: LanguageModel | None = None) -> Iterator[Annotation]:
    """A note on each place at which an editor would ask; a language model drops some, and adds others with their likely reading."""
    if llm is None:
        return _annotate(doc)
    from marginalia.annotators.unclear.asked import review

    return review(doc, _annotate(doc), llm)


def _annotate(doc: Document) -> Iterator[Annotation]:
    for number, place in enumerate(find_unclear(doc), 1):
        yield Annotation(
            id=f"unclear-{number}",
            task="unclear",
            label=place.kind,
            start=place.start,
            end=place.end,
            quote=place.quote,
            score=place.probability,
            attrs={
                "why": place.question,
                "question": place.question,
                "readings": [],
                "several": False,
            },
            system=SYSTEM,
        )
