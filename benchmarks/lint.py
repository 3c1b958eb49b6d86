"""What the rules of lint cost: seconds per 1,000 words, over texts of growing size.

    python benchmarks/lint.py

The rules alone, without the notes of the tasks; the file is read before. Writes results/lint.json and the table on the page of lint.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rulebook import RULES
from marginalia.reader.read import read_data

RESULT = RESULTS / "lint.json"
TEXTS = {"en": "examples/report.md", "de": "examples/methoden.txt"}
"""Texts of ours, written one after another until they are as long as is wanted."""
TIMES = (1, 4, 16, 64)


def measure(lang: str, times: int) -> dict[str, Any]:
    path = Path(TEXTS[lang])
    data = (ROOT / path).read_bytes() * times
    doc = read_data(data, path, lang=lang)
    began = process_time()
    draft = Draft(doc)
    found = sum(len(list(rule.check(draft))) for rule in RULES.values())
    seconds = process_time() - began
    words = len(doc.text.split())
    return {"lang": lang, "words": words, "findings": found, "seconds": round(seconds, 4)}


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [row["lang"], f"{row['words']:,}", f"{1e6 * row['seconds'] / row['words']:.1f} ms"]
        for row in results["rows"]
    ]
    table = markdown(("text", "words", "CPU time per 1,000 words"), rows)
    return {(ROOT / "docs" / "how-to" / "lint.md", "lint:speed"): table}


def parser() -> argparse.ArgumentParser:
    return argparse.ArgumentParser(description=__doc__)


def main() -> None:
    parser().parse_args()
    measure("en", 1)  # what is loaded once
    results = load(RESULT)
    results["rows"] = [measure(lang, times) for lang in TEXTS for times in TIMES]
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
