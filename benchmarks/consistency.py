"""Contradictions on pairs of our own, and which conditions a repetition needs, on pairs of real documents that were judged.

    python benchmarks/consistency.py pairs
    python benchmarks/consistency.py repetitions --real FOLDER

annotation/repetitions.jsonl has, for each of 150 pairs of sentences that the score calls alike, the document in FOLDER, where the two stand, the
score, and whether a writer would want to know. Each row of the table leaves one condition out. Writes results/consistency.json and the
tables of the research notes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown, research_page
from recording import fill, keep, load

from marginalia.annotators.consistency import repetition
from marginalia.annotators.consistency.contradictions import contradiction
from marginalia.reader.read import read_data
from marginalia.tasks.similarity.search.passages import Passage, passages

RESULT = RESULTS / "consistency.json"
PARTS = ("pairs", "repetitions")
PAIRS = ROOT / "tests" / "annotators" / "consistency" / "pairs.jsonl"
JUDGED = ROOT / "annotation" / "repetitions.jsonl"
Pair = tuple[Passage, Passage, float]
CONDITIONS: dict[str, Callable[[Pair], bool]] = {
    "whole sentences of ten words, no notices, pointers or talk": lambda pair: all(
        repetition.is_worth_repeating(one.text) for one in pair[:2]
    ),
    "not in summaries": lambda pair: (
        not any(repetition.is_summary(one.section) for one in pair[:2])
    ),
    "no word in the place of another, no negation on one side alone": lambda pair: (
        repetition.says_the_same(pair[0].text, pair[1].text, pair[2])
    ),
}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def measure_pairs() -> dict[str, Any]:
    found: dict[str, dict[str, int]] = {}
    for row in lines(PAIRS):
        counts = found.setdefault(row["kind"], {"pairs": 0, "contradict": 0, "reported": 0})
        counts["pairs"] += 1
        counts["contradict"] += row["contradicts"]
        counts["reported"] += contradiction(row["left"], row["right"]) is not None
    return found


def measure_repetitions(real: Path) -> dict[str, Any]:
    rows = lines(JUDGED)
    places = {
        name: {one.start: one for one in passages(read_data((real / name).read_bytes(), real / name))}
        for name in sorted({row["document"] for row in rows})
    }  # fmt: skip
    judged = [
        ((*(places[row["document"]][start] for start in row["starts"]), row["score"]), row["right"])
        for row in rows
    ]
    return {
        "pairs": len(rows),
        "documents": len(places),
        "rows": {
            "all conditions": shown(judged, CONDITIONS),
            **{
                f"without: {left_out}": shown(
                    judged, {n: one for n, one in CONDITIONS.items() if n != left_out}
                )
                for left_out in CONDITIONS
            },
            "the score alone": shown(judged, {}),
        },
    }


def shown(judged: list[Any], conditions: Mapping[str, Callable[[Pair], bool]]) -> dict[str, int]:
    kept = [
        right
        for pair, right in judged
        if pair[2] >= repetition.MIN_SCORE and all(holds(pair) for holds in conditions.values())
    ]
    return {"shown": len(kept), "right": sum(kept)}


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    kinds = [
        [name, str(one["pairs"]), str(one["contradict"]), str(one["reported"])]
        for name, one in results["pairs"].items()
    ]
    found = results["repetitions"]
    rows = [
        [name, str(one["shown"]), str(one["right"]), f"{one['right'] / max(1, one['shown']):.2f}"]
        for name, one in found["rows"].items()
    ]
    head = (
        "pairs that differ in",
        "pairs",
        "contradict, and nothing else would explain it",
        "reported",
    )
    text = (
        markdown(head, kinds)
        + f"\nRepetitions: {found['pairs']} pairs of {found['documents']} real documents that the score calls alike (3.2 or more), judged by the developer; the conditions were chosen on them.\n\n"
        + markdown(("conditions", "shown", "right", "share"), rows)
        + "\n"
        + "\n".join(f"- {said}" for said in results["tried"])
        + "\n"
    )
    return {(research_page("similarity"), "consistency:conditions"): text}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--real", type=Path, metavar="FOLDER", help="the documents")
    return parser


def main() -> None:
    args = parser().parse_args()
    results = {"tried": [], **load(RESULT)}
    if "pairs" in args.parts:
        results["pairs"] = measure_pairs()
        keep(RESULT, results, "pairs")
    if "repetitions" in args.parts:
        results["repetitions"] = measure_repetitions(args.real)
        keep(RESULT, results, "repetitions", "--real FOLDER")
    fill(tables(results))


if __name__ == "__main__":
    main()
