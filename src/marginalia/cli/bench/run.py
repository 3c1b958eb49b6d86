"""``marginalia bench run``: systems on a split, and the table of what came out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from marginalia.cli.llm import Asking, llm_options
from marginalia.cli.options import (
    as_json,
    candidates_option,
    data_option,
    load_options,
    runs_option,
    weights_option,
)
from marginalia.cli.output import print_json, print_table, progress_bar
from marginalia.core.errors import FormatError, MarginaliaError
from marginalia.core.long_work import module_command

if TYPE_CHECKING:
    from marginalia.core.benchmark import Benchmark


@click.command("run")
@click.argument("task_name", metavar="TASK")
@click.option(
    "--system",
    "systems",
    multiple=True,
    help="System: a name, module:Class, ./file.py:Class, 'cmd: program arguments', or 'all'. Repeatable. Default: the task's best.",
)
@click.option("--split", default="dev", show_default=True, help="Split to run on.")
@candidates_option
@click.option(
    "--folds",
    default=0,
    help="Number of folds for cross-validation on the split itself; groups are kept together. 0: no cross-validation.",
)
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Number of bootstrap samples; 0 for no intervals.",
)
@click.option("--name", default="", help="What boards and comparisons call the run of one system.")
@click.option("--no-save", is_flag=True, help="Do not save the run.")
@weights_option
@data_option
@runs_option
@llm_options(files=False)
@as_json
def run_command(
    task_name: str,
    systems: tuple[str, ...],
    split: str,
    candidates: str | None,
    folds: int,
    seed: int,
    resamples: int,
    name: str,
    no_save: bool,
    data: str | None,
    runs: str,
    asking: Asking,
    as_json: bool,
) -> None:
    """Run systems on a split and score them.

    Prints scores with 95 % intervals, time and peak memory. If there are several systems, each runs in its own process,
    so that time and memory are not mixed.

    \b
    marginalia bench run complexity
    marginalia bench run variables --system reader --system fused --candidates surveys
    marginalia bench run measurement --system tagger --split train --folds 5
    marginalia bench run complexity --system ./mine.py:Mine
    marginalia bench run complexity --system "cmd: ./predict --fast" --name fast
    marginalia bench run complexity --system "cmd: ./learn {train} {model} && ./predict {model}"
    marginalia bench run complexity --system combined --llm MODEL     (needs marginalia[llm])
    """
    from marginalia.core.registry import get_benchmark

    task = get_benchmark(task_name)
    task.check_split(split)
    check_weights(task.name)
    names = _system_names(task, systems, split)
    if name and len(names) > 1:
        raise FormatError("--name is for the run of one system: name one with --system")
    if len(names) > 1:
        shown = [_run_apart(task.name, each) for each in names]
    else:
        from marginalia.bench.run import run

        llm = asking.open()
        if asking.dry_run:
            from marginalia.bench.batch import make_requests

            assert llm is not None  # noqa: S101 - for the type checker
            llm.ask(make_requests(task, split, data=data, options=load_options(candidates)))
            asking.finish()
            return
        with progress_bar() as progress:
            asking.show(progress)
            done = run(
                task,
                split,
                data=data,
                system=names[0],
                options=load_options(candidates),
                folds=folds,
                seed=seed,
                resamples=resamples,
                progress=progress,
                llm=llm,
                name=name,
            )
        asking.finish()
        if not no_save:
            path = done.run.save(Path(runs))
            click.echo(f"run saved as {path}", err=True)
        shown = [done.to_dict()]
    if as_json:
        print_json(shown if len(names) > 1 else shown[0])
    else:
        print_runs(task, split, shown)


def check_weights(task: str) -> None:
    """Weights that were named for other tasks alone would change nothing here: most likely a slip."""
    from marginalia.core.own_weights import named_weights

    given = named_weights()
    if given and all(own.task != task for own in given):
        first = given[0]
        raise FormatError(f"these weights are of {first.task}, not of {task}", path=first.folder)


def _system_names(task: Benchmark, systems: tuple[str, ...], split: str) -> list[str]:
    if "all" in systems:
        cards = [card for card in task.systems if split in (card.splits or (split,))]
        for card in cards:
            if not card.needs and task.missing(card.name):
                click.echo(f"note: without {card.name}: {task.missing(card.name)}", err=True)
        return [card.name for card in cards if not card.needs and not task.missing(card.name)]
    from marginalia.bench.systems import find_card

    return [find_card(task, name, split=split).name for name in systems or (None,)]


def _run_apart(task: str, system: str) -> dict[str, Any]:
    """The same command for one system in a process of its own."""
    words = sys.argv[1:]
    kept = []
    for number, word in enumerate(words):
        named = word == "--system" or (number and words[number - 1] == "--system")
        if not named and not word.startswith("--system=") and word != "--json":
            kept.append(word)
    command = module_command("marginalia", *kept, "--system", system, "--json")
    result = subprocess.run(command, stdout=subprocess.PIPE, check=False)  # noqa: S603
    if result.returncode:
        raise MarginaliaError(f"the run of {task} with the system '{system}' failed")
    return dict(json.loads(result.stdout))


def print_runs(task: Benchmark, split: str, shown: list[dict[str, Any]]) -> None:
    rows = []
    for run in shown:
        remarks = [f"{name} {value}" for name, value in run["options"].items()]
        remarks += ["trained on this split"] if run["seen_in_training"] else []
        cells: list[Any] = [run["system"] + (f" ({', '.join(remarks)})" if remarks else "")]
        for metric in task.metrics:
            value = metric.of(run["scores"] or {})
            low_high = run["intervals"].get(metric.path)
            text = "–" if value is None else "undefined" if value != value else f"{value:.4f}"
            if low_high and low_high["low"] is not None and low_high["low"] == low_high["low"]:
                text += f" [{low_high['low']:.3f}, {low_high['high']:.3f}]"
            cells.append(text)
        memory = run["peak_memory_mb"]
        cells += [
            f"{run['fit_seconds']:.1f}",
            f"{run['seconds']:.2f}",
            "–" if memory is None else f"{memory:.0f}",
        ]
        rows.append(cells)
    used = [i for i, _ in enumerate(task.metrics, start=1) if any(row[i] != "–" for row in rows)]
    chosen = [0, *used, -3, -2, -1]
    names = ("system", *(str(m) for m in task.metrics), "fit s", "predict s", "peak MB")
    folds = shown[0]["folds"]
    note = "In brackets: 95 % bootstrap interval over groups. --json shows every score."
    if all(run["scores"] is None for run in shown):
        note = "No scores: the gold of this split is not in the data folder."
    print_table(
        f"{task.name} on {split}" + (f", {folds} folds" if folds else ""),
        [names[i] for i in chosen],
        ([row[i] for i in chosen] for row in rows),
        note=note,
    )
    for warning in dict.fromkeys(w for run in shown for w in run["warnings"]):
        click.echo(f"note: {warning}", err=True)
