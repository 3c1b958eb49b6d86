"""Notes on real documents that a person judged: every draw, from the first to the last.

    python benchmarks/judgement.py

The rows of results/judgement.json are the history; the page on quality shows the last draw of a kind of note where nobody
judged it from outside (worth.py), and how far two judges agree. To add a round, judge notes by the rubric of benchmarks/README.md and
add its rows to the file.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT
from recording import fill, keep, load
from scipy.stats import binomtest

RESULT = RESULTS / "judgement.json"


def with_interval(right: int, judged: int) -> str:
    """Right out of judged, with the Wilson interval in per cent."""
    between = binomtest(right, judged).proportion_ci(method="wilson")
    return f"{right} of {judged} [{100 * between.low:.0f}, {100 * between.high:.0f} %]"


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    agreed = results["second_judge"]
    same, judged = (sum(each[name] for each in agreed) for name in ("same", "judged"))
    text = f"A second judge looked at {judged} of these notes too and gave the same verdict on {same}.\n"
    return {(ROOT / "docs" / "explanation" / "quality.md", "judgement:second"): text}


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=__doc__)


def main() -> None:
    parser().parse_args()
    results = load(RESULT)
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
