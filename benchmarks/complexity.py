"""Lexical complexity: cross-validation of each system, and what each ingredient brings.

    python benchmarks/complexity.py [quality] [ingredients] [--system NAME]...

Both train and need marginalia[train]; the system ``ensemble-lm`` needs marginalia[lm] too. Each part replaces its own
figures in results/complexity.json, ``quality`` those of the systems named; then the tables are written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pages import RESULTS, markdown, research_page, task_page
from recording import fill, keep, load

from marginalia import Split, get_benchmark
from marginalia.bench.run import cross_validate, intervals, predict
from marginalia.core.data_folder import data_folder
from marginalia.tasks.complexity.systems.heads import Heads

RESULT = RESULTS / "complexity.json"
KINDS = ("words", "multi")
FOLDS = 5
SYSTEMS = (
    "ensemble-lm",
    "ensemble",
    "hybrid",
    "encoder",
    "tuned",
    "features",
    "frequency",
    "length",
    "random",
)


def quality(names: Sequence[str]) -> dict[str, Any]:
    """Pearson on dev, and by cross-validation over train with tokens kept together."""
    task, folder = get_benchmark("complexity"), data_folder()
    split, dev = task.load("train", folder), task.load("dev", folder)
    found: dict[str, Any] = {}
    for name in names:
        pred, _, _ = cross_validate(task.card(name), split, FOLDS)
        system = task.card(name).make()  # what ships has seen dev
        fitted = predict(system.fit(split) if hasattr(system, "fit") else system, dev)
        found[name] = {
            "cv": figures(task.score(split, pred).scores, intervals(task, split, pred)),
            "dev": figures(task.score(dev, fitted).scores, intervals(task, dev, fitted)),
        }
        print(name, found[name], file=sys.stderr)
    return found


def figures(scores: Any, around: Any) -> dict[str, Any]:
    return {
        part: {"pearson": scores[part]["pearson"], **around[f"{part}.pearson"]} for part in KINDS
    }


def ingredients() -> dict[str, Any]:
    """The ensemble with something left out, cross-validated."""
    from marginalia.tasks.complexity.systems.inputs import LAYERS, Inputs
    from marginalia.tasks.complexity.systems.train.recipe import training_inputs

    class Blanked(Inputs):
        """The inputs with some columns set to zero."""

        def __init__(self, name: str, columns: slice) -> None:
            self.name, self.columns = name, columns

        def features(self, targets: Any) -> Any:
            return self.blank("features", training_inputs().features(targets))

        def vectors(self, targets: Any) -> Any:
            return self.blank("vectors", training_inputs().vectors(targets))

        def blank(self, name: str, values: Any) -> Any:
            if name == self.name:
                values[:, self.columns] = 0
            return values

    split = get_benchmark("complexity").load("train", data_folder())
    width = len(LAYERS) * 384
    blanks = {
        "all": Blanked("", slice(0)),
        "without the vector in context": Blanked("vectors", slice(0, width)),
        "without the vector alone": Blanked("vectors", slice(width, 2 * width)),
        "without the static vector": Blanked("vectors", slice(2 * width, None)),
        "without genre": Blanked("features", slice(-4, -1)),
        "without the sentence's features": Blanked("features", slice(-19, -4)),
    }
    found = {}
    for name, inputs in blanks.items():
        pred: dict[str, float] = {}
        for rest, out in split.folds(FOLDS):
            pred |= Heads("ensemble", inputs=inputs).fit(rest).predict(out.items)
        found[name] = scores_of(split, pred)
        print(name, found[name], file=sys.stderr)
    apart: dict[str, float] = {}
    for part in KINDS:
        own = split.take(id for id in split.items if split.items[id].kind == part)
        for rest, out in own.folds(FOLDS):
            apart |= Heads("ensemble").fit(rest).predict(out.items)
    found["words and multi-words trained apart"] = scores_of(split, apart)
    return found


def scores_of(split: Split, pred: dict[str, float]) -> dict[str, float]:
    scores = get_benchmark("complexity").score(split, pred).scores
    return {part: scores[part]["pearson"] for part in KINDS}


PARTS = ("quality", "ingredients")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--system", action="append", choices=SYSTEMS, default=[])
    return parser


def main() -> None:
    arguments = parser().parse_args()
    results = load(RESULT)
    for part in arguments.parts or PARTS:
        if part == "quality":
            found = results.get(part, {}) | quality(arguments.system or SYSTEMS)
            results[part] = {name: found[name] for name in SYSTEMS if name in found}
            keep(RESULT, results, part, systems=arguments.system)
        else:
            results[part] = ingredients()
            keep(RESULT, results, part)
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    def cell(value: dict[str, float]) -> str:
        return f"{value['pearson']:.4f} [{value['low']:.3f}, {value['high']:.3f}]"

    families = [
        [f"`{name}`", *(cell(figures[key][part]) for key in ("cv", "dev") for part in KINDS)]
        for name, figures in results["quality"].items()
    ]
    brought = [
        [name, *(f"{scores[part]:.4f}" for part in KINDS)]
        for name, scores in results["ingredients"].items()
    ]
    columns = ("system", "CV words", "CV multi-words", "dev words", "dev multi-words")
    return {
        (task_page("complexity"), "complexity:quality"): markdown(columns, families),
        (research_page("complexity"), "complexity:ingredients"): markdown(
            ("ensemble", "CV words", "CV multi-words"), brought
        ),
    }


if __name__ == "__main__":
    main()
