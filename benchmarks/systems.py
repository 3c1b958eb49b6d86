"""Every system on dev: official scores with intervals, seconds and peak memory.

    python benchmarks/systems.py [TASK]... [--system NAME]...

Writes results/systems.json and the tables of the task pages, of the README and of the page on quality. With TASK or NAME only those are
measured anew. Left out, and named below each table: systems that were trained on dev, those for other splits,
and those that need more than the package.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from front_page import front_table
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Benchmark, Metric, SystemCard, all_benchmarks, get_benchmark

RESULT = RESULTS / "systems.json"
SPLIT = "dev"
KEPT = ("system", "command", "intervals", "fit_seconds", "seconds", "peak_memory_mb")


def left_out(card: SystemCard) -> str:
    """Why a system has no row, or nothing."""
    if card.needs:
        return f"needs `marginalia[{card.needs}]`"
    if SPLIT in card.trained_on:
        return f"trained on {SPLIT} too"
    if card.splits and SPLIT not in card.splits:
        return f"for the split `{card.splits[0]}`"
    return ""


def measure(task: Benchmark, system: str) -> dict[str, Any]:
    """One system in a process of its own."""
    words = ["bench", "run", task.name, "--system", system, "--split", SPLIT, "--no-save", "--json"]
    command = [sys.executable, "-m", "marginalia", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    run = json.loads(done.stdout)
    return {
        **{key: run[key] for key in KEPT},
        "scores": {str(metric): metric.of(run["scores"]) for metric in task.metrics},
    }


def cell(run: dict[str, Any], metric: Metric) -> str:
    value, interval = run["scores"].get(str(metric)), run["intervals"].get(str(metric))
    if value is None or value != value:
        return "–"
    between = f" [{interval['low']:.3f}, {interval['high']:.3f}]" if interval else ""
    return f"{value:.4f}{between}"


def task_table(task: Benchmark, runs: list[dict[str, Any]]) -> str:
    """The systems of a task; a metric that none of them has on dev is left out."""
    shown = [m for m in task.metrics if any(run["scores"].get(str(m)) is not None for run in runs)]
    columns = ["system", *(f"{m} on {SPLIT}" for m in shown), "fit s", "predict s", "peak MB"]
    rows = [
        [
            f"`{run['system']}`",
            *(cell(run, metric) for metric in shown),
            f"{run['fit_seconds']:.1f}",
            f"{run['seconds']:.1f}",
            f"{run['peak_memory_mb']:.0f}",
        ]
        for run in runs
    ]
    command = f"marginalia bench run {task.name} --system all --split {SPLIT}"
    text = f"\n`{command}`; in brackets 95 % intervals."
    whys: dict[str, list[str]] = {}
    for card in task.systems:
        if why := left_out(card):
            whys.setdefault(why, []).append(f"`{card.name}`")
    told = "; ".join(f"{', '.join(names)} ({why})" for why, names in whys.items())
    return markdown(columns, rows) + text + (f" Not here: {told}.\n" if told else "\n")


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    """Every table these results fill, by page and mark."""
    fronts = (ROOT / "README.md", ROOT / "docs" / "explanation" / "quality.md")
    found = {(page, "systems:best"): front_table(results) for page in fronts}
    for task in all_benchmarks():
        page = ROOT / "src" / "marginalia" / "tasks" / task.name / "README.md"
        found[page, "systems:task"] = task_table(task, results["tasks"][task.name])
    return found


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [task.name for task in all_benchmarks()]
    parser.add_argument("tasks", nargs="*", choices=[*names, []], default=[], metavar="TASK")
    parser.add_argument("--system", action="append", default=[], metavar="NAME")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    results = load(RESULT)
    for name in arguments.tasks or [task.name for task in all_benchmarks()]:
        task = get_benchmark(name)
        cards = [card for card in task.systems if not left_out(card)]
        rows = {run["system"]: run for run in results.setdefault("tasks", {}).get(name, [])}
        chosen = [card.name for card in cards if card.name in arguments.system]
        for system in chosen or [card.name for card in cards]:
            rows[system] = measure(task, system)
            print(name, system, rows[system]["scores"], file=sys.stderr, flush=True)
            results["tasks"][name] = [rows[card.name] for card in cards if card.name in rows]
            keep(RESULT, results, name, systems=[system])
        if not chosen:
            keep(RESULT, results, name)
    fill(tables(results))


if __name__ == "__main__":
    main()
