"""Claims of `link` by the size of the catalogue: how many are right, and how many sentences get one.

    python benchmarks/claims.py [collect] [fit] [--work DIR] [--cache FILE]

``collect`` links each paper of SV-Ident's train split, by heads that have not seen it, to catalogues of 16 to 100,000
variables: those of its surveys and of others, then invented ones that mix the words of real ones. What is known of each
sentence's first candidate goes to a file in DIR. ``fit`` learns from the other papers how often such a claim is right,
measures it on the paper left out, and writes results/claims.json; with ``--ship`` also the weights, from all papers.
Needs marginalia[train] and the task's data.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, markdown, research_page, task_page
from recording import fill, keep, load
from variables import train_split

from marginalia.annotators.variables.surveys import named_surveys
from marginalia.annotators.variables.variable_notes import index_candidates
from marginalia.nlp.encoder import multilingual
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.catalogue.parts import parts_of
from marginalia.tasks.variables.index import catalogue_index
from marginalia.tasks.variables.index.catalogue_index import CatalogueIndex, index_catalogue
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable, make_variable
from marginalia.tasks.variables.systems.claims import (
    CLAIMS,
    FEATURES,
    MIN_CLAIM_PROBABILITY,
    Claims,
    claim_features,
    used,
)
from marginalia.tasks.variables.systems.detection import Detector
from marginalia.tasks.variables.systems.evidence import evidence
from marginalia.tasks.variables.systems.reranker import Reranker

RESULT = RESULTS / "claims.json"
FOLDS = 3
SIZES = (16, 100, 400, 2_000, 10_000, 100_000)
MAX_EVERY_PAPER = 10_000
"""To larger catalogues every third paper is linked."""
MAX_IN_MEMORY = 2_000
"""Larger catalogues are linked through an index, as users have them."""
PARTS = ("collect", "fit")
COVERAGES = (0.1, 0.2, 0.3, 0.4, 0.5)
INVERSE_REGULARISATION = 0.01
MIN_CANDIDATES = 8
"""A catalogue of which a paper leaves fewer is none to choose from."""


def distractors(real: Catalogue, count: int, seed: int = 0) -> Iterator[Variable]:
    """Real questions in which every second content word is one of another question."""
    chosen = random.Random(seed)
    parts = [parts for parts in parts_of(real).values() if parts.get("label")]
    pool = [w for p in parts for w in lower_words(p["label"]) if len(w) > 4]
    for number in range(count):
        fields = {}
        for name, text in chosen.choice(parts).items():
            words = text.split() if name in ("label", "question", "study") else []
            mixed = [
                chosen.choice(pool) if len(w) > 4 and chosen.random() < 0.5 else w for w in words
            ]
            fields[name] = " ".join(mixed)[:60]
        yield make_variable(f"D{number}", f"ZD{number // 300:04}", fields)


def small(doc_surveys: Sequence[str], real: Catalogue, gold: set[str], size: int) -> Catalogue:
    """Variables of the paper's surveys, some of them those it uses, then of others."""
    chosen = random.Random(size)
    own = [v for v in real if v.survey in doc_surveys]
    used = [v for v in own if v.id in gold]
    rest = [v for v in own if v.id not in gold]
    others = [v for v in real if v.survey not in doc_surveys]
    for some in (used, rest, others):
        chosen.shuffle(some)
    # A small catalogue has some of what the paper uses, a large one all of it.
    found = [*used[: max(4, size // 4)], *rest, *used[max(4, size // 4) :], *others]
    missing = size - len(found)
    return Catalogue([*found[:size], *distractors(real, max(0, missing), size)])


def collect(folder: Path, wanted_fold: int | None, sizes: Sequence[int]) -> None:
    """SV-Ident's train papers, by heads that have not seen them."""
    whole = {kind: train_split(kind) for kind in ("surveys", "all")}
    gold = whole["all"].require_gold()
    real = next(iter(whole["all"].items.values())).catalogue
    large = indexes(real, sizes)
    titles = {v.survey: parts_of(real)[v.id].get("study", "") for v in real}
    for fold, (rest, out) in enumerate(whole["surveys"].folds(FOLDS)):
        if wanted_fold not in (None, fold):
            continue
        linking = Reranker().fit(*(one.take(rest.items) for one in whole.values()))
        detecting = Detector().fit(rest)
        rows: list[dict[str, Any]] = []
        for number, (doc, ids) in enumerate(by_paper(out).items()):
            first = out.items[ids[0]]
            paper = Paper([out.items[id].sentence for id in ids], first.paper.lang)
            used_here = {v for id in ids for v in gold[id].variables}
            named = [one.survey for one in named_surveys(" ".join(paper.sentences), titles)]
            few = [size for size in sizes if size <= MAX_EVERY_PAPER or not number % 3]
            for size in few:
                own = small(first.surveys, real, used_here, size) if size <= MAX_IN_MEMORY else real
                index = large.get(size)
                for setting in ("whole", "named"):
                    some = named if setting == "named" else []
                    catalogue = seen(paper, own, index, some, detecting)
                    firsts = first_candidates(paper, catalogue, size, linking, detecting)
                    rows += [
                        row(doc, fold, id, size, setting, gold[id], own, firsts[paper.place(out.items[id].sentence)])
                        | {"length": len(paper), "data": "2022"}
                        for id in ids
                    ]  # fmt: skip
            note(fold, doc, len(ids), named)
            keep_rows(folder / f"claims-{fold}-{'-'.join(map(str, sizes))}.jsonl", rows)


def indexes(real: Catalogue, sizes: Sequence[int]) -> dict[int, CatalogueIndex]:
    catalogue_index.MAX_LIVE_GROUPS = 0  # words alone, as in archives too large for vectors
    return {
        size: index_catalogue(Catalogue([*real, *distractors(real, size - len(real))]))
        for size in sizes
        if size > MAX_IN_MEMORY
    }


def seen(
    paper: Paper,
    own: Catalogue,
    index: CatalogueIndex | None,
    named: Sequence[str],
    detecting: Detector,
) -> Catalogue:
    """The candidates of a paper: a small catalogue itself, or what the index offers."""
    if index is not None:
        prior, _ = detecting.chances(paper, Catalogue())
        some = index_candidates(paper, prior, index, named) if named else None
        return some or index_candidates(paper, prior, index)
    inside = own.within(set(named)) if named else own
    return inside if len(inside) else own


def first_candidates(
    paper: Paper, catalogue: Catalogue, size: int, linking: Reranker, detecting: Detector
) -> list[tuple[str, list[float], bool]]:
    """For each sentence the first candidate, what is known of it, and whether the sentence is marked."""
    chances, threshold = detecting.chances(paper, catalogue)
    scores = linking.scores(evidence(paper, catalogue))
    found = claim_features(paper, catalogue, scores, chances, size)
    threshold = max(threshold, 0.5)
    keys = {v.id: group_key(v) for v in catalogue}
    return [
        (f"{top}\0{keys[top]}", values, bool(chances[place] >= threshold))
        for place, (top, values) in enumerate(found)
    ]


def row(
    doc: str,
    fold: int,
    id: str,
    size: int,
    setting: str,
    label: Any,
    known: Catalogue,
    first: tuple[str, list[float], bool],
) -> dict[str, Any]:
    top, _, key = first[0].partition("\0")
    wanted = [known[v] for v in label.variables if v in known]
    return {
        "doc": doc, "fold": fold, "id": id, "size": size, "setting": setting, "features": first[1],
        "detected": first[2], "reachable": bool(wanted), "positive": label.is_variable, "top": top,
        "exact": top in {v.id for v in wanted}, "right": key in {group_key(v) for v in wanted},
    }  # fmt: skip


def by_paper(split: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for id, item in split.items.items():
        found.setdefault(item.doc_id, []).append(id)
    return found


def keep_rows(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in rows)


def note(*what: Any) -> None:
    print(time.strftime("%H:%M:%S"), *what, file=sys.stderr, flush=True)


def fitted(rows: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    """Logistic regression; each paper in each catalogue weighs the same."""
    from sklearn.linear_model import LogisticRegression

    x = used(np.array([row["features"] for row in rows], dtype=float))
    means, spreads = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-6)
    keys = [(row["doc"], row["size"], row["setting"]) for row in rows]
    counts: dict[Any, int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    weights = np.array([1 / counts[key] for key in keys])
    model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=2000).fit(
        (x - means) / spreads,
        [row["right"] for row in rows],
        sample_weight=weights * len(rows) / weights.sum(),
    )
    found = {
        "weights": model.coef_[0],
        "bias": model.intercept_,
        "means": means,
        "spreads": spreads,
    }
    return {name: [round(float(v), 6) for v in values] for name, values in found.items()}


def figures(rows: Sequence[dict[str, Any]], threshold: float) -> dict[str, Any]:
    """Precision of claims, and the share of sentences with a variable of the catalogue that get one."""
    claims = [row for row in rows if row["detected"] and row["p"] >= threshold]
    reachable = [row for row in rows if row["reachable"]]
    covered = sum(row["reachable"] for row in claims)
    return {
        "claims": len(claims),
        "precision": float(np.mean([row["right"] for row in claims])) if claims else None,
        "exact": float(np.mean([row["exact"] for row in claims])) if claims else None,
        "coverage": covered / len(reachable) if reachable else None,
    }


def measure_fit(folder: Path, ship: bool) -> dict[str, Any]:
    rows = []
    for path in sorted(folder.glob("claims-*.jsonl")):
        rows += [json.loads(line) for line in path.open(encoding="utf-8")]
    rows = kept(rows)
    for fold in sorted({row["fold"] for row in rows}):
        known = [row for row in rows if row["fold"] != fold and row["detected"]]
        claims = Claims(fitted(known))
        out = [row for row in rows if row["fold"] == fold]
        for row, p in zip(out, claims.chances([r["features"] for r in out]), strict=True):
            row["p"] = float(p)
    found: dict[str, Any] = {"papers": len({row["doc"] for row in rows}), "sizes": {}}
    for size in sorted({row["size"] for row in rows}):
        for setting in ("whole", "named"):
            some = [r for r in rows if r["size"] == size and r["setting"] == setting]
            found["sizes"].setdefault(str(size), {})[setting] = described(some)
    found["bounds"] = {
        str(size): bounds([r for r in rows if r["size"] == size and r["setting"] == "named"])
        for size in (400, 10_000)
    }
    covered = [row for row in rows if row["detected"] and row["setting"] == "named"]
    found["calibration"] = calibration(covered)
    if ship:
        from marginalia.nlp.weights import write_weights
        from marginalia.tasks.variables.systems import WEIGHTS

        weights = fitted([row for row in rows if row["detected"]])
        write_weights(WEIGHTS, {CLAIMS: (json.dumps(weights, indent=1) + "\n").encode()})
    return found


def kept(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Without sentences whose variable is in no catalogue here: of half the gold variables there is no text at all."""
    known = {row["id"] for row in rows if row["size"] == MAX_EVERY_PAPER and row["reachable"]}
    place = FEATURES.index("candidates")
    return [
        row
        for row in rows
        if (not row["positive"] or row["id"] in known)
        and row["features"][place] >= np.log(MIN_CANDIDATES)
    ]


def described(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "papers": len({row["doc"] for row in rows}),
        "sentences": len(rows),
        "reachable": sum(row["reachable"] for row in rows),
        "first_right": float(np.mean([r["right"] for r in rows if r["reachable"]] or [0])),
        "shown": figures(rows, MIN_CLAIM_PROBABILITY),
        "curve": {str(t / 10): figures(rows, t / 10) for t in range(1, 10)},
    }


def bounds(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Precision at some coverages if half of the work were perfect: what each half alone costs.

    Behind the detector every link is right; behind the annotators' own detection the links are ours.
    """
    place = FEATURES.index("detection")
    reachable = [row for row in rows if row["reachable"]]
    halves = {
        "our detection, perfect linking": (rows, lambda r: r["features"][place], "reachable"),
        "perfect detection, our linking": (reachable, lambda r: r["p"], "right"),
        "ours": (rows, lambda r: r["p"] if r["detected"] else -1.0, "right"),
    }
    found: dict[str, dict[str, float]] = {}
    for name, (some, key, right) in halves.items():
        order = sorted(some, key=key, reverse=True)
        covered = np.cumsum([row["reachable"] for row in order])
        good = np.cumsum([row[right] for row in order])
        found[name] = {}
        for coverage in COVERAGES:
            last = int(np.searchsorted(covered, coverage * len(reachable)))
            found[name][str(coverage)] = float(good[last] / (last + 1))
    return found


def calibration(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What is said against what is so, in tenths."""
    found, error = {}, 0.0
    for tenth in range(10):
        here = [row for row in rows if tenth / 10 <= row["p"] < (tenth + 1) / 10 + (tenth == 9)]
        if here:
            said = float(np.mean([row["p"] for row in here]))
            so = float(np.mean([row["right"] for row in here]))
            error += abs(said - so) * len(here) / len(rows)
            found[f"{tenth / 10:.1f}"] = {"said": said, "right": so, "n": len(here)}
    return {"error": error, "tenths": found}


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    fit = results["fit"]

    def number(value: float | None) -> str:
        return "–" if value is None else f"{value:.2f}"

    columns = ("variables", "first candidate right",
               f"claims from {MIN_CLAIM_PROBABILITY} on", "right", "coverage")  # fmt: skip
    rows = [
        [f"{int(size):,}", number(row["first_right"]), str(row["shown"]["claims"])]
        + [number(row["shown"][key]) for key in ("precision", "coverage")]
        for size, row in ((size, each["named"]) for size, each in fit["sizes"].items())
    ]
    shares = list(next(iter(fit["bounds"].values()))["ours"])
    halves = [
        [f"{int(size):,}", name, *(number(value) for value in row.values())]
        for size, each in fit["bounds"].items()
        for name, row in each.items()
    ]
    bounded = ("variables", "precision at a coverage of", *shares)
    return {
        (task_page("variables"), "claims:sizes"): markdown(columns, rows),
        (research_page("variables"), "claims:bounds"): markdown(bounded, halves),
    }


def main() -> None:
    args = parser().parse_args()
    if args.cache:
        multilingual().cache = args.cache
    folder = Path(args.work)
    folder.mkdir(parents=True, exist_ok=True)
    if "collect" in args.parts:
        collect(folder, args.fold, args.sizes)
    if "fit" in args.parts:
        found = measure_fit(folder, args.ship)
        results = {**load(RESULT), "fit": found}
        results["measured"] = time.strftime("%Y-%m-%d")
        keep(RESULT, results, "fit", "--ship" if args.ship else "")
        fill(tables(results))


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--work", metavar="DIR", default=".", help="where the sentences' file is")
    parser.add_argument("--cache", type=Path, help="where vectors of the encoder are kept")
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--fold", type=int, help="collect this third of the papers only")
    parser.add_argument("--ship", action="store_true", help="write the weights too")
    return parser


if __name__ == "__main__":
    main()
