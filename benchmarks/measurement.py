"""Measurement: cross-validated quality, peers, relations alone, speed, and how far people agree.

    python benchmarks/measurement.py [quality] [peers] [relations] [speed] [agreement] [torch] [tables]
        [--system NAME]... [--predictions NAME=FILE_OR_FOLDER]... [--base BASE]

``quality`` cross-validates every system of the task, or those named, in 5 folds by article over train + dev.
Where training takes long, ``--predictions`` names instead a JSON file of the folds' predictions, ``{id: spans}``
for all 313 paragraphs as ``marginalia bench run`` encodes them, or for ``pointer``, ``strict`` and ``tagger`` the folder with
the five folds' weights, ``FOLDER/0`` to ``FOLDER/4``. ``peers`` sets quantulum3 from PyPI beside our
systems (marginalia[bench]); ``relations`` starts from gold spans; ``speed`` uses a fresh process for each system;
``agreement`` is that of the two annotators of iaa/. Rules were written with these paragraphs in view, so
their figures are not held out; the tables mark them and show dev (the official trial) beside all. Each part replaces its own figures in
results/measurement.json, of the systems that it measured; then, or with ``tables`` alone, the tables are
written.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["MARGINALIA_THREADS"] = "1"

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from measurement_data import FOLDS, TASK, figures, held_out, labelled, only_dev, predictions
from measurement_tables import SPANS, tables
from pages import RESULTS
from recording import fill, keep, load

RESULT = RESULTS / "measurement.json"
PARTS = ("quality", "peers", "relations", "speed", "agreement")
PREDICTED = ("quality", "peers")
"""Parts that take predictions from files."""
TORCH = "torch"
"""A part that needs marginalia[train] and ``--base``: the same network in torch beside ours."""
ROUNDS = 3
TIMED = 100
"""Paragraphs in each round against the peers."""

PEER = "quantulum3, sentence by sentence"
"""What the others' speed is compared with: the peer at its fastest."""

Kept = Mapping[str, Path]


def quality(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    """``f1_overlap`` of every component; overall also without repeated and overlapping sets."""
    split = labelled()
    dev = only_dev(split)
    found: dict[str, Any] = {}
    for name in names or [card.name for card in TASK.systems]:
        pred = predictions(name, split, kept)
        also = TASK.score(split, pred).also
        found[name] = {
            "held_out": held_out(name, kept),
            "components": figures(split.require_gold(), pred, split.group),
            "folds": [
                TASK.score(fold, {id: pred[id] for id in fold.items}).scores["overall"][
                    "f1_overlap"
                ]
                for _, fold in split.folds(FOLDS)
            ],
            "dev": figures(dev.require_gold(), {id: pred[id] for id in dev.items}, dev.group),
            **{
                f"without_{kind}_sets": also[f"official_after_removal_of_{kind}_sets"]["overall"][
                    "f1_overlap"
                ]
                for kind in ("repeated", "overlapping")
            },
        }
        _say(name, found[name]["components"]["overall"])
    return found


def peers(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    """Quantities and units of quantulum3 and of our systems that need no training; CPU seconds in turns."""
    from quantulum import Quantulum, train_classifier

    split = labelled()
    dev = only_dev(split)
    ids = list(split.items)[:: len(split) // TIMED][:TIMED]
    items = {id: split.items[id] for id in ids}
    ours = names or [card.name for card in TASK.systems if not card.trains]
    with tempfile.TemporaryDirectory() as folder:
        model = train_classifier(Path(folder))
        systems: dict[str, Any] = {
            "quantulum3, whole paragraphs": Quantulum(),
            PEER: Quantulum(sentences=True),
            f"{PEER}, with its classifier": Quantulum(sentences=True, classifier=model),
            f"{PEER}, only with a unit": Quantulum(sentences=True, bare=False),
        }
        preds = {name: system.predict(split.items) for name, system in systems.items()}
        preds |= {name: predictions(name, split, kept) for name in ours}
        systems |= {name: TASK.system(name) for name in ours}
        seconds = in_turns(systems, items)
    return {
        name: {
            **figures(split.require_gold(), preds[name], split.group, SPANS),
            "dev": figures(
                dev.require_gold(), {id: preds[name][id] for id in dev.items}, dev.group, SPANS
            ),
            "held_out": held_out(name, kept) if name in ours else "yes",
            "paragraphs_per_second": len(items) / statistics.median(times),
            "ratio": statistics.median(
                peer / own for peer, own in zip(seconds[PEER], times, strict=True)
            ),
        }
        for name, times in seconds.items()
    }


def in_turns(systems: Mapping[str, Any], items: Mapping[str, Any]) -> dict[str, list[float]]:
    """CPU seconds of each system in each round; a peer is not charged for our adapting."""
    seconds: dict[str, list[float]] = {name: [] for name in systems}
    first = dict([next(iter(items.items()))])
    for system in systems.values():
        system.predict(first)
    for _ in range(ROUNDS):
        for name, system in systems.items():
            before, start = getattr(system, "seconds", None), time.process_time()
            system.predict(items)
            taken = time.process_time() - start
            seconds[name].append(taken if before is None else system.seconds - before)
    return seconds


def relations(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    """Sets and relations from gold spans, the setting of Veyseh et al.; the linker is fitted fold by fold."""
    from measurement_linker import Linker
    from measurement_relations import RELATIONS, RULES, from_gold_spans, tagged_of

    split = labelled()
    gold = split.require_gold()
    preds: dict[str, dict[str, Any]] = {
        f"gold-spans-{rule}": {
            id: from_gold_spans(item.text, tagged_of(gold[id]), rule)
            for id, item in split.items.items()
        }
        for rule in RULES
    }
    learned: dict[str, Any] = {}
    for rest, out in split.folds(FOLDS):
        linker = Linker.fit(
            (rest.items[id].text, spans) for id, spans in rest.require_gold().items()
        )
        learned |= {
            id: from_gold_spans(item.text, tagged_of(gold[id]), linker)
            for id, item in out.items.items()
        }
    preds["gold-spans-learned"] = learned
    wanted = {"all three": RELATIONS, **{name: (name,) for name in RELATIONS}}
    return {name: figures(gold, pred, split.group, wanted) for name, pred in preds.items()}


def speed(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    from measurement_speed import measure

    split = labelled()
    texts = [item.text for item in split.items.values()]
    chosen = names or [card.name for card in TASK.systems if not card.trains]
    return {name: measure(name, texts) for name in chosen}


def agreement(names: Sequence[str], kept: Kept) -> dict[str, Any]:
    """The report of the task's tool, and intervals of one annotator against the other by article."""
    from marginalia.core.data_folder import data_folder
    from marginalia.core.report import plain
    from marginalia.tasks.measurement.official.agreement import agreement as report_of
    from marginalia.tasks.measurement.official.agreement import by_quantity, load_annotations
    from marginalia.tasks.measurement.official.data import article_of

    found = load_annotations(data_folder())
    one, other = by_quantity(found.one), by_quantity(found.other)
    group = {name: article_of(name) for name in (*one, *other)}
    report = report_of(data_folder())
    between = figures(one, other, group)
    rows = {
        name: {**row, "low": between[name]["low"], "high": between[name]["high"]}
        for name, row in report.scores.items()
    }
    return dict(plain({"scores": rows, "also": report.also}))


def _say(*what: object) -> None:
    print(*what, file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", choices=(*PARTS, TORCH, "tables"))
    parser.add_argument("--base", help="for torch: the encoder to start from, a folder or hub name")
    parser.add_argument("--system", action="append", default=[])
    parser.add_argument("--predictions", action="append", default=[], metavar="NAME=FILE_OR_FOLDER")
    return parser


def main() -> None:
    given = parser().parse_args()
    kept = {
        name: Path(path) for name, _, path in (word.partition("=") for word in given.predictions)
    }
    start = time.monotonic()
    results = load(RESULT)
    for part in given.parts or PARTS:
        if part == TORCH:
            from measurement_speed import against_torch

            texts = [item.text for item in labelled().items.values()][::6]
            results[TORCH] = against_torch(given.base, texts)
            keep(RESULT, results, part, "--base BASE")
        elif part != "tables":
            found = globals()[part](given.system, kept)
            results[part] = {**results.get(part, {}), **found}
            used = " ".join(f"--predictions {name}=FOLDER" for name in kept)
            keep(RESULT, results, part, used if part in PREDICTED else "", systems=given.system)
            _say(f"{part} done after {time.monotonic() - start:.0f} s")
    fill(tables(results))


if __name__ == "__main__":
    main()
