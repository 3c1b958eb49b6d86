"""What a document leaves open, and how plausible each reading of such a place is: the public functions of the annotator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.core.benchmark import System
from marginalia.core.document import Document
from marginalia.core.extraction import Table
from marginalia.core.resolution import system_for_documents
from marginalia.tasks.clarification.benchmark import BENCHMARK
from marginalia.tasks.clarification.gaps.filler import CHOICES, Filler, Suggest, fill
from marginalia.tasks.clarification.gaps.finder import PER_100_WORDS, THRESHOLD, find, marked
from marginalia.tasks.clarification.gaps.places import Guide, Place, read_guide
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating

GAP = ("document", "start", "end", "quote", "phenomenon", "score", "question", "cloze", "page")
"""The columns of every gap."""
FILLED = (*GAP, "fillers")
RANKED = (*GAP, "readings", "several")


@dataclass(frozen=True, slots=True)
class Reading:
    """A filler and how plausible it is."""

    filler: str
    source: str
    rating: Rating

    def to_dict(self) -> dict[str, Any]:
        return {
            "filler": self.filler,
            "source": self.source,
            "label": self.rating.label,
            "rating": round(self.rating.score, 4),
        }


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place with its readings, the most plausible first."""

    place: Place
    sentence: str
    """With the gap as six underscores."""
    readings: tuple[Reading, ...]

    @property
    def plausible(self) -> tuple[Reading, ...]:
        return tuple(r for r in self.readings if r.rating.label == "PLAUSIBLE")

    @property
    def several(self) -> bool:
        """Two or more readings are plausible: that is where a reader may go wrong."""
        return len(self.plausible) > 1


def rank(
    places: Iterable[Place],
    guide: Guide,
    *,
    n: int = CHOICES,
    system: System | None = None,
    suggest: Suggest | None = None,
) -> list[Ranked]:
    """Each place with ``n`` readings and their ratings, in the order of the places."""
    places = list(places)
    fillers = [fill(place, guide, n=n, suggest=suggest) for place in places]
    return rate(places, guide, fillers, system=system)


def rate(
    places: Sequence[Place],
    guide: Guide,
    fillers: Sequence[Sequence[Filler]],
    *,
    system: System | None = None,
) -> list[Ranked]:
    """Places with fillers that are known already."""
    items: dict[str, Item] = {}
    for number, (place, each) in enumerate(zip(places, fillers, strict=True)):
        texts = [filler.text for filler in each]
        for count, text in enumerate(texts):
            others = (*texts[:count], *texts[count + 1 :])
            items[f"{number}_{count + 1}"] = place.item(guide, text, others)
    ratings = (system or system_for_documents(BENCHMARK).loaded()).predict(items) if items else {}
    found = []
    for number, (place, each) in enumerate(zip(places, fillers, strict=True)):
        readings = [
            Reading(filler.text, filler.source, ratings[f"{number}_{count + 1}"])
            for count, filler in enumerate(each)
        ]
        readings.sort(key=lambda reading: -reading.rating.score)
        cloze = place.cloze(guide.sentences[place.number])
        found.append(Ranked(place, cloze, tuple(readings)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A place that says too little; ``doc.text[start:end] == quote``."""

    document: str
    start: int
    end: int
    quote: str
    phenomenon: str
    """``implicit reference``, ``fused head``, ``noun compound`` or ``metonymy``."""
    score: float
    """How plausible a problem it is, from 0 to 1."""
    question: str
    """What a reader might ask: ``Hold: what?``"""
    cloze: str
    """Its sentence with six underscores where something is missing."""
    page: int | None

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in GAP}


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledGap(Gap):
    """A place with what could be meant; the fillers differ from each other."""

    fillers: tuple[Filler, ...]

    def to_dict(self) -> dict[str, Any]:
        fillers = [{"filler": one.text, "source": one.source} for one in self.fillers]
        return {**Gap.to_dict(self), "fillers": fillers}


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedGap(Gap):
    """A place with its readings, the most plausible first."""

    readings: tuple[Reading, ...]

    @property
    def several(self) -> bool:
        """Two or more readings are plausible: that is where a reader may go wrong."""
        return _several(self.readings)

    def to_dict(self) -> dict[str, Any]:
        return {**Gap.to_dict(self), **_readings(self.readings)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedGap:
    """A gap that was marked by hand, with its readings, the most plausible first."""

    phenomenon: str
    cloze: str
    readings: tuple[Reading, ...]

    @property
    def several(self) -> bool:
        """Two or more readings are plausible."""
        return _several(self.readings)

    def to_dict(self) -> dict[str, Any]:
        what = {"phenomenon": self.phenomenon, "cloze": self.cloze}
        return {**what, **_readings(self.readings)}


def find_gaps(
    doc: Document,
    *,
    per_100_words: float | None = PER_100_WORDS,
    threshold: float = THRESHOLD,
    phenomena: Iterable[str] | None = None,
) -> Table[Gap]:
    """The places of an English how-to text that say too little, the most plausible problem first.

    At most so many ``per_100_words`` (every one if None) whose score reaches the ``threshold``. ``phenomena``
    names the kinds to look for, all four if None.
    """
    guide = read_guide(doc)
    found = find(doc, per_100_words=per_100_words, threshold=threshold, phenomena=phenomena)
    return Table(tuple(Gap(**_fields(doc, guide, place)) for place in found), GAP)


def fill_gaps(
    doc: Document,
    *,
    n: int = CHOICES,
    suggest: Suggest | None = None,
    per_100_words: float | None = PER_100_WORDS,
    threshold: float = THRESHOLD,
    phenomena: Iterable[str] | None = None,
) -> Table[FilledGap]:
    """The places that ``find_gaps`` gives, each with up to ``n`` fillers that differ.

    ``suggest`` is a function of a place and its guide that returns further fillers: where a language model can
    be asked.
    """
    guide = read_guide(doc)
    found = find(doc, per_100_words=per_100_words, threshold=threshold, phenomena=phenomena)
    rows = tuple(
        FilledGap(
            **_fields(doc, guide, place),
            fillers=tuple(fill(place, guide, n=n, suggest=suggest)),
        )
        for place in found
    )
    return Table(rows, FILLED)


def rank_fillers(
    doc: Document,
    *,
    n: int = CHOICES,
    system: System | None = None,
    suggest: Suggest | None = None,
    per_100_words: float | None = PER_100_WORDS,
    threshold: float = THRESHOLD,
    phenomena: Iterable[str] | None = None,
) -> Table[RankedGap]:
    """The places that ``find_gaps`` gives, each with rated readings, the most plausible first.

    Readings are rated by the task's best system, or by ``system``; the other arguments are those of
    ``fill_gaps``.
    """
    guide = read_guide(doc)
    found = find(doc, per_100_words=per_100_words, threshold=threshold, phenomena=phenomena)
    ranked = rank(found, guide, n=n, system=system, suggest=suggest)
    rows = tuple(
        RankedGap(**_fields(doc, guide, one.place), readings=one.readings) for one in ranked
    )
    return Table(rows, RANKED)


def fill_gap(
    sentence: str,
    *,
    context: str = "",
    title: str = "",
    phenomenon: str | None = None,
    fillers: Iterable[str] | None = None,
    n: int = CHOICES,
    system: System | None = None,
    suggest: Suggest | None = None,
) -> MarkedGap:
    """How a gap that is marked with six underscores could be read, the most plausible reading first.

    ``fillers`` are rated if they are given, else up to ``n`` of our own. ``context`` is what stands before the
    sentence, ``title`` that of the text; ``phenomenon`` overrides what the words around the gap suggest.

    >>> fill_gap("Clean the ______ tank.", fillers=["fish", "soup"]).readings[0].filler  # doctest: +SKIP
    'fish'
    """
    place, guide = marked(sentence, context=context, title=title, phenomenon=phenomenon)
    given = None if fillers is None else [Filler(text, "given") for text in fillers]
    found = fill(place, guide, n=n, suggest=suggest) if given is None else given
    [ranked] = rate([place], guide, [found], system=system)
    return MarkedGap(phenomenon=place.phenomenon, cloze=ranked.sentence, readings=ranked.readings)


def _fields(doc: Document, guide: Guide, place: Place) -> dict[str, Any]:
    return {
        "document": doc.id,
        "start": place.start,
        "end": place.end,
        "quote": place.quote,
        "phenomenon": place.phenomenon,
        "score": place.score,
        "question": place.question,
        "cloze": place.cloze(guide.sentences[place.number]),
        "page": doc.page(place.start),
    }


def _several(readings: Iterable[Reading]) -> bool:
    return sum(reading.rating.label == "PLAUSIBLE" for reading in readings) > 1


def _readings(readings: tuple[Reading, ...]) -> dict[str, Any]:
    return {"readings": [one.to_dict() for one in readings], "several": _several(readings)}
