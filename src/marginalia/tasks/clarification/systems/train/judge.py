"""How the judge of unclear phrases was made, and how to make it again.

    python -m marginalia.tasks.clarification.systems.train.judge [--negatives FOLDER] [--data DIR] [--out FOLDER]

A place of the rules is unclear if a later version of its guide filled it (the gaps of CLAIRE's split ``train``, put back
as they were). Not unclear: the other places of the same passages, which were not revised, and all places of the documents
in FOLDER. A logistic regression on ``gaps/traits.py``; the probabilities are calibrated on articles that it has not seen.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.data_folder import data_folder
from marginalia.core.document import Document
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.weights import write_weights
from marginalia.tasks.clarification.gaps.finder import instructive, places
from marginalia.tasks.clarification.gaps.places import Place, read_guide
from marginalia.tasks.clarification.official.data import GAP, Item, load
from marginalia.tasks.clarification.systems.judge import JUDGE_FILE, MIN_RULE_SCORE, traits

log = logging.getLogger(__name__)

FOLDS, STRENGTH = 5, 0.001
CONTEXT_BEFORE, CONTEXT_AFTER = 2, 1
"""Sentences around the revised one that are read for places that were not revised."""
NEAR_CHARACTERS, DOUBTFUL_CHARACTERS = 3, 12
"""So near to the gap a place is the revised one; nearer than the second, it may be and is left out."""
MAX_PLACES, MAX_CHARACTERS = 200, 150_000
"""Places of one document, and characters of one that is read."""

_ELLIPSIS = re.compile(r"\(\.\.\.\)")
_NEXT = re.compile(r"(?<=[.!?])\s+")
_ARTICLE, _GENITIVE = re.compile(r"\b(?:the|an?)\Z", re.I), re.compile(r"['’]s\Z")
_OF, _MARK = re.compile(r"\s+of\b"), re.compile(r"\s|[.,;:!?)]")

Floats = NDArray[np.float32]


def before_revision(item: Item) -> tuple[str, int, int, int]:
    """The passage as it was: the text, where the sentence begins and ends, and where the gap was."""
    before, _, after = item.sentence.strip().partition(GAP)
    before = before.rstrip()
    if item.pattern == "METONYMIC REFERENCE":
        part = _OF.match(after)
        before = (_ARTICLE if part else _GENITIVE).sub("", before).rstrip()
        after = after[part.end() :] if part else after
    blank = " " if before and after and not _MARK.match(after) else ""
    old = f"{before}{blank}{after}" if before else after.lstrip()
    previous = " ".join(_sentences(item.previous)[-CONTEXT_BEFORE:])
    opening = f"{previous}\n\n" if previous else ""
    text = f"{opening}{old}\n\n{' '.join(_sentences(item.followup)[:CONTEXT_AFTER])}"
    return text, len(opening), len(opening) + len(old), len(opening) + len(before)


def _sentences(text: str) -> list[str]:
    return [part for part in _NEXT.split(_ELLIPSIS.sub(" ", text).strip()) if part.strip()]


def is_revised(place: Place, item: Item, start: int, end: int, at: int) -> bool | None:
    """Whether the place is the one that was filled; None where one cannot tell."""
    near = min(abs(place.end - at), abs(place.start - at))
    if not start - 1 <= place.start < end:
        return False
    if place.pattern == item.pattern and near <= NEAR_CHARACTERS:
        return True
    return None if near <= DOUBTFUL_CHARACTERS else False


def revised(items: Sequence[Item]) -> Iterator[tuple[str, Floats, list[bool]]]:
    """The article, traits and label of each place in and around the revised sentences."""
    for count, item in enumerate(items):
        if count % 100 == 0:
            log.info("read %d of %d passages", count, len(items))
        text, start, end, at = before_revision(item)
        guide = read_guide(Document(id="", text=text, meta={"lang": "en", "title": item.title}))
        labelled = [
            (place, label)
            for place in places(guide)
            if place.score >= MIN_RULE_SCORE
            and (label := is_revised(place, item, start, end, at)) is not None
        ]
        if labelled:
            yield (
                item.title,
                traits([place for place, _ in labelled], guide),
                [y for _, y in labelled],
            )


def unrevised(folder: Path) -> Iterator[tuple[str, Floats]]:
    """The name and the traits of places of each English document that gives orders."""
    import marginalia

    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            doc = marginalia.read(path, notes=[])
        except (marginalia.MarginaliaError, OSError, ValueError):
            continue
        if doc.meta.get("lang", "en") != "en" or len(doc.text) > MAX_CHARACTERS:
            continue
        guide = read_guide(doc)
        wanted = instructive(guide)
        found = [
            place
            for place in (places(guide) if wanted else ())
            if place.number in wanted and place.score >= MIN_RULE_SCORE
        ]
        log.info("%s: %d places", path.name, len(found))
        if found:
            yield str(path), traits(found[:MAX_PLACES], guide)


def fit(rows: Floats, labels: NDArray[np.bool_], groups: Sequence[str]) -> dict[str, Any]:
    """Weights, and the step from their score to a probability, fitted on articles left out."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    mean, spread = rows.mean(0), rows.std(0) + 1e-6
    scaled = (rows - mean) / spread
    made = LogisticRegression(C=STRENGTH, max_iter=1000)
    left_out = np.zeros(len(rows))
    for train, test in GroupKFold(FOLDS).split(scaled, labels, groups):
        left_out[test] = made.fit(scaled[train], labels[train]).decision_function(scaled[test])
    step = LogisticRegression(C=1e6).fit(left_out[:, None], labels)
    made.fit(scaled, labels)
    weights = made.coef_[0] / spread
    return {
        "weights": [round(float(value), 6) for value in weights],
        "bias": round(float(made.intercept_[0] - weights @ mean), 6),
        "slope": round(float(step.coef_[0, 0]), 6),
        "shift": round(float(step.intercept_[0]), 6),
        "places": len(rows),
        "revised": int(labels.sum()),
        "auc": round(_auc(left_out, labels), 4),
    }


def _auc(scores: NDArray[Any], labels: NDArray[np.bool_]) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(labels, scores))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--negatives", type=Path, help="documents that need no revision")
    parser.add_argument(
        "--passages", type=int, default=2_400, help="passages of train that are read"
    )
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--out", type=Path, default=Path("judge"))
    args = parser.parse_args()
    show_progress()
    split = load("train", args.data or data_folder())
    first = {split.group[id]: item for id, item in list(split.items.items())[::-1]}
    # Spread over the file, which is in the order of its patterns.
    items = list(first.values())
    items = items[:: max(1, len(items) // args.passages)]
    rows, labels, groups = [], [], []
    for title, sentences, given in revised(items):
        rows.append(sentences)
        labels += given
        groups += [title] * len(given)
    if args.negatives:
        for name, sentences in unrevised(args.negatives):
            rows.append(sentences)
            labels += [False] * len(sentences)
            groups += [name] * len(sentences)
    judge = fit(np.concatenate(rows), np.array(labels), groups)
    write_weights(args.out, {JUDGE_FILE: (json.dumps(judge) + "\n").encode()})
    log.info("%(revised)d of %(places)d places, AUC %(auc).3f", judge)


if __name__ == "__main__":
    main()
