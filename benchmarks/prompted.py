"""Prompted systems: a language model, the shipped system and both, on labelled items that neither was trained on.

    python benchmarks/prompted.py prompts FOLDER
    python benchmarks/prompted.py shipped FOLDER --fold WEIGHTS
    python benchmarks/prompted.py figures FOLDER [--model NAME] [--prefix FILES]
    python benchmarks/prompted.py tables

``prompts`` writes FOLDER/TASK.prompts.jsonl, the requests about a sample with a fixed seed. A model answers them
anywhere; its results go to FOLDER/TASK.answers.jsonl. ``shipped`` writes what the shipped systems say of the same items,
none of which they were trained on: see ``SHIPPED``; it trains, needs marginalia[train], and takes the measurement network of the first
of five folds (``python -m marginalia.tasks.measurement.systems.train --fold 0 --out WEIGHTS``). ``figures`` scores both and
their blend into results/prompted.json. How much the model counts in a blend is chosen for each fifth of the groups on the other four; the
product has what is best on all of them.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import importlib
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, load

from marginalia import Split, get_benchmark
from marginalia.core.benchmark import System
from marginalia.core.data_folder import data_folder
from marginalia.core.stats import bootstrap, macro_f1
from marginalia.nlp.prompting.batch import BatchAnswers, answering, write_batch
from marginalia.nlp.prompting.system import Prompted
from marginalia.tasks.measurement.official.data import labelled
from marginalia.tasks.measurement.official.match import CLASSES, total
from marginalia.tasks.measurement.official.score import match_all
from marginalia.tasks.variables.official.metrics import figures as ranking_figures

RESULT = RESULTS / "prompted.json"
PAGE = ROOT / "docs" / "how-to" / "language-model.md"
SEED, RESAMPLES = 33, 1000
LARGE, SMALL = "a large language model, 2026", "SmolLM2-135M-Instruct"
WORDS, MULTI, GAPS, PAIRS, PARAGRAPHS, DOCUMENTS, SENTENCES = 320, 160, 60, 80, 40, 10, 15
"""Items of the sample; documents and sentences of each are those of SV-Ident."""
SOURCES = ("2015-test/headlines", "2015-test/answers-forums", "2014-test/images")
PRICES = (0.5, 5.0)
"""Dollars for a million tokens sent, cheap and dear; an answer's tokens are taken to cost five times as much."""
TASKS = ("complexity", "clarification", "similarity", "measurement", "variables")
SHIPPED = {
    "complexity": "`ensemble`: the words and 99 multi-words are of dev; of 61 multi-words of train it was fitted again without their tokens",
    "clarification": "`rater`: dev",
    "similarity": "`tuned`, fitted again without the three sources",
    "measurement": "`pointer`, with the network of a fold that has not seen these articles",
    "variables": "`reader`: each document of train by one that was fitted without it",
}
SYSTEMS = ("prompted", "shipped", "combined")
FOLDS = 5
VARIANTS: dict[str, list[dict[str, Any]]] = {
    **{task: [{"share": share} for share in (0.25, 0.5, 0.75, 0.9)] for task in TASKS},
    "measurement": [{"qualifiers": kept} for kept in (True, False)],
}
"""The blends to choose from."""
CHOSEN_BY = {
    "measurement": ("F1 overlap, overall",),
    "variables": ("detection, macro F1 over all sentences",),
}
"""The figures whose mean decides; of the other tasks all."""


def pool(name: str, splits: Sequence[Split], ids: Iterable[str]) -> Split:
    """Items of several splits as one."""
    parts: dict[str, Any] = {
        part: {id: value for split in splits for id, value in getattr(split, part).items()}
        for part in ("items", "gold", "group")
    }
    return Split(name=name, files=sum((s.files for s in splits), ()), **parts).take(ids)


def sample_complexity() -> Split:
    """Words of dev, all multi-words of dev, and as many of train as are missing, in random order: files are sorted by gold."""
    task, rng = get_benchmark("complexity"), random.Random(SEED)
    dev, train = (task.load(name, data_folder()) for name in ("dev", "train"))
    words, multi = (
        [id for id, item in dev.items.items() if item.kind == kind] for kind in ("words", "multi")
    )
    seen = {dev.items[id].token.lower() for id in multi}
    rest = [
        id
        for id, item in train.items.items()
        if item.kind == "multi" and item.token.lower() not in seen
    ]
    rng.shuffle(words)
    both = multi + rng.sample(rest, MULTI - len(multi))
    rng.shuffle(both)
    return pool("train+dev", (train, dev), [*words[:WORDS], *both])


def sample_clarification() -> Split:
    split, rng = get_benchmark("clarification").load("dev", data_folder()), random.Random(SEED)
    chosen = set(rng.sample(sorted(set(split.group.values()), key=int), GAPS))
    return split.take(id for id in split.items if split.group[id] in chosen)


def sample_similarity() -> Split:
    task, rng = get_benchmark("similarity"), random.Random(SEED)
    parts = [task.load(name.replace("/", "-"), data_folder()) for name in SOURCES]
    return pool(
        "sources", parts, [id for part in parts for id in rng.sample(list(part.items), PAIRS)]
    )


def sample_measurement() -> Split:
    rng = random.Random(SEED)
    _, out = next(iter(labelled(data_folder()).folds(5)))
    return out.take(rng.sample(sorted(out.items), PARAGRAPHS))


def sample_variables() -> Split:
    """Sentences of five English and five German documents."""
    split, rng = get_benchmark("variables").load("train", data_folder()), random.Random(SEED)
    docs: dict[str, list[str]] = {}
    for id, group in split.group.items():
        docs.setdefault(group, []).append(id)
    large = sorted(name for name, ids in docs.items() if len(ids) >= 40)
    chosen = [
        name
        for lang in ("en", "de")
        for name in rng.sample([one for one in large if one.startswith(lang)], DOCUMENTS // 2)
    ]
    return split.take(id for name in chosen for id in rng.sample(docs[name], SENTENCES))


SAMPLES: dict[str, Callable[[], Split]] = {name: globals()[f"sample_{name}"] for name in TASKS}


def prompted_module(task: str) -> Any:
    return importlib.import_module(f"marginalia.tasks.{task}.systems.prompted")


def write_prompts(folder: Path) -> None:
    for task, sample in SAMPLES.items():
        found = list(prompted_module(task).requests(sample().items))
        (folder / f"{task}.prompts.jsonl").write_text(write_batch(found), encoding="utf-8")
        print(task, len(found), "requests,", sum(one.tokens for one in found), "tokens")


def write_shipped(folder: Path, weights: Path) -> None:
    """What the shipped systems say, as the blends take it."""
    made = {
        "complexity": shipped_complexity,
        "clarification": lambda split: get_benchmark("clarification").system("rater").predict(split.items),
        "similarity": shipped_similarity,
        "measurement": lambda split: shipped_measurement(split, weights),
        "variables": shipped_variables,
    }  # fmt: skip
    for task, make in made.items():
        pred = make(SAMPLES[task]())
        encoded = {id: encode(task, value) for id, value in pred.items()}
        (folder / f"{task}.shipped.json").write_text(json.dumps(encoded), encoding="utf-8")
        print(task, len(encoded))


def shipped_complexity(split: Split) -> dict[str, Any]:
    task = get_benchmark("complexity")
    train = task.load("train", data_folder())
    known = {id: item for id, item in split.items.items() if id in train.items}
    tokens = {split.group[id] for id in known}
    rest = train.take(id for id in train.items if train.group[id] not in tokens)
    new = {id: item for id, item in split.items.items() if id not in known}
    refitted: Any = task.system("ensemble")
    return task.system("ensemble").predict(new) | refitted.fit(rest).predict(known)


def shipped_similarity(split: Split) -> dict[str, Any]:
    task: Any = get_benchmark("similarity")
    left_out = {name.rpartition("/")[2] for name in SOURCES}
    parts = [task.load(name, data_folder()) for name in ("train", "dev", "2015-test")]
    ids = [
        id
        for part in parts
        for id, item in part.items.items()
        if item.dataset.rpartition("/")[2].removeprefix("surprise.") not in left_out
    ]
    return dict(task.system("tuned").fit(pool("rest", parts, ids)).predict(split.items))


def shipped_measurement(split: Split, weights: Path) -> dict[str, Any]:
    from marginalia.tasks.measurement.systems.pointer import Pointer

    return dict(Pointer(weights).predict(split.items))


def shipped_variables(split: Split) -> dict[str, Any]:
    from marginalia.tasks.variables.systems.prompted import Margins
    from marginalia.tasks.variables.systems.reader import Reader

    train = get_benchmark("variables").load("train", data_folder())
    keys = train.kept_together
    pred: dict[str, Any] = {}
    for doc in sorted({keys[id] for id in split.items}):
        rest = train.take(id for id in train.items if keys[id] != doc)
        own = {id: item for id, item in split.items.items() if keys[id] == doc}
        pred |= Margins(Reader().fit(rest)).predict(own)
    return {id: pred[id] for id in split.items}


def encode(task: str, value: Any) -> Any:
    if task == "variables":
        return {"above": value.above, "ranking": value.ranking}
    return get_benchmark(task).encode(value)


def decode(task: str, data: Any) -> Any:
    if task == "variables":
        ranking = tuple((id, score) for id, score in data["ranking"])
        return prompted_module(task).Judged(data["above"], ranking)
    return get_benchmark(task).decode(data)


class Kept:
    """The predictions of a shipped system, read from a file."""

    def __init__(self, task: str, path: Path) -> None:
        kept = json.loads(path.read_text(encoding="utf-8"))
        self.pred = {id: decode(task, value) for id, value in kept.items()}

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]:
        return {id: self.pred[id] for id in items}


class Alone:
    """The same as the task predicts."""

    def __init__(self, kept: System, alone: Callable[[Any], Any]) -> None:
        self.kept, self.alone = kept, alone

    def predict(self, items: Mapping[str, Any]) -> dict[str, Any]:
        return {id: self.alone(value) for id, value in self.kept.predict(items).items()}


def predictions(task: str, split: Split, folder: Path, prefix: str) -> tuple[dict[str, Any], Any]:
    """What each of the three systems says, and what was asked."""
    module = prompted_module(task)
    combined: Prompted = module.make_combined()
    kept = Kept(task, folder / f"{task}.shipped.json")
    shipped = Alone(kept, combined.alone)
    answers = BatchAnswers(folder / f"{prefix}{task}.answers.jsonl")
    for line in answers.problems:
        print("note:", line)
    model = answering(answers, "model")
    alone = Prompted(module.requests, module.read, lambda: shipped, model=model)
    found = {"prompted": alone.predict(split.items), "shipped": shipped.predict(split.items)}
    for number, variant in enumerate(VARIANTS[task]):
        both = Prompted(
            module.requests,
            combined.read,
            lambda: kept,
            blend=partial(module.blend, **variant),
            alone=combined.alone,
            model=answering(answers, "model"),
        )
        found[f"combined {number}"] = both.predict(split.items)
    return found, model


def choose(task: str, split: Split, pred: dict[str, Any]) -> dict[str, Any]:
    """Add the blend, each fold with the variant that is best on the others, and say which these are."""
    names = [name for name in pred if name.startswith("combined ")]

    def best(part: Split) -> str:
        measured = {name: point_figures(task, part, pred[name]) for name in names}
        return max(
            names, key=lambda name: np.mean([measured[name][k] for k in figures_of(measured[name])])
        )

    def figures_of(found: Mapping[str, float]) -> Iterable[str]:
        return CHOSEN_BY.get(task, found)

    pred["combined"] = {}
    chosen = []
    for rest, out in replace(split, together=None).folds(FOLDS):
        name = best(rest)
        chosen.append(VARIANTS[task][names.index(name)])
        pred["combined"] |= {id: pred[name][id] for id in out.items}
    return {"folds": chosen, "all": VARIANTS[task][names.index(best(split))]}


def point_figures(task: str, split: Split, pred: Mapping[str, Any]) -> dict[str, float]:
    """The figures of one system, without intervals."""
    found = MEASURES[task](split, {"only": pred})
    return {name: row["only"]["value"] for name, row in found.items()}


def figures(folder: Path, prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for task, sample in SAMPLES.items():
        if not (folder / f"{prefix}{task}.answers.jsonl").exists():
            continue
        split = sample()
        pred, asked = predictions(task, split, folder, prefix)
        chosen = choose(task, split, pred)
        rows = MEASURES[task](split, {name: pred[name] for name in SYSTEMS})
        sent = list(prompted_module(task).requests(split.items))
        replied = BatchAnswers(folder / f"{prefix}{task}.answers.jsonl").replies
        words = sum(len(one.user.split()) for one in sent)
        tally = asked.tally
        found[task] = {
            "items": len(split),
            "figures": rows,
            "blend": chosen,
            "asked": {
                "requests": tally.requests,
                "tokens_sent": tally.tokens_in,
                "tokens_received": tally.tokens_out,
                "words": words,
                "replies": len(replied),
                "lines": sum(len(one.entries) for one in sent if one.custom_id in replied),
                "valid": tally.lines - tally.unanswered,
                "dropped": tally.dropped,
                "fallback": tally.fallback,
            },
        }
        for name, row in rows.items():
            print(task, name, {one: round(row[one]["value"], 4) for one in SYSTEMS})
        print(" ", found[task]["asked"])
    return {"shipped": SHIPPED, "tasks": found}


Figure = Callable[[Any], float]
"""A figure over the groups with these numbers, each as often as it is there."""


def intervals(
    split: Split, pred: Mapping[str, Any], make: Callable[[Any], Callable[[list[str]], float]]
) -> dict[str, Any]:
    """A figure of each system; of several with intervals over groups, also of how far the blend is from its parts."""
    groups: dict[str, list[str]] = {}
    for id, name in split.group.items():
        groups.setdefault(name, []).append(id)
    members = [groups[name] for name in sorted(groups)]

    def drawn(measure: Callable[[list[str]], float]) -> Figure:
        return lambda numbers: measure([id for number in numbers for id in members[number]])

    measured = {name: make(own) for name, own in pred.items()}
    found = {}
    for name, measure in measured.items():
        found[name] = {"value": float(measure([id for own in members for id in own]))}
        if len(pred) > 1:
            between = bootstrap(drawn(measure), len(members), n=RESAMPLES, seed=0)
            found[name] |= {"low": between.low, "high": between.high}
    if "combined" not in pred:
        return found
    for name in ("prompted", "shipped"):

        def gain(ids: list[str], name: str = name) -> float:
            return measured["combined"](ids) - measured[name](ids)

        between = bootstrap(drawn(gain), len(members), n=RESAMPLES, seed=0)
        found[f"combined - {name}"] = {"low": between.low, "high": between.high}
    return found


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    if len(set(x)) < 2 or len(set(y)) < 2:
        return float("nan")
    return float(np.corrcoef(x, y)[0, 1])


def correlated(
    split: Split, value: Callable[[Any], float]
) -> Callable[[Any], Callable[..., float]]:
    gold = split.require_gold()

    def make(pred: Mapping[str, Any]) -> Callable[[list[str]], float]:
        return lambda ids: pearson([value(pred[id]) for id in ids], [gold[id] for id in ids])

    return make


def measure_complexity(split: Split, pred: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for kind, name in (("words", "Pearson, words"), ("multi", "Pearson, multi-words")):
        part = split.take(id for id, item in split.items.items() if item.kind == kind)
        found[name] = intervals(part, pred, correlated(part, float))
    return found


def measure_similarity(split: Split, pred: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for source in SOURCES:
        part = split.take(id for id, item in split.items.items() if item.dataset == source)
        name = f"Pearson, {source.rpartition('/')[2]} {source[:4]}"
        found[name] = intervals(part, pred, correlated(part, lambda score: score.score))
    return found


def measure_clarification(split: Split, pred: Mapping[str, Any]) -> dict[str, Any]:
    from scipy.stats import spearmanr

    gold = split.require_gold()

    def accuracy(pred: Mapping[str, Any]) -> Callable[[list[str]], float]:
        return lambda ids: float(np.mean([pred[id].label == gold[id].label for id in ids]))

    def spearman(pred: Mapping[str, Any]) -> Callable[[list[str]], float]:
        return lambda ids: float(
            spearmanr([pred[id].score for id in ids], [gold[id].score for id in ids])[0]
        )

    return {
        "accuracy": intervals(split, pred, accuracy),
        "Spearman": intervals(split, pred, spearman),
    }


MEASURED = {
    "F1 overlap, overall": CLASSES,
    "F1 overlap, quantities": ("Quantity",),
    "F1 overlap, units": ("Unit",),
    "F1 overlap, entities": ("MeasuredEntity",),
    "F1 overlap, properties": ("MeasuredProperty",),
    "F1 overlap, qualifiers": ("Qualifier",),
}


def measure_measurement(split: Split, pred: Mapping[str, Any]) -> dict[str, Any]:
    gold = split.require_gold()

    def scored(classes: Sequence[str]) -> Callable[[Any], Callable[[list[str]], float]]:
        def make(pred: Mapping[str, Any]) -> Callable[[list[str]], float]:
            matched = match_all(gold, pred)
            tallies = {
                id: total(matched[id].classes[name] for name in classes)
                for id in gold
                if id in matched
            }

            def f1(ids: list[str]) -> float:
                ids = [
                    id for id in ids if id in tallies
                ]  # a paragraph without any quantity has no row
                rows = sum(tallies[id].rows for id in ids)
                return sum(tallies[id].overlap for id in ids) / rows if rows else float("nan")

            return f1

        return make

    return {name: intervals(split, pred, scored(classes)) for name, classes in MEASURED.items()}


def measure_variables(split: Split, pred: Mapping[str, Any]) -> dict[str, Any]:
    gold = split.require_gold()
    linked = [
        id
        for id, label in gold.items()
        if any(one in split.items[id].catalogue for one in label.variables)
    ]

    def detection(pred: Mapping[str, Any]) -> Callable[[list[str]], float]:
        return lambda ids: (
            macro_f1([gold[id].is_variable for id in ids], [pred[id].is_variable for id in ids]).f1
        )

    def linking(pred: Mapping[str, Any]) -> Callable[[list[str]], float]:
        precision = {
            id: ranking_figures(
                [variable for variable, _ in pred[id].ranking or ()],
                {one: 1.0 for one in gold[id].variables if one in split.items[id].catalogue},
            )["map@10"]
            for id in linked
        }
        return lambda ids: float(np.mean([precision[id] for id in ids]))

    return {
        "detection, macro F1 over all sentences": intervals(split, pred, detection),
        "linking, MAP@10 where a candidate is right": intervals(split.take(linked), pred, linking),
    }


MEASURES: dict[str, Callable[[Split, Mapping[str, Any]], dict[str, Any]]] = {
    name: globals()[f"measure_{name}"] for name in TASKS
}


def tables(results: Mapping[str, Any]) -> dict[tuple[Path, str], str]:
    """What the page shows of the results."""
    models = results["figures"]
    large = models[LARGE]["tasks"]
    rows, costs = [], []
    for task, found in large.items():
        for name, row in found["figures"].items():
            cells = [
                f"{row[one]['value']:.3f} [{row[one]['low']:.3f}, {row[one]['high']:.3f}]"
                for one in SYSTEMS
            ]
            gain = row["combined - shipped"]
            rows.append([f"{task}: {name}", *cells, f"{gain['low']:+.3f} to {gain['high']:+.3f}"])
        asked = found["asked"]
        sent, received = asked["tokens_sent"], asked["tokens_received"]
        cents = [
            100 * price * (sent + 5 * received) / 1e6 / (asked["words"] / 1000) for price in PRICES
        ]
        costs.append(
            [
                f"{task}: {found['items']:,} items, {asked['words']:,} words",
                f"{asked['requests']}",
                f"{sent:,}",
                f"{received:,}",
                f"{asked['dropped']}",
                " to ".join(f"{one:.2f}" for one in cents),
            ]
        )
    small = [
        [
            task,
            f"{found['asked']['replies']} of {found['asked']['requests']}",
            f"{found['asked']['valid']} of {found['asked']['lines']}",
            f"{found['asked']['fallback']} of {found['items']}",
            f"{figure(found, 'prompted'):.3f}, {figure(found, 'shipped'):.3f}",
        ]
        for task, found in models.get(SMALL, {"tasks": {}})["tasks"].items()
    ]
    columns = ("figure", LARGE, "shipped", "combined", "combined against shipped")
    return {
        (PAGE, "prompted"): markdown(columns, rows),
        (PAGE, "asked"): markdown(
            (
                "",
                "requests",
                "tokens sent",
                "received",
                "quotations dropped",
                "cents for 1,000 words",
            ),
            costs,
        ),
        (PAGE, "small"): markdown(
            (
                "task",
                "requests sent",
                "lines with a valid answer",
                "items left to the shipped system",
                "first figure: `prompted` with what was left, shipped",
            ),
            small,
        ),
    }


def figure(found: Mapping[str, Any], system: str) -> float:
    """The first figure of a task."""
    return float(next(iter(found["figures"].values()))[system]["value"])


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("part", choices=("prompts", "shipped", "figures", "tables"))
    words.add_argument("folder", type=Path, nargs="?")
    words.add_argument("--fold", type=Path, help="weights of the measurement network")
    words.add_argument("--model", default=LARGE)
    words.add_argument(
        "--prefix", default="", help="what the names of the files of answers begin with"
    )
    return words


def main() -> None:
    arguments = parser().parse_args()
    if arguments.part == "prompts":
        write_prompts(arguments.folder)
    elif arguments.part == "shipped":
        write_shipped(arguments.folder, arguments.fold)
    elif arguments.part == "figures":
        results = load(RESULT)
        own = figures(arguments.folder, arguments.prefix)
        results.setdefault("figures", {})[arguments.model] = own
        prefix = f" --prefix {arguments.prefix}" if arguments.prefix else ""
        command = (
            f"python benchmarks/prompted.py figures FOLDER --model '{arguments.model}'{prefix}"
        )
        results["commands"][f"figures: {arguments.model}"] = command
        RESULT.write_text(
            json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    if arguments.part in ("figures", "tables"):
        fill(tables(load(RESULT)))


if __name__ == "__main__":
    main()
