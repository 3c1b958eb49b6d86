"""What is tried with damaged files: how many inputs each target of tests/fuzz got, and what became of them.

    python benchmarks/fuzzing.py [--inputs 2000] [--from 0]

Each input is a whole file with one to five changes; it is read, or refused in one sentence, or it is a finding. Targets that start a
process or unpack an archive get fewer. Writes results/fuzzing.json and the table of docs/explanation/robustness.md.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import MarginaliaError

RESULT = RESULTS / "fuzzing.json"
GROUPS = {
    "documents": ("read-", "parts-"),
    "documents of ours with notes": ("restore",),
    "submissions and gold of the five tasks, runs": ("submission", "score", "run", "brat"),
    "catalogues, their indexes, reviews and decisions": (
        "catalogue",
        "index",
        "review",
        "decisions",
    ),
    "cache, settings, baselines, vocabularies": ("cache", "settings", "baseline", "vocabulary"),
    "quantities and queries": ("quantity", "query"),
}
"""What the targets are, by how their names begin."""


def measure(inputs: int, first: int) -> dict[str, Any]:
    sys.path.insert(0, str(ROOT))
    from tests.fuzz.mutation import mutate
    from tests.fuzz.targets import targets

    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as seeds, tempfile.TemporaryDirectory() as room:
        for target in targets(Path(seeds)):
            row = {"inputs": 0, "read": 0, "refused": 0, "findings": 0}
            for number in range(first, first + max(1, inputs // target.slow)):
                place = Path(room) / "place"
                shutil.rmtree(place, ignore_errors=True)
                place.mkdir()
                row["inputs"] += 1
                try:
                    target.run(mutate(target.seeds[number % len(target.seeds)], number), place)
                    row["read"] += 1
                except MarginaliaError as error:
                    row["refused" if "\n" not in str(error) else "findings"] += 1
                except Exception as error:
                    row["findings"] += 1
                    print(f"{target.name}: input {number}: {type(error).__name__}: {error}")
            found[target.name] = row
            print(target.name, row, flush=True)
    return found


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = []
    for group, starts in GROUPS.items():
        each = [row for name, row in results["targets"].items() if name.startswith(starts)]
        sums = [
            sum(row[what] for row in each) for what in ("inputs", "read", "refused", "findings")
        ]
        rows.append([group, str(len(each)), *(f"{one:,}" for one in sums)])
    columns = ("what", "targets", "inputs", "read", "refused in one sentence", "anything else")
    page = ROOT / "docs" / "explanation" / "robustness.md"
    return {(page, "fuzzing:targets"): markdown(columns, rows)}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--inputs", type=int, default=2000)
    made.add_argument(
        "--from", dest="first", type=int, default=0, help="Number of the first input."
    )
    return made


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    results["targets"] = measure(given.inputs, given.first)
    keep(RESULT, results, options=f"--inputs {given.inputs} --from {given.first}")
    fill(tables(results))


if __name__ == "__main__":
    main()
