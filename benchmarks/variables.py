"""Survey variables: leave-documents-out figures of every system, and what each ingredient brings.

    python benchmarks/variables.py [detection] [tuned] [linking] [trial] [ingredients] [trust]
        [--system NAME]... [--cache FILE]

Each part replaces its own figures in results/variables.json, ``detection`` and ``linking`` those of the systems named;
then the tables are written. ``reader`` and ``baseline`` are two of these systems together, so they have their figures. With ``--cache`` the vectors of the encoder are kept in that file. All but ``trial``
train and need marginalia[train].
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, markdown, research_page, task_page
from recording import fill, keep, load

from marginalia import Split, get_benchmark
from marginalia.annotators.variables.annotate import SURE_PROBABILITY
from marginalia.bench.run import intervals
from marginalia.core.data_folder import data_folder
from marginalia.core.stats import macro_f1
from marginalia.nlp.encoder import multilingual
from marginalia.tasks.variables.official.data import Mention, Statement
from marginalia.tasks.variables.official.metrics import CUTOFFS, figures, mean
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems import detection, features
from marginalia.tasks.variables.systems.detection import Detector
from marginalia.tasks.variables.systems.reranker import Reranker
from marginalia.tasks.variables.systems.train import recipe as train

RESULT = RESULTS / "variables.json"
PAGE = task_page("variables")
TASK = get_benchmark("variables")
FOLDS, TUNED_FOLDS = 24, 6
DETECTORS = (
    "detector",
    "bow",
    "naive-bayes",
    "encoder",
    "recipe",
    "similarity",
    "majority",
    "random",
)
LINKERS = ("reranker", "fused", "dense", "sparse", "tfidf", "bm25", "random")
PAIRED = {"reader": ("detector", "reranker"), "baseline": ("bow", "tfidf")}
"""Systems that are one of each: their detection is that of the first, their linking that of the second."""
TINY = 10
"""Groups with fewer sentences are left out of one of the figures: they weigh as much as a document."""


def folded(
    split: Split, make: Callable[[], Any], *, learns: bool = True, folds: int = FOLDS
) -> dict[str, Mention]:
    """Each document predicted by a system that has not seen it."""
    if not learns:
        return dict(make().predict(split.items))
    pred: dict[str, Mention] = {}
    for rest, out in split.folds(folds):
        pred |= make().fit(rest).predict(out.items)
    return pred


def reranked(split: Split, heads: Sequence[Reranker] | None = None) -> dict[str, Mention]:
    """The re-ranker as it ships: one head for the candidates of the surveys and for all; each document left out."""
    pred: dict[str, Mention] = {}
    for head, (_, out) in zip(heads or fold_heads(), split.folds(FOLDS), strict=True):
        pred |= head.predict(out.items)
    return pred


def fold_heads() -> list[Reranker]:
    """A re-ranker for each fold, which has not seen its documents."""
    known = {kind: train_split(kind) for kind in ("surveys", "all")}
    return [
        Reranker().fit(*(whole.take(rest.items) for whole in known.values()))
        for rest, _ in known["surveys"].folds(FOLDS)
    ]


@cache
def train_split(candidates: str) -> Split:
    return TASK.load("train", data_folder(), candidates=candidates)


def by_name(split: Split, name: str) -> dict[str, Mention]:
    card = TASK.card(name)
    return folded(split, card.make, learns=card.trains or bool(card.trained_on))


def detected(split: Split, pred: dict[str, Mention]) -> dict[str, float]:
    """Official macro F1, per language, without tiny groups, and over all sentences together."""
    scores = TASK.score(split, pred).scores["detection"]
    gold = [label.is_variable for label in split.require_gold().values()]
    answers = [pred[id].is_variable for id in split.require_gold()]
    sizes: dict[str, int] = {}
    for group in split.group.values():
        sizes[group] = sizes.get(group, 0) + 1
    large = [
        np.mean([row["f1"] for doc, row in rows.items() if sizes[f"{lang}/{doc}"] >= TINY])
        for lang, rows in scores["document_scores"].items()
    ]
    return {
        "f1": scores["f1"],
        "interval": intervals(TASK, split, pred)["detection.f1"],
        **{lang: row["f1"] for lang, row in scores["macro_language_scores"].items()},
        "without_tiny_groups": float(np.mean(large)),
        "pooled": macro_f1(gold, answers).f1,
    }


def linked(split: Split, pred: dict[str, Mention]) -> dict[str, Any]:
    """MAP and R-precision as official, with reachable gold only, and over all sentences together."""
    report = TASK.score(split, pred)
    also = report.also["disambiguation"]
    reach = also["only_gold_among_candidates"]
    rows: dict[str, list[Any]] = {"pooled": [], "pooled_reachable": []}
    for id, label in split.require_gold().items():
        ranking = [variable for variable, _ in pred[id].ranking or ()]
        known = [v for v in label.variables if v in split.items[id].catalogue]
        for name, wanted in (("pooled", label.variables), ("pooled_reachable", known)):
            if wanted:
                rows[name].append(figures(ranking, dict.fromkeys(wanted, 1.0)))
    keys = [*(f"map@{k}" for k in CUTOFFS), "r-precision"]
    return {
        "official": {key: report.scores["disambiguation"][key] for key in keys},
        "interval": intervals(TASK, split, pred)["disambiguation.map@10"],
        "reachable": {key: reach["macro_scores"][key] for key in keys},
        "languages": {
            lang: row.get("map@10") for lang, row in reach["macro_language_scores"].items()
        },
        **{name: mean(each)["map@10"] for name, each in rows.items()},
        "gold_links": also["gold_links"],
        "reachable_links": also["gold_links_among_candidates"],
    }


def measure_detection(names: Sequence[str] = DETECTORS) -> dict[str, Any]:
    split = train_split("surveys")
    found = {}
    for name in names:
        found[name] = detected(split, by_name(split, name))
        tell(name, found[name])
    return found


def measure_tuned() -> dict[str, Any]:
    """The fine-tuned encoder, of which a fold takes minutes: so several documents at a time are left out."""
    split = train_split("surveys")
    return detected(split, folded(split, TASK.card("tuned").make, folds=TUNED_FOLDS))


def measure_linking(names: Sequence[str] = LINKERS) -> dict[str, Any]:
    found: dict[str, Any] = {}
    heads = fold_heads() if "reranker" in names else []
    for candidates in ("surveys", "all"):
        split = train_split(candidates)
        found[candidates] = {}
        for name in names:
            ours = name == "reranker"
            pred = reranked(split, heads) if ours else by_name(split, name)
            found[candidates][name] = linked(split, pred)
            tell(candidates, name, found[candidates][name])
    return found


def measure_trial() -> dict[str, Any]:
    """The shipped weights on the data of 2018, on which nothing was trained or chosen."""
    found: dict[str, Any] = {}
    parts = [TASK.load(name, data_folder()) for name in ("trial-train", "trial-test")]
    for lang in ("en", "de"):
        found[lang] = {}
        for name in LINKERS:
            rows = []
            for split in parts:
                pred = TASK.system(name).predict(split.items)
                for id, label in split.require_gold().items():
                    if label.variables and split.items[id].lang == lang:
                        ranking = [variable for variable, _ in pred[id].ranking or ()]
                        rows.append(figures(ranking, dict.fromkeys(label.variables, 1.0)))
            found[lang][name] = {**mean(rows), "n": len(rows)}
            tell(lang, name, found[lang][name])
    return found


def measure_ingredients() -> dict[str, Any]:
    """Our systems with something left out, by the same folds."""
    split = train_split("surveys")
    found: dict[str, Any] = {"detection": {}, "linking": {}}

    def detector(name: str, split: Split = split, **changes: Any) -> None:
        old = {key: getattr(module(key), key) for key in changes}
        try:
            for key, value in changes.items():
                setattr(module(key), key, value)
            found["detection"][name] = detected(split, folded(split, Detector))
        finally:
            for key, value in old.items():
                setattr(module(key), key, value)
        tell(name, found["detection"][name])

    def module(key: str) -> Any:
        return train if key == "SCALES" else detection

    scales = train.SCALES
    detector("all")
    detector("without vectors", SCALES={**scales, "vectors": 0.0})
    detector("without features", SCALES={**scales, "features": 0.0})
    detector("without the company of similar sentences", NEIGHBOUR_WEIGHT=0.0)
    detector("with the threshold .5 for every paper", MIN_SENTENCES_FOR_THRESHOLD=10**9)
    detector("without candidates", without_candidates(split))
    name = "the re-ranker's best probability instead (one model for both)"
    found["detection"][name] = detected(split, by_best_candidate(split))
    tell(name, found["detection"][name])
    columns = {name: place for place, name in enumerate(features.CANDIDATE_FEATURES)}
    whole = features.candidate_features

    def reranker(name: str, split: Split = split, without: tuple[str, ...] = ()) -> None:
        def blanked(given: Any) -> Any:
            rows = whole(given).copy()
            rows[:, :, [columns[column] for column in without]] = 0
            return rows

        from marginalia.tasks.variables.systems import reranker as linking

        train.candidate_features = linking.candidate_features = blanked
        try:
            found["linking"][name] = linked(split, reranked(split))
        finally:
            train.candidate_features = linking.candidate_features = whole
        tell(name, found["linking"][name])

    reranker("all")
    reranker("without what the paper is about", without=("best", "share"))
    reranker("without the study's title and the language", without=("study", "language"))
    reranker("without the number of labels that are alike", without=("alike",))
    reranker("without the kind of variable", without=tuple(features.KINDS))
    reranker("without the meaning of the label alone", without=("label_meaning",))
    return found


def by_best_candidate(split: Split) -> dict[str, Mention]:
    """Positive where some candidate is probable enough; the threshold is the best one of the other documents."""
    gold = split.require_gold()
    ranked = reranked(split)
    best = {id: row.ranking[0][1] if row.ranking else 0.0 for id, row in ranked.items()}
    tried = np.quantile(list(best.values()), np.linspace(0.05, 0.95, 37))
    pred = {}
    for rest, out in split.folds(FOLDS):
        truth = [gold[id].is_variable for id in rest.items]

        def f1(edge: float, rest: Split = rest, truth: list[int] = truth) -> float:
            return macro_f1(truth, [int(best[id] >= edge) for id in rest.items]).f1

        edge = max(tried, key=f1)
        pred |= {id: Mention(int(best[id] >= edge)) for id in out.items}
    return pred


def without_candidates(split: Split) -> Split:
    none = Catalogue()
    return changed(
        split, lambda i: Statement(i.sentence, i.lang, i.doc_id, i.surveys, none, i.paper)
    )


def changed(split: Split, change: Callable[[Statement], Statement]) -> Split:
    return Split(
        name=split.name,
        items={id: change(item) for id, item in split.items.items()},
        gold=split.gold,
        group=split.group,
        files=split.files,
        together=split.together,
    )


def measure_trust() -> dict[str, Any]:
    """How far the probability can be trusted from which on a sentence is marked; for claims see claims.py."""
    split = train_split("surveys")
    gold = split.require_gold()
    sure: list[int] = []
    for rest, out in split.folds(FOLDS):
        detector = Detector().fit(rest)
        for id, item in without_candidates(out).items.items():
            if detector.chance(item)[0] >= SURE_PROBABILITY:
                sure.append(gold[id].is_variable)
    positives = sum(label.is_variable for label in gold.values())
    return {
        "sure": SURE_PROBABILITY,
        "sure_right": float(np.mean(sure)),
        "sure_found": sum(sure) / positives,
    }


def tell(*what: Any) -> None:
    print(*what, file=sys.stderr, flush=True)


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def with_interval(value: float, row: dict[str, Any]) -> str:
    between = row.get("interval")
    return number(value) + (f" [{between['low']:.3f}, {between['high']:.3f}]" if between else "")


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    """Every table these results fill, by page and mark."""
    found = {}
    if "detection" in results:
        columns = ("system", "F1-macro", "en", "de", "all sentences pooled")
        keys = ("f1", "en", "de", "pooled")
        rows = [
            [f"`{name}`", with_interval(row["f1"], row), *(number(row[key]) for key in keys[1:])]
            for name, row in results["detection"].items()
        ]
        if "tuned" in results:
            cells = [number(results["tuned"][key]) for key in keys]
            rows.insert(4, [f"`tuned` ({TUNED_FOLDS} folds)", *cells])
        found[PAGE, "variables:detection"] = markdown(columns, rows)
    if "linking" in results:
        columns = ("system", "surveys: official MAP@10", "reachable",
                   "all: official MAP@10", "reachable")  # fmt: skip
        both = [results["linking"][candidates] for candidates in ("surveys", "all")]
        rows = [
            [f"`{name}`"]
            + [
                text
                for each in both
                for text in (
                    with_interval(each[name]["official"]["map@10"], each[name]),
                    number(each[name]["reachable"]["map@10"]),
                )
            ]
            for name in both[0]
        ]
        found[PAGE, "variables:linking"] = markdown(columns, rows)
    if "trial" in results:
        each = results["trial"]
        columns = ("MAP@10", *(f"{lang} ({rows['random']['n']})" for lang, rows in each.items()))
        rows = [
            [f"`{name}`", *(number(each[lang][name]["map@10"]) for lang in each)]
            for name in next(iter(each.values()))
        ]
        found[research_page("variables"), "variables:trial"] = markdown(columns, rows)
    if "ingredients" in results:
        rows = [
            [name, number(row["f1"]), number(row["without_tiny_groups"]), number(row["pooled"])]
            for name, row in results["ingredients"]["detection"].items()
        ]
        columns = ("detection", "F1-macro", "without tiny groups", "all sentences pooled")
        table = markdown(columns, rows)
        rows = [
            [name, number(row["reachable"]["map@10"]), number(row["pooled_reachable"]),
             number(row["official"]["map@10"])]
            for name, row in results["ingredients"]["linking"].items()
        ]  # fmt: skip
        columns = ("linking", "reachable MAP@10", "pooled", "official")
        found[research_page("variables"), "variables:ingredients"] = (
            f"{table}\n{markdown(columns, rows)}"
        )
    if "trust" in results:
        row = results["trust"]
        found[PAGE, "variables:trust"] = (
            f"On documents left out: of the sentences that are marked without a catalogue (from {row['sure']} on) "
            f"{row['sure_right']:.0%} mention a variable, and {row['sure_found']:.0%} of those that do are marked.\n"
        )
    return found


PARTS: dict[str, Callable[..., dict[str, Any]]] = {
    "detection": measure_detection,
    "tuned": measure_tuned,
    "linking": measure_linking,
    "trial": measure_trial,
    "ingredients": measure_ingredients,
    "trust": measure_trust,
}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    names = list(dict.fromkeys((*DETECTORS, *LINKERS)))
    parser.add_argument("--system", action="append", choices=names, default=[])
    parser.add_argument("--cache", type=Path)
    return parser


def main() -> None:
    arguments = parser().parse_args()
    if arguments.cache:
        multilingual().cache = arguments.cache
    results = load(RESULT)
    for part in arguments.parts or PARTS:
        if part in ("detection", "linking"):
            order = DETECTORS if part == "detection" else LINKERS
            names = [name for name in order if name in arguments.system]
            if arguments.system and not names:
                continue
            results[part] = joined(results.get(part, {}), PARTS[part](names or order), order)
            keep(RESULT, results, part, systems=names)
        else:
            results[part] = PARTS[part]()
            keep(RESULT, results, part)
    fill(tables(results))


def joined(old: dict[str, Any], new: dict[str, Any], order: Sequence[str]) -> dict[str, Any]:
    """The new figures of the systems measured now and the old ones of the others."""
    if set(new) <= set(order):
        both = old | new
        return {name: both[name] for name in order if name in both}
    return {key: joined(old.get(key, {}), rows, order) for key, rows in new.items()}


if __name__ == "__main__":
    main()
