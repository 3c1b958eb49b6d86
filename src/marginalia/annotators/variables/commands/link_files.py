"""Files of ``marginalia link``: papers as one HTML page with an index of the variables, and review files (CSV or XLSX)
that a curator fills in and gives back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from marginalia.annotators.variables.links import Linked
from marginalia.annotators.variables.review import (
    COLUMNS,
    REQUIRED,
    Candidate,
    parse_review,
    review_rows,
)
from marginalia.core.errors import FormatError
from marginalia.core.table import as_written, read_table
from marginalia.reader.formats.html import dump

STYLE = """
.index { max-width: 64.5rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; border-top: 1px solid var(--rule) }
.index h2 { font-size: 1.3rem } .index h3 { font-size: 1rem; margin: 1.2rem 0 .2rem }
.index li { margin: .2rem 0 } .index small { color: var(--quiet) }
"""
SUFFIXES = (".csv", ".xlsx")


def page(found: Sequence[Linked]) -> str:
    """The reader's page with an index at its end."""
    html = dump([one.doc for one in found]).replace("</style>", f"{STYLE}</style>", 1)
    head, _, tail = html.rpartition("</body>")
    return f"{head}{''.join(_index(one) for one in found)}</body>{tail}"


def _index(one: Linked) -> str:
    rows = one.index()
    if not rows:
        return ""
    title = escape(f"Variables in {one.doc.meta.get('title') or one.doc.id}")
    return f'<div class="index"><h2>{title}</h2>{"".join(map(_variable, rows))}</div>'


def _variable(row: Any) -> str:
    same = f" <small>and {len(row['same'])} alike</small>" if row["same"] else ""
    uses = "".join(_uses(row["sentences"]))
    return f"<h3>{escape(row['id'])} {escape(row['label'])}{same}</h3><ul>{uses}</ul>"


def _uses(sentences: Sequence[Any]) -> Iterator[str]:
    for use in sentences:
        where = f"p. {use['page']}, " if use["page"] else ""
        quote = escape(" ".join(use["quote"].split()))
        text = f"<b>{quote}</b>" if use["central"] else quote
        yield f"<li>{text} <small>{where}{use['kind']}, {use['score']:.2f}</small></li>"


def require_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise FormatError("a review file is .csv or .xlsx", path=path)


def read_review(path: Path) -> list[Candidate]:
    """What a curator filled in."""
    require_suffix(path)
    if path.suffix.lower() == ".csv":
        rows = [
            (line, {name: as_written(cell) for name, cell in row.items()})
            for line, row in read_table(path, REQUIRED, quoted=True, delimiter=_delimiter(path))
        ]
        return parse_review(rows, path)
    from marginalia.tasks.variables.catalogue.tables import sheet_rows

    sheet = sheet_rows(path)
    _, names = next(sheet, (1, []))
    blank = [""] * len(names)
    rows = [(line, dict(zip(names, [*cells, *blank], strict=False))) for line, cells in sheet]
    if missing := [name for name in REQUIRED if name not in names]:
        raise FormatError(f"the table lacks the column {missing[0]!r}", path=path, line=1)
    return parse_review(rows, path)


def write_review(candidates: Sequence[Candidate], path: Path) -> str | bytes:
    """The content of a review file."""
    from marginalia.reader.formats.registry import get_format

    rows = review_rows(candidates)
    format = get_format(path.suffix[1:].lower(), "write_rows")
    return format.write_rows(dict.fromkeys(COLUMNS), rows)


def _delimiter(path: Path) -> str:
    """Spreadsheets of some countries write semicolons."""
    with path.open("rb") as file:
        head = file.readline(10_000)
    return ";" if head.count(b";") > head.count(b",") else ","
