"""What a keystroke costs in the editor: reading what changed, against reading the whole file.

    python benchmarks/editor.py

The file has some 10,000 words of our own pages. It is read once, as when it is opened; then one word is changed in one paragraph
after another. CPU time in one process, after a warm-up: another file was read, and another word changed in the same places. Writes results/editor.json and the table on the page of editors.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

RESULT = RESULTS / "editor.json"
WORDS = 10_000
CHANGES = 20


def measure() -> dict[str, Any]:
    os.environ |= {"OMP_NUM_THREADS": "1", "MARGINALIA_THREADS": "1"}
    from marginalia.reader.lint.live import LiveText
    from marginalia.reader.lint.wanted import choose_wanted

    path = Path("pages.md")
    wanted = choose_wanted(ROOT / "docs")
    live = LiveText(path, wanted)
    live.read((ROOT / "examples" / "report.md").read_text(encoding="utf-8"))  # loads the models
    source = long_text()
    began = process_time()
    seen = live.read(source)
    whole = process_time() - began
    changes = []
    for word in ("this", "that"):  # the first to warm up
        changes = [change(live, source, number, word) for number in range(CHANGES)]
    return {
        "words": len(seen.doc.text.split()),
        "findings": len(seen.matters),
        "whole_seconds": round(whole, 4),
        "change_seconds": round(median(changes), 4),
        "slowest_change_seconds": round(max(changes), 4),
        "ratio": round(median(changes) / whole, 5),
        "slowest_ratio": round(max(changes) / whole, 5),
    }


def change(live: Any, source: str, number: int, word: str) -> float:
    """CPU seconds for a word that is changed in one of several places, far from each other."""
    place = source.index(" the ", len(source) * (2 * number + 1) // (2 * CHANGES))
    began = process_time()
    live.change(f"{source[:place]} {word} {source[place + 5 :]}")
    seconds = process_time() - began
    live.change(source)
    return seconds


def long_text() -> str:
    """Pages of ours, one after another, as many as have so many words outside of mark-up."""
    from marginalia.reader.read import read_data

    pages, words = [], 0
    for path in sorted((ROOT / "docs").rglob("*.md")):
        pages.append(path.read_text(encoding="utf-8"))
        words += len(read_data(path.read_bytes(), path).text.split())
        if words >= WORDS:
            return "\n\n".join(pages)
    raise SystemExit("the pages have too few words")


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    row = results["change"]
    rows = [
        ["opening or saving: the whole file", f"{row['whole_seconds']:.2f} s", "1"],
        [
            "changing a word, median",
            f"{row['change_seconds']:.3f} s",
            f"1/{1 / row['ratio']:.0f}",
        ],
        [
            "changing a word, slowest",
            f"{row['slowest_change_seconds']:.3f} s",
            f"1/{1 / row['slowest_ratio']:.0f}",
        ],
    ]
    table = markdown((f"{row['words']:,} words of Markdown", "CPU time", "share"), rows)
    return {(ROOT / "docs" / "how-to" / "editor.md", "editor:change"): table}


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=__doc__)


def main() -> None:
    parser().parse_args()
    results = load(RESULT)
    results["change"] = measure()
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
