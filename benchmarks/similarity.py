"""Similarity of sentences: quality by set, what each ingredient brings, and speed against torch.

    python benchmarks/similarity.py [quality] [sources] [ingredients] [german] [typed]
        [speed --base FOLDER] [--system NAME]...

``quality``, ``german`` and ``speed`` need only the package (``speed`` also sentence-transformers, and FOLDER with gte-small as it
loads it); ``sources`` and ``ingredients`` train anew and need marginalia[train]. Each part replaces its own
figures in results/similarity.json; then the tables are written.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load
from similarity_sources import by_source, by_system, sources

from marginalia import Split, get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.tasks.similarity.official.data import Pair, Score

RESULT = RESULTS / "similarity.json"
TASK = get_benchmark("similarity")
SYSTEMS = (
    "encoder",
    "learned",
    "both",
    "features",
    "features-per-set",
    "alignment",
    "token-cosine",
    "random",
)
RECORDS = ("typed-measured", "typed-tfidf", "typed-random")
DRAWS = 2000
ROUNDS = 5
PAIRS = 100
TORCH = "sentence-transformers (torch, fp32), cosine"


def figures(split: Split, pred: Mapping[str, Score]) -> dict[str, Any]:
    """The official mean, and without confidences the mean and each set."""
    scores = TASK.score(split, pred).scores
    sets = {name: one["pearson_unweighted"] for name, one in scores["sets"].items()}
    return {"mean": scores["mean"], "plain": scores["mean_unweighted"], "sets": sets}


def plainly(pred: Mapping[str, Score]) -> dict[str, Score]:
    return {id: Score(one.score) for id, one in pred.items()}


def difference(
    split: Split, one: Mapping[str, Score], other: Mapping[str, Score]
) -> dict[str, float]:
    """How much higher the plain mean of the first is: paired bootstrap over the pairs."""
    found = [TASK.statistics(split, plainly(pred))["mean"] for pred in (one, other)]
    groups = len(set(split.group.values()))
    rng = np.random.default_rng(0)
    draws = []
    for _ in range(DRAWS):
        drawn = rng.integers(0, groups, groups)
        draws.append(found[0](drawn) - found[1](drawn))
    low, high = np.quantile(draws, (0.025, 0.975))
    whole = np.arange(groups)
    return {
        "difference": found[0](whole) - found[1](whole),
        "low": float(low),
        "high": float(high),
        "share of draws below 0": float(np.mean(np.array(draws) <= 0)),
    }


def quality(names: Sequence[str] = (), old: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Every system on dev (STS 2014), as shipped: trained on STS 2012 where it was trained.

    With names only those, beside the ``old`` figures of the others.
    """
    dev = TASK.load("dev", data_folder())
    preds = {}
    for name in names or SYSTEMS:
        preds[name] = TASK.system(name).predict(dev.items)
        print(name, figures(dev, preds[name]), file=sys.stderr)
    if names and old:
        known = {**old["systems"], **{name: figures(dev, pred) for name, pred in preds.items()}}
        order = [name for name in (*SYSTEMS, *known) if name in known]
        return {**old, "systems": {name: known[name] for name in dict.fromkeys(order)}}
    preds["learned, multilingual encoder"] = by_multilingual(dev)
    return judged(dev, preds)


def by_multilingual(dev: Split) -> dict[str, Score]:
    """What pairs with a German sentence go through, measured on English ones for want of others."""
    from marginalia.tasks.similarity.systems.ours import obvious, shipped

    measures, regression = shipped("de")
    found = {}
    for id, item in dev.items.items():
        known = obvious(item.s1, item.s2)
        found[id] = known or regression.score(next(measures.of([(item.s1, item.s2)])))
    return found


def judged(dev: Split, preds: Mapping[str, Mapping[str, Score]]) -> dict[str, Any]:
    """The figures of all systems, and how much our confidence says."""
    found = {name: figures(dev, pred) for name, pred in preds.items()}
    errors = [abs(preds["learned"][id].score - value) for id, value in dev.require_gold().items()]
    sure = [preds["learned"][id].confidence for id in dev.require_gold()]
    order = np.argsort(sure)
    third = len(order) // 3
    return {
        "systems": found,
        "learned against encoder": difference(dev, preds["learned"], preds["encoder"]),
        "mean error": {
            "the third least sure of": float(np.mean([errors[i] for i in order[:third]])),
            "the third surest of": float(np.mean([errors[i] for i in order[-third:]])),
        },
    }


def ingredients() -> dict[str, Any]:
    """Regressions on fewer measures: trained on STS 2012, dev is STS 2014; and with one set left out at a time."""
    from marginalia.nlp.encoder import english
    from marginalia.tasks.similarity.systems.meaning import NAMES, Weighting
    from marginalia.tasks.similarity.systems.train import recipe as train
    from marginalia.tasks.similarity.systems.word_vectors import weights

    folder = data_folder()
    rows = train.labelled(TASK.load("train", folder)), train.labelled(TASK.load("dev", folder))
    both = train.Labelled(
        [*rows[0].pairs, *rows[1].pairs],
        np.concatenate([rows[0].gold, rows[1].gold]),
        [*rows[0].sets, *rows[1].sets],
    )
    kept = train.keep(english(), both)
    weighting = Weighting.read(weights("english")["weighting"])
    names, x = train.table(both, kept, weighting)
    return compared(both, names, x, NAMES)


def compared(both: Any, names: list[str], x: Any, meaning: tuple[str, ...]) -> dict[str, Any]:
    """The variants, from a table of measures."""
    from marginalia.tasks.similarity.systems import regression
    from marginalia.tasks.similarity.systems.train import recipe as train

    surface = [name for name in names if name not in meaning]
    told = [name for name in surface if name.startswith(("other ", "numbers", "length"))]
    variants: dict[str, list[str]] = {
        "cosine of the mean vectors": [meaning[0]],
        "cosine with learned token weights": [meaning[1]],
        "matched tokens, learned token weights": list(meaning[2:]),
        "all four of meaning": list(meaning),
        "meaning, disagreements and length": [*meaning, *told],
        "meaning and surface (`learned`)": names,
        "surface alone (`features`)": surface,
    }
    sets = np.array(both.sets)
    kinds = np.array([name.rpartition("/")[2] for name in both.sets])
    old = np.array([name.startswith("2012") for name in both.sets])
    sizes = {name: int((sets == name).sum()) for name in sorted(set(both.sets))}

    def scores(chosen: list[str], rest: Any) -> Any:
        columns = [names.index(name) for name in chosen]
        inside = {name: 0.75 / len(meaning) for name in meaning if name in chosen}
        part = both.take(rest)
        fitted = regression.fit(
            chosen,
            x[rest][:, columns],
            part.gold,
            part.sets,
            alpha=train.ALPHA if inside else 0.1,
            prior=inside,
        )
        return np.array(
            [fitted.score(dict(zip(chosen, row, strict=True))).score for row in x[:, columns]]
        )

    def pearson(values: Any, name: str) -> float:
        return float(np.corrcoef(values[sets == name], both.gold[sets == name])[0, 1])

    found = {}
    for variant, chosen in variants.items():
        values = scores(chosen, old)
        dev = {name: pearson(values, name) for name in sizes if name.startswith("2014")}
        left: dict[str, float] = {}
        for kind in sorted(set(kinds)):
            values = scores(chosen, kinds != kind)
            left |= {n: pearson(values, n) for n in sizes if n.rpartition("/")[2] == kind}
        found[variant] = {
            "dev": sum(sizes[n] * r for n, r in dev.items()) / sum(sizes[n] for n in dev),
            "left out": statistics.mean(r for n, r in left.items() if "train" not in n),
            "OnWN": left["2012-test/surprise.OnWN"],
        }
        print(variant, found[variant], file=sys.stderr)
    return found


def german() -> dict[str, Any]:
    """Pairs of our own with a German sentence: as shipped, without the lines that put them on the English scale, and by
    the untrained system."""
    from marginalia.tasks.similarity.systems.languages import kind_of
    from marginalia.tasks.similarity.systems.ours import shipped
    from marginalia.tasks.similarity.systems.scales import rescaled, shipped_scales

    path = ROOT / "tests" / "tasks" / "similarity" / "systems" / "german_pairs.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    measures, regression = shipped("de")
    pairs = [(row["left"], row["right"]) for row in rows]
    measured = list(measures.of(pairs))
    gold = np.array([float(row["score"]) for row in rows])
    found: dict[str, Any] = {}
    untrained = TASK.system("encoder").predict(
        {str(place): Pair(*pair, "x") for place, pair in enumerate(pairs)}
    )
    variants = {
        name: [
            regression.score(rescaled(one, kind_of(*pair), scales)).score
            for pair, one in zip(pairs, measured, strict=True)
        ]
        for name, scales in (("as shipped", shipped_scales("multilingual")), ("without lines", {}))
    }
    variants["`encoder`"] = [one.score for one in untrained.values()]
    for name, values in variants.items():
        scores = np.array(values)
        for kind in ("mixed", "german"):
            own = np.array([row["kind"] == kind for row in rows])
            out = own & np.array([row["half"] == "held-out" for row in rows])
            found.setdefault(kind, {})[name] = {
                "pairs": int(own.sum()),
                "pearson": float(np.corrcoef(scores[own], gold[own])[0, 1]),
                "error": float(np.abs(scores - gold)[own].mean()),
                "pearson held out": float(np.corrcoef(scores[out], gold[out])[0, 1]),
                "error held out": float(np.abs(scores - gold)[out].mean()),
                "by rating": [float(scores[own & (gold == each)].mean()) for each in range(6)],
            }
        print(name, found, file=sys.stderr)
    return found


def typed(names: Sequence[str] = (), old: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Record pairs of our own: ours and the baseline, learned from the pairs that share no record with the one predicted."""
    from marginalia.tasks.similarity.official.typed import TYPES, read_pairs

    rows = list(
        read_pairs(
            ROOT / "tests" / "tasks" / "similarity" / "systems" / "records" / "typed_pairs.jsonl"
        )
    )
    items = {id: pair for _, id, pair, _ in rows}
    gold = {id: scores for _, id, _, scores in rows}
    split = Split(name="typed", items=items, gold=gold, group={id: id for id in items})
    found: dict[str, Any] = {**((old if names else None) or {}), "pairs": len(items)}
    for name in names or RECORDS:
        scored_as = {name: TASK.system(name).predict(items)}
        if hasattr(TASK.system(name), "fit"):
            pred = {}
            for id, pair in items.items():
                mine = {pair.left, pair.right}
                apart = [i for i, one in items.items() if not mine & {one.left, one.right}]
                pred |= TASK.system(name).fit(split.take(apart)).predict({id: pair})
            scored_as = {f"{name}, fitted": pred, **scored_as}
        for key, scored in scored_as.items():
            scores = TASK.score(split, scored).scores["typed"]
            found[key] = {part: scores[part] for part in ("mean", *TYPES)}
            print(key, found[key], file=sys.stderr)
    return found


COLD = """
import json, re, time
from pathlib import Path
start = time.perf_counter()
from marginalia import get_benchmark
from marginalia.tasks.similarity.official.data import Pair
system = get_benchmark("similarity").system("learned")
system.predict({"a": Pair("A man is playing a guitar.", "A man plays the guitar.", "x")})
end, work = time.perf_counter(), time.process_time()
pairs = {str(n): Pair(f"A man is playing guitar {n}.", f"{n} men play the guitar.", "x") for n in range(300)}
system.predict(pairs)
# Not ru_maxrss: it remembers the process that started this one.
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps({"cold_start_s": end - start, "cpu_s": work, "peak_memory_mb": peak}))
"""


def speed(base: str) -> dict[str, Any]:
    """Pairs of dev per second on one thread; the contenders take turns in one process."""
    os.environ["MARGINALIA_THREADS"] = "1"
    import torch
    from sentence_transformers import SentenceTransformer, models

    from marginalia.nlp.encoder import english
    from marginalia.nlp.pass_cache import Recent

    torch.set_num_threads(1)
    english().recent = Recent(0)  # each round reads the same sentences
    whole = models.Transformer(base), models.Pooling(384)
    peer = SentenceTransformer(modules=list(whole), device="cpu")
    dev = TASK.load("dev", data_folder())
    ids = list(dev.items)[:: len(dev.items) // PAIRS][:PAIRS]
    items: dict[str, Pair] = {id: dev.items[id] for id in ids}

    def by_torch() -> None:
        sides = [
            peer.encode([getattr(item, side) for item in items.values()], batch_size=32)
            for side in ("s1", "s2")
        ]
        (sides[0] * sides[1]).sum(axis=1)

    learned, encoder = TASK.system("learned"), TASK.system("encoder")
    runs: dict[str, Callable[[], Any]] = {
        TORCH: by_torch,
        "`encoder`": lambda: encoder.predict(items),
        "`learned`": lambda: learned.predict(items),
    }
    for run in runs.values():
        run()
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(ROUNDS):
        for name, run in runs.items():
            # Seconds of this thread: the machine does other things too.
            start = time.thread_time() if name == TORCH else time.process_time()
            run()
            end = time.thread_time() if name == TORCH else time.process_time()
            taken[name].append(end - start)
    cold = subprocess.run(
        [sys.executable, "-c", COLD], capture_output=True, text=True, check=True
    ).stdout
    return {
        "pairs": {
            name: {
                "pairs_per_s": PAIRS / statistics.median(seconds),
                "ratio": statistics.median(
                    a / b for a, b in zip(taken[TORCH], seconds, strict=True)
                ),
            }
            for name, seconds in taken.items()
        },
        "cold": json.loads(cold),
    }


PARTS = ("quality", "sources", "ingredients", "german", "typed", "speed")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--base", default="thenlper/gte-small")
    parser.add_argument("--system", action="append", choices=(*SYSTEMS, *RECORDS), default=[])
    return parser


def main() -> None:
    arguments = parser().parse_args()
    results = load(RESULT)
    named = {
        part: [name for name in names if name in arguments.system]
        for part, names in (("quality", SYSTEMS), ("typed", RECORDS))
    }
    makers = {
        "quality": lambda: quality(named["quality"], results.get("quality")),
        "sources": sources,
        "ingredients": ingredients,
        "german": german,
        "typed": lambda: typed(named["typed"], results.get("typed")),
        "speed": lambda: speed(arguments.base),
    }
    for part in arguments.parts or PARTS:
        results[part] = makers[part]()
        keep(RESULT, results, part, systems=named.get(part, ()))
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    page = ROOT / "src" / "marginalia" / "tasks" / "similarity" / "README.md"
    found = {}
    if "quality" in results:
        systems = results["quality"]["systems"]
        names = list(next(iter(systems.values()))["sets"])
        rows = [
            [
                f"`{name.partition(',')[0]}`{''.join(name.partition(',')[1:])}",
                f"{one['plain']:.4f}",
                *(f"{one['sets'][each]:.3f}" for each in names),
                f"{one['mean']:.4f}",
            ]
            for name, one in systems.items()
        ]
        columns = ("system", "mean", *names, "with its confidence")
        found[page, "similarity:quality"] = markdown(columns, rows) + gain(results["quality"])
    if "sources" in results:
        found[page, "similarity:sources"] = by_source(results["sources"])
        found[page, "similarity:stability"] = by_system(results["sources"])
    if "ingredients" in results:
        rows = [
            [name, f"{one['dev']:.4f}", f"{one['left out']:.4f}", f"{one['OnWN']:.4f}"]
            for name, one in results["ingredients"].items()
        ]
        columns = ("regression on", "2014 by 2012", "each set by the others", "of it OnWN 2012")
        found[page, "similarity:ingredients"] = markdown(columns, rows)
    if "german" in results:
        called = {"mixed": "English–German", "german": "German–German"}
        rows = [
            [
                f"{called[kind]}, {name}",
                str(one["pairs"]),
                *(f"{one[key]:.3f}" for key in ("pearson", "pearson held out")),
                *(f"{one[key]:.2f}" for key in ("error", "error held out")),
                *(f"{score:.1f}" for score in one["by rating"]),
            ]
            for kind, variants in results["german"].items()
            for name, one in variants.items()
        ]
        columns = ("pairs of", "how many", "Pearson", "held out", "mean error", "error held out")
        columns += tuple(f"rated {each}" for each in range(6))
        found[page, "similarity:german"] = markdown(columns, rows)
    if "typed" in results:
        systems = {name: one for name, one in results["typed"].items() if name != "pairs"}
        parts = list(next(iter(systems.values())))
        rows = [
            [f"`{name.partition(',')[0]}`{''.join(name.partition(',')[1:])}"]
            + [f"{one[part]:.3f}" for part in parts]
            for name, one in systems.items()
        ]
        found[page, "similarity:typed"] = markdown(("system", *parts), rows)
    if "speed" in results:
        rows = [
            [name, f"{one['pairs_per_s']:.0f}", f"{one['ratio']:.2f}×"]
            for name, one in results["speed"]["pairs"].items()
        ]
        cold = results["speed"]["cold"]
        text = (
            f"\nFrom nothing to the first score of `learned`: {cold['cold_start_s']:.1f} s by the clock, "
            f"{cold['cpu_s']:.1f} s of work; {cold['peak_memory_mb']:.0f} MB.\n"
        )
        table = markdown(("one thread", "pairs / s", "ratio"), rows)
        found[page, "similarity:speed"] = table + text
    return found


def gain(part: dict[str, Any]) -> str:
    """Below a table: how real the lead over the encoder is, and what the confidence is worth."""
    one = part["learned against encoder"]
    text = (
        f"\n`learned` is {one['difference']:.4f} above `encoder`, both without confidence "
        f"(paired bootstrap, 95 %: {one['low']:.4f} to {one['high']:.4f}).\n"
    )
    low, high = part["mean error"].values()
    return text + (
        f"The third of the pairs of which `learned` is surest has a mean error of {high:.2f} points, "
        f"the third of which it is least sure {low:.2f}.\n"
    )


if __name__ == "__main__":
    main()
