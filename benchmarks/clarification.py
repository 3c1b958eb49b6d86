"""Clarification: quality on dev, what each ingredient brings, and speed.

    python benchmarks/clarification.py [quality] [ingredients] [speed] [tables] [--lm FILE] [--system NAME]...

``quality`` fits what has to be fitted on train and scores every system on dev, which is looked at for nothing else.
``ingredients`` cross-validates the last step on the tenth of train that no network has seen. Systems
with a language model are left as they are where there is none: ``--lm`` names its GGUF file, or ``marginalia[lm]``
brings it. ``speed`` uses a fresh process for each figure. Each part replaces its own figures in
results/clarification.json; then, or with ``tables`` alone, the tables are written.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["MARGINALIA_THREADS"] = "1"

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, markdown, research_page, task_page
from recording import fill, keep, load

from marginalia import MissingError, Split, get_benchmark
from marginalia.bench.run import intervals
from marginalia.core.data_folder import data_folder
from marginalia.core.report import plain
from marginalia.core.stats import spearman
from marginalia.nlp.lm.model import find_model
from marginalia.tasks.clarification.official.ratings import Rating, label_of
from marginalia.tasks.clarification.systems.rater import INGREDIENTS, Rater
from marginalia.tasks.clarification.systems.stacking import reliability
from marginalia.tasks.clarification.systems.train.held_out import Rows, unseen
from marginalia.tasks.clarification.systems.train.recipe import FOLDS

RESULT = RESULTS / "clarification.json"
TASK = get_benchmark("clarification")
PARTS = ("quality", "ingredients", "speed")
METRICS = [metric.path for metric in TASK.metrics]
MEASURES = ("accuracy", "plain", "spearman")
OUTER_FOLDS, REPEATS = 5, 4


def quality(lm: bool, names: Sequence[str] = ()) -> dict[str, Any]:
    """The headline figures of every system on dev, or of those named, with intervals, and of each phenomenon."""
    train, dev = (TASK.load(name, data_folder()) for name in ("train", "dev"))
    found: dict[str, Any] = {}
    for card in TASK.systems:
        if (card.needs and not lm) or (names and card.name not in names):
            continue
        system: Any = card.make()
        if card.trains:
            system = system.fit(train)
        found[card.name] = figures(dev, system.predict(dev.items))
        say(card.name, found[card.name])
    return found


def figures(split: Split, pred: Mapping[str, Rating]) -> dict[str, Any]:
    scores = TASK.score(split, pred).scores
    spread = intervals(TASK, split, pred)
    found = {
        **{m.path: {"value": m.of(scores), **spread.get(m.path, {})} for m in TASK.metrics},
        "phenomena": {
            name: {m.path: m.of(part) for m in TASK.metrics}
            for name, part in scores["phenomena"].items()
        },
    }
    return dict(plain(found))


def ingredients(lm: bool) -> dict[str, Any]:
    """The last step on some of the ingredients, cross-validated by article."""
    train = TASK.load("train", data_folder())
    rows = unseen(train, Rater("rater-lm" if lm else "rater").evidence, FOLDS)
    ours = INGREDIENTS["rater"]
    tried = {
        "features alone": ("features",),
        "network alone, each filler for itself (`encoder`)": ("network",),
        "+ compared with the other fillers": ("network", "compared"),
        "+ features (`rater`)": ours,
        "likelihoods alone": ("lm",),
        "likelihoods and adapters": ("lm", "adapted"),
        "`rater` + likelihoods": (*ours, "lm"),
        "`rater` + adapters": (*ours, "adapted"),
        "`rater` + likelihoods + adapters (`rater-lm`)": INGREDIENTS["rater-lm"],
    }
    found: dict[str, Any] = {}
    for name, chosen in tried.items():
        if not set(chosen) <= set(rows.parts):
            continue
        part = rows.of(chosen)
        outcomes = [
            judge(*fold) for seed in range(REPEATS) for fold in part.folds(OUTER_FOLDS, seed)
        ]
        found[name] = dict(plain(summary(outcomes)))
        print(name, {m: round(found[name][m]["value"], 4) for m in MEASURES}, file=sys.stderr)
    return found


def judge(learn: Rows, left: Rows) -> dict[str, float]:
    """Accuracies of the phenomena count by how well their ratings can be foretold (squared)."""
    stack = learn.stack()
    ratings = [
        stack.rating(row, kind)
        for row, kind in zip(left.rows, left.phenomena.tolist(), strict=True)
    ]
    gold = left.scores.tolist()
    right = np.array([r.label == label_of(score) for r, score in zip(ratings, gold, strict=True)])
    held = np.array([stack.score(row) for row in learn.rows])
    reliable = reliability(held, learn.scores, learn.phenomena)
    weight = np.array([reliable.get(kind, 0.0) ** 2 for kind in left.phenomena.tolist()]) + 1e-9
    return {
        "accuracy": float((right * weight).sum() / weight.sum()),
        "plain": float(right.mean()),
        "spearman": spearman([rating.score for rating in ratings], gold),
    }


def summary(outcomes: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Mean, interval and worst fold of each measure."""
    found = {}
    for name in MEASURES:
        each = np.array([outcome[name] for outcome in outcomes])
        half = 1.96 * each.std(ddof=1) / np.sqrt(min(len(each), OUTER_FOLDS))
        mean = float(each.mean())
        found[name] = {"value": mean, "low": mean - half, "high": mean + half, "worst": each.min()}
    return found


SPEED = """
import json, sys, time
start = time.perf_counter()
from marginalia import get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.report import plain
from marginalia.tasks.clarification.systems.passes import Passes
from marginalia.tasks.clarification.systems.rater import Rater
task = get_benchmark("clarification")
system = Rater(sys.argv[1])
system.evidence.passes = Passes(shared=sys.argv[2] == "shared")
items = task.load("dev", data_folder()).items
ids = list(items)[: int(sys.argv[3])]
loaded = time.perf_counter()
system.predict({ids[0]: items[ids[0]]})
cold = time.perf_counter() - loaded
wall, cpu = time.perf_counter(), time.process_time()
system.predict({id: items[id] for id in ids})
wall_s, cpu_s = time.perf_counter() - wall, time.process_time() - cpu
# Not getrusage: its peak begins with that of the process which started this one.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"fillers": len(ids), "wall_s": wall_s, "cpu_s": cpu_s, "first_answer_s": cold,
    "peak_memory_mb": peak / 1024}))
"""


def speed(lm: bool) -> dict[str, Any]:
    """CPU seconds on one core: one pass for a context, one for each filler, and with a language model."""
    runs = {
        "`rater`, one pass for a context": ("rater", "shared", "1000"),
        "`rater`, one pass for each filler": ("rater", "apart", "500"),
        "`encoder`, one pass for a context": ("encoder", "shared", "1000"),
    }
    if lm:
        runs["`rater-lm`, one pass for a context"] = ("rater-lm", "shared", "500")
    found = {}
    for name, arguments in runs.items():
        result = subprocess.run(
            [sys.executable, "-c", SPEED, *arguments],
            capture_output=True,
            text=True,
            check=True,
        )
        found[name] = json.loads(result.stdout)
        print(name, found[name], file=sys.stderr)
    return found


def say(name: str, found: Mapping[str, Any]) -> None:
    print(name, {m: found[m]["value"] for m in METRICS}, file=sys.stderr)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, "tables"], default=PARTS)
    parser.add_argument("--lm", default="", help="a GGUF file; without it, the installed one")
    parser.add_argument("--system", action="append", default=[], metavar="NAME")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.lm:
        os.environ["MARGINALIA_LM"] = arguments.lm
    try:
        lm = bool(find_model())
    except MissingError as error:
        print(f"{error} Their figures stay.", file=sys.stderr)
        lm = False
    start = time.monotonic()
    results = load(RESULT)
    for part in arguments.parts:
        if part == "tables":
            continue
        if part == "quality":
            new = quality(lm, arguments.system)
            rows = results.get(part, {}) | new
            results[part] = {c.name: rows[c.name] for c in TASK.systems if c.name in rows}
        else:
            results[part] = {**results.get(part, {}), **globals()[part](lm)}
        named = new if part == "quality" and (arguments.system or not lm) else ()
        keep(RESULT, results, part, "", systems=named)
        print(f"{part} done after {time.monotonic() - start:.0f} s", file=sys.stderr)
    fill(tables(results))


SHOWN = ("rater-lm", "rater", "lm")
"""Those with a language model, and ours without one: the table of dev has all others."""


def tables(results: Mapping[str, Any]) -> dict[tuple[Path, str], str]:
    page, research = task_page("clarification"), research_page("clarification")

    def cell(figure: Mapping[str, Any]) -> str:
        return f"{figure['value']:.4f} [{figure['low']:.3f}, {figure['high']:.3f}]"

    def folds(figure: Mapping[str, Any]) -> str:
        return f"{figure['value']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"

    quality = results["quality"]
    systems = [[f"`{name}`", *(cell(quality[name][m]) for m in METRICS)] for name in SHOWN]
    each = [
        [phenomenon]
        + [
            f"{quality[name]['phenomena'][phenomenon][metric]:.3f}"
            for name in ("rater", "rater-lm")
            for metric in METRICS[:2]
        ]
        for phenomenon in quality["rater"]["phenomena"]
    ]
    brought = [
        [name, *(folds(found[m]) for m in ("accuracy", "spearman"))]
        for name, found in results["ingredients"].items()
    ]
    fast = [
        [
            name,
            f"{found['fillers'] / found['cpu_s']:.0f}",
            f"{found['first_answer_s']:.1f}",
            f"{found['peak_memory_mb']:.0f}",
        ]
        for name, found in results["speed"].items()
    ]
    scores = ("accuracy", "Spearman", "F1 without NEUTRAL", "accuracy of ≥ 2 plausible")
    judged = ("accuracy by reliability", "Spearman")
    timed = ("one core", "fillers per CPU second", "first answer s", "peak MB")
    return {
        (page, "clarification:quality"): markdown(("on dev", *scores), systems),
        (page, "clarification:speed"): markdown(timed, fast),
        (research, "clarification:phenomena"): markdown(
            ("on dev", "`rater` accuracy", "Spearman", "`rater-lm` accuracy", "Spearman"), each
        ),
        (research, "clarification:ingredients"): markdown(
            ("unseen tenth of train", *judged), brought
        ),
    }


if __name__ == "__main__":
    main()
