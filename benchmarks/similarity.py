"""Similarity of sentences: by sources left out, on German pairs and on records; systems.py has dev.

    python benchmarks/similarity.py [sources] [german] [typed] [--system NAME]...

``sources`` judges each source of the STS sets by what was learned from all the others, and needs marginalia[train]. A source is
the name of a set: what MSRpar, headlines and images are in two files counts once, and is left out as a whole, so that no
system has seen a text of the same kind. Each part replaces its own figures in results/similarity.json; then the tables are
written.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from numpy.typing import NDArray
from pages import RESULTS, ROOT, markdown, research_page, task_page
from recording import fill, keep, load

from marginalia import Split, get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.tasks.similarity.official.data import Pair

RESULT = RESULTS / "similarity.json"
TASK = get_benchmark("similarity")
RECORDS = ("typed-measured", "typed-tfidf", "typed-random")
SPLITS = ("train", "dev", "2015-test")
PAIRS_PER_SET = 200
"""At most so many pairs of a set are taken, evenly spaced, so that the sets count alike and a run takes minutes."""
BASELINE = "encoder"
MAX_KEPT = 4 << 30
"""Bytes of passes that are kept."""
DRAWS = 2000
RATINGS = (0, 3, 5)
"""Of the German pairs, the ratings whose mean score is shown."""
GROUPS = (
    ("MSRpar", "belief", "headlines"),
    ("MSRvid", "OnWN", "tweet-news"),
    ("SMTeuroparl", "answers-forums", "images"),
    ("SMTnews", "answers-students", "deft-forum", "deft-news"),
)
"""Sources that are left out together when ``tuned`` is trained: a large one, a small one, and two that are not alike."""

Floats = NDArray[np.float64]


def german() -> dict[str, Any]:
    """Pairs of our own with a German sentence: as shipped, without the lines that put them on the English scale, and by
    the untrained system."""
    from marginalia.tasks.similarity.systems.inputs import rescaled, shipped_scales
    from marginalia.tasks.similarity.systems.languages import kind_of
    from marginalia.tasks.similarity.systems.learned import shipped

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


def sources() -> dict[str, Any]:
    """``encoder`` as it is; ``learned``, ``features`` and ``tuned`` fitted again for each source, without it."""
    from marginalia.nlp.cache import Recent
    from marginalia.nlp.encoder import english

    splits = [TASK.load(name, data_folder()) for name in SPLITS]
    split = together(splits)
    gold = split.require_gold()
    english().recent = Recent(MAX_KEPT)  # both systems read the same texts
    learned = refitted(split)
    untrained = TASK.system(BASELINE).predict(split.items)
    base = np.array([untrained[id].score for id in gold])
    tuned = retuned(together(splits, limit=None), split, learned["learned"])
    half = {"mean of `encoder` and `learned`": (base + learned["learned"]) / 2}
    return judged(
        {BASELINE: base, **tuned, **learned, **half},
        np.array(list(gold.values())),
        [split.items[id].dataset for id in gold],
        [split.group[id] for id in gold],
    )


def together(splits: Sequence[Split], limit: int | None = PAIRS_PER_SET) -> Split:
    """Several splits as one, with some pairs of each set."""
    items = {id: item for split in splits for id, item in split.items.items()}
    by_set: dict[str, list[str]] = {}
    for id, item in items.items():
        by_set.setdefault(item.dataset, []).append(id)
    ids = []
    for some in by_set.values():
        places = np.linspace(0, len(some) - 1, min(limit or len(some), len(some)))
        ids += [some[int(place)] for place in places]
    whole = Split(
        name="+".join(split.name for split in splits),
        items=items,
        gold={id: one for split in splits for id, one in split.require_gold().items()},
        group={id: one for split in splits for id, one in split.group.items()},
    )
    return whole.take(ids)


def source_of(dataset: str) -> str:
    """``2012-test/surprise.OnWN`` -> ``OnWN``."""
    return dataset.rpartition("/")[2].removeprefix("surprise.")


def refitted(split: Split) -> dict[str, Floats]:
    """The scores of the systems that learn, each pair by one that was fitted on the other sources."""
    from marginalia.nlp.encoder import english
    from marginalia.tasks.similarity.systems import regression
    from marginalia.tasks.similarity.systems.learned import obvious
    from marginalia.tasks.similarity.systems.meaning import NAMES, Meaning, compare
    from marginalia.tasks.similarity.systems.train import recipe

    rows = recipe.labelled(split)
    kept = recipe.keep(english(), rows)
    surface, below = recipe.table(rows, kept, None)
    print(f"{len(rows.pairs):,} pairs read", file=sys.stderr, flush=True)
    kinds = np.array([source_of(name) for name in rows.sets])
    known = [obvious(*pair) for pair in rows.pairs]
    texts = list(kept.read)
    found = {name: np.zeros(len(kinds)) for name in ("learned", "features")}
    for kind in sorted(set(kinds)):
        rest, out = kinds != kind, np.flatnonzero(kinds == kind)
        part = rows.take(rest)
        weighting, mix = recipe.train_weighting(part, kept)
        tokens = kept.tokens(texts, weighting.layers)
        meant = {t: Meaning.of(o, weighting) for t, o in zip(texts, tokens, strict=True)}
        above = [list(compare(meant[a], meant[b]).values()) for a, b in rows.pairs]
        names, x = [*NAMES, *surface], np.column_stack([above, below])
        fitted = {
            "learned": recipe.regress(part, names, x[rest], mix),
            "features": regression.fit(surface, below[rest], part.gold, part.sets, alpha=0.1),
        }
        for name, one in fitted.items():
            for row in out:
                same = known[row]
                measures = dict(zip(names, x[row], strict=True))
                found[name][row] = same.score if same else one.score(measures).score
        print(f"{kind} done", file=sys.stderr, flush=True)
    return found


def judged(
    scores: Mapping[str, Floats], gold: Floats, sets: Sequence[str], groups: Sequence[str]
) -> dict[str, Any]:
    """By source: Pearson and mean error of each system, and how far it is from the untrained one."""
    kinds = np.array([source_of(name) for name in sets])
    rng = np.random.default_rng(0)
    found: dict[str, Any] = {}
    for kind in sorted(set(kinds)):
        some = kinds == kind
        part = Source(gold[some], np.array(sets)[some], np.array(groups)[some])
        counts = np.vstack([np.ones(int(some.sum())), part.draws(rng)])
        drawn = {name: part.pearson(values[some], counts) for name, values in scores.items()}
        systems: dict[str, Any] = {}
        for name, values in scores.items():
            error = float(np.abs(values[some] - part.gold).mean())
            systems[name] = {"pearson": float(drawn[name][0]), "error": error}
            if name != BASELINE:
                apart = drawn[name] - drawn[BASELINE]
                low, high = np.quantile(apart[1:], (0.025, 0.975))
                systems[name]["against"] = {
                    "difference": float(apart[0]),
                    "low": float(low),
                    "high": float(high),
                }
        found[kind] = {"pairs": int(some.sum()), "systems": systems}
    return found


class Source:
    """The pairs of one source, which may have several sets."""

    def __init__(self, gold: Floats, sets: NDArray[Any], groups: NDArray[Any]) -> None:
        self.gold, self.sets = gold, sets
        self.group = np.unique(groups, return_inverse=True)[1]

    def draws(self, rng: np.random.Generator) -> Floats:
        """How often each pair is in each bootstrap sample; the same pair rated twice is drawn together."""
        groups = int(self.group.max()) + 1
        drawn = rng.multinomial(groups, np.full(groups, 1 / groups), size=DRAWS)
        return drawn[:, self.group].astype(float)

    def pearson(self, scores: Floats, counts: Floats) -> Floats:
        """For each row of counts, the mean Pearson of the sets, each as its number of pairs."""
        total = np.zeros(len(counts))
        for name in np.unique(self.sets):
            own = self.sets == name
            total += own.sum() / len(own) * weighted(scores[own], self.gold[own], counts[:, own])
        return total


def weighted(x: Floats, y: Floats, counts: Floats) -> Floats:
    """Pearson of x and y, each row of counts saying how often a pair is there."""
    x, y = x - x.mean(), y - y.mean()
    size = counts.sum(axis=1)
    mean = [counts @ values / size for values in (x, y)]
    spread = [
        np.sqrt(counts @ values**2 / size - m**2) for values, m in zip((x, y), mean, strict=True)
    ]
    found: Floats = (counts @ (x * y) / size - mean[0] * mean[1]) / (spread[0] * spread[1])
    return found


def is_allowed(found: Mapping[str, Any], name: str) -> bool:
    """The rule: a system that learns may be the default if on no source it is worse than the untrained one
    beyond the interval."""
    return not below(found, name)


def below(found: Mapping[str, Any], name: str) -> list[str]:
    """The sources on which the whole interval of the difference lies below 0."""
    return [kind for kind, one in found.items() if one["systems"][name]["against"]["high"] < 0]


def shown(name: str) -> str:
    """The name of a system as code, and what is said beside it as it is."""
    system, comma, beside = name.partition(",")
    return name if "`" in name else f"`{system}`{comma}{beside}"


def by_source(found: Mapping[str, Any]) -> str:
    """A row for each source: the untrained system, those that learn, and how far the default is from the first."""
    names = (BASELINE, "tuned", "learned")
    rows = []
    for kind, one in found.items():
        apart = one["systems"]["tuned"]["against"]
        rows.append(
            [
                kind,
                *(f"{one['systems'][name]['pearson']:.3f}" for name in names),
                f"{apart['difference']:+.3f} [{apart['low']:+.3f}, {apart['high']:+.3f}]",
            ]
        )
    columns = ("source", *map(shown, names), "`tuned` less `encoder`")
    return markdown(columns, rows)


def by_system(found: Mapping[str, Any]) -> str:
    """A row for each system: its mean, how stable it is, and whether it may be the default."""
    names = list(next(iter(found.values()))["systems"])
    rows = []
    for name in names:
        ones = {kind: one["systems"][name] for kind, one in found.items()}
        mean, error = (
            float(np.mean([one[key] for one in ones.values()])) for key in ("pearson", "error")
        )
        worst = "–", "–", "yes"
        if name != BASELINE:
            kind = min(ones, key=lambda kind: ones[kind]["against"]["difference"])
            worst = (
                f"{ones[kind]['against']['difference']:+.3f} ({kind})",
                ", ".join(below(found, name)) or "none",
                "yes" if is_allowed(found, name) else "no",
            )
        rows.append([shown(name), f"{mean:.4f}", *worst, f"{error:.2f}"])
    columns = (
        "system",
        "mean of the sources",
        "worst against `encoder`",
        "worse beyond the interval",
        "may be the default",
        "mean error, points",
    )
    return markdown(columns, rows)


def retuned(whole: Split, judged: Split, learned: Floats) -> dict[str, Floats]:
    """The scores of the pairs to be judged: the cosine alone, and with its share of ``learned`` as shipped.

    Trained on all pairs of the other sources, and read as it would ship, in int8; ``learned`` has the scores of the same
    pairs, also by what was fitted without their source.
    """
    from marginalia.nlp.encoder import english
    from marginalia.nlp.onnx import start
    from marginalia.tasks.similarity.systems.learned import obvious
    from marginalia.tasks.similarity.systems.train.recipe import labelled
    from marginalia.tasks.similarity.systems.train.tuning import scale_of, source_of, tune
    from marginalia.tasks.similarity.systems.train.upper import (
        LEARNED_SHARE,
        RATE,
        SEED,
        UpperLayers,
        seed_torch,
    )
    from marginalia.tasks.similarity.systems.tuned import TunedVectors

    rows, wanted = labelled(whole), labelled(judged)
    upper = UpperLayers(english(), sorted({text for pair in rows.pairs for text in pair}))
    kinds = np.array([source_of(name) for name in rows.sets])
    out = np.array([source_of(name) for name in wanted.sets])
    cosine = np.zeros(len(out))
    for group in GROUPS:
        seed_torch(SEED)
        rest = rows.take(~np.isin(kinds, group))
        network = tune(rest, upper.network(), upper.encode, rate=RATE, seed=SEED)
        texts = sorted({text for pair in rest.pairs for text in pair})
        made = TunedVectors({"unrelated": 0.0, "learned": 0.0}, start(upper.to_onnx(network)))
        scale = json.loads(scale_of(texts, made.vectors, LEARNED_SHARE))
        made = TunedVectors(scale, made.upper)
        places = np.flatnonzero(np.isin(out, group))
        read = list(dict.fromkeys(text for place in places for text in wanted.pairs[place]))
        known: Mapping[str, Floats] = dict(zip(read, made.vectors(read), strict=True))
        for place in places:
            a, b = wanted.pairs[place]
            same = obvious(a, b)
            cosine[place] = same.score if same else made.scale.points(float(known[a] @ known[b]))
        print(f"tuned without {', '.join(group)}", file=sys.stderr, flush=True)
    mixed = (1 - LEARNED_SHARE) * cosine + LEARNED_SHARE * learned
    return {"tuned, cosine alone": cosine, "tuned": mixed}


PARTS = ("sources", "german", "typed")


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--system", action="append", choices=RECORDS, default=[])
    return parser


def main() -> None:
    arguments = parser().parse_args()
    results = load(RESULT)
    makers = {
        "sources": sources,
        "german": german,
        "typed": lambda: typed(arguments.system, results.get("typed")),
    }
    for part in arguments.parts or PARTS:
        results[part] = makers[part]()
        keep(RESULT, results, part, systems=arguments.system if part == "typed" else ())
    fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    page, research = task_page("similarity"), research_page("similarity")
    called = {"mixed": "English–German", "german": "German–German"}
    pairs = [
        [f"{called[kind]}, {name}", str(one["pairs"])]
        + [f"{one['pearson']:.3f}", f"{one['error']:.2f}"]
        + [f"{one['by rating'][rating]:.1f}" for rating in RATINGS]
        for kind, variants in results["german"].items()
        for name, one in variants.items()
    ]
    rated = tuple(f"mean where rated {each}" for each in RATINGS)
    records = {name: one for name, one in results["typed"].items() if name != "pairs"}
    parts = list(next(iter(records.values())))
    by_type = [
        [shown(name), *(f"{one[part]:.3f}" for part in parts)] for name, one in records.items()
    ]
    return {
        (page, "similarity:stability"): by_system(results["sources"]),
        (page, "similarity:typed"): markdown(("system", *parts), by_type),
        (research, "similarity:sources"): by_source(results["sources"]),
        (research, "similarity:german"): markdown(
            ("pairs of", "how many", "Pearson", "mean error", *rated), pairs
        ),
    }


if __name__ == "__main__":
    main()
