"""The task's tools as rows of plain data, for the command line and for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.agreement import interval, krippendorff_alpha, one_against_rest
from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.table import parse_float, read_table
from marginalia.core.task import Report, System
from marginalia.tasks.clarification.gaps.filler import CHOICES, Suggest, fill
from marginalia.tasks.clarification.gaps.finder import PER_100_WORDS, THRESHOLD, find
from marginalia.tasks.clarification.gaps.marked import marked
from marginalia.tasks.clarification.gaps.places import Guide, Place, read_guide
from marginalia.tasks.clarification.gaps.revisions import Mined, Revision, mine
from marginalia.tasks.clarification.notes.ranking import Ranked, rank, rate
from marginalia.tasks.clarification.official.ratings import CLASSES, label_of, mean_ratings
from marginalia.tasks.clarification.official.score import human_upper_bound

FIND = ("document", "start", "end", "quote", "phenomenon", "score", "question", "cloze", "page")
FILL = (*FIND, "fillers")
RANK = (*FIND, "readings", "several")
LOWEST, HIGHEST = 1, 5
RATINGS = ("id", "rater", "rating")


def find_rows(
    doc: Document,
    *,
    per_100_words: float | None = PER_100_WORDS,
    threshold: float = THRESHOLD,
    phenomena: Iterable[str] | None = None,
) -> list[dict[str, Any]]:
    """The places of a document that say too little, the most plausible problem first."""
    guide = read_guide(doc)
    options = {"per_100_words": per_100_words, "threshold": threshold, "phenomena": phenomena}
    return [_row(doc, guide, place) for place in find(doc, **options)]  # type: ignore[arg-type]


def fill_rows(
    doc: Document, *, n: int = CHOICES, suggest: Suggest | None = None, **options: Any
) -> list[dict[str, Any]]:
    """The same places, each with fillers that differ."""
    guide = read_guide(doc)
    return [
        {**_row(doc, guide, place), "fillers": _fillers(place, guide, n, suggest)}
        for place in find(doc, **options)
    ]


def rank_rows(
    doc: Document,
    *,
    n: int = CHOICES,
    system: System | None = None,
    suggest: Suggest | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """The same places, each with rated readings; ``several`` says whether two or more are plausible."""
    guide = read_guide(doc)
    ranked = rank(find(doc, **options), guide, n=n, system=system, suggest=suggest)
    return [{**_row(doc, guide, one.place), **_readings(one)} for one in ranked]


def gap_row(
    sentence: str,
    *,
    context: str = "",
    title: str = "",
    phenomenon: str | None = None,
    fillers: Iterable[str] | None = None,
    n: int = CHOICES,
    system: System | None = None,
    suggest: Suggest | None = None,
) -> dict[str, Any]:
    """A sentence whose gap is marked with six underscores: its readings, of these fillers or of our own."""
    from marginalia.tasks.clarification.gaps.filler import Filler

    place, guide = marked(sentence, context=context, title=title, phenomenon=phenomenon)
    given = None if fillers is None else [Filler(text, "given") for text in fillers]
    found = fill(place, guide, n=n, suggest=suggest) if given is None else given
    [ranked] = rate([place], guide, [found], system=system)
    return {"phenomenon": place.phenomenon, "cloze": ranked.sentence, **_readings(ranked)}


def mine_rows(revisions: Iterable[Revision | Mapping[str, str]]) -> Iterator[Mined]:
    """The clarifications of revisions, or of mappings with ``old``, ``new`` and perhaps ``title`` and ``header``."""
    yield from mine(r if isinstance(r, Revision) else Revision(**r) for r in revisions)


def _row(doc: Document, guide: Guide, place: Place) -> dict[str, Any]:
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


def _fillers(place: Place, guide: Guide, n: int, suggest: Suggest | None) -> list[dict[str, str]]:
    found = fill(place, guide, n=n, suggest=suggest)
    return [{"filler": filler.text, "source": filler.source} for filler in found]


def _readings(ranked: Ranked) -> dict[str, Any]:
    return {
        "readings": [
            {
                "filler": reading.filler,
                "source": reading.source,
                "label": reading.rating.label,
                "rating": round(reading.rating.score, 4),
            }
            for reading in ranked.readings
        ],
        "several": ranked.several,
    }


def read_ratings(path: Path) -> dict[str, dict[str, float]]:
    """Ratings by item and rater, from a table with the columns ``id``, ``rater`` and ``rating``."""
    comma = path.suffix.lower() == ".csv"
    found: dict[str, dict[str, float]] = {}
    for line, row in read_table(path, RATINGS, quoted=comma, delimiter="," if comma else "\t"):
        value = parse_float(row["rating"], "rating", path, line)
        if not LOWEST <= value <= HIGHEST:
            raise FormatError(
                f"the rating {value:g} is not on the scale from {LOWEST} to {HIGHEST}",
                path=path,
                line=line,
            )
        each = found.setdefault(row["id"], {})
        if row["rater"] in each:
            raise FormatError(
                f"{row['rater']!r} rates {row['id']!r} a second time", path=path, line=line
            )
        each[row["rater"]] = value
    if not found:
        raise FormatError("there is no rating in it", path=path)
    return found


def aggregate(path: Path) -> Report:
    """Means, classes and agreement of a table of ratings.

    The class of an item is that of its mean: up to 2.5 IMPLAUSIBLE, from 4 PLAUSIBLE, else NEUTRAL.
    """
    ratings = read_ratings(path)
    gold = mean_ratings(ratings)
    classes = {id: {r: label_of(v) for r, v in each.items()} for id, each in ratings.items()}
    labels = [rating.label for rating in gold.values()]
    bound = human_upper_bound(ratings)
    return Report(
        scores={
            "items": len(gold),
            "raters": len({rater for each in ratings.values() for rater in each}),
            "ratings": int(bound["n"]),
            "classes": {name: labels.count(name) for name in CLASSES},
            "alpha_ratings": krippendorff_alpha(ratings, interval),
            "alpha_classes": krippendorff_alpha(classes),
            "one_against_rest": one_against_rest(ratings),
            "accuracy": bound["accuracy"],
            "accuracy_against_rest": bound["accuracy_against_rest"],
        },
        also={
            "rows": [
                {"id": id, "rating": r.score, "label": r.label, "raters": len(ratings[id])}
                for id, r in gold.items()
            ]
        },
    )
