"""Batch files for a split of a task: what a language model would be asked, and the run that its answers make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from marginalia.bench.run import RunResult, load_split, run
from marginalia.core.benchmark import Benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError
from marginalia.core.registry import as_benchmark
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Request
from marginalia.nlp.prompting.system import Prompted

PROMPTED = "prompted"


def make_requests(
    task: str | Benchmark,
    split: str = "dev",
    *,
    data: str | Path | None = None,
    options: Mapping[str, str] | None = None,
) -> list[Request]:
    """What a model would be asked about a split."""
    task = as_benchmark(task)
    if PROMPTED not in {card.name for card in task.systems}:
        raise FormatError(f"{task.name} has no system that asks a language model")
    items = load_split(task, split, data_folder(data), options or {})
    system = task.system(PROMPTED)
    assert isinstance(system, Prompted)  # noqa: S101 - for the type checker
    return system.requests(items.items)


def run_answers(
    task: str | Benchmark,
    split: str,
    llm: LanguageModel,
    *,
    system: str = PROMPTED,
    data: str | Path | None = None,
    options: Mapping[str, str] | None = None,
) -> RunResult:
    """The run that the answers of a batch make; ``llm`` has them."""
    done = run(task, split, system=system, data=data, options=options, llm=llm)
    words = done.run.command.partition(" bench run ")[2].partition(" ")
    command = f"marginalia bench answers {words[0]} RESULTS {words[2]}"
    return RunResult(replace(done.run, command=command), done.report)
