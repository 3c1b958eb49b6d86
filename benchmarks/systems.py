"""Every system on dev: official scores with intervals, seconds and peak memory.

    python benchmarks/systems.py [TASK]... [--system NAME]...

Writes results/systems.json and the tables of the task pages and of the README. With TASK or NAME only those are
measured again. Left out, and named below each table: systems that were trained on dev, those for other splits,
and those that need more than the package.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown, task_page
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
    columns = ["system", *(f"{m} on {SPLIT}" for m in shown), "s", "peak MB"]
    rows = [
        [
            f"`{run['system']}`",
            *(cell(run, metric) for metric in shown),
            f"{run['fit_seconds'] + run['seconds']:.0f}",
            f"{run['peak_memory_mb']:.0f}",
        ]
        for run in runs
    ]
    command = f"marginalia bench run {task.name} --system all --split {SPLIT}"
    text = f"\n`{command}`; in brackets 95 % intervals, seconds to fit and predict."
    whys: dict[str, list[str]] = {}
    for card in task.systems:
        if why := left_out(card):
            whys.setdefault(why, []).append(f"`{card.name}`")
    missing = "; ".join(f"{', '.join(names)} ({why})" for why, names in whys.items())
    return markdown(columns, rows) + text + (f" Not here: {missing}.\n" if missing else "\n")


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    """Every table these results fill, by page and mark."""
    found = {(ROOT / "README.md", "systems:best"): front_table(results)}
    for task in all_benchmarks():
        found[task_page(task.name), "systems:task"] = task_table(task, results["tasks"][task.name])
    return found


def front_table(results: dict[str, Any]) -> str:
    """A line for each task: the figures of its best system beside the best published ones.

    The place is the one that the figure would have among the participants: most of ours are on other data than theirs.
    """
    columns = ("task", "system", "figure [95 % interval]", "measured on", "best published", "place")
    rows: dict[str, list[list[str]]] = {}
    for task, system, metric, figure, on, board, column in best_figures(results):
        value = figure["value"]
        between = f" [{figure['low']:.3f}, {figure['high']:.3f}]" if "low" in figure else ""
        cells = [f"`{system}`", f"{metric} {value:.3f}{between}", on]
        rows.setdefault(task, []).append([*cells, *published(task, board, column, value)])
    merged = [
        [task, *("; ".join(c if len(set(c)) > 1 else c[:1]) for c in zip(*each, strict=True))]
        for task, each in rows.items()
    ]
    return markdown(columns, merged)


def best_figures(results: dict[str, Any]) -> Iterator[tuple[str, str, str, Any, str, str, str]]:
    """Task, system, metric, value with its interval, data, and the board and column to compare it with."""
    known = kept("complexity")["quality"]["ensemble"]["cv"]
    for kind, name, board in (
        ("words", "Pearson of words", "subtask-1"),
        ("multi", "of multi-words", "subtask-2"),
    ):
        one = {**known[kind], "value": known[kind]["pearson"]}
        yield "complexity", "ensemble", name, one, "folds of train", board, "Pearson"
    known = kept("measurement")["quality"]["pointer"]["components"]["overall"]
    one = {**known, "value": known["f1_overlap"]}
    yield (
        "measurement",
        "pointer",
        "overall F1",
        one,
        "a fifth of train and dev",
        "overall",
        "F1 (Overlap)",
    )
    known = kept("variables")
    one, other = known["detection"]["detector"], known["linking"]["surveys"]["reranker"]
    one = {**one["interval"], "value": one["f1"]}
    yield "variables", "reader", "detection F1", one, "documents left out", "detection", "F1"
    one = {**other["interval"], "value": other["official"]["map@10"]}
    yield "variables", "reader", "linking MAP@10", one, "documents left out", "disambiguation", ""
    run = next(run for run in results["tasks"]["clarification"] if run["system"] == "rater")
    for name, board, column in (
        ("accuracy", "classification", "accuracy"),
        ("spearman", "ranking", "Spearman"),
    ):
        one = {**run["intervals"][name], "value": run["scores"][name]}
        yield "clarification", "rater", column, one, SPLIT, board, column
    test = kept("worth")["test"]["similarity"]
    for name in ("headlines", "OnWN", "FNWN"):
        one = {"value": test[name]}
        yield "similarity", test["system"], name, one, "test, scored from outside", "core", name


def published(task: str, name: str, column: str, value: float) -> tuple[str, str]:
    """The best published figure, and our place among the participants; nothing where the data cannot be compared."""
    folder = task_page(task).parent
    known = json.loads((folder / "published.json").read_text(encoding="utf-8"))["boards"]
    board = next(one for one in known if one["board"] == name)
    if task == "similarity":
        peak = next(
            row[{"headlines": "HDL"}.get(column, column)]
            for part in board["breakdowns"]
            for row in part["rows"]
            if row.get("statistic") == "maximum"
        )
        return f"{peak:.3f}", "1" if value > peak else "≥ 2"
    scored = [row for row in board["rows"] if row["kind"] in ("participant", "baseline")]
    peak = max(row["scores"].get(column or board["metric"], 0) for row in scored)
    if not column:
        return f"{peak:.3f}", "–"
    teams = [row for row in scored if row["kind"] == "participant"]
    place = 1 + sum(row["scores"].get(column, 0) > value for row in teams)
    return f"{peak:.3f}", f"{place} of {len(teams) + 1}" if board.get("complete", True) else str(
        place
    )


def kept(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
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
