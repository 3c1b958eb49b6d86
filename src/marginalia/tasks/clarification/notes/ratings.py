"""Gold for fillers from the ratings of several people, and how far they agree."""

from __future__ import annotations

from pathlib import Path

from marginalia.core.agreement import interval, krippendorff_alpha, one_against_rest
from marginalia.core.errors import FormatError
from marginalia.core.table import parse_float, read_table
from marginalia.core.task import Report
from marginalia.tasks.clarification.official.ratings import CLASSES, label_of, mean_ratings
from marginalia.tasks.clarification.official.score import human_upper_bound

LOWEST, HIGHEST = 1, 5
"""The ends of the scale."""
RATINGS = ("id", "rater", "rating")
"""The columns of a table of ratings."""


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


def aggregate_ratings(path: str | Path) -> Report:
    """Gold made of people's ratings of fillers, and how far they agree.

    ``path`` is a table with the columns ``id``, ``rater`` and ``rating`` from 1 to 5: with commas if it ends in
    ``.csv``, else with tabs. ``also["rows"]`` has the mean and class of each item.

    The class of an item is that of its mean: up to 2.5 IMPLAUSIBLE, from 4 PLAUSIBLE, else NEUTRAL.
    """
    ratings = read_ratings(Path(path))
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
