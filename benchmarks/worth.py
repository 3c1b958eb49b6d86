"""Is a note right, does it add something, is what a reader asks for there: figures that were judged from outside.

    python benchmarks/worth.py

Puts the recorded figures of results/worth.json into the page on quality and the README. They come from people who had seen
neither rules nor scores, not from a program: to add a round, judge notes by the rubric of benchmarks/README.md and change the rows. A
row without such a judgement shows the last draw of results/judgement.json that it names.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from judgement import with_interval
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "worth.json"
COLUMNS = ("note", "profile", "right", "adds", "asked for and given", "per 1,000 words")
OWN = "†"
"""Marks a draw that was judged for the project, not from outside."""


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    draws = json.loads((RESULTS / "judgement.json").read_text(encoding="utf-8"))["rows"]
    drawn = {row["id"]: row for row in draws}
    rows = []
    for row in results["rows"]:
        judged, mark = (drawn[row["last"]], f" {OWN}") if "last" in row else (row, "")
        right = "none" if "right" in row else "–"
        if "judged" in judged:
            right = with_interval(judged["right"], judged["judged"]) + mark
        adds = with_interval(judged["adds"], judged["judged"]) if "adds" in judged else "–"
        per_1000 = f"{row['per_1000']:g}" if "per_1000" in row else "–"
        rows.append([row["kind"], row["profile"], right, adds, given(row), per_1000])
    last = {
        (row["kind"], row["profile"]): drawn[row["last"]]
        for row in results["rows"]
        if "last" in row
    }
    learner = last["words and terms", "learner"]
    table = last["rows of `extract measurement`", "curator"]
    front = (
        f"These figures are agreement with annotators. On documents of your own expect less: of {learner['judged']} meanings of words for learners "
        f"{learner['right']} were right, of {table['judged']} rows of `extract measurement` {table['right']} had the right value and unit and {table['adds']} could "
        "be used without opening the paper.\n"
    )
    return {
        (ROOT / "docs" / "explanation" / "quality.md", "worth:kinds"): markdown(COLUMNS, rows),
        (ROOT / "README.md", "worth:front"): front,
    }


def given(row: dict[str, Any]) -> str:
    """What was found of what was asked for, as counts where they are known and as a share of two readings."""
    recall = row.get("recall")
    counts = f"{recall['found']} of {recall['of']}" if recall else ""
    if recall and "asked" in recall:
        counts += f" {recall['asked']}"
    return "; ".join(filter(None, [counts, row.get("asked_share", "")])) or "–"


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=__doc__)


def main() -> None:
    parser().parse_args()
    results = load(RESULT)
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
