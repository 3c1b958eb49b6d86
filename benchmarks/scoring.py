"""How long each official scorer takes on a whole data set, and how that grows.

    python benchmarks/scoring.py

The gold of a split is written as a submission of itself and scored from files, as a user would. Writes
results/scoring.json and the table in this folder's README.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep

from marginalia import Benchmark, Split, get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.files import write_files

RESULT = RESULTS / "scoring.json"
REPEATS = 5
SHARES = (0.25, 0.5, 1.0)
TASKS = ("complexity", "measurement", "variables", "clarification", "similarity")


def gold_as_predictions(task: Benchmark, split: Split) -> dict[str, Any]:
    """A perfect system's predictions, in the form the task's systems give."""
    gold = split.require_gold()
    if task.name == "similarity":
        return {
            id: task.decode({"score": value, "confidence": 100.0}) for id, value in gold.items()
        }
    if task.name == "variables":
        return {
            id: task.decode(
                {
                    "is_variable": value.is_variable,
                    "ranking": [[v, -float(i)] for i, v in enumerate(sorted(value.variables))],
                }
            )
            for id, value in gold.items()
        }
    return dict(gold)


def seconds(task: Benchmark, split: Split) -> float:
    """Median seconds of scoring a run of the whole split."""
    pred = gold_as_predictions(task, split)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task.score(split, pred)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measeval_from_files(folder: Path) -> dict[str, Any]:
    """All 313 labelled paragraphs of MeasEval, read from files, validated, matched and scored."""
    task = get_benchmark("measurement")
    splits = [task.load(name, folder) for name in ("train", "dev")]
    with tempfile.TemporaryDirectory() as temporary:
        for split in splits:
            write_files(Path(temporary), task.write_submission(split, split.require_gold()))
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            task.score_files(Path(temporary), Path(temporary))
            times.append(time.perf_counter() - start)
    return {"paragraphs": sum(len(split) for split in splits), "seconds": statistics.median(times)}


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=__doc__)


def main() -> None:
    parser().parse_args()
    folder = data_folder()
    results: dict[str, Any] = {"commands": {}, "tasks": {}}
    for name in TASKS:
        task = get_benchmark(name)
        split = task.load("train", folder)
        ids = list(split.items)
        results["tasks"][name] = [
            {"items": count, "seconds": round(seconds(task, split.take(ids[:count])), 4)}
            for count in (round(share * len(ids)) for share in SHARES)
        ]
    results["measeval_from_files"] = measeval_from_files(folder)
    keep(RESULT, results)
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = []
    for name, sizes in results["tasks"].items():
        growth = " → ".join(f"{size['items']:,}: {size['seconds']:.3f} s" for size in sizes)
        rows.append([name, growth])
    files = results["measeval_from_files"]
    rows.append(
        ["measurement, from files", f"{files['paragraphs']} paragraphs: {files['seconds']:.2f} s"]
    )
    table = markdown(("scorer", "items of train: seconds"), rows)
    return {(ROOT / "benchmarks" / "README.md", "scoring:seconds"): table}


if __name__ == "__main__":
    main()
