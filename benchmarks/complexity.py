"""Lexical complexity: cross-validation of each family, what each ingredient brings, and speed.

    python benchmarks/complexity.py [quality] [ingredients] [states] [speed] [--system NAME]... [--keep FOLDER [--fold N]]

``quality``, ``ingredients`` and ``states`` train anew and need marginalia[train], ``states`` and the system ``ensemble-lm``
marginalia[lm] too; ``speed`` needs only the package. Each part replaces its own figures in results/complexity.json,
``quality`` those of the systems named; then the tables are written. With ``--keep`` what was computed once is taken from
that folder: the inputs of train, and the heads that were trained without a fold. ``--fold N`` only trains those of one fold,
so that folds can be trained side by side.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from complexity_kept import FOLDS, KINDS, Kept, keep_inputs
from complexity_states import states
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Split, get_benchmark
from marginalia.bench.run import cross_validate, intervals, run
from marginalia.core.data_folder import data_folder
from marginalia.tasks.complexity.systems.ours import HEADS, Heads

RESULT = RESULTS / "complexity.json"
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


def quality(names: Sequence[str], kept: Path | None) -> dict[str, Any]:
    """Pearson on dev, and by cross-validation over train with tokens kept together."""
    task, folder = get_benchmark("complexity"), data_folder()
    split = task.load("train", folder)
    found: dict[str, Any] = {}
    for name in names:
        card = task.card(name)
        if name in HEADS:
            card = replace(card, make=partial(Kept, name, kept))
        pred, _, _ = cross_validate(card, split, FOLDS)
        done = run(task, "dev", data=folder, system=name).run
        found[name] = {
            "cv": figures(task.score(split, pred).scores, intervals(task, split, pred)),
            "dev": figures(done.scores, done.intervals),
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


SPEED = """
import json, resource, sys, time
start = time.perf_counter()
from marginalia import Document, get_benchmark
from marginalia.annotators.words.annotate import annotate
from marginalia.annotators.words.analysis import analyse
first = list(annotate(Document(id="x", text="The mitochondrion divides.", meta={"lang": "en"})))
cold = time.perf_counter() - start
text = sys.stdin.read()
start = time.perf_counter()
doc = Document(id="y", text=text, meta={"lang": "en"})
found = analyse(doc, "general", "", "")
list(found.found()), found.terms
done = time.perf_counter() - start
notes = list(annotate(doc))
print(json.dumps({"cold_start_s": cold, "seconds": done, "words": len(text.split()),
    "scored": len(found.hard) + len(found.unexplained) + len(found.terms), "notes": len(notes), "all_s": time.perf_counter() - start,
    "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def speed() -> dict[str, Any]:
    """Documents of 2,500 to 10,000 words from the training sentences, on one and two threads."""
    import os

    split = get_benchmark("complexity").load("train", data_folder())
    sentences = list(dict.fromkeys(item.sentence for item in split.items.values()))
    rng = np.random.default_rng(0)
    rng.shuffle(sentences)
    found: dict[str, Any] = {}
    for threads, size in ((1, 10_000), (2, 2_500), (2, 5_000), (2, 10_000)):
        text, words = [], 0
        for sentence in sentences:
            if words >= size:
                break
            text.append(sentence)
            words += len(sentence.split())
        result = subprocess.run(
            [sys.executable, "-c", SPEED],
            input="\n\n".join(text),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "MARGINALIA_THREADS": str(threads), "OMP_NUM_THREADS": "1"},
        )
        found[f"{size:,} words, {threads} thread{'s' if threads > 1 else ''}"] = json.loads(
            result.stdout
        )
        print(found, file=sys.stderr)
    return found


PARTS = ("quality", "ingredients", "states", "speed")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--system", action="append", choices=SYSTEMS, default=[])
    parser.add_argument("--keep", type=Path, help="a folder for what is computed once")
    parser.add_argument(
        "--fold", type=int, choices=range(FOLDS), help="only train without this fold"
    )
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.fold is not None and arguments.keep is None:
        parser().error("--fold trains for later: say with --keep where")
    start = time.monotonic()
    results = load(RESULT)
    if arguments.keep:
        lm = "ensemble-lm" in (arguments.system or SYSTEMS) or "states" in arguments.parts
        keep_inputs(arguments.keep, states=lm)
    if arguments.fold is not None:
        split = get_benchmark("complexity").load("train", data_folder())
        rest, _ = list(split.folds(FOLDS))[arguments.fold]
        for name in arguments.system or ["ensemble", "ensemble-lm"]:
            Kept(name, arguments.keep).fit(rest)
        return
    for part in arguments.parts or PARTS:
        if part == "quality":
            found = results.get(part, {}) | quality(arguments.system or SYSTEMS, arguments.keep)
            results[part] = {name: found[name] for name in SYSTEMS if name in found}
            keep(RESULT, results, part, systems=arguments.system)
        else:
            results[part] = measured(part, arguments.keep)
            keep(RESULT, results, part)
        print(f"{part} done after {time.monotonic() - start:.0f} s", file=sys.stderr)
    fill(tables(results))


def measured(part: str, kept: Path | None) -> dict[str, Any]:
    if part == "states":
        return states(kept)
    return ingredients() if part == "ingredients" else speed()


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    page = ROOT / "src" / "marginalia" / "tasks" / "complexity" / "README.md"

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
    fast = [
        [
            name,
            f"{value['words'] / value['seconds']:,.0f}",
            f"{value['scored'] / value['seconds']:,.0f}",
            f"{value['all_s']:.1f}",
            f"{value['cold_start_s']:.1f}",
            f"{value['peak_memory_mb']:.0f}",
        ]
        for name, value in results["speed"].items()
    ]
    more = [
        [name, *(text for part in KINDS for text in gains(figures[part]))]
        for name, figures in results["tried"]["inputs"].items()
    ]
    added = [
        [name, *(text for part in KINDS for text in gains(figures[part]))]
        for name, figures in results["states"]["gained"].items()
    ]
    costs = [
        [f"`{row['system']}`", f"{row['targets']:,}", f"{row['words']:,}", f"{row['cpu_s']:.1f}"]
        for row in results["states"]["cost"]
    ]
    columns = ("system", "CV words", "CV multi-words", "dev words", "dev multi-words")
    timed = ("document", "words / s", "scored / s", "whole document s", "cold start s", "peak MB")
    return {
        (page, "complexity:quality"): markdown(columns, families),
        (page, "complexity:ingredients"): markdown(
            ("ensemble", "CV words", "CV multi-words"), brought
        ),
        (page, "complexity:speed"): markdown(timed, fast),
        (page, "complexity:tried"): markdown(
            ("fine-tuned, on fold 0", "words", "multi-words"), results["tried"]["rows"]
        ),
        (page, "complexity:states"): markdown(
            ("heads", "words", "gain", "worst", "multi-words", "gain", "worst"), added
        ),
        (page, "complexity:states-cost"): markdown(
            ("system", "targets", "words of their sentences", "seconds of one core"), costs
        ),
        (page, "complexity:tried-inputs"): markdown(
            ("`ensemble`", "words", "gain", "worst", "multi-words", "gain", "worst"), more
        ),
    }


def gains(figures: dict[str, float]) -> list[str]:
    """Pearson, the mean gain of a fold with its standard error, and the least of folds and genres."""
    if "gain" not in figures:
        return [f"{figures['pearson']:.4f}", "", ""]
    worst = min(figures["worst_fold"], figures["worst_genre"])
    return [
        f"{figures['pearson']:.4f}",
        f"{figures['gain']:+.4f} ± {figures['error']:.4f}",
        f"{worst:+.4f}",
    ]


if __name__ == "__main__":
    main()
