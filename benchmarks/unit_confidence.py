"""How often a unit that is read is the one that was meant, by the confidence that the record states.

    python benchmarks/unit_confidence.py [--show]

unit_readings.tsv has sentences of ours, most with a symbol of several readings: language, sentence, quantity and the
UCUM code that a person reads there, empty where it is no unit or none with such a code. They were written before the
program was run on them. A record is right if its code is that one; one without a unit is silent, which is no mistake. The sentences
of each level of confidence are left out one by one: the others say how often that level is right (Laplace), and that is
compared with what is stated. ``--show`` prints the wrong ones and writes nothing.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from pages import RESULTS, ROOT, markdown
from recording import fill, keep, load
from scipy.stats import binomtest

from marginalia import Document, extract_measurements

RESULT = RESULTS / "unit_confidence.json"
SENTENCES = Path(__file__).with_name("unit_readings.tsv")
PAGE = ROOT / "src" / "marginalia" / "tasks" / "measurement" / "README.md"


class Outcome(NamedTuple):
    stated: float | None
    """None where no unit was read."""
    right: bool
    text: str
    wanted: str
    read: str | None


def outcomes() -> list[Outcome]:
    found = []
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        lang, text, quote, wanted = line.split("\t")
        start = text.index(quote)
        doc = Document(id="sentence", text=text, meta={"lang": lang})
        rows = extract_measurements(doc, system="rules").rows
        row = next((r for r in rows if r["start"] <= start < r["end"]), None)
        si = row is not None and row["si"] is not None
        read = row["ucum"] if row and si else None
        found.append(
            Outcome(
                row["unit_confidence"] if row and si else None,
                (read or "") == wanted and si,
                text,
                wanted,
                read,
            )
        )
    return found


def evaluate(found: list[Outcome]) -> dict[str, Any]:
    levels: dict[float, list[Outcome]] = defaultdict(list)
    for one in found:
        if one.stated is not None:
            levels[one.stated].append(one)
    rows, off, stated_off, fitted_off, read = [], 0.0, 0.0, 0.0, 0
    for stated, members in sorted(levels.items()):
        right, count = sum(one.right for one in members), len(members)
        between = binomtest(right, count).proportion_ci(method="wilson")
        low, high = float(between.low), float(between.high)
        rows.append({"stated": stated, "read": count, "right": right, "low": low, "high": high})
        off += abs(count * stated - right)
        stated_off += sum((stated - one.right) ** 2 for one in members)
        fitted_off += sum(
            ((right - one.right + 1) / (count + 1) - one.right) ** 2 for one in members
        )
        read += count
    silent = [one for one in found if one.stated is None]
    return {
        "levels": rows,
        "ece": off / read,
        "brier_stated": stated_off / read,
        "brier_fitted": fitted_off / read,
        "read": read,
        "right": sum(row["right"] for row in rows),
        "silent": len(silent),
        "silent_with_a_unit": sum(bool(one.wanted) for one in silent),
        "sentences": len(found),
    }


def table(found: dict[str, Any]) -> str:
    rows = [
        [
            f"{row['stated']:.2f}",
            str(row["read"]),
            f"{row['right'] / row['read']:.2f} [{row['low']:.2f}, {row['high']:.2f}]",
        ]
        for row in found["levels"]
    ]
    said = (
        f"\nOf {found['sentences']} sentences {found['read']} get a unit, {found['right']} of them the one that was meant; the expected calibration error is "
        f"{found['ece']:.3f}, and the Brier score {found['brier_stated']:.3f}; levels fitted to the other sentences have {found['brier_fitted']:.3f}, so the stated ones stay. {found['silent']} stay open, {found['silent_with_a_unit']} of which a person could have read.\n"
    )
    return markdown(("stated", "units read", "right, with 95 % interval"), rows) + said


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    return {(PAGE, "measurement:unit-confidence"): table(results)}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--show", action="store_true")
    return parser


def main() -> None:
    given = parser().parse_args()
    found = outcomes()
    if given.show:
        for one in found:
            if not one.right:
                print(one)
        print(evaluate(found))
        return
    results = {**load(RESULT), **evaluate(found)}
    keep(RESULT, results)
    fill(tables(results))


if __name__ == "__main__":
    main()
