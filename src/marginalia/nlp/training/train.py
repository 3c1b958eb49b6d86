"""Weights of one's own: a recipe of a task run from begin to end, with its log, curve and model card."""

from __future__ import annotations

import logging
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia import __version__
from marginalia.core.benchmark import Benchmark
from marginalia.core.data_folder import data_folder, data_hash
from marginalia.core.errors import MissingError, UnknownNameError, missing_package
from marginalia.core.files import write_file
from marginalia.core.own_weights import MANIFEST, read_own, using_weights
from marginalia.core.registry import as_benchmark
from marginalia.core.training_log import Course, Trained
from marginalia.nlp.training.card import markdown
from marginalia.nlp.training.curve import curve
from marginalia.nlp.weights import open_weights, write_weights

log = logging.getLogger(__name__)

CARD, CURVE = "README.md", "curve.svg"


@dataclass(frozen=True, slots=True)
class TrainedWeights:
    """A finished training: where its weights are, whom they serve, and what they reach on dev."""

    folder: Path
    task: str
    systems: tuple[str, ...]
    scores: Mapping[str, float]
    """Headline figures on dev; empty where the training has seen it, or it has no gold here."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "folder": str(self.folder),
            "task": self.task,
            "systems": list(self.systems),
            "dev": dict(self.scores),
        }


def train(
    task: str | Benchmark,
    *,
    out: str | Path,
    base: str | Path | None = None,
    system: str | None = None,
    splits: Sequence[str] = ("train",),
    data: str | Path | None = None,
    seed: int = 0,
    device: str = "cpu",
    epochs: int | None = None,
    download: bool = False,
) -> TrainedWeights:
    """Train a system of a task anew and write its weights to the folder ``out``; needs ``marginalia[train]``.

    ``base`` is the folder of a pretrained encoder that ``transformers`` can load, or its name on the hub, from where it is
    fetched only with ``download``. Without a base the encoder that ships is taken, where a system can learn on top of it.
    A training that was stopped goes on when it is called again in the same way. The same call on the same machine gives
    the same bytes.
    """
    task = as_benchmark(task)
    if not task.recipes:
        raise MissingError(f"No system of {task.name} can be trained by this function.")
    system = system or next(iter(task.recipes))
    if system not in task.recipes:
        raise UnknownNameError(f"system of {task.name} that can be trained", system, task.recipes)
    course = Course(
        task=task,
        system=system,
        base=None if base is None else str(base),
        out=Path(out),
        data=data_folder(data),
        splits=tuple(splits),
        seed=seed,
        device=device,
        epochs=epochs,
        download=download,
    )
    for name in course.splits:
        task.check_split(name)
    return follow(course)


def follow(course: Course) -> TrainedWeights:
    """Run a course, or go on with it; one that is finished is only read."""
    course.begin()
    if not (course.out / MANIFEST).is_file():
        log.info(f"reading {', '.join(course.splits)} of {course.task.name}")
        size = len(course.split)
        log.info(f"training '{course.system}' on {size:,} items")
        try:
            made = course.task.recipes[course.system](course)
        except ImportError as error:
            raise missing_package("Training", error.name, "train") from error
        _write(course, made)
    open_weights(course.out)
    own = read_own(course.out)
    scores = _score(course)
    write_file(course.out / CARD, card_text(course, own.systems, scores))
    shutil.rmtree(course.checkpoint, ignore_errors=True)
    return TrainedWeights(course.out, own.task, own.systems, scores)


def _write(course: Course, made: Trained) -> None:
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in course.rows():
        if "loss" in row:
            lines.setdefault(str(row["stage"]), []).append((row["step"], row["loss"]))
    drawn = curve(lines, title=f"{course.task.name}, {course.system}: loss by step")
    if drawn:
        write_file(course.out / CURVE, drawn)
    write_weights(
        course.out,
        made.files,
        task=course.task.name,
        systems=list(made.systems),
        base=None if course.base is None else Path(course.base).name,
        trained_on=list(course.splits),
        data=data_hash(course.split.files),
        seed=course.seed,
        **made.facts,
    )


def _score(course: Course) -> dict[str, float]:
    """Headline figures on dev, by the weights as they will be used."""
    task = course.task
    if "dev" not in task.splits or "dev" in course.splits:
        return {}
    try:
        dev = task.load("dev", course.data)
        dev.require_gold()
    except MissingError:
        return {}
    log.info(f"predicting dev, {len(dev):,} items")
    with using_weights(course.out):
        pred = task.card(course.system).make().predict(dev.items)
    scores = task.score(dev, pred).scores
    found = {str(metric): metric.of(scores) for metric in task.metrics}
    return {name: value for name, value in found.items() if value is not None}


def card_text(course: Course, systems: Sequence[str], scores: Mapping[str, float]) -> str:
    """The model card of weights that somebody trained."""
    task = course.task
    command = ["marginalia", "train", task.name, "--system", course.system]
    command += [] if course.base is None else ["--base", course.base]
    command += [word for name in course.splits for word in ("--split", name)]
    command += ["--seed", str(course.seed), "--device", course.device]
    command += [] if course.epochs is None else ["--epochs", str(course.epochs)]
    command += ["--out", course.out.name]
    files = sorted(open_weights(course.out)["files"].items())
    rows = [
        ["task", f"{task.name}: {task.shared_task}"],
        ["systems", ", ".join(f"`{name}`" for name in systems)],
        ["base", "the encoder that ships" if course.base is None else f"`{course.base}`"],
        ["learned from", f"{', '.join(course.splits)} ({len(course.split):,} items)"],
        ["licence of the data", task.data_licence],
        ["made by", f"marginalia {__version__}, seed {course.seed}, device {course.device}"],
    ]
    reached = [[name, f"{value:.4f}"] for name, value in scores.items()]
    parts = [
        f"# Weights for {task.name}, trained with `marginalia train`",
        markdown(("", ""), rows),
        "The licence of the base and that of the data both bind who passes these weights on.",
        "## On dev",
        markdown(("figure", "value"), reached) if reached else "Not measured.",
        "## Use",
        f"```\nexport MARGINALIA_WEIGHTS={shlex.quote(course.out.name)}\nmarginalia bench run {task.name} --system {systems[0]}\n```",
        "Thresholds and confidences of notes were set for the weights that ship: judge notes made with these anew.",
        "## Made by",
        f"```\n{shlex.join(command)}\n```",
        markdown(("file", "SHA-256"), [[f"`{name}`", f"`{digest}`"] for name, digest in files]),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
