"""Which words will stop the reader: against marks of people, and against what readers asked for.

    python benchmarks/words.py marks --cwi FOLDER --own FOLDER
    python benchmarks/words.py wanted --wanted FOLDER

``marks`` leaves articles of CWI 2018 (train and dev) out in turn and needs marginalia[train]; ``own`` is the folder of our own marks
(lexicon/marks). ``wanted`` reads documents for a learner and a reader and compares the notes with what independent readings asked
for (FOLDER/docs, FOLDER/wanted_*.jsonl).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

import marginalia
from marginalia.annotators.words.annotate import AGAIN, MIN_STOPS
from marginalia.annotators.words.train.fit import Table, fit, make_table, out_of_fold
from marginalia.annotators.words.train.marks import CWI, cwi_texts, own_texts
from marginalia.lexicon.dictionary import dictionary
from marginalia.reader.profiles import PROFILES

RESULT = RESULTS / "words.json"
PAGE = ROOT / "docs" / "explanation" / "quality.md"
FOLDS = 6
MANY, SOME = 0.5, 0.15
"""Shares of all 20 readers: a word that ten marked should have a note, a note should be on a word that three marked."""
KINDS = ("word", "term")


def marks(cwi: Path, own: Path) -> dict[str, Any]:
    words = dictionary("en")
    assert words is not None
    ours, theirs = list(own_texts(own, words)), list(cwi_texts(cwi, words))
    both = make_table(words, [*theirs, *ours])
    everything = np.arange(len(both.features))
    people = np.isin(both.group, [text.group for text in theirs])
    alone = fit(both, everything[~people])
    only_ours = np.zeros((len(everything), 2), dtype=np.float32)
    only_ours[people] = alone.predict(both, theirs, everything[people])
    surface = _surface(both, people)
    found = {
        "with CWI 2018": out_of_fold(both, FOLDS),
        "without": only_ours,
        "frequency, length and shape alone": surface,
    }
    genre = np.repeat([t.source for t in both.texts], [len(t.marks) for t in both.texts])
    return {
        name: {
            "pearson": {one: _pearson(both, pred, genre == one) for one in CWI},
            **_margin(both, pred, people),
        }
        for name, pred in found.items()
    }


def _surface(table: Table, people: Any) -> Any:
    """The words alone, without dictionary and encoder: what a tree of an afternoon does."""
    from lightgbm import LGBMRegressor
    from sklearn.model_selection import GroupKFold

    columns = [0, 2, 3, *range(17, 49)]
    rows = np.flatnonzero(people & table.is_marked)
    pred = np.zeros_like(table.marks)
    for learn, leave in GroupKFold(FOLDS).split(rows, None, table.group[rows]):
        for reader in (0, 1):
            trees = LGBMRegressor(n_estimators=300, learning_rate=0.04, verbose=-1, n_jobs=2)
            trees.fit(table.features[rows[learn]][:, columns], table.marks[rows[learn], reader])
            pred[rows[leave], reader] = trees.predict(table.features[rows[leave]][:, columns])
    return pred


def _pearson(table: Table, pred: Any, rows: Any) -> float:
    rows = rows & table.is_marked
    return round(
        float(np.corrcoef(pred[rows].mean(axis=1), table.marks[rows].mean(axis=1))[0, 1]), 4
    )


def _margin(table: Table, pred: Any, people: Any) -> dict[str, Any]:
    """What a learner's margin would show of these texts: the first use of what the dictionary has, as much as has room."""
    wanted = given = shown = good = size = 0
    row = 0
    for text in table.texts:
        rows = range(row, row + len(text.marks))
        row += len(text.marks)
        if not people[rows[0]]:
            continue
        length = sum(len(sentence.text.split()) for sentence in text.sentences)
        size += length
        each = [one for sentence in text.sentences for one in sentence.candidates]
        seen: set[str] = set()
        able = []
        for number, one in zip(rows, each, strict=True):
            if (
                one.entry is None
                or pred[number, 1] < MIN_STOPS["learner"]
                or one.entry.word in seen
            ):
                continue
            named = one.form[:1].isupper() and not one.opens and one.entry.word[:1].islower()
            if not named and np.isfinite(table.marks[number, 0]):
                seen.add(one.entry.word)
                able.append(number)
        room = max(8, round(length * (PROFILES["learner"].per_1000_words or 0) / 1000))
        able = sorted(able, key=lambda number: -pred[number, 1])[:room]
        share = table.marks.mean(axis=1)
        hard = [
            n for n, one in zip(rows, each, strict=True) if share[n] >= MANY and " " not in one.form
        ]
        noted = {each[n - rows[0]].form.lower() for n in able}
        wanted += len(hard)
        given += sum(each[n - rows[0]].form.lower() in noted for n in hard)
        shown += len(able)
        good += sum(bool(share[n] >= SOME - 1e-6) for n in able)
    return {
        "marked by 10 of 20": {"given": given, "of": wanted},
        "notes on words that 3 of 20 marked": {"right": good, "of": shown},
        "per_1000": round(1000 * shown / size, 1),
    }


def wanted(folder: Path) -> dict[str, Any]:
    readings = [_lines(path) for path in sorted(folder.glob("wanted_*.jsonl"))]
    return {who: _asked(folder, readings, who) for who in ("learner", "reader")}


def _asked(folder: Path, readings: list[list[dict[str, Any]]], who: str) -> dict[str, Any]:
    asked: Counter[str] = Counter()
    given: Counter[str] = Counter()
    shown = kept = size = 0
    for path in sorted((folder / "docs").iterdir()):
        doc = marginalia.read(path, audience=who, cache=False)
        size += len(doc.text.split())
        notes = [n.quote for n in doc.notes() if n.task in ("words", "terms") and n.label != AGAIN]
        wishes = [
            wish
            for reading in readings
            for wish in reading
            if wish["doc"] == path.name and wish["kind"] in KINDS
            and (who == "learner" or wish["level"] == "general")
        ]  # fmt: skip
        for wish in wishes:
            if wish["importance"] >= 2:
                asked[wish["kind"]] += 1
                given[wish["kind"]] += any(_near(wish["quote"], quote) for quote in notes)
        shown += len(notes)
        kept += sum(any(_near(wish["quote"], quote) for wish in wishes) for quote in notes)
    return {
        **{kind: {"given": given[kind], "of": asked[kind]} for kind in KINDS},
        "asked for": {"notes": kept, "of": shown},
        "per_1000": round(1000 * shown / size, 1),
    }


def _near(wish: str, quote: str) -> bool:
    one, other = " ".join(wish.split()).lower(), quote.lower()
    shared = set(one.split()) & set(other.split())
    least = min(len(one.split()), len(other.split()))
    return other in one or one in other or (len(shared) * 2 >= least > 0 and bool(shared))


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    found = {}
    if "marks" in results:
        rows = []
        for name, row in results["marks"].items():
            many, some = row["marked by 10 of 20"], row["notes on words that 3 of 20 marked"]
            rows.append(
                [
                    name,
                    " / ".join(f"{row['pearson'][genre]:.3f}" for genre in CWI),
                    f"{many['given'] / many['of']:.2f} of {many['of']}",
                    f"{some['right'] / max(1, some['of']):.2f} of {some['of']}",
                    f"{row['per_1000']:g}",
                ]
            )
        columns = (
            "model",
            f"Pearson, {' / '.join(CWI)}",
            "marked by 10 of 20, given",
            "notes that 3 of 20 marked",
            "per 1,000 words",
        )
        found[ROOT / "docs" / "research" / "complexity.md", "words:marks"] = markdown(columns, rows)
    if "wanted" in results:
        rows = []
        for who, row in results["wanted"].items():
            cells = [f"{row[k]['given'] / row[k]['of']:.2f} of {row[k]['of']}" for k in KINDS]
            asked = row["asked for"]
            rows.append(
                [
                    who,
                    *cells,
                    f"{asked['notes'] / asked['of']:.2f} of {asked['of']}",
                    f"{row['per_1000']:g}",
                ]
            )
        columns = (
            "profile",
            "words given",
            "terms given",
            "notes that were asked for",
            "per 1,000 words",
        )
        found[PAGE, "words:wanted"] = markdown(columns, rows)
    return found


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=__doc__)
    found.add_argument("part", choices=("marks", "wanted"))
    found.add_argument("--cwi", type=Path)
    found.add_argument("--own", type=Path, default=ROOT / "lexicon" / "marks")
    found.add_argument("--wanted", type=Path)
    return found


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    if given.part == "marks":
        results["marks"] = marks(given.cwi, given.own)
        keep(RESULT, results, "marks", "--cwi FOLDER")
    else:
        results["wanted"] = wanted(given.wanted)
        keep(RESULT, results, "wanted", "--wanted FOLDER")
    fill(tables(results))


if __name__ == "__main__":
    main()
