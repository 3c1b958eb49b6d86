"""Quantities on the test cases of other projects: what we write down about each.

    python benchmarks/quantities.py [--cases FOLDER] [--show NAME]

The folder has ``cases.jsonl``, cases of the test suites of quantulum3 and Recognizers-Text, and their
scorer ``score.py``; without ``--cases`` it is ``quantities`` below MARGINALIA_REAL. They are other projects' and
never enter this repository. Of each gold quantity the scorer says whether it was found, whether its value agrees, and
whether value and unit agree, the units compared in SI by pint and money by currency. ``--show`` prints what a system missed
and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Document, extract_measurements

RESULT = RESULTS / "quantities.json"
OURS = ("rules", "default")
FIGURES = ("found", "value", "value and unit", "extra")

Case = Mapping[str, Any]
Read = Callable[[Case], Iterable[Mapping[str, Any]]]


def read_cases(folder: Path) -> list[Case]:
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def ours(name: str) -> Read:
    """Rows of ``extract measurement``; the default system is the reader's own for the language."""
    system = None if name == "default" else name

    def read(case: Case) -> Iterable[Mapping[str, Any]]:
        doc = Document(id=case["id"], text=case["text"], meta={"lang": case["lang"]})
        return extract_measurements(doc, system=system).rows

    return read


def predict(read: Read, cases: Iterable[Case], path: Path) -> float:
    """Write a system's rows where the scorer reads them; the CPU seconds that it took."""
    start = time.process_time()
    lines = [{"id": case["id"], "rows": [dict(row) for row in read(case)]} for case in cases]
    seconds = time.process_time() - start
    path.write_text(
        "".join(json.dumps(line, default=str) + "\n" for line in lines), encoding="utf-8"
    )
    return seconds


def score(folder: Path, files: Mapping[str, Path], show: str | None) -> str:
    command = [sys.executable, str(folder / "score.py"), str(folder / "cases.jsonl")]
    command += [f"{name}={path}" for name, path in files.items()]
    command += ["--show", show] if show else []
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=600)
    return done.stdout


def read_table(printed: str, names: Iterable[str]) -> dict[str, Any]:
    """The scorer's table: suite -> gold quantities, and the figures of each system."""
    found: dict[str, Any] = {}
    lines = [line for line in printed.splitlines() if line.count(" | ") > 1]
    for line in lines[1:]:
        suite, gold, *cells = line.split(" | ")
        figures = [dict(zip(FIGURES, map(float, cell.split(" / ")), strict=True)) for cell in cells]
        found[suite] = {"gold": int(gold), **dict(zip(names, figures, strict=True))}
    return found


def tables(results: Mapping[str, Any]) -> dict[tuple[Path, str], str]:
    suites = results["suites"]
    named = {"rules": "`rules`", "default": "the reader's"}
    systems = [name for name in named if name in suites["all"]]
    columns = ["suite", "gold", *(f"{named[name]}: value and unit (extra)" for name in systems)]
    rows = [
        [
            suite,
            str(row["gold"]),
            *(f"{row[name]['value and unit']:.2f} ({row[name]['extra']:.0f})" for name in systems),
        ]
        for suite, row in suites.items()
    ]
    return {(ROOT / "benchmarks" / "README.md", "quantities:suites"): markdown(columns, rows)}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, help="folder of cases.jsonl and score.py")
    parser.add_argument("--show", metavar="NAME", help="print what it missed; write nothing")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    real = os.environ.get("MARGINALIA_REAL")
    folder = arguments.cases or (Path(real) / "quantities" if real else None)
    if folder is None:
        sys.exit("name the folder of the cases: --cases FOLDER or MARGINALIA_REAL")
    cases = read_cases(folder)
    with tempfile.TemporaryDirectory() as place:
        systems = {name: ours(name) for name in OURS}
        files = {name: Path(place) / f"{name}.jsonl" for name in systems}
        seconds = {name: predict(read, cases, files[name]) for name, read in systems.items()}
        printed = score(folder, files, arguments.show)
    print(printed)
    print({name: round(taken, 2) for name, taken in seconds.items()}, "CPU seconds")
    if arguments.show:
        return
    results = load(RESULT)
    results |= {"suites": read_table(printed, systems), "cpu_seconds": seconds}
    keep(RESULT, results, options="--cases FOLDER")
    fill(tables(results))


if __name__ == "__main__":
    main()
