"""Margin notes on guides and protocols: what is left open, and how it could be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.tasks.clarification.gaps.filler import fill
from marginalia.tasks.clarification.gaps.finder import PER_100_WORDS, find
from marginalia.tasks.clarification.gaps.instructions import instructive
from marginalia.tasks.clarification.gaps.places import Guide, Place, read_guide
from marginalia.tasks.clarification.notes.ranking import Ranked, rank
from marginalia.tasks.clarification.task import TASK

MAX_RATED_PLACES = 20
"""Places whose readings are rated, the most plausible problems first; rating is slow. The others are only filled."""
MAX_SHOWN_READINGS = 3
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def annotate(doc: Document) -> Iterator[Annotation]:
    """A note on each place of a how-to text that says too little; none on other texts."""
    guide = read_guide(doc)
    wanted = instructive(guide)
    if not wanted:
        return
    words = sum(len(guide.sentences[i].words) for i in wanted)
    found = [place for place in find(doc, per_100_words=None) if place.number in wanted]
    found = found[: max(1, int(words * PER_100_WORDS / 100))]
    system = TASK.ready().name
    # What was not trained can put readings in order, but not say which of them are plausible.
    rated = [] if system == TASK.fallback else found[:MAX_RATED_PLACES]
    ranked = {r.place.start: r for r in rank(rated, guide)}
    for number, place in enumerate(sorted(found, key=lambda place: place.start), 1):
        yield note(number, doc, guide, place, ranked.get(place.start), system)


def note(
    number: int, doc: Document, guide: Guide, place: Place, ranked: Ranked | None, system: str
) -> Annotation:
    """One note; without ratings it offers fillers in the order of their nearness to the context."""
    if ranked is None:
        readings: list[dict[str, Any]] = [{"filler": filler.text} for filler in fill(place, guide)]
    else:
        readings = [
            {"filler": r.filler, "label": r.rating.label, "rating": round(r.rating.score, 2)}
            for r in ranked.readings
        ]
    plausible = len(ranked.plausible) if ranked else 0
    return Annotation(
        id=f"clarification-{number}",
        task="clarification",
        label=place.phenomenon,
        start=place.start,
        end=place.end,
        quote=doc.text[place.start : place.end],
        score=place.score,
        attrs={
            "why": sentence(place, [str(r["filler"]) for r in readings], plausible),
            "question": place.question,
            "cloze": place.cloze(guide.sentences[place.number]),
            "readings": readings,
            "several": plausible > 1,
        },
        system=system if ranked else "rules",
    )


def sentence(place: Place, fillers: list[str], plausible: int) -> str:
    """What the note says: ``Hold: what? the pose · the stretch · your leg; two readings are plausible``."""
    said = f"{place.question} {' · '.join(fillers[:MAX_SHOWN_READINGS])}".strip()
    if plausible < 2:
        return said
    return f"{said}; {NUMBERS.get(plausible, plausible)} readings are plausible"
