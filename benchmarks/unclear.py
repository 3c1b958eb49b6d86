"""Where an editor would ask: articles left out, two readings, and what readers asked for.

    python benchmarks/unclear.py agreement
    python benchmarks/unclear.py folds --weights FOLDER
    python benchmarks/unclear.py wanted --wanted FOLDER
    python benchmarks/unclear.py speed
    python benchmarks/unclear.py tables

``folds`` reads each passage of ``annotation/unclear`` with weights that have not seen its article, which
``python -m marginalia.annotators.unclear.train --annotation annotation/unclear --fold 0 1 --out FOLDER`` makes; a place is found if its
words and those of a gold place have half of the shorter one in common, not far from each other. It also fits the calibration.
``wanted`` compares the notes for a writer with what independent readings asked for (FOLDER/docs, FOLDER/wanted_*.jsonl).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

import marginalia
from marginalia.annotators.unclear import tagger
from marginalia.annotators.unclear.kinds import KINDS
from marginalia.annotators.unclear.places import MIN_PROBABILITY
from marginalia.annotators.unclear.tagger import Found, PlaceTagger
from marginalia.annotators.unclear.train.corpus import (
    Marked,
    Place,
    particular_question,
    read_marked,
)
from marginalia.nlp.weights import open_weights
from marginalia.reader.profiles import PROFILES

RESULT = RESULTS / "unclear.json"
PAGE = ROOT / "docs" / "explanation" / "quality.md"
ANNOTATION = ROOT / "annotation" / "unclear"
IMPORTANT = 2
FAR = 60
"""Characters between the beginnings of two places from which on they are not the same."""
DRAWS, SEED = 1000, 0
TIMED_PASSAGES = 60
LEVELS = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)


@dataclass(frozen=True, slots=True)
class Judged:
    """A passage with what was found in it by weights that have not seen its article."""

    passage: Marked
    found: Sequence[Found]

    def same(self, gold: Place, pred: Found) -> bool:
        return is_same(self.passage.text, gold, pred)


def is_same(text: str, one: Place | Found, other: Place | Found) -> bool:
    quotes = text[one.start : one.end], text[other.start : other.end]
    return abs(one.start - other.start) < FAR and near(*quotes)


def near(one: str, other: str) -> bool:
    """Whether one quotation holds the other, or half of the words of the shorter one are in both."""
    one, other = (" ".join(each.lower().split()) for each in (one, other))
    first, second = set(one.split()), set(other.split())
    size = min(len(one.split()), len(other.split()))
    return one in other or other in one or len(first & second) * 2 >= size > 0


def agreement() -> dict[str, Any]:
    """How far two readings of the same passages agree."""
    second = {one.id: one for one in read_marked(ANNOTATION, "second.jsonl")}
    first = {one.id: one for one in read_marked(ANNOTATION) if one.id in second}

    def kinds(ours: Mapping[str, Marked], theirs: Mapping[str, Marked], least: int) -> Any:
        """For each of our places its kind, and those that the other reading gives it."""
        for id, passage in ours.items():
            for place in passage.places:
                if place.importance >= least:
                    same = (one for one in theirs[id].places if is_same(passage.text, place, one))
                    yield place.kind, [one.kind for one in same]

    rows: dict[str, Any] = {"passages": len(second)}
    for least in (1, IMPORTANT):
        ours, theirs = list(kinds(first, second, least)), list(kinds(second, first, least))
        share, back = (float(np.mean([bool(same) for _, same in each])) for each in (ours, theirs))
        both = [(kind, same) for kind, same in ours if same]
        rows[f"importance from {least}"] = {
            "first": len(ours),
            "second": len(theirs),
            "first_found": round(share, 3),
            "second_found": round(back, 3),
            "f1": round(2 * share * back / (share + back), 3),
            "same_kind": round(float(np.mean([kind in same for kind, same in both])), 3),
        }
    return rows


def read_folds(folder: Path) -> list[Judged]:
    passages = read_marked(ANNOTATION)
    judged = []
    for own in sorted(path.parent for path in folder.glob("*/manifest.json")):
        left_out = open_weights(own)["left_out"]
        mine = [passage for passage in passages if passage.fold in left_out]
        found = PlaceTagger(own).find([passage.text for passage in mine])
        judged += [Judged(*pair) for pair in zip(mine, found, strict=True)]
    return judged


def calibrate(judged: Sequence[Judged]) -> dict[str, float]:
    """Slope and shift that make probabilities of scores."""
    from sklearn.linear_model import LogisticRegression

    rows, right = [], []
    for one in judged:
        for pred in one.found:
            rows.append([np.log(pred.score / (1 - pred.score))])
            right.append(any(one.same(gold, pred) for gold in one.passage.places))
    fitted = LogisticRegression(C=1e6).fit(np.array(rows), right)
    return {
        "slope": round(float(fitted.coef_[0, 0]), 3),
        "shift": round(float(fitted.intercept_[0]), 3),
    }


def count(judged: Iterable[Judged], level: float, kind: str | None = None) -> Counter[str]:
    """What was shown and asked for from this probability on."""
    counts: Counter[str] = Counter()
    for one in judged:
        shown = [pred for pred in one.found if pred.probability >= level]
        counts["words"] += len(one.passage.text.split())
        for pred in shown:
            if kind is None or pred.kind == kind:
                same = [gold for gold in one.passage.places if one.same(gold, pred)]
                counts["shown"] += 1
                counts["kept"] += bool(same)
                counts["same_kind"] += any(gold.kind == pred.kind for gold in same)
        for gold in one.passage.places:
            if gold.importance >= IMPORTANT and kind in (None, gold.kind):
                counts["asked"] += 1
                counts["given"] += any(one.same(gold, pred) for pred in shown)
    return counts


def shares(counts: Mapping[str, int]) -> dict[str, float]:
    return {
        "precision": round(counts["kept"] / max(1, counts["shown"]), 3),
        "recall": round(counts["given"] / max(1, counts["asked"]), 3),
        "per_1000": round(1000 * counts["shown"] / max(1, counts["words"]), 1),
    }


def intervals(judged: Sequence[Judged]) -> dict[str, list[float]]:
    """95 % intervals of the shares at the threshold, articles drawn anew."""
    by_article: dict[str, Counter[str]] = defaultdict(Counter)
    for one in judged:
        by_article[one.passage.article] += count([one], MIN_PROBABILITY)
    articles = list(by_article.values())
    rng = np.random.default_rng(SEED)
    drawn = []
    for _ in range(DRAWS):
        total: Counter[str] = Counter()
        for number in rng.integers(len(articles), size=len(articles)):
            total.update(articles[number])
        drawn.append(shares(total))
    names = ("precision", "recall")
    return {
        name: [
            round(float(np.quantile([row[name] for row in drawn], q)), 3) for q in (0.025, 0.975)
        ]
        for name in names
    }


def reliability(judged: Sequence[Judged]) -> list[dict[str, float]]:
    """How often places of about the same probability were asked about."""
    rows = [
        (pred.probability, any(one.same(gold, pred) for gold in one.passage.places))
        for one in judged
        for pred in one.found
    ]
    found = []
    for low in (0.1, 0.3, 0.5, 0.7):
        own = [right for probability, right in rows if low <= probability < low + 0.2]
        if own:
            found.append({"from": low, "places": len(own), "asked": round(float(np.mean(own)), 3)})
    return found


def right_questions(judged: Sequence[Judged]) -> dict[str, Any]:
    """Of shown places that an annotator asked a particular question about: is it the same, or that of the kind?"""
    said: Counter[str] = Counter()
    for one in judged:
        for pred in one.found:
            if pred.probability < MIN_PROBABILITY:
                continue
            for gold in one.passage.places:
                question = particular_question(gold.question)
                if question is not None and one.same(gold, pred):
                    name = (
                        "general"
                        if pred.question is None
                        else ("right" if pred.question == question else "other")
                    )
                    said[name] += 1
    return dict(said)


def asked_by_either(judged: Sequence[Judged]) -> dict[str, Any]:
    """Of what is shown in passages that were read twice: asked for by the first reading, and by one of them."""
    second = {one.id: one for one in read_marked(ANNOTATION, "second.jsonl")}
    counts: Counter[str] = Counter()
    for one in judged:
        if one.passage.id not in second:
            continue
        for pred in one.found:
            if pred.probability >= MIN_PROBABILITY:
                first = any(one.same(gold, pred) for gold in one.passage.places)
                again = any(one.same(gold, pred) for gold in second[one.passage.id].places)
                counts["shown"] += 1
                counts["first"] += first
                counts["either"] += first or again
    return dict(counts)


def folds(folder: Path) -> dict[str, Any]:
    judged = read_folds(folder)
    return {
        "passages": len(judged),
        "articles": len({one.passage.article for one in judged}),
        "calibration": {
            "fitted": calibrate(judged),
            "shipped": {"slope": tagger.SLOPE, "shift": tagger.SHIFT},
        },
        "levels": {str(level): shares(count(judged, level)) for level in LEVELS},
        "shown": {**shares(count(judged, MIN_PROBABILITY)), **{"from": MIN_PROBABILITY}},
        "intervals": intervals(judged),
        "kinds": {
            kind: {**dict(found), **shares(found)}
            for kind in KINDS
            for found in [count(judged, MIN_PROBABILITY, kind)]
        },
        "asked_by_either": asked_by_either(judged),
        "reliability": reliability(judged),
        "questions": right_questions(judged),
    }


def wanted(folder: Path) -> dict[str, Any]:
    readings = [
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
        for path in sorted(folder.glob("wanted_*.jsonl"))
    ]
    counts: Counter[str] = Counter()
    for path in sorted((folder / "docs").iterdir()):
        if "bmj" in path.name:  # enciphered by its makers
            continue
        doc = marginalia.read(path, cache=False, audience="writer")
        counts["words"] += len(doc.text.split())
        notes = list(doc.notes("unclear"))
        asked = [
            row
            for rows in readings
            for row in rows
            if row["doc"] == path.name and row["kind"] == "unclear"
        ]
        for row in asked:
            if row["importance"] >= IMPORTANT:
                counts["asked"] += 1
                counts["given"] += any(near(row["quote"], note.quote) for note in notes)
        for note in notes:
            counts["shown"] += 1
            counts["kept"] += any(near(row["quote"], note.quote) for row in asked)
    return {**counts, **shares(counts)}


def speed() -> dict[str, Any]:
    """CPU seconds of one thread for 1,000 words of an annotator for writers, the second document of a process."""
    passages = [passage.text for passage in read_marked(ANNOTATION)[:TIMED_PASSAGES]]
    half = len(passages) // 2
    first, second = (
        marginalia.Document(id="d", text="\n\n".join(part), meta={"lang": "en"})
        for part in (passages[:half], passages[half:])
    )
    words = len(second.text.split())
    found: dict[str, Any] = {"words": words}
    for name in PROFILES["writer"].annotators():
        marginalia.annotate(first, [name.name])
        begin = time.process_time()
        marginalia.annotate(second, [name.name])
        found[name.name] = round(1000 * (time.process_time() - begin) / words, 2)
    return found


def tables(results: Mapping[str, Any]) -> dict[tuple[Path, str], str]:
    rows = []
    if "folds" in results:
        shown, between = results["folds"]["shown"], results["folds"]["intervals"]
        cells = [
            f"{shown[name]:.2f} [{', '.join(f'{x:.2f}' for x in between[name])}]"
            for name in between
        ]
        what = f"articles left out, {results['folds']['passages']} passages"
        rows.append([what, cells[1], cells[0], f"{shown['per_1000']:g}"])
    if "wanted" in results:
        row = results["wanted"]
        given = f"{row['recall']:.2f} of {row['asked']}"
        kept = f"{row['precision']:.2f} of {row['shown']}"
        rows.append(["asked for by two careful readings", given, kept, f"{row['per_1000']:g}"])
    columns = ("on", "given of importance ≥ 2", "notes that were asked for", "per 1,000 words")
    found = {(PAGE, "unclear:places"): markdown(columns, rows)}
    if "folds" in results:
        kinds = [
            [
                KINDS[kind],
                str(row.get("asked", 0)),
                f"{row['recall']:.2f}",
                str(row.get("shown", 0)),
                f"{row['precision']:.2f}",
            ]
            for kind, row in results["folds"]["kinds"].items()
        ]
        names = ("kind", "asked for", "given", "shown", "asked for by the annotator")
        found[ROOT / "docs" / "research" / "clarification.md", "unclear:kinds"] = markdown(
            names, kinds
        )
    if "tried" in results:
        research = ROOT / "docs" / "research" / "clarification.md"
        found[research, "unclear:tried"] = markdown(
            *(results["tried"][n] for n in ("columns", "rows"))
        )
    return found


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("part", choices=("agreement", "folds", "wanted", "speed", "tables"))
    made.add_argument("--weights", type=Path)
    made.add_argument("--wanted", type=Path)
    return made


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    options = ""
    if given.part == "agreement":
        results["agreement"] = agreement()
    elif given.part == "folds":
        results["folds"], options = folds(given.weights), "--weights FOLDER"
    elif given.part == "wanted":
        results["wanted"], options = wanted(given.wanted), "--wanted FOLDER"
    elif given.part == "speed":
        results["speed"] = speed()
    if given.part != "tables":
        keep(RESULT, results, given.part, options)
        print(json.dumps(results[given.part], indent=1, ensure_ascii=False))
    fill(tables(results))


if __name__ == "__main__":
    main()
