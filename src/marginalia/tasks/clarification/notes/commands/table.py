"""What ``marginalia clarify`` shows and writes: rows of places, readings and clarifications."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from marginalia.cli.output import print_table

TASK = "clarification"
FORMATS = ("csv", "json", "jsonl")
PLACE = ("document", "start", "end", "quote", "phenomenon", "score", "question", "cloze", "page")
COLUMNS = {"find": PLACE, "fill": (*PLACE, "fillers"), "rank": (*PLACE, "readings", "several")}
"""What the rows of each tool hold, so that a table without rows has its header too."""


def tools() -> Mapping[str, Any]:
    from marginalia.core.registry import get_task

    return get_task(TASK).tools


def format_of(path: Path, known: Sequence[str]) -> str:
    from marginalia.core.errors import FormatError

    ending = path.suffix.lower().removeprefix(".")
    if ending not in known:
        raise FormatError(
            f"the ending does not say the format; known are {', '.join(known)}", path=path
        )
    return ending


def written(
    rows: Sequence[Mapping[str, Any]],
    path: Path | None,
    format: str,
    inputs: Collection[Path],
    columns: Sequence[str] = (),
) -> bool:
    """Write the rows, if there is a place for them."""
    if path is None:
        return False
    import json

    from marginalia.core.task import plain
    from marginalia.reader.formats.table import format_csv
    from marginalia.reader.write import place

    data = [plain(row) for row in rows]
    if format == "csv":
        text = format_csv(columns or list(dict.fromkeys(n for row in data for n in row)), data)
    elif format == "jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data)
    else:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    place(path, text, inputs)
    click.echo(f"written: {path}, {counted(len(data))}", err=True)
    return True


def counted(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows} rows"


def show_places(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], many: bool) -> None:
    if not rows:
        click.echo("no place found")
        return
    names = ["document", *columns] if many else list(columns)
    print_table(
        f"{len(rows)} places that say too little"
        if len(rows) > 1
        else "1 place that says too little",
        names,
        [[_cell(row, name) for name in names] for row in rows],
        note="--json shows offsets; -o FILE writes them.",
    )


def _cell(row: Mapping[str, Any], name: str) -> Any:
    if name == "sentence":
        return " ".join(str(row["cloze"]).split())
    if name == "fillers":
        return " · ".join(one["filler"] for one in row["fillers"])
    if name == "readings":
        return " · ".join(f"{one['filler']} {one['rating']:.1f}" for one in row["readings"])
    if name == "several":
        return "two or more readings" if row["several"] else ""
    return row[name]
