"""What notes on hard words rest on: the sense of a word in its sentence, and the share of raters behind a score.

    python benchmarks/hard_words.py [senses] [calibration]

``senses`` compares the chosen sense with senses.tsv, sentences of ours; the confidence is fitted with the words of the set kept
together. ``calibration`` trains the ensemble for each of five folds over tokens and needs marginalia[train].
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown, research_page, task_page
from recording import fill, keep, load
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from marginalia import get_benchmark
from marginalia.annotators.words.glosses.choice import described, evidence
from marginalia.annotators.words.glosses.lexicon import senses as senses_of
from marginalia.core.data_folder import data_folder
from marginalia.nlp.encoder import english
from marginalia.tasks.complexity.systems.calibration import share_at_mean

RESULT = RESULTS / "hard_words.json"
PAIRS = ROOT / "benchmarks" / "senses.tsv"
THRESHOLDS = (0.0, 0.6, 0.7, 0.8)
FOLDS = 10


def senses() -> dict[str, Any]:
    rows, groups, right, first = [], [], [], []
    for line in PAIRS.read_text(encoding="utf-8").splitlines()[1:]:
        word, tag, glosses, sentence = line.split("\t")
        found = senses_of(word, tag)
        vectors = english().vectors([sentence, *map(described, found)])
        best, likeness, lead = evidence(vectors[1:] @ vectors[0], found)
        wanted = [gloss for gloss in glosses.split("|") if gloss]

        def fits(sense: Any, wanted: list[str] = wanted) -> bool:
            return any(sense.gloss.startswith(g) or sense.related == g for g in wanted)

        rows.append([likeness, lead, float(len(found) == 1)])
        groups.append(word)
        right.append(fits(found[best]))
        first.append(fits(found[0]))
    y, x = np.array(right), np.array(rows)
    model = LogisticRegression(C=1e4)
    sure = cross_val_predict(
        model, x, y, groups=groups, cv=GroupKFold(FOLDS), method="predict_proba"
    )[:, 1]
    several = x[:, 2] == 0
    shown = {}
    for least in THRESHOLDS:
        kept = sure >= least
        shown[f"{least:.1f}"] = {"kept": float(kept.mean()), "right": float(y[kept].mean())}
    return {
        "sentences": len(y),
        "words": len(set(groups)),
        "several_senses": int(several.sum()),
        "right": float(y[several].mean()),
        "first_sense": float(np.array(first)[several].mean()),
        "by_confidence": shown,
    }


def calibration() -> dict[str, Any]:
    from marginalia.tasks.complexity.systems.ours import make_ensemble

    split = get_benchmark("complexity").load("train", data_folder(None))
    gold, pred = split.require_gold(), {}
    for rest, out in split.folds(5):
        pred |= make_ensemble().fit(rest).predict(out.items)
        print(f"{len(pred)} of {len(split)}", file=sys.stderr)
    ids = [id for id, item in split.items.items() if item.kind == "words"]
    score = np.array([pred[id] for id in ids])[:, None]
    share = np.array([share_at_mean(gold[id]) for id in ids])
    tokens = [split.items[id].token.lower() for id in ids]
    made = np.zeros(len(ids))
    for train, test in GroupKFold(FOLDS).split(score, share, tokens):
        made[test] = _line(score[train], share[train])(score[test])
    order = np.array_split(np.argsort(made), 10)
    tenths = [[float(made[part].mean()), float(share[part].mean())] for part in order]
    whole = _line(score, share)
    low, high = (math.log(p / (1 - p)) for p in whole(np.array([[0.0], [1.0]])))
    return {
        "words": len(ids),
        "intercept": low,
        "slope": high - low,
        "tenths": tenths,
        "error": float(np.mean([abs(a - b) for a, b in tenths])),
    }


def _line(score: Any, share: Any) -> Callable[[Any], Any]:
    """A logistic line to a share: each word counts as rated difficult by so many, and as not by the rest."""
    model = LogisticRegression(C=1e6)
    yes, no = np.ones(len(share)), np.zeros(len(share))
    model.fit(
        np.concatenate([score, score]),
        np.concatenate([yes, no]),
        sample_weight=np.concatenate([share, 1 - share]),
    )
    return lambda values: model.predict_proba(values)[:, 1]


PARTS = {"senses": senses, "calibration": calibration}


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    sense, line = results["senses"], results["calibration"]
    rows = [
        [least, f"{100 * value['kept']:.0f} %", f"{100 * value['right']:.0f} %"]
        for least, value in sense["by_confidence"].items()
    ]
    said = (
        f"Of {sense['several_senses']} sentences with a word of several senses, the sense is right in "
        f"{100 * sense['right']:.0f} % (the first sense of WordNet: {100 * sense['first_sense']:.0f} %; the set has rare senses on "
        f"purpose). Of all {sense['sentences']}, some with a sense that WordNet does not have:\n\n"
    )
    tenths = [[f"{made:.3f}", f"{share:.3f}"] for made, share in line["tenths"]]
    return {
        (task_page("complexity"), "complexity:senses"): said
        + markdown(("confidence from", "shown", "right of those"), rows),
        (research_page("complexity"), "complexity:calibration"): (
            f"share = 1 / (1 + exp(−({line['intercept']:.2f} + {line['slope']:.2f} · score))); mean error over tenths "
            f"{line['error']:.3f}, {line['words']:,} words cross-validated by token:\n\n"
        )
        + markdown(("predicted share", "share by the ratings' means"), tenths),
    }


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    return parser


def main() -> None:
    arguments = parser().parse_args()
    results = load(RESULT)
    for part in arguments.parts or PARTS:
        results[part] = PARTS[part]()
        keep(RESULT, results, part)
        print(f"{part} done", file=sys.stderr)
    if all(part in results for part in PARTS):
        fill(tables(results))


if __name__ == "__main__":
    main()
