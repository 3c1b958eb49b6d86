"""Measurement: cross-validated quality, speed, and how far people agree.

    python benchmarks/measurement.py [quality] [speed] [agreement] [tables]
        [--system NAME]... [--predictions NAME=FILE_OR_FOLDER]...

``quality`` cross-validates every system of the task, or those named, in 5 folds by article over train + dev.
Where training takes long, ``--predictions`` names instead a JSON file of the folds' predictions, ``{id: spans}``
for all 313 paragraphs as ``marginalia bench run`` encodes them, or for ``pointer`` and ``strict`` a folder with
weights that were trained without some of the folds (``train.recipe --fold``): then the figures are of these folds. ``speed`` uses a fresh process for each system;
``agreement`` is that of the two annotators of iaa/. Rules were written with these paragraphs in view, so
their figures are not held out; the tables mark them and show dev (the official trial) beside all. Each part replaces its own
figures in results/measurement.json, of the systems that it measured; then, or with ``tables`` alone, the tables are written.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["MARGINALIA_THREADS"] = "1"

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown, research_page, task_page
from recording import fill, keep, load

from marginalia import FormatError, Split, get_benchmark
from marginalia.bench.run import cross_validate
from marginalia.core.benchmark import System
from marginalia.core.data_folder import data_folder
from marginalia.core.files import read_json
from marginalia.core.report import plain
from marginalia.core.stats import bootstrap
from marginalia.tasks.measurement.official import agreement as annotators
from marginalia.tasks.measurement.official import data
from marginalia.tasks.measurement.official.match import CLASSES, Matched, total
from marginalia.tasks.measurement.official.score import match_all
from marginalia.tasks.measurement.official.spans import Spans, check_spans, decode
from marginalia.tasks.measurement.systems.pointer import Pointer
from marginalia.tasks.measurement.systems.span_chances import FILE as CHANCES
from marginalia.tasks.measurement.systems.train.chances import (
    fit_roles,
    part_of_article,
    read_parts,
)
from marginalia.tasks.measurement.systems.train.corpus import of_annotation, of_measeval
from marginalia.tasks.measurement.systems.train.recipe import article_folds

RESULT = RESULTS / "measurement.json"
PARTS = ("quality", "speed", "agreement")
FOLDS = 5
RESAMPLES = 1000
TASK = get_benchmark("measurement")
SYSTEMS_OF_NETWORK: dict[str, Callable[[Path], System]] = {
    "pointer": Pointer,
    "strict": lambda folder: Pointer(folder, strict=True),
}
COMPONENTS = (
    "Quantity",
    "Unit",
    "modifier",
    "MeasuredEntity",
    "MeasuredProperty",
    "Qualifier",
    "HasQuantity",
    "HasProperty",
    "Qualifies",
)
"""First what a quantity is, what it is of, how that is related."""
SHOWN = ("pointer", "strict", "rules")
"""The systems whose components stand in the table; the result file has those of all."""

Kept = Mapping[str, Path]


def labelled() -> Split:
    """Train and dev (official trial) together, 313 paragraphs; folds keep an article together."""
    return data.labelled(data_folder())


def predictions(name: str, split: Split, kept: Kept) -> dict[str, Spans]:
    """From a file or weights where they are named, else by cross-validation."""
    if name in kept:
        path = kept[name]
        return by_weights(name, split, path) if path.is_dir() else read_predictions([path], split)
    pred, _, _ = cross_validate(TASK.card(name), split, FOLDS)
    return pred


def by_weights(name: str, split: Split, folder: Path) -> dict[str, Spans]:
    """The folds that the network was trained without: rules and decoding are those of today.

    The articles are in parts, and the weights of the spans of each part are fitted on the others.
    """
    convention = "official" if name == "pointer" else "margin"
    paragraphs = [*of_measeval(split), *of_annotation(ROOT / "annotation")]
    parts = read_parts(folder, paragraphs, article_folds(split), convention)
    folds = read_json(folder / "manifest.json")["left_out"]
    items = {
        id: item
        for number, (_, left_out) in enumerate(split.folds(FOLDS))
        if number in folds
        for id, item in left_out.items.items()
    }
    pred: dict[str, Spans] = {}
    for part in parts:
        fitted = fit_roles(own for number, own in parts.items() if number != part)
        own = {id: one for id, one in items.items() if part_of_article(one.article) == part}
        with TemporaryDirectory() as made:
            for path in folder.iterdir():
                (Path(made) / path.name).symlink_to(path.resolve())
            (Path(made) / CHANCES).unlink(missing_ok=True)
            (Path(made) / CHANCES).write_text(json.dumps({convention: fitted}), encoding="utf-8")
            pred |= SYSTEMS_OF_NETWORK[name](Path(made)).predict(own)
    return pred


def held_out(name: str, kept: Mapping[str, Path]) -> str:
    """Whether the predictions were made without their articles: yes, no, or partly.

    Who wrote the rules had these paragraphs to look at, and our best takes its quantities from them. Then dev
    is nearer to the truth than all, the more so the less it was looked at: compare the two.
    """
    if name in ("pointer", "strict"):
        return "partly"
    return "yes" if name in kept or hasattr(TASK.system(name), "fit") else "no"


def only_dev(split: Split) -> Split:
    return split.take(TASK.load("dev", data_folder()).items)


def read_predictions(files: Sequence[Path], split: Split) -> dict[str, Spans]:
    """``{id: [span, ...]}`` with the fields of ``Span``; every paragraph must be there and quoted rightly."""
    given: dict[str, Any] = {}
    for path in files:
        given |= read_json(path)
    path = files[0] if files else Path("predictions")
    missing = split.items.keys() - given.keys()
    if missing:
        raise FormatError(
            f"{len(missing)} paragraphs are missing, {min(missing)} is one", path=path
        )
    pred = {id: decode(given[id]) for id in split.items}
    for id, spans in pred.items():
        try:
            check_spans(spans)
        except FormatError as error:
            raise FormatError(f"{id}: {error.message}", path=path) from None
        text = split.items[id].text
        wrong = [span.id for span in spans if text[span.start : span.end] != span.text]
        if wrong:
            raise FormatError(f"{id}: {wrong[0]} quotes another text", path=path)
    return pred


def figures(
    gold: Mapping[str, Any],
    pred: Mapping[str, Any],
    group: Mapping[str, str],
    components: Mapping[str, Iterable[str]] | None = None,
) -> dict[str, dict[str, float]]:
    """Official ``f1_overlap`` of each component and overall, with 95 % intervals resampled by article."""
    wanted = components or {"overall": CLASSES, **{name: (name,) for name in CLASSES}}
    matched = match_all(gold, pred)
    return {name: _figure(matched, group, tuple(own)) for name, own in wanted.items()}


def _figure(
    matched: Mapping[str, Matched], group: Mapping[str, str], classes: tuple[str, ...]
) -> dict[str, float]:
    places = {name: place for place, name in enumerate(sorted(set(group.values())))}
    values, rows = np.zeros(len(places)), np.zeros(len(places))
    matches = submitted = wanted = 0
    for doc, found in matched.items():
        tally = total(found.classes[name] for name in classes)
        values[places[group[doc]]] += tally.overlap
        rows[places[group[doc]]] += tally.rows
        matches += tally.matches
        submitted += tally.submission_only
        wanted += tally.gold_only

    def mean(drawn: Any) -> float:
        whole = float(rows[drawn].sum())
        return float(values[drawn].sum()) / whole if whole else float("nan")

    between = bootstrap(mean, len(places), n=RESAMPLES)
    return {
        "f1_overlap": mean(np.arange(len(places))),
        "low": between.low,
        "high": between.high,
        "precision": matches / max(1, matches + submitted),
        "recall": matches / max(1, matches + wanted),
    }


def quality(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    """``f1_overlap`` of every component, and of each fold."""
    split = labelled()
    dev = only_dev(split)
    found: dict[str, Any] = {}
    for name in names or [card.name for card in TASK.systems]:
        pred = predictions(name, split, kept)
        seen, seen_dev = split.take(pred), dev.take([id for id in dev.items if id in pred])
        found[name] = {
            "held_out": held_out(name, kept),
            "paragraphs": len(pred),
            "components": figures(seen.require_gold(), pred, seen.group),
            "folds": [
                TASK.score(fold, {id: pred[id] for id in fold.items}).scores["overall"][
                    "f1_overlap"
                ]
                for _, fold in split.folds(FOLDS)
                if fold.items.keys() <= pred.keys()
            ],
            "dev": figures(
                seen_dev.require_gold(), {id: pred[id] for id in seen_dev.items}, seen_dev.group
            ),
        }
        _say(name, found[name]["components"]["overall"])
    return found


SPEED = """
import json, sys, time
start = time.perf_counter()
from marginalia import get_benchmark
from marginalia.tasks.measurement.official.data import Paragraph
task = get_benchmark("measurement")
system = task.system(sys.argv[1])
system.predict({"x": Paragraph("x", "unknown", "The lake is 31 m deep.")})
cold = time.perf_counter() - start
items = {str(i): Paragraph("x", "unknown", text) for i, text in enumerate(json.load(sys.stdin))}
wall, cpu = time.perf_counter(), time.process_time()
system.predict(items)
wall_s, cpu_s = time.perf_counter() - wall, time.process_time() - cpu
# Not getrusage: its peak begins with that of the process which started this one.
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"paragraphs": len(items), "wall_s": wall_s,
    "cpu_s": cpu_s, "cold_start_s": cold, "peak_memory_mb": peak / 1024}))
"""


def speed(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    """All labelled paragraphs after a cold start, on one thread."""
    texts = json.dumps([item.text for item in labelled().items.values()])
    found = {}
    for name in names or [card.name for card in TASK.systems if not card.trains]:
        words = [sys.executable, "-c", SPEED, name]
        done = subprocess.run(words, input=texts, stdout=subprocess.PIPE, text=True, check=True)
        found[name] = json.loads(done.stdout)
        _say(name, found[name])
    return found


def agreement(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    """The report of the task's tool, and intervals of one annotator against the other by article."""
    found = annotators.load_annotations(data_folder())
    one, other = annotators.by_quantity(found.one), annotators.by_quantity(found.other)
    group = {name: data.article_of(name) for name in (*one, *other)}
    report = annotators.agreement(data_folder())
    between = figures(one, other, group)
    rows = {
        name: {**row, "low": between[name]["low"], "high": between[name]["high"]}
        for name, row in report.scores.items()
    }
    return dict(plain({"scores": rows, "also": report.also}))


def _say(*what: object) -> None:
    print(*what, file=sys.stderr, flush=True)


def tables(results: Mapping[str, Any]) -> dict[tuple[Path, str], str]:
    """The tables of the parts that were measured."""
    page = task_page("measurement")
    made = {}
    if "quality" in results:
        made[page, "measurement:quality"] = quality_table(ordered(results["quality"]))
        made[page, "measurement:components"] = components_table(results)
    if "speed" in results:
        made[page, "measurement:speed"] = speed_table(ordered(results["speed"]))
    if "agreement" in results:
        table = agreement_table(results["agreement"]["scores"])
        made[research_page("measurement"), "measurement:agreement"] = table
    return made


def cell(value: Mapping[str, float]) -> str:
    return f"{value['f1_overlap']:.3f} [{value['low']:.3f}, {value['high']:.3f}]"


def quality_table(systems: Sequence[tuple[str, Any]]) -> str:
    rows = [
        [
            f"`{name}`",
            value["held_out"],
            str(value["paragraphs"]),
            cell(value["components"]["overall"]),
            f"{min(value['folds']):.3f}",
            cell(value["dev"]["overall"]),
        ]
        for name, value in systems
    ]
    columns = ("system", "held out", "paragraphs", "overall.f1_overlap", "worst fold", "of it dev")
    return markdown(columns, rows)


def components_table(results: Mapping[str, Any]) -> str:
    """A row for each component; last, what two people reach."""
    systems = [(name, value) for name, value in ordered(results["quality"]) if name in SHOWN]
    people = results.get("agreement", {}).get("scores")
    rows = [
        [
            component,
            *(f"{value['components'][component]['f1_overlap']:.3f}" for _, value in systems),
            *([number(people[component]["f1_overlap"])] if people else []),
        ]
        for component in COMPONENTS
    ]
    names = [f"`{name}`" for name, _ in systems]
    return markdown(("f1_overlap", *names, *(["two annotators"] if people else [])), rows)


def speed_table(systems: Sequence[tuple[str, Any]]) -> str:
    rows = [
        [
            f"`{name}`",
            f"{value['paragraphs'] / value['cpu_s']:,.1f}",
            f"{value['cold_start_s']:.2f}",
            f"{value['peak_memory_mb']:.0f}",
        ]
        for name, value in systems
    ]
    return markdown(("system, one thread", "paragraphs / CPU s", "cold start s", "peak MB"), rows)


def agreement_table(scores: Mapping[str, Any]) -> str:
    shown = ("exact_match", "kappa", "annotator1_with_gold", "annotator2_with_gold")
    rows = [
        [name, cell(scores[name]), *(number(scores[name][figure]) for figure in shown)]
        for name in ("overall", *COMPONENTS)
    ]
    return markdown(("", "f1_overlap", "exact", "kappa", "1 with gold", "2 with gold"), rows)


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def ordered(found: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Systems as the task lists them; others, from files of predictions, after them."""
    known = [card.name for card in TASK.systems]
    return sorted(found.items(), key=lambda row: known.index(row[0]) if row[0] in known else 99)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=(*PARTS, "tables"))
    parser.add_argument("--system", action="append", default=[])
    parser.add_argument("--predictions", action="append", default=[], metavar="NAME=FILE_OR_FOLDER")
    return parser


def main() -> None:
    given = parser().parse_args()
    kept = {
        name: Path(path) for name, _, path in (word.partition("=") for word in given.predictions)
    }
    results = load(RESULT)
    for part in given.parts or PARTS:
        if part == "tables":
            continue
        found = globals()[part](given.system, kept)
        results[part] = {**results.get(part, {}), **found}
        used = " ".join(f"--predictions {name}=FOLDER" for name in kept)
        keep(RESULT, results, part, used if part == "quality" else "", systems=given.system)
    fill(tables(results))


if __name__ == "__main__":
    main()
