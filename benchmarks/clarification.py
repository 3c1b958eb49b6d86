"""Clarification: quality on dev, what each ingredient brings, and speed.

    python benchmarks/clarification.py [quality] [ingredients] [speed] [tables] [--lm MODEL]
        [--likelihoods SPLIT=FILE]... [--system NAME]...

``quality`` fits what has to be fitted on train and scores every system on dev; ``ingredients`` fits the last step
anew on the tenth of train that the network has not seen. Both need a language model for the systems that ask one:
``--lm`` names it (marginalia[lm]), or ``--likelihoods`` the files of train and dev that
``python -m marginalia.tasks.clarification.systems.language_model`` wrote; without either these systems keep their figures. ``speed`` uses a fresh
process for each figure. Each part replaces its own figures in results/clarification.json; then, or with ``tables``
alone, the tables are written.
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
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Split, get_task
from marginalia.bench.run import intervals
from marginalia.core.data_folder import data_folder
from marginalia.core.files import read_json
from marginalia.core.task import plain
from marginalia.tasks.clarification.official.ratings import Rating, label_of
from marginalia.tasks.clarification.systems import stacking
from marginalia.tasks.clarification.systems.boosting import Boosted
from marginalia.tasks.clarification.systems.evidence import PARTS as COLUMNS
from marginalia.tasks.clarification.systems.evidence import Evidence, places
from marginalia.tasks.clarification.systems.language_model import Kept, LanguageModel
from marginalia.tasks.clarification.systems.passes import Passes

RESULT = RESULTS / "clarification.json"
TASK = get_task("clarification")
PARTS = ("quality", "ingredients", "speed")
METRICS = [metric.path for metric in TASK.metrics]
FOLDS = 10
"""As in train.py: the network has not seen the first of them."""

Models = Mapping[str, LanguageModel]
"""Split -> the language model to ask about it."""


def quality(models: Models, names: Sequence[str] = ()) -> dict[str, Any]:
    """The headline figures of every system on dev, or of those named, with intervals, and of each phenomenon."""
    train, dev = (TASK.load(name, data_folder()) for name in ("train", "dev"))
    found: dict[str, Any] = {}
    for card in TASK.systems:
        if (card.needs and not models) or (names and card.name not in names):
            continue
        system: Any = card.make()
        if card.needs:
            system = type(system)(**_asking(card.name, models["dev"]))
        if card.trains:
            system = system.fit(train)
        found[card.name] = figures(dev, system.predict(dev.items))
        say(card.name, found[card.name])
    return found


def _asking(name: str, model: LanguageModel) -> dict[str, Any]:
    return {"model": model} if name == "lm" else {"name": name, "lm": model}


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


def ingredients(models: Models) -> dict[str, Any]:
    """The last step on some of the ingredients, and other ways from ratings to classes."""
    train, dev = (TASK.load(name, data_folder()) for name in ("train", "dev"))
    _, left = next(train.folds(FOLDS))
    parts = [part for part in COLUMNS if part != "lm" or models]
    tables = {
        name: Evidence(parts, Passes(), Boosted(), models.get(name)).rows(split.items)
        for name, split in (("train", left), ("dev", dev))
    }
    found: dict[str, Any] = {}
    ours = ("network", "compared", "features")
    tried = {
        "features alone": ("features",),
        "network alone, each filler for itself": ("network",),
        "+ compared with the other fillers": ("network", "compared"),
        "+ features (`rater`)": ours,
        "language model alone": ("lm",),
        "language model and features": ("features", "lm"),
        "`rater` + language model (`rater-lm`)": (*ours, "lm"),
    }
    for name, chosen in tried.items():
        if set(chosen) <= set(parts):
            found[name] = figures(dev, last_step(left, dev, tables, parts, chosen))
            say(name, found[name])
    stack = stacking.fit(ours, *rows_of(left, tables, parts, ours))
    found["`rater`, one scale for all phenomena"] = figures(
        dev,
        {
            id: stack.rating(row[places(parts, ours)], stacking.ANY)
            for id, row in tables["dev"].items()
        },
    )
    plain_cut = {
        id: Rating(label_of(score), score)
        for id, row in tables["dev"].items()
        for score in [min(5.0, max(1.0, stack.score(row[places(parts, ours)])))]
    }
    found["`rater`, ratings as they come, the official bounds"] = figures(dev, plain_cut)
    for name in list(found)[-2:]:
        say(name, found[name])
    return found


def last_step(
    left: Split, dev: Split, tables: Mapping[str, Any], parts: Sequence[str], chosen: Sequence[str]
) -> dict[str, Rating]:
    """Predictions for dev of a last step that was fitted on these ingredients."""
    stack = stacking.fit(chosen, *rows_of(left, tables, parts, chosen))
    columns = places(parts, chosen)
    return {
        id: stack.rating(row[columns], dev.items[id].phenomenon)
        for id, row in tables["dev"].items()
    }


def rows_of(
    left: Split, tables: Mapping[str, Any], parts: Sequence[str], chosen: Sequence[str]
) -> tuple[Any, list[float], list[str], list[str]]:
    gold = left.require_gold()
    return (
        np.stack([tables["train"][id] for id in left.items])[:, places(parts, chosen)],
        [gold[id].score for id in left.items],
        [left.group[id] for id in left.items],
        [item.phenomenon for item in left.items.values()],
    )


SPEED = """
import json, sys, time
start = time.perf_counter()
from marginalia import get_task
from marginalia.core.data_folder import data_folder
from marginalia.core.task import plain
from marginalia.tasks.clarification.systems.passes import Passes
from marginalia.tasks.clarification.systems.ours import Rater
task = get_task("clarification")
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


def speed(models: Models, lm: str = "") -> dict[str, Any]:
    """CPU seconds on one core: one pass for a context, one for each filler, and with a language model."""
    runs = {
        "`rater`, one pass for a context": ("rater", "shared", "1000"),
        "`rater`, one pass for each filler": ("rater", "apart", "500"),
        "`encoder`, one pass for a context": ("encoder", "shared", "1000"),
    }
    if lm:
        runs["`rater-lm`, one pass for a context"] = ("rater-lm", "shared", "100")
    found = {}
    for name, arguments in runs.items():
        result = subprocess.run(
            [sys.executable, "-c", SPEED, *arguments],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **({"MARGINALIA_LM": lm} if lm else {})},
        )
        found[name] = json.loads(result.stdout)
        print(name, found[name], file=sys.stderr)
    return found


def say(name: str, found: Mapping[str, Any]) -> None:
    print(name, {m: found[m]["value"] for m in METRICS}, file=sys.stderr)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, "tables"], default=PARTS)
    parser.add_argument("--lm", default="", help="local folder or hub name")
    parser.add_argument("--likelihoods", action="append", default=[], metavar="SPLIT=FILE")
    parser.add_argument("--system", action="append", default=[], metavar="NAME")
    return parser


def main() -> None:
    arguments = parser().parse_args()
    models: dict[str, LanguageModel] = {}
    if arguments.lm:
        models = dict.fromkeys(("train", "dev"), LanguageModel(arguments.lm))
    for name, _, path in (given.partition("=") for given in arguments.likelihoods):
        items = TASK.load(name, data_folder()).items
        models[name] = Kept(read_json(Path(path)), items)
    start = time.monotonic()
    results = load(RESULT)
    for part in arguments.parts:
        if part == "tables":
            continue
        if part == "quality":
            new = quality(models, arguments.system)
            rows = results.get(part, {}) | new
            results[part] = {c.name: rows[c.name] for c in TASK.systems if c.name in rows}
        else:
            extra = {"lm": arguments.lm} if part == "speed" else {}
            results[part] = globals()[part](models, **extra)
        named = new if part == "quality" and (arguments.system or not models) else ()
        keep(RESULT, results, part, "--lm MODEL" if models else "", systems=named)
        print(f"{part} done after {time.monotonic() - start:.0f} s", file=sys.stderr)
    fill(tables(results))


TRIED = (
    "what was tried",
    "`encoder`: accuracy, Spearman on dev",
    "`rater`",
    "`encoder`: Spearman on the tenth left out",
)
"""Kept as they came out: such a run takes an hour."""


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
    brought = [
        [name, *(f"{found[m]['value']:.4f}" for m in METRICS)]
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
    timed = ("one core", "fillers per CPU second", "first answer s", "peak MB")
    return {
        (page, "clarification:quality"): markdown(("on dev", *scores), systems),
        (page, "clarification:phenomena"): markdown(("on dev", "phenomenon", *scores), each),
        (page, "clarification:ingredients"): markdown(("on dev", *scores), brought),
        (page, "clarification:speed"): markdown(timed, fast),
        (page, "clarification:tried"): markdown(TRIED, results["tried"]["rows"]),
    }


if __name__ == "__main__":
    main()
