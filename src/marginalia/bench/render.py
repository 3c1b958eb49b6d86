"""A table as Markdown, LaTeX, CSV or HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from marginalia.core.table import format_table, harmless

Cells = Sequence[str]
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "–": "--",
    }
)


def as_markdown(header: Cells, rows: Iterable[Cells]) -> str:
    """A pipe table; a pipe in a cell is escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(
        "| " + " | ".join(" ".join(cell.replace("|", r"\|").split()) for cell in line) + " |\n"
        for line in lines
    )


def as_latex(header: Cells, rows: Iterable[Cells]) -> str:
    """A tabular for the package booktabs."""
    lines = [r"\begin{tabular}{" + "l" * len(header) + "}", r"\toprule", _latex_row(header)]
    lines += [r"\midrule", *(_latex_row(row) for row in rows), r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Cells) -> str:
    return " & ".join(cell.translate(_LATEX) for cell in cells) + r" \\"


def as_csv(header: Cells, rows: Iterable[Cells]) -> str:
    harmless_rows = ([harmless(cell) for cell in row] for row in rows)
    return format_table([header, *harmless_rows], quoted=True, delimiter=",")


def as_html(header: Cells, rows: Iterable[Cells]) -> str:
    """A table element; the first cell of a row is its head."""
    head = "".join(f"<th scope=col>{escape(cell)}</th>" for cell in header)
    body = "".join(
        f"<tr><th scope=row>{escape(first)}</th>"
        + "".join(f"<td>{escape(cell)}</td>" for cell in rest)
        + "</tr>\n"
        for first, *rest in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n"


TABLES: dict[str, Callable[[Cells, Iterable[Cells]], str]] = {
    "markdown": as_markdown,
    "latex": as_latex,
    "csv": as_csv,
}
"""Format -> how a table is written in it."""
EXTENSIONS = {".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json", ".html": "html"}
