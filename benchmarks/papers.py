"""What the overview papers of the five shared tasks report, item by item: our figure beside theirs.

    python benchmarks/papers.py                  # needs MARGINALIA_DATA
    python benchmarks/papers.py variables

Data tables are counted from the files (`marginalia bench build census TASK --paper`), agreement is measured where the annotators' files are
public, leaderboards and their breakdowns are those that `marginalia bench board` shows. Writes results/papers.json and docs/reference/papers.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import get_benchmark
from marginalia.bench.board import boards
from marginalia.core.data_folder import data_folder

RESULT = RESULTS / "papers.json"
PAGE = ROOT / "docs" / "reference" / "papers.md"
TASKS = ("complexity", "measurement", "variables", "clarification", "similarity")
WITHHELD = (
    "as printed; runs stand among them where the labels of test are there, which are not public"
)
PART = "the public text of the paper has lost part of this table"
CANNOT = {
    "complexity": (("ratings of single annotators", "the data here have only their means"),),
    "measurement": (
        ("Table 1: agreement as the paper has it", "the body of the table is lost in the public text"),
        ("Table 4: duplicates in submissions", "the submissions are not public; `bench score measurement` reports duplicates of any other"),
    ),
    "variables": (
        ("Table 2: agreement", "the files of single annotators are not public; `bench agreement variables A B` measures it on one's own"),
        ("mention types of test", "the blind test is not public"),
    ),
    "clarification": (("human upper bound .794", "the data here have no single ratings"),),
    "similarity": (
        ("agreement of raters by set", "the data here have no single ratings; `bench build ratings` measures it on one's own"),
        ("Tables 4 and 5: tools of the participants", "the bodies of the tables are lost in the public text"),
    ),
}  # fmt: skip
"""Items that cannot be had here, and why."""


def measure(task_name: str) -> dict[str, Any]:
    task, folder = get_benchmark(task_name), data_folder(None)
    assert task.census is not None
    counts = [count.to_dict() for count in task.census(folder)]
    agreement = None
    if task.agreement is not None:
        report = task.agreement(folder)
        agreement = {name: one["f1_overlap"] for name, one in report.scores.items()}
    shown = [
        {
            "board": board.name,
            "metric": board.metric,
            "rows": len(board.rows),
            "complete": board.complete,
            "breakdowns": [str(one["by"]) for one in board.breakdowns],
        }
        for board in boards(task)
    ]
    return {"data": counts, "agreement": agreement, "boards": shown}


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    return {
        (PAGE, f"papers:{task}"): _table(task, results[task]) for task in TASKS if task in results
    }


def _table(task: str, result: dict[str, Any]) -> str:
    census = f"`bench build census {task} --paper`"
    rows = [
        [f"{one['table']}: {one['item']}", census, _number(one["ours"]), _number(one["published"]), "" if one["equal"] else one["why"]]
        for one in result["data"]
        if one["published"] is not None or one["table"] == "components"
    ]  # fmt: skip
    if result["agreement"]:
        rows += [
            [f"agreement of two annotators, F1 (overlap): {name}", f"`bench agreement {task}`", _number(value), "–", "the body of Table 1 is lost in the public text"]
            for name, value in result["agreement"].items()
        ]  # fmt: skip
    for board in result["boards"]:
        command = f"`bench board {task} --board {board['board']}`"
        why = WITHHELD if board["complete"] else f"{WITHHELD}; {PART}"
        rows.append(
            [
                f"leaderboard {board['board']} ({board['metric']})",
                command,
                f"{board['rows']} rows",
                "the same",
                why,
            ]
        )
        rows += [
            [f"{board['board']}: {by}", f"{command[:-1]} --breakdowns`", "shown", "the same", ""]
            for by in board["breakdowns"]
        ]
    rows += [[item, "–", "–", "–", why] for item, why in CANNOT[task]]
    return markdown(("item", "command", "ours", "paper", "why they differ, or why not"), rows)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}".rstrip("0").rstrip(".")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", default=TASKS, metavar="TASK", help=", ".join(TASKS))
    return parser


def main() -> None:
    results = load(RESULT)
    for task in parser().parse_args().tasks:
        results[task] = measure(task)
        keep(RESULT, results, task)
    fill(tables(results))


if __name__ == "__main__":
    main()
