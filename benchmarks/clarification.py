"""Clarification: quality on dev, what each ingredient brings, how the last step was chosen, and speed.

    python benchmarks/clarification.py [quality] [ingredients] [choices] [graph] [speed] [tables] [--lm FILE] [--system NAME]...

``quality`` fits what has to be fitted on train and scores every system on dev, which is looked at for nothing else.
``ingredients`` and ``choices`` cross-validate the last step on the tenth of train that no network has seen. Systems
with a language model are left as they are where there is none: ``--lm`` names its GGUF file, or ``marginalia[lm]``
brings it. ``graph`` compares the int8 graph of the language model with the same in fp32. ``speed`` uses a fresh process for each figure. Each part replaces its own figures in
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
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import MissingError, Split, get_benchmark
from marginalia.bench.run import intervals
from marginalia.core.data_folder import data_folder
from marginalia.core.report import plain
from marginalia.nlp.lm.convert import convert
from marginalia.nlp.lm.model import find_model
from marginalia.nlp.onnx import start
from marginalia.tasks.clarification.official.ratings import Rating
from marginalia.tasks.clarification.systems.inputs import bare
from marginalia.tasks.clarification.systems.language_model import LanguageModel
from marginalia.tasks.clarification.systems.ours import INGREDIENTS, Rater
from marginalia.tasks.clarification.systems.train.choosing import (
    OUTER,
    REPEATS,
    Option,
    Rows,
    compare,
    judge,
    summary,
    unseen,
)
from marginalia.tasks.clarification.systems.train.recipe import FOLDS

RESULT = RESULTS / "clarification.json"
TASK = get_benchmark("clarification")
PARTS = ("quality", "ingredients", "choices", "graph", "speed")
METRICS = [metric.path for metric in TASK.metrics]
MEASURES = ("accuracy", "plain", "spearman")


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


@lru_cache
def unseen_rows(system: str) -> Rows:
    """All evidence of a system on the tenth of train that no network has seen."""
    return unseen(TASK.load("train", data_folder()), Rater(system).evidence, FOLDS)


def ingredients(lm: bool) -> dict[str, Any]:
    """The last step on some of the ingredients, cross-validated by article."""
    rows = unseen_rows("rater-lm" if lm else "rater")
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
            judge(Option(each=True), *fold)
            for seed in range(REPEATS)
            for fold in part.folds(OUTER, seed)
        ]
        found[name] = dict(plain(summary(outcomes)))
        print(name, {m: round(found[name][m]["value"], 4) for m in MEASURES}, file=sys.stderr)
    return found


def choices(lm: bool) -> dict[str, Any]:
    """Every option of the last step, and the choice among them made anew in each fold."""
    found: dict[str, Any] = {}
    for system in ("rater", "rater-lm") if lm else ("rater",):
        outcomes = compare(unseen_rows(system))
        found[system] = {name: dict(plain(summary(each))) for name, each in outcomes.items()}
        for name, each in found[system].items():
            print(system, name, {m: round(each[m]["value"], 4) for m in MEASURES}, file=sys.stderr)
    return found


def graph(lm: bool, gaps: int = 60) -> dict[str, Any]:
    """Log likelihoods and CPU time of the int8 graph, beside those of fp32, on gaps of train."""
    if not lm:
        return {}
    items = TASK.load("train", data_folder()).items.values()
    contexts = list(dict.fromkeys(map(bare, items)))[:gaps]
    exact, int8 = LanguageModel(), LanguageModel()
    exact.model.session = start(convert(exact.model.file, {}, int8=False))
    tables, seconds = [], []
    for model in (exact, int8):
        model.likelihoods(contexts[0], contexts[0].others)  # loads it
        begin = time.process_time()
        found = [own for context in contexts for own in model.likelihoods(context, context.others)]
        seconds.append(time.process_time() - begin)
        tables.append(np.array([[own.filler, own.after] for own in found]))
    differ = np.abs(tables[0] - tables[1])
    found = {
        name: {
            "mean_difference": float(differ[:, place].mean()),
            "largest_difference": float(differ[:, place].max()),
            "correlation": float(np.corrcoef(tables[0][:, place], tables[1][:, place])[0, 1]),
        }
        for place, name in enumerate(("the filler", "the words after it"))
    }
    found["cpu"] = {"gaps": len(contexts), "fp32_s": seconds[0], "int8_s": seconds[1]}
    print(found, file=sys.stderr)
    return found


SPEED = """
import json, sys, time
start = time.perf_counter()
from marginalia import get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.report import plain
from marginalia.tasks.clarification.systems.passes import Passes
from marginalia.tasks.clarification.systems.ours import Rater
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


TRIED = ("training of the adapters", "Spearman on 300 gaps left out", "within a gap")
"""Kept as they came out: such a run takes half an hour."""


def tables(results: Mapping[str, Any]) -> dict[tuple[Path, str], str]:
    page = ROOT / "src" / "marginalia" / "tasks" / "clarification" / "README.md"

    def cell(figure: Mapping[str, Any]) -> str:
        value = figure["value"]
        if value is None:
            return "–"
        return f"{value:.4f} [{figure['low']:.3f}, {figure['high']:.3f}]"

    systems = [
        [f"`{name}`", *(cell(found[m]) for m in METRICS)]
        for name, found in results["quality"].items()
    ]
    each = [
        [f"`{name}`", phenomenon, *(f"{part[m]:.4f}" for m in METRICS)]
        for name, found in results["quality"].items()
        if name in ("rater", "rater-lm")
        for phenomenon, part in found["phenomena"].items()
    ]

    def folds(figure: Mapping[str, Any]) -> str:
        low, high, worst = (f"{figure[key]:.3f}" for key in ("low", "high", "worst"))
        return f"{figure['value']:.3f} [{low}, {high}], worst {worst}"

    brought = [
        [name, *(folds(found[m]) for m in MEASURES)]
        for name, found in results["ingredients"].items()
    ]
    chosen = [
        [f"`{system}`", name, *(folds(found[m]) for m in MEASURES)]
        for system, options in results["choices"].items()
        for name, found in options.items()
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
    cpu = results["graph"]["cpu"]
    near = [
        [
            f"log likelihood of {name}",
            *(f"{own[key]:.2f}" for key in ("mean_difference", "largest_difference")),
            f"{own['correlation']:.4f}",
            f"{cpu['fp32_s'] / cpu['int8_s']:.1f}",
        ]
        for name, own in results["graph"].items()
        if name != "cpu"
    ]
    against = ("int8 against fp32", "mean difference", "largest", "correlation", "times as fast")
    judged = ("accuracy by reliability", "accuracy", "Spearman")
    timed = ("one core", "fillers per CPU second", "first answer s", "peak MB")
    return {
        (page, "clarification:quality"): markdown(("on dev", *scores), systems),
        (page, "clarification:phenomena"): markdown(("on dev", "phenomenon", *scores), each),
        (page, "clarification:ingredients"): markdown(("unseen tenth of train", *judged), brought),
        (page, "clarification:choices"): markdown(("system", "last step", *judged), chosen),
        (page, "clarification:speed"): markdown(timed, fast),
        (page, "clarification:graph"): markdown(against, near),
        (page, "clarification:tried"): markdown(TRIED, results["tried"]["rows"]),
    }


if __name__ == "__main__":
    main()
