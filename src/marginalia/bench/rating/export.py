"""Answers as files: a table of ratings for scales, official files of each rater for spans and choices."""

from __future__ import annotations

from marginalia.bench.rating.desk import Desk
from marginalia.core.building import Built
from marginalia.core.table import format_table


def export(desk: Desk, *, with_gold: bool = False) -> Built:
    """What was answered. Answers to gold questions are left out unless asked for, as ``bench build ratings`` does."""
    answers = desk.given_answers(with_stopped=with_gold)
    if not with_gold:
        answers = {
            rater: {id: each for id, each in given.items() if id not in desk.gold}
            for rater, given in answers.items()
        }
    builder = desk.campaign.builder
    if builder.export_answers is not None:
        return builder.export_answers(desk.campaign.items_path, answers)
    rows: list[tuple[object, ...]] = [("id", "rater", "rating")]
    for rater, given in answers.items():
        rows += [(id, rater, "N/A" if v is None else f"{v:g}") for id, v in given.items()]
    figures = {
        "raters": len(answers),
        "ratings": len(rows) - 1,
        "sheets": len(desk.sheets),
        "stopped": len(desk.given_answers(with_stopped=True)) - len(desk.given_answers()),
    }
    return Built({"ratings.tsv": format_table(rows)}, figures)
