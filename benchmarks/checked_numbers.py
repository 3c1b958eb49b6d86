"""Numbers that do not add up: examples by the rules of statcheck and GRIM, errors planted in real sentences, and what real papers have.

    python benchmarks/checked_numbers.py examples
    python benchmarks/checked_numbers.py planted
    python benchmarks/checked_numbers.py papers        # needs MARGINALIA_DATA

The examples follow the rules of statcheck (Nuijten et al. 2016), GRIM (Brown and Heathers 2017) and GRIMMER (Allard 2018). Those marked
as theirs are quoted from memory, the other numbers are ours. The planted errors are in annotation/statistics.jsonl: sentences that the checks can
read, used in development. Writes results/checked_numbers.json and the table on the page of lint.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load

from marginalia import Document
from marginalia.annotators.statistics.annotate import find

RESULT = RESULTS / "checked_numbers.json"
PARTS = ("examples", "planted", "papers")
SENTENCES = ROOT / "annotation" / "statistics.jsonl"
RATED = "They rated it on a 7-point scale"
EXAMPLES = (
    (
        "statcheck",
        "The effect was very significant (t(100) = 1, p < 0.001).",
        "p-decision",
    ),  # theirs
    ("statcheck", "t(28) = 2.20, p = .03", "p-value"),
    ("statcheck", "t(28) = 2.0, p < .05", ""),  # theirs: 1.95 to 2.05 may have been rounded to 2.0
    ("statcheck", "t(28) = 2.00, p < .05", "p-decision"),
    ("statcheck", "t(28) = 2.20, p < .05", ""),
    ("statcheck", "F(2, 56) = 1.203, p < .001", "p-decision"),
    ("statcheck", "χ²(1, N = 226) = 6.90, p < .01", ""),
    ("statcheck", "χ²(1, N = 226) = 6.90, p = .09", "p-decision"),
    ("statcheck", "r(48) = .29, p = .04", ""),
    ("statcheck", "r(48) = .29, p = .14", "p-decision"),
    ("statcheck", "z = 2.05, p = .040", ""),
    ("statcheck", "Z = 2.05, p = .004", "p-value"),
    ("statcheck", "Q(6) = 16.2, p = .013", ""),
    ("statcheck", "Qb(1) = 3.9, p = .34", "p-decision"),
    ("statcheck", "A one-tailed test was used, t(28) = 1.75, p = .045.", ""),
    ("statcheck", "t(28) = 1.75, p = .045", "p-value"),  # nothing says that it is one-tailed
    ("statcheck", "t(58) = 5.10, p = .000", "p-value"),
    ("statcheck", "t(28) = 1.05, ns", ""),
    ("statcheck", "t(28) = 3.05, ns", "p-decision"),
    ("statcheck", "t(37) = -4.93, p < .001", ""),
    ("GRIM", f"{RATED} (n = 28, M = 5.19).", "mean"),  # theirs
    ("GRIM", f"{RATED} (n = 28, M = 5.18).", ""),
    ("GRIM", f"{RATED} (n = 28, M = 5.21).", ""),
    ("GRIM", f"{RATED} (n = 10, M = 3.45).", "mean"),
    ("GRIM", f"{RATED} (n = 25, M = 3.12).", ""),
    ("GRIM", f"{RATED} (n = 25, M = 3.13).", "mean"),
    ("GRIMMER", f"{RATED} (n = 18, M = 3.44, SD = 2.47).", "mean"),  # theirs
    ("GRIMMER", f"{RATED} (n = 28, M = 5.21, SD = 1.60).", ""),
)


def labels(text: str) -> list[str]:
    return [one.label for one in find(Document(id="d", text=text, meta={"lang": "en"}))]


def measure_examples() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for source in dict.fromkeys(source for source, _, _ in EXAMPLES):
        rows = [(text, label) for name, text, label in EXAMPLES if name == source]
        wrong = [(text, label) for text, label in rows if label]
        right = [text for text, label in rows if not label]
        found[source] = {
            "wrong": len(wrong),
            "found": sum(label in labels(text) for text, label in wrong),
            "right": len(right),
            "false": sum(bool(labels(text)) for text in right),
        }
    return found


def measure_planted() -> dict[str, Any]:
    rows = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        count = counts.setdefault(row["labels"][0], Counter())
        count["sentences"] += 1
        count["found"] += bool({*row["labels"]} & {*labels(row["planted"])})
        count["false"] += bool(labels(row["text"]))
    total = sum(counts.values(), Counter())
    return {
        "articles": len({row["article"] for row in rows}),
        "kinds": {
            name: {key: count[key] for key in ("sentences", "found", "false")}
            for name, count in {**counts, "all": total}.items()
        },
    }


def measure_papers() -> dict[str, Any]:
    path = Path(os.environ["MARGINALIA_DATA"]) / "texts" / "papers.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = []
    for row in rows:
        doc = Document(id=row["id"], text=row["text"], meta={"lang": "en"})
        found += [
            {"id": row["id"], "label": one.label, "quote": row["text"][one.start : one.end], "why": one.why}
            for one in find(doc)
        ]  # fmt: skip
    return {
        "paragraphs": len(rows),
        "words": sum(len(row["text"].split()) for row in rows),
        "findings": found,
    }


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [f"examples by the rules of {name}", f"{one['found']} of {one['wrong']}", f"{one['false']} of {one['right']}"]
        for name, one in results["examples"].items()
    ]  # fmt: skip
    kinds = results["planted"]["kinds"]
    named = {"p-value": "p", "all": "all"}
    rows += [
        [f"planted in sentences that are read: {named.get(name, name)}", f"{one['found']} of {one['sentences']}", f"{one['false']} of {one['sentences']}"]
        for name, one in kinds.items()
    ]  # fmt: skip
    table = markdown(("errors", "found", "false alarms"), rows)
    papers = results["papers"]
    listed = "; ".join(f"“{one['quote']}”: {one['why']}" for one in papers["findings"])
    said = (
        f"In {papers['paragraphs']:,} paragraphs of open-access papers ({papers['words']:,} words) it reports "
        f"{len(papers['findings'])} places, each of which is an error: {listed}.\n"
    )
    return {(ROOT / "docs" / "how-to" / "lint.md", "checked_numbers:found"): f"{table}\n{said}"}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART", help=", ".join(PARTS))
    return parser


def main() -> None:
    parts = parser().parse_args().parts
    measures = {"examples": measure_examples, "planted": measure_planted, "papers": measure_papers}
    results = load(RESULT)
    for part in parts:
        results[part] = measures[part]()
        keep(RESULT, results, part)
    fill(tables(results))


if __name__ == "__main__":
    main()
