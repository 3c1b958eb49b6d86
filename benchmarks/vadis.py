"""Papers by their variables: recommended ones, a paper's own, papers with the same, and concepts over surveys.

    python benchmarks/vadis.py [recommended] [concepts] [papers] [--cache FILE]

The papers of SV-Ident's train split against the 1,360 variables of its vocabulary, all surveys at once; gold is what
annotators linked in any sentence of a paper, a question of another wave being the same one. ``recommended`` searches by
words and has learned from no paper; ``papers`` leaves papers out in three folds and needs marginalia[train].
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load
from variables import train_split

from marginalia.annotators.variables.labels import near_labels
from marginalia.nlp.encoder import multilingual
from marginalia.tasks.variables.catalogue.groups import group_key
from marginalia.tasks.variables.catalogue.parts import label, parts_of
from marginalia.tasks.variables.index import catalogue_index
from marginalia.tasks.variables.index.search import OpenCatalogue
from marginalia.tasks.variables.official.paper import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.detection import Detector
from marginalia.tasks.variables.systems.evidence import evidence
from marginalia.tasks.variables.systems.reranker import Reranker

RESULT = RESULTS / "vadis.json"
PAGE = ROOT / "docs" / "how-to" / "catalogues.md"
PARTS = ("recommended", "concepts", "papers")
FOLDS = 3
DEPTHS = (1, 3, 10)


def known() -> tuple[Catalogue, dict[str, set[str]], dict[str, Paper]]:
    """The vocabulary, the questions of each paper that has any, and the papers."""
    split = train_split("all")
    real = next(iter(split.items.values())).catalogue
    used: dict[str, set[str]] = {}
    for id, one in split.require_gold().items():
        for variable in one.variables:
            if variable in real:
                used.setdefault(split.items[id].doc_id, set()).add(group_key(real[variable]))
    papers = {item.doc_id: item.paper for item in split.items.values()}
    return real, used, {doc: papers[doc] for doc in used}


def hits(ranked: dict[str, list[str]], used: dict[str, set[str]]) -> dict[str, Any]:
    """Papers with a right question among the first, and the share of the first that are right."""
    found: dict[str, Any] = {"papers": len(ranked)}
    for depth in DEPTHS:
        right = [[key in used[doc] for key in keys[:depth]] for doc, keys in ranked.items()]
        found[f"any@{depth}"] = float(np.mean([any(row) for row in right]))
        found[f"precision@{depth}"] = float(np.mean([np.mean(row or [0]) for row in right]))
    return found


def measure_recommended() -> dict[str, Any]:
    real, used, papers = known()
    catalogue_index.MAX_LIVE_GROUPS = 0
    catalogue = OpenCatalogue(real)
    ranked = {
        doc: [group_key(real[hit.id]) for hit in catalogue.recommend_for(paper.sentences)]
        for doc, paper in papers.items()
    }
    return hits(ranked, used)


def measure_concepts() -> dict[str, Any]:
    """Do labels join what annotators linked to one sentence, over surveys, and only that?"""
    split = train_split("all")
    real = next(iter(split.items.values())).catalogue
    parts = parts_of(real)
    together: set[tuple[str, str]] = set()
    ids: set[str] = set()
    for one in split.require_gold().values():
        here = sorted(v for v in one.variables if v in real)
        ids.update(here)
        pairs = itertools.combinations(here, 2)
        together |= {pair for pair in pairs if real[pair[0]].survey != real[pair[1]].survey}
    labels = {id: label(parts[id]) for id in sorted(ids)}
    pairs = near_labels(list(labels), list(labels.values()))
    word_by_word, near = (
        {pair for pair in some if real[pair[0]].survey != real[pair[1]].survey} for some in pairs
    )
    same = {
        pair
        for pair in itertools.combinations(labels, 2)
        if group_key(real[pair[0]]) == group_key(real[pair[1]])
        and real[pair[0]].survey != real[pair[1]].survey
    }
    joined = word_by_word | same
    perhaps = near - joined
    return {
        "variables": len(labels),
        "linked_together": len(together),
        "joined": len(joined),
        "recall": len(joined & together) / max(1, len(together)),
        "same_question_alone": len(same & together) / max(1, len(together)),
        "precision": len(joined & together) / max(1, len(joined)),
        "perhaps": len(perhaps),
        "perhaps_together": len(perhaps & together),
    }


def measure_papers() -> dict[str, Any]:
    """A paper's variables by the sentences that the left-out heads give them, and papers that have one in common."""
    real, used, papers = known()
    whole = {kind: train_split(kind) for kind in ("surveys", "all")}
    keys = [group_key(v) for v in real]
    ranked: dict[str, list[str]] = {}
    for rest, out in whole["surveys"].folds(FOLDS):
        linking = Reranker().fit(*(one.take(rest.items) for one in whole.values()))
        detecting = Detector().fit(rest)
        for doc in dict.fromkeys(item.doc_id for item in out.items.values()):
            if doc in papers:
                scores = linking.scores(evidence(papers[doc], real))
                chances, _ = detecting.chances(papers[doc], real)
                counted: Counter[str] = Counter()
                for row, chance in zip(scores, chances, strict=True):
                    counted[keys[int(row.argmax())]] += float(chance)
                ranked[doc] = [key for key, _ in counted.most_common()]
    found = hits(ranked, used)
    pairs = list(itertools.combinations(sorted(ranked), 2))
    shared = {pair for pair in pairs if used[pair[0]] & used[pair[1]]}
    told = {pair for pair in pairs if set(ranked[pair[0]][:3]) & set(ranked[pair[1]][:3])}
    found["pairs"] = {"shared": len(shared), "told": len(told), "right": len(shared & told)}
    return found


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    """What has been measured: a table of ranked questions, and sentences on pairs."""
    names = {
        "recommended": "`catalogue recommend CAT PAPER`",
        "papers": "first candidates of all sentences, papers left out",
    }
    rows = [
        [name, str(row["papers"]), *(f"{row[f'{what}@{k}']:.2f}" for what in ("any", "precision") for k in DEPTHS)]
        for part, name in names.items()
        if (row := results.get(part))
    ]  # fmt: skip
    columns = ("first questions", "papers", *(f"one right in {k}" for k in DEPTHS), *(f"right of {k}" for k in DEPTHS))  # fmt: skip
    said = [markdown(columns, rows)] if rows else []
    if one := results.get("concepts"):
        said.append(
            f"Concepts over surveys: annotators linked {one['linked_together']} pairs of variables of different surveys to one sentence, not "
            f"always as the same concept; {one['recall']:.0%} of the pairs are joined, and {one['precision']:.0%} of the {one['joined']} "
            f"joined pairs are among them. {one['perhaps']} pairs are named as perhaps the same, {one['perhaps_together']} of them linked together.\n"
        )
    if pairs := results.get("papers", {}).get("pairs"):
        said.append(
            f"Papers with a question in common, by their first three: {pairs['told']} pairs of papers told, {pairs['right']} of them "
            f"right, of {pairs['shared']} that have one by the annotators' links.\n"
        )
    return {(PAGE, "catalogue:vadis"): "\n".join([*said, "`python benchmarks/vadis.py`\n"])}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--cache", type=Path, help="where vectors of the encoder are kept")
    return parser


def main() -> None:
    args = parser().parse_args()
    if args.cache:
        multilingual().cache = args.cache
    measures = {
        "recommended": measure_recommended,
        "concepts": measure_concepts,
        "papers": measure_papers,
    }
    for part in args.parts:
        found = measures[part]()
        results = {**load(RESULT), part: found, "measured": time.strftime("%Y-%m-%d")}
        keep(RESULT, results, part)
    fill(tables(load(RESULT)))


if __name__ == "__main__":
    main()
