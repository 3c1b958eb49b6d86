"""What rows of tables say, against cells of real tables that were labelled by reading.

    python benchmarks/tables.py --real FOLDER

FOLDER has the documents (``jats/``, ``pdf/``). ``annotation/tables.jsonl`` has for each cell its value, unit, property, and
what else identifies it: entity and conditions. A cell is *found* if a row in its document has its value, bounds,
spread and unit; its *property* is right if property or caption of the row name it; it is *identified* if also
entity and all conditions are named by the row. Of several rows with the value of a cell the one counts that says most of this.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pages import RESULTS, ROOT, markdown, task_page
from recording import fill, keep, load

from marginalia import extract_measurements, read

RESULT = RESULTS / "tables.json"
LABELS = ROOT / "annotation" / "tables.jsonl"
FIGURES = ("value and unit", "property", "entity", "identified")

Row = dict[str, Any]


def words(text: str | None) -> set[str]:
    return set(re.findall(r"\w+", (text or "").lower()))


def named(label: str, texts: Iterable[str | None]) -> bool:
    """Whether the texts have at least two thirds of the label's words."""
    own = words(label)
    said = set().union(*map(words, texts))
    return len(own & said) >= 2 / 3 * len(own)


def near(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 1e-9 + 1e-6 * abs(b)


def same_value(row: Row, cell: Row) -> bool:
    interval = cell["interval"] or (None, None)
    return (
        near(row["low"], cell["low"])
        and near(row["high"], cell["high"])
        and near(row["uncertainty"], cell["spread"])
        and all(map(near, (row["interval_low"], row["interval_high"]), interval))
        and (row["unit"] or None) == cell["unit"]
    )


def judge(row: Row, cell: Row) -> dict[str, bool]:
    others = [one["quote"] for one in row["qualifiers"]]
    property = named(cell["property"], (row["property"], row.get("caption")))
    entity = named(cell["entity"], (row["entity"],))
    every = (row["property"], row["entity"], row.get("caption"), *others)
    rest = all(named(label, every) for label in (cell["entity"], *cell["conditions"]))
    return {
        "value and unit": True,
        "property": property,
        "entity": entity,
        "identified": property and rest,
    }


def score(cells: Sequence[Row], rows: Sequence[Row]) -> list[dict[str, bool]]:
    """For each cell what its row has right; a row is that of one cell only."""
    nothing = dict.fromkeys(FIGURES, False)
    fits = [
        (sum(judge(row, cell).values()), -place, number, place)
        for number, cell in enumerate(cells)
        for place, row in enumerate(rows)
        if same_value(row, cell)
    ]
    found: dict[int, int] = {}
    for _, _, number, place in sorted(fits, reverse=True):
        if number not in found and place not in found.values():
            found[number] = place
    return [
        judge(rows[found[number]], cell) if number in found else nothing
        for number, cell in enumerate(cells)
    ]


def read_rows(path: Path) -> list[Row]:
    doc = read(path, notes=[])
    tables = [(one["start"], one["end"]) for one in doc.meta.get("tables", ())]
    rows = extract_measurements(doc).rows
    return [row for row in rows if any(low <= row["start"] < high for low, high in tables)]


def measure(real: Path, shows: bool) -> dict[str, dict[str, float]]:
    cells: dict[str, list[Row]] = {}
    for line in LABELS.read_text(encoding="utf-8").splitlines():
        cell = json.loads(line)
        cells.setdefault(cell["document"], []).append(cell)
    totals: dict[str, dict[str, float]] = {}
    for name, own in cells.items():
        path = next(path for part in ("jats", "pdf") for path in (real / part).glob(f"{name}.*"))
        judged = score(own, read_rows(path))
        for cell, one in zip(own, judged, strict=True):
            if shows and not one["identified"]:
                print(name, cell["table"], cell["quote"], cell["entity"], one)
        for cell, one in zip(own, judged, strict=True):
            part = f"{path.parent.name.upper()}, {cell['part']}"
            sums = totals.setdefault(part, {"cells": 0, **dict.fromkeys(FIGURES, 0)})
            sums["cells"] += 1
            for figure in FIGURES:
                sums[figure] += one[figure]
    return totals


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [name, f"{int(own['cells'])}", *(f"{own[f] / own['cells']:.2f}" for f in FIGURES)]
        for name, own in results["cells"].items()
    ]
    table = markdown(("tables of", "cells", *FIGURES), rows)
    return {(task_page("measurement"), "tables:cells"): table}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--real", type=Path, required=True, metavar="FOLDER")
    made.add_argument("--show", action="store_true", help="print the cells that are not identified")
    return made


def main() -> None:
    given = parser().parse_args()
    results = load(RESULT)
    results["cells"] = measure(given.real, given.show)
    keep(RESULT, results, "cells", "--real FOLDER", named=False)
    print(*tables(results).values(), sep="\n")
    fill(tables(results))


if __name__ == "__main__":
    main()
