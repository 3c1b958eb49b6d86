"""Finding and mining clarifications: invented sentences and revisions, the gaps of CLAIRE, and speed.

    python benchmarks/clarify.py [find] [mine] [claire] [speed]

``find`` and ``mine`` need only the package, ``claire`` and ``speed`` the data of the task. Each part replaces its own
figures in results/clarify.json; then the tables are written. The sentences are those of the tests
(tests/tasks/clarification/gaps/gaps.jsonl, revisions.jsonl): written before the rules were tuned, every second one held
out until the end, but by the author of the rules.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Document
from marginalia.core.data_folder import data_folder
from marginalia.core.table import read_table
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.clarification.gaps.finder import find as find_places
from marginalia.tasks.clarification.gaps.lexicon import singular
from marginalia.tasks.clarification.gaps.places import read_guide
from marginalia.tasks.clarification.gaps.revisions import Revision
from marginalia.tasks.clarification.gaps.revisions import mine as mine_revisions
from marginalia.tasks.clarification.official.data import COLUMNS, FOLDER, GAP, PHENOMENA
from marginalia.tasks.clarification.official.ratings import read_gold

RESULT = RESULTS / "clarify.json"
TESTS = ROOT / "tests" / "tasks" / "clarification" / "gaps"
HALVES = ("tuned", "held-out")
SAMPLE = 150
"""Sentences of CLAIRE's train split for each phenomenon."""


def lines(name: str) -> Iterator[dict[str, Any]]:
    text = (TESTS / name).read_text(encoding="utf-8")
    return (json.loads(line) for line in text.splitlines())


def find() -> dict[str, Any]:
    """Sentences with and without a gap, each after a sentence of context."""
    return {
        part: scores_of([row for row in lines("gaps.jsonl") if row["part"] == part])
        for part in HALVES
    }


def scores_of(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A sentence counts as found if any of its places is; as right if the word and the phenomenon are."""
    count: Counter[str] = Counter()
    right: dict[str, list[int]] = {name: [0, 0] for name in PHENOMENA.values()}
    for row in rows:
        at = len(row["before"]) + 1
        doc = Document(id="x", text=f"{row['before']} {row['sentence']}", meta={"lang": "en"})
        found = [place for place in find_places(doc, per_100_words=None) if place.start >= at]
        if row["pattern"] is None:
            count["false" if found else "quiet"] += 1
            continue
        count["found" if found else "missed"] += 1
        hit = any(p.pattern == row["pattern"] and row["on"] in p.quote for p in found)
        here = right[PHENOMENA[row["pattern"]]]
        here[0] += hit
        here[1] += 1
    with_gap = count["found"] + count["missed"]
    return {
        "with": with_gap,
        "without": count["false"] + count["quiet"],
        "precision": count["found"] / max(1, count["found"] + count["false"]),
        "recall": count["found"] / with_gap,
        "right": sum(hits for hits, _ in right.values()) / with_gap,
        "phenomena": right,
    }


def mine() -> dict[str, Any]:
    """Revision pairs: ten of each pattern, and edits that fit none."""
    rows = list(lines("revisions.jsonl"))
    found: dict[str, Counter[str]] = {name: Counter() for name in PHENOMENA}
    for row in rows:
        mined = list(mine_revisions([Revision(row["old"], row["new"])]))
        for one in mined:
            right = (one.pattern, one.filler) == (row["pattern"], row["filler"])
            found[one.pattern]["right" if right else "wrong"] += 1
        if row["pattern"]:
            found[row["pattern"]]["pairs"] += 1
    others = sum(row["pattern"] is None for row in rows)
    return {"others": others, "patterns": {name: dict(count) for name, count in found.items()}}


def claire() -> dict[str, Any]:
    """Places of the train split before they were clarified: how many ``find`` shows, how many ``mine`` sorts alike.

    What stood there before is not in the data; it is the sentence without its gap, and without the words that
    go with it (``of``, ``'s``, a preposition).
    """
    folder = data_folder() / FOLDER
    rows = [row for _, row in read_table(folder / "train_data.tsv", COLUMNS)]
    ids = (f"{row['Id']}_{number}" for row in rows for number in range(1, 6))
    gold = read_gold(folder / "train_labels.tsv", folder / "train_scores.tsv", ids)
    found: dict[str, Any] = {}
    words = notes = 0
    for pattern, phenomenon in PHENOMENA.items():
        own = [row for row in rows if row["Resolved pattern"] == pattern]
        count: Counter[str] = Counter()
        for row in random.Random(13).sample(own, SAMPLE):
            left, right = before_revision(row)
            context = row["Previous context"].replace("(...)", " ").strip()
            start = len(context) + 2 if context else 0
            old, gap = left + right, start + len(left)
            text = f"{context}\n\n{old}\n\n{row['Follow-up context']}".strip()
            doc = Document(id="x", text=text, meta={"lang": "en", "title": row["Article title"]})
            places = find_places(doc, per_100_words=None)
            words += read_guide(doc).size
            notes += len(places)
            inside = [p for p in places if start <= p.start < start + len(old)]
            count["sentence"] += bool(inside)
            count["place"] += any(near(p.start, p.end, gap) for p in inside)
            count["alike"] += any(
                near(p.start, p.end, gap) and p.pattern == pattern for p in inside
            )
            count["mined"] += pattern in mined_from(row, context, old, gold)
        found[phenomenon] = {
            name: count[name] / SAMPLE for name in ("sentence", "place", "alike", "mined")
        }
        print(phenomenon, found[phenomenon], file=sys.stderr)
    return {
        "phenomena": found,
        "sentences": SAMPLE,
        "words": words,
        "notes_per_100_words": 100 * notes / words,
    }


def near(start: int, end: int, gap: int) -> bool:
    """Whether the gap is at the words of a place, or a determiner and an adjective before them."""
    return start - 16 <= gap <= end + 2


def mined_from(row: dict[str, str], context: str, old: str, gold: Any) -> set[str]:
    """The patterns of the revision that put in a filler: one the context has, else the best rated.

    The data do not say which of the five people had put in; in the paper it had been mentioned before.
    """
    said = {singular(word) for word in lower_words(f"{row['Article title']} {context}")}

    def likely(number: int) -> tuple[bool, float]:
        last = lower_words(row[f"Filler{number}"])[-1:]
        return bool(last) and singular(last[0]) in said, gold[f"{row['Id']}_{number}"].score

    best = max(range(1, 6), key=likely)
    new = row["Sentence"].replace(GAP, row[f"Filler{best}"], 1).strip()
    versions = (f"{context}\n\n{' '.join(text.split())}" for text in (old, new))
    return {one.pattern for one in mine_revisions([Revision(*versions, row["Article title"])])}


_GENITIVE = re.compile(r"\s*['’]s?\s*$")
_OF = re.compile(r"^\s*of\s+")
_OPENS = re.compile(r"(?:the|your|an?|each|this|these|their|its|his|her|my|all)\b", re.I)
_ARTICLE = re.compile(r"\b(?:the|an?|one|each|some|any)\s*$", re.I)
_INDEFINITE = re.compile(r"\b(?:an?|one)\s*$", re.I)
_PREPOSITION = re.compile(
    r"\s*\b(?:of|in|on|to|with|for|from|at|into|through|during|over|throughout|about|around|underneath|against|onto|"
    r"by|under|inside|within|below|near)\s*$",
    re.I,
)


def before_revision(row: dict[str, str]) -> tuple[str, str]:
    """What stood before and after the place of the gap, as far as one can tell."""
    left, _, right = row["Sentence"].strip().partition(GAP)
    pattern = row["Resolved pattern"]
    if pattern == "METONYMIC REFERENCE":
        if _GENITIVE.search(left):
            return _GENITIVE.sub("", left), right
        right = _OF.sub("", right)
        if _OPENS.match(right) or _INDEFINITE.search(left):
            left = _ARTICLE.sub("", left)
        return left, right
    if pattern == "ADDED COMPOUND":
        return left, right.lstrip()
    if pattern == "IMPLICIT REFERENCE":
        left = _PREPOSITION.sub("", left)
    return left.rstrip(), right


SPEED = """
import json, resource, sys, time
from marginalia import Document
from marginalia.tasks.clarification.gaps.finder import find
from marginalia.tasks.clarification.gaps.places import read_guide
from marginalia.tasks.clarification.gaps.filler import fill
find(Document(id="x", text="Hold for ten seconds.", meta={"lang": "en"}))
cold = time.process_time()
doc = Document(id="y", text=sys.stdin.read(), meta={"lang": "en"})
cpu = time.process_time()
places = find(doc)
found = time.process_time() - cpu
guide = read_guide(doc)
fill(places[0], guide)
cpu = time.process_time()
for place in places[1:41]:
    fill(place, guide)
print(json.dumps({"words": guide.size, "places": len(places), "find_cpu_s": found,
    "cold_start_cpu_s": cold, "fill_cpu_ms": 1000 * (time.process_time() - cpu) / 40,
    "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def speed() -> dict[str, Any]:
    """A guide of 10,000 words, on one thread. CPU seconds, since other programs may run beside it."""
    rows = read_table(data_folder() / FOLDER / "train_data.tsv", COLUMNS)
    text: list[str] = []
    size = 0
    for _, row in rows:
        text.append(
            " ".join((row["Previous context"], *before_revision(row), row["Follow-up context"]))
        )
        size += len(text[-1].split())
        if size >= 10_000:
            break
    result = subprocess.run(
        [sys.executable, "-c", SPEED],
        input="\n\n".join(text),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MARGINALIA_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    return dict(json.loads(result.stdout))


PARTS = {"find": find, "mine": mine, "claire": claire, "speed": speed}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    return parser


def main() -> None:
    results = load(RESULT)
    for part in parser().parse_args().parts or PARTS:
        results[part] = PARTS[part]()
        keep(RESULT, results, part)
    if all(part in results for part in PARTS):
        fill(tables(results))


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    page = ROOT / "src" / "marginalia" / "tasks" / "clarification" / "README.md"
    found = [
        [
            f"{part}: {value['with']} with, {value['without']} without a gap",
            f"{value['precision']:.2f}",
            f"{value['recall']:.2f}",
            f"{value['right']:.2f}",
            *(f"{hits} of {all}" for hits, all in value["phenomena"].values()),
        ]
        for part, value in results["find"].items()
    ]
    mined = [
        [
            PHENOMENA[name],
            str(count["pairs"]),
            f"{count.get('right', 0) / max(1, count.get('right', 0) + count.get('wrong', 0)):.2f}",
            f"{count.get('right', 0) / count['pairs']:.2f}",
        ]
        for name, count in results["mine"]["patterns"].items()
    ]
    known = [
        [name, *(f"{value[key]:.2f}" for key in ("sentence", "place", "alike", "mined"))]
        for name, value in results["claire"]["phenomena"].items()
    ]
    fast = results["speed"]
    timed = [
        [
            f"{fast['words']:,}",
            str(fast["places"]),
            f"{fast['find_cpu_s']:.1f}",
            f"{fast['fill_cpu_ms']:.0f}",
            f"{fast['cold_start_cpu_s']:.1f}",
            f"{fast['peak_memory_mb']:.0f}",
        ]
    ]
    return {
        (page, "clarify:find"): markdown(
            ("sentences", "precision", "recall", "right word and phenomenon", *PHENOMENA.values()),
            found,
        ),
        (page, "clarify:mine"): markdown(("pattern", "pairs", "precision", "recall"), mined),
        (page, "clarify:claire"): markdown(
            (
                "phenomenon",
                "a note in the sentence",
                "at the gap",
                "of that phenomenon",
                "`mine` agrees",
            ),
            known,
        ),
        (page, "clarify:speed"): markdown(
            (
                "words",
                "places",
                "find, CPU s",
                "fill a place, CPU ms",
                "cold start, CPU s",
                "peak MB",
            ),
            timed,
        ),
    }


if __name__ == "__main__":
    main()
