"""A data set like CLAIRE: clarifications that people made when they revised a text, gold from the ratings of several
people, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from marginalia.core.agreement import interval, krippendorff_alpha, one_against_rest
from marginalia.core.extraction import Table
from marginalia.core.rating import read_ratings
from marginalia.core.report import Report
from marginalia.tasks.clarification.gaps.revisions import Mined, Revision, mine, read_revisions
from marginalia.tasks.clarification.official.ratings import CLASSES, label_of, mean_ratings
from marginalia.tasks.clarification.official.score import human_upper_bound

MINED = (
    "pattern", "phenomenon", "title", "header", "previous", "sentence", "followup", "filler", "old"
)  # fmt: skip
"""The columns of what was mined."""
LOWEST, HIGHEST = 1, 5
"""The ends of the scale."""


def mine_revisions(
    revisions: str | Path | Iterable[Revision | Mapping[str, str]],
) -> Table[Mined]:
    """Find clarifications between versions of a text: single insertions of one of the four kinds.

    Revisions are pairs of ``old`` and ``new`` texts, perhaps with ``title`` and ``header``: a file of them (JSON
    lines, or two columns with a tab between them), or any iterable.

    >>> pair = {"old": "Rinse under water.", "new": "Rinse the beans under water."}  # doctest: +SKIP
    >>> mine_revisions([pair])[0].filler  # doctest: +SKIP
    'the beans'
    """
    if isinstance(revisions, (str, Path)):
        revisions = read_revisions(Path(revisions))
    found = mine(r if isinstance(r, Revision) else Revision(**r) for r in revisions)
    return Table(tuple(found), MINED)


def read_given(path: Path) -> dict[str, dict[str, float]]:
    """Ratings by item and rater; one that does not apply is none."""
    found = read_ratings(path, low=LOWEST, high=HIGHEST)
    given = {
        id: {rater: value for rater, value in each.items() if value is not None}
        for id, each in found.items()
    }
    return {id: each for id, each in given.items() if each}


def aggregate_ratings(path: str | Path) -> Report:
    """Gold made of people's ratings of fillers, and how far they agree.

    ``path`` is a table with the columns ``id``, ``rater`` and ``rating`` from 1 to 5: with commas if it ends in
    ``.csv``, else with tabs. ``also["rows"]`` has the mean and class of each item.

    The class of an item is that of its mean: up to 2.5 IMPLAUSIBLE, from 4 PLAUSIBLE, else NEUTRAL.
    """
    ratings = read_given(Path(path))
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
