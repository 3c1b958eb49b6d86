"""How plausible each reading of a place is, by the task's default system; and whether a reader may go wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from marginalia.core.benchmark import System
from marginalia.core.resolution import system_for_documents
from marginalia.tasks.clarification.benchmark import BENCHMARK
from marginalia.tasks.clarification.gaps.filler import CHOICES, Filler, Suggest, fill
from marginalia.tasks.clarification.gaps.places import Guide, Place
from marginalia.tasks.clarification.official.data import Item
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
