"""The TSV files of MeasEval, read and written so that nothing is lost.

A text cell that holds a tab or a line end, or that begins with a double quote, has CSV quotes; any
other double quote is an ordinary character, and so are those of the JSON in ``other``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.table import read_table
from marginalia.tasks.measurement.official.spans import Span, check_span

COLUMNS = (
    "docId",
    "annotSet",
    "annotType",
    "startOffset",
    "endOffset",
    "annotId",
    "text",
    "other",
)


def read_spans(path: Path) -> Iterator[tuple[str, Span]]:
    """Each row of a file as its docId and span, under the rules of the official validation."""
    seen: set[tuple[str, int, str]] = set()
    for line, row in read_table(path, COLUMNS, quoted=True, skip_empty=True):
        try:
            if len(row) > len(COLUMNS):
                extra = next(name for name in row if name not in COLUMNS)
                raise FormatError(f"the column {extra!r} is not one of {', '.join(COLUMNS)}")
            span = _span(row)
            check_span(span)
            key = row["docId"], span.set, span.id
            if key in seen:
                raise FormatError(f"the id {span.id} is given twice in set {span.set}")
            seen.add(key)
        except FormatError as error:
            raise error.at(path, line) from None
        yield row["docId"], span


def _span(row: dict[str, str]) -> Span:
    return Span(
        set=_whole(row, "annotSet"),
        type=row["annotType"],
        start=_whole(row, "startOffset"),
        end=_whole(row, "endOffset"),
        id=row["annotId"],
        text=row["text"],
        other=_other(row["other"]),
    )


def _whole(row: dict[str, str], column: str) -> int:
    cell = row[column]
    if re.fullmatch(r"[0-9]{1,9}", cell) is None:
        raise FormatError(f"{column} is {cell[:40]!r}, a whole number was expected")
    return int(cell)


def _other(cell: str) -> dict[str, Any]:
    if not cell:
        return {}
    try:
        data = json.loads(cell)
    except (ValueError, RecursionError):
        raise FormatError(f"other is {cell[:40]!r}, a JSON object was expected") from None
    if not isinstance(data, dict):
        raise FormatError(f"other is {cell[:40]!r}, a JSON object was expected")
    return data


def format_spans(doc: str, spans: Iterable[Span]) -> str:
    """The content of a paragraph's file; a header alone when it has no span."""
    lines = ["\t".join(COLUMNS)]
    for span in spans:
        cells = (doc, span.set, span.type, span.start, span.end, span.id, _quoted(span.text))
        other = json.dumps(dict(span.other), ensure_ascii=False) if span.other else ""
        lines.append("\t".join(map(str, (*cells, other))))
    return "\n".join(lines) + "\n"


def _quoted(cell: str) -> str:
    if cell.startswith('"') or any(mark in cell for mark in "\t\n\r"):
        return '"' + cell.replace('"', '""') + '"'
    return cell
