"""How a gap that a person marked could be read, and how plausible each reading is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from marginalia.core.benchmark import System
from marginalia.core.resolution import system_for_documents
from marginalia.tasks.clarification.benchmark import BENCHMARK
from marginalia.tasks.clarification.gaps.filler import CHOICES, Filler, Suggest, fill
from marginalia.tasks.clarification.gaps.marked import marked
from marginalia.tasks.clarification.official.ratings import Rating


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedGap:
    """A gap that was marked by hand, with its readings, the most plausible first."""

    phenomenon: str
    """``implicit reference``, ``fused head``, ``noun compound`` or ``metonymy``."""
    cloze: str
    """Its sentence with six underscores where something is missing."""
    readings: tuple[Reading, ...]

    @property
    def several(self) -> bool:
        """Two or more readings are plausible: that is where a reader may go wrong."""
        return sum(reading.rating.label == "PLAUSIBLE" for reading in self.readings) > 1

    def to_dict(self) -> dict[str, Any]:
        return {
            "phenomenon": self.phenomenon,
            "cloze": self.cloze,
            "readings": [one.to_dict() for one in self.readings],
            "several": self.several,
        }


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
    sentence, ``title`` that of the text; ``phenomenon`` overrides what the words around the gap suggest. ``suggest`` is a
    function of the place and what stands around it that returns further fillers: where a language model can be asked.
    Readings are rated by the task's best system, or by ``system``.

    >>> fill_gap("Clean the ______ tank.", fillers=["fish", "soup"]).readings[0].filler  # doctest: +SKIP
    'fish'
    """
    place, guide = marked(sentence, context=context, title=title, phenomenon=phenomenon)
    given = None if fillers is None else [Filler(text, "given") for text in fillers]
    found = fill(place, guide, n=n, suggest=suggest) if given is None else given
    texts = [filler.text for filler in found]
    items = {
        str(n): place.item(guide, text, (*texts[:n], *texts[n + 1 :]))
        for n, text in enumerate(texts)
    }
    ratings = (system or system_for_documents(BENCHMARK).loaded()).predict(items) if items else {}
    readings = [
        Reading(filler.text, filler.source, ratings[str(n)]) for n, filler in enumerate(found)
    ]
    readings.sort(key=lambda reading: -reading.rating.score)
    return MarkedGap(
        phenomenon=place.phenomenon,
        cloze=place.cloze(guide.sentences[place.number]),
        readings=tuple(readings),
    )
