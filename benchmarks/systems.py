"""Every system on dev: official scores with intervals, seconds and peak memory.

    python benchmarks/systems.py [TASK]...

Writes results/systems.json and the tables of the task pages and of the README. With TASK only those are
measured anew. Systems that learned from dev are left out; theirs are the cross-validated figures.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown, put

from marginalia import Metric, Task, all_tasks, get_task

RESULT = RESULTS / "systems.json"
FOLDS = ("--split", "train", "--folds", "24")
"""Each of the 24 documents once: its dev split shares documents with train."""


def measure(task: Task, *how: str) -> list[dict[str, Any]]:
    """The task's systems, each in a process of its own."""
    command = ["bench", "run", task.name, "--system", "all", *how, "--no-save", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "marginalia", *command], stdout=subprocess.PIPE, check=True
    )
    kept = ("system", "command", "intervals", "fit_seconds", "seconds", "peak_memory_mb")
    return [
        {
            **{key: run[key] for key in kept},
            "scores": {str(metric): metric.of(run["scores"]) for metric in task.metrics},
            "reachable": run["also_report"]
            .get("disambiguation", {})
            .get("only_gold_among_candidates"),
            "kind": task.card(run["system"]).kind,
        }
        for run in json.loads(done.stdout)
        if "dev" not in task.card(run["system"]).trained_on
    ]


def cell(run: dict[str, Any], metric: Metric) -> str:
    value, interval = run["scores"][str(metric)], run["intervals"].get(str(metric))
    if value is None:
        return "–"
    between = f" [{interval['low']:.3f}, {interval['high']:.3f}]" if interval else ""
    return f"{value:.4f}{between}"


def task_table(task: Task, runs: list[dict[str, Any]]) -> str:
    """All systems of a task; a metric that no system has on dev is left out."""
    shown = [m for m in task.metrics if any(run["scores"][str(m)] is not None for run in runs)]
    columns = ["system", *(f"{m} on dev" for m in shown), "fit s", "predict s", "peak MB"]
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
    command = f"marginalia bench run {task.name} --system all --split dev"
    return markdown(columns, rows) + f"\n`{command}`; in brackets 95 % intervals.\n"


def folds_table(task: Task, runs: list[dict[str, Any]]) -> str:
    rows = [
        [
            f"`{run['system']}`",
            *(cell(run, metric) for metric in task.metrics),
            f"{run['reachable']['macro_scores']['map@10']:.4f}" if run["reachable"] else "–",
        ]
        for run in runs
    ]
    columns = ("system", *(str(metric) for metric in task.metrics), "reachable map@10")
    command = f"marginalia bench run {task.name} --system all {' '.join(FOLDS)}"
    return markdown(columns, rows) + f"\n`{command}`\n"


def cross_validated(task: Task) -> list[str]:
    """The figures of a best system whose dev figures mean little, from the task's own results."""
    known = json.loads((RESULTS / f"{task.name}.json").read_text(encoding="utf-8"))
    if task.name == "variables":
        linking = known["linking"]["surveys"]["reranker"]
        return [
            f"{task.metrics[0]} {known['detection']['detector']['f1']:.4f}, documents left out",
            f"{task.metrics[1]} {linking['reachable']['map@10']:.4f} where it can be reached, documents left out",
        ]
    value = known["quality"][task.best]["components"]["overall"]
    between = f"[{value['low']:.3f}, {value['high']:.3f}]"
    return [f"{task.metrics[0]} {value['f1_overlap']:.4f} {between}, cross-validated"]


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    """Every table these results fill, by page and mark."""
    found = {}
    best_rows = []
    for task in all_tasks():
        runs = results["tasks"][task.name]
        page = ROOT / "src" / "marginalia" / "tasks" / task.name / "README.md"
        found[page, "systems:task"] = task_table(task, runs)
        best = next((run for run in runs if run["system"] == task.best), None)
        if task.name in ("measurement", "variables"):
            shown = cross_validated(task)
        elif best is None:  # measured by the task's own benchmark
            shown = [f"[its page](src/marginalia/tasks/{task.name}/README.md)"]
        else:
            values = [(m, best["scores"][str(m)]) for m in task.metrics]
            shown = [f"{m} {cell(best, m)}" for m, value in values if value is not None]
        best_rows.append([task.name, task.question, f"`{task.best}`", "<br>".join(shown)])
    page = ROOT / "src" / "marginalia" / "tasks" / "variables" / "README.md"
    found[page, "systems:folds"] = folds_table(get_task("variables"), results["variables_folds"])
    columns = ("task", "question", "best system so far", "figures")
    found[ROOT / "README.md", "systems:best"] = markdown(columns, best_rows)
    return found


def main() -> None:
    chosen = [get_task(name) for name in sys.argv[1:]]
    results = json.loads(RESULT.read_text(encoding="utf-8")) if chosen else {"tasks": {}}
    results["command"] = "python benchmarks/systems.py"
    for task in chosen or all_tasks():
        results["tasks"][task.name] = measure(task, "--split", "dev")
        print(task.name, file=sys.stderr)
        if task.name == "variables":
            results["variables_folds"] = measure(task, *FOLDS)
    RESULT.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    write_tables(results)


def write_tables(results: dict[str, Any]) -> None:
    for (page, name), table in tables(results).items():
        put(page, name, table)


if __name__ == "__main__":
    main()
