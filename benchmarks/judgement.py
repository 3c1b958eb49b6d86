"""Notes on real documents that a person judged: how many would a reader keep?

    python benchmarks/judgement.py

Puts the recorded counts of results/judgement.json into the page on quality and the README. They come from people, not from a
program: to add a round, judge notes by the rubric of that page and add its rows to the file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load
from scipy.stats import binomtest

RESULT = RESULTS / "judgement.json"


def share(row: dict[str, Any]) -> str:
    """Right out of judged with the Wilson interval; in words where nobody counted."""
    if "right" not in row:
        return str(row["said"])
    between = binomtest(row["right"], row["judged"]).proportion_ci(method="wilson")
    percent = 100 * row["right"] / row["judged"]
    return f"{row['right']}, that is {percent:.0f} % [{100 * between.low:.0f}, {100 * between.high:.0f}]"


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [row["what"], str(row["judged"]) if "judged" in row else "–", share(row)]
        for row in results["rows"]
    ]
    table = markdown(("notes", "judged", "right"), rows)
    lint, rules, measured, notes = (
        next(f"{row['right']} of {row['judged']}" for row in results["rows"] if row["id"] == id)
        for id in ("lint", "lint-all-en-2", "measurement", "notes-en-9")
    )
    front = (
        "These figures are agreement with annotators. On your own documents expect less: in a first judgement by an outsider "
        f"{lint} lint findings were worth reading, and {measured} measurement notes were right in every respect. Now "
        f"{rules} findings of lint are, and {notes} measurement notes in English.\n"
    )
    agreed = results["second_judge"]
    same, judged = (sum(each[name] for each in agreed) for name in ("same", "judged"))
    second = (
        f"A second judge looked at some {judged} of these notes too and gave the same verdict on {same}: "
        + ", ".join(f"{each['same']} of {each['judged']} ({each['sample']})" for each in agreed)
        + ".\n"
    )
    return {
        (ROOT / "docs" / "explanation" / "quality.md", "judgement:second"): second,
        (ROOT / "docs" / "explanation" / "quality.md", "judgement:rows"): table,
        (ROOT / "README.md", "judgement:front"): front,
    }


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=__doc__)


def main() -> None:
    parser().parse_args()
    results = load(RESULT)
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
