"""Boards and comparisons as tables in Markdown, LaTeX and CSV, and as a page with plots that needs no other file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from marginalia.bench.analysis import Analysis, ItemResult
from marginalia.bench.board import MEASURED, OURS, Board, Row
from marginalia.bench.compare import RunComparison
from marginalia.core.errors import UnknownNameError
from marginalia.core.page import whole_page
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
EXTENSIONS = {".md": "markdown", ".tex": "latex", ".csv": "csv", ".json": "json", ".html": "html"}
WIDTH, LINE, LEFT, RIGHT, TOP, BOTTOM = 640, 22, 220, 60, 12, 34
__all__ = [
    "MEASURED",
    "analysis_page",
    "board_cells",
    "board_page",
    "comparison_cells",
    "comparison_page",
    "interval_text",
    "shown_rows",
]
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto }
th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #ddd; font-weight: normal }
thead th { font-weight: 600; border-bottom: 2px solid #999 }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif }
svg .grid { stroke: #e4e4e4 } svg .theirs { fill: #555; stroke: #777 } svg .ours { fill: #a4320b; stroke: #a4320b; font-weight: 600 }
svg text.theirs, svg text.ours { stroke: none }
"""


def as_markdown(header: Cells, rows: Iterable[Cells]) -> str:
    """A pipe table; a pipe in a cell is escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(
        "| " + " | ".join(" ".join(cell.replace("|", r"\|").split()) for cell in line) + " |\n"
        for line in lines
    )


def in_float(tabular: str, caption: str) -> str:
    """A tabular as a table of LaTeX with its caption."""
    said = caption.translate(_LATEX)
    return f"\\begin{{table}}\n\\centering\n\\caption{{{said}}}\n{tabular}\\end{{table}}\n"


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


@dataclass(frozen=True, slots=True)
class Dot:
    """A named value, with its interval where there is one; a marked one stands out."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    marked: bool = False


def dot_plot(dots: Sequence[Dot], *, title: str, axis: str) -> str:
    """One line for each value on a common axis; the title and the values are its text alternative."""
    if not dots:
        return ""
    ends = [x for dot in dots for x in (dot.value, dot.low, dot.high) if x is not None]
    low, high = _span(min(ends), max(ends))
    height = TOP + LINE * len(dots) + BOTTOM
    values = "; ".join(f"{dot.name} {dot.value:.4g}" for dot in dots)
    parts = [
        f'<svg role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}: {escape(values)}</title>'
    ]
    for tick in _ticks(low, high):
        x = _x(tick, low, high)
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="{TOP}" y2="{height - BOTTOM}" class="grid"/>'
            f'<text x="{x}" y="{height - BOTTOM + 14}" text-anchor="middle">{tick:g}</text>'
        )
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{height - 4}" text-anchor="middle">{escape(axis)}</text>'
    )
    for place, dot in enumerate(dots):
        y = TOP + LINE * place + LINE / 2
        kind = "ours" if dot.marked else "theirs"
        name = dot.name if len(dot.name) <= 32 else dot.name[:31] + "…"
        parts.append(
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" class="{kind}">{escape(name)}</text>'
        )
        if dot.low is not None and dot.high is not None:
            one, other = _x(dot.low, low, high), _x(dot.high, low, high)
            parts.append(f'<line x1="{one}" x2="{other}" y1="{y}" y2="{y}" class="{kind}"/>')
        parts.append(f'<circle cx="{_x(dot.value, low, high)}" cy="{y}" r="4" class="{kind}"/>')
    return "".join(parts) + "</svg>\n"


def _span(low: float, high: float) -> tuple[float, float]:
    margin = (high - low) * 0.04 or 0.05
    return low - margin, high + margin


def _x(value: float, low: float, high: float) -> float:
    return round(LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)


def _ticks(low: float, high: float) -> list[float]:
    """Four to eight round values."""
    from math import ceil, floor, log10

    step = 10 ** floor(log10((high - low) / 4))
    step = next(step * k for k in (1, 2, 5, 10) if (high - low) / (step * k) <= 8)
    return [round(k * step, 10) for k in range(ceil(low / step), floor(high / step) + 1)]


def page(title: str, body: str) -> str:
    return whole_page(title, f"<main>\n<h1>{escape(title)}</h1>\n{body}</main>", style=STYLE)


def board_cells(board: Board, rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a board as text."""
    header = ["place", "system", "kind", *board.columns, "95 %", "figure is", "source"]
    return header, [
        [
            row.place,
            row.system,
            row.kind,
            *(_number(row.values.get(name)) for name in board.columns),
            interval_text(row),
            row.origin,
            row.source,
        ]
        for row in rows
    ]


def choose(
    header: Sequence[str], rows: Iterable[Sequence[str]], columns: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """The columns of these names, in this order."""
    for name in columns:
        if name not in header:
            raise UnknownNameError("column", name, header)
    places = [header.index(name) for name in columns]
    return list(columns), [[row[place] for place in places] for row in rows]


def breakdown_title(board: Board, breakdown: Mapping[str, Any]) -> str:
    return f"{board.name}: {breakdown['by']}"


def breakdown_cells(breakdown: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a table that was published beside a board: a row for each value, and each system with figures there."""
    lines: list[dict[str, Any]] = []
    for row in breakdown["rows"]:
        about = {name: value for name, value in row.items() if name not in ("scores", "source")}
        scores = row.get("scores", {})
        if scores and all(isinstance(own, Mapping) for own in scores.values()):
            lines += [{**about, "system": system, **own} for system, own in scores.items()]
        else:
            lines.append({**about, **scores})
    header = list(dict.fromkeys(name for line in lines for name in line))
    return header, [[_cell(line.get(name)) for name in header] for line in lines]


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return "–" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def interval_text(row: Row) -> str:
    if not row.interval or row.interval["low"] != row.interval["low"]:
        return ""
    return f"[{row.interval['low']:.3f}, {row.interval['high']:.3f}]"


def board_page(task: str, boards: Sequence[Board], *, top: int | None = None) -> str:
    """All boards of a task with a plot each."""
    parts = []
    for board in boards:
        rows = shown_rows(board, top)
        dots = [
            Dot(
                row.system,
                row.value,
                row.interval["low"] if row.interval else None,
                row.interval["high"] if row.interval else None,
                marked=row.kind == OURS,
            )
            for row in rows
            if row.value is not None
        ]
        header, cells = board_cells(board, rows)
        parts.append(
            f"<h2>{escape(board.name)}: {escape(board.metric)} on {escape(board.split)}</h2>\n"
        )
        if not board.complete:
            parts.append("<p>Only part of the published table is known.</p>\n")
        parts.append(dot_plot(dots, title=board.name, axis=board.metric))
        parts.append(as_html(header, cells))
        for breakdown in board.breakdowns:
            parts.append(f"<h3>{escape(breakdown_title(board, breakdown))}</h3>\n")
            parts.append(as_html(*breakdown_cells(breakdown)))
    notes = boards[0].notes if boards else ()
    if notes:
        parts.append(
            "<h2>Notes</h2>\n<ul>" + "".join(f"<li>{escape(n)}</li>" for n in notes) + "</ul>\n"
        )
    return page(f"{task}: published results and runs", "".join(parts))


def shown_rows(board: Board, top: int | None) -> list[Row]:
    """The first rows, and every run and row beside the ranks that belongs among them."""
    if top is None:
        return list(board.rows)
    return [row for place, row in enumerate(board.rows) if place < top or row.kind == OURS]


def comparison_cells(comparison: RunComparison) -> tuple[list[str], list[list[str]]]:
    """Header and rows of a comparison as text."""
    header = [
        "figure",
        "A",
        "B",
        "of A",
        "of B",
        "difference",
        "95 %",
        "p",
        f"p ({comparison.correction})",
    ]
    header += ["effect", "detectable", "groups"]
    return header, [
        [
            row.metric,
            *row.systems,
            _number(row.first),
            _number(row.second),
            _number(row.difference),
            f"[{row.low:.3f}, {row.high:.3f}]",
            str(row.verdict),
            "–" if row.refusal else f"{row.p_adjusted:.4f}",
            f"{row.effect:.2f}",
            f"{row.detectable:.4f}",
            str(row.groups),
        ]
        for row in comparison.figures
    ]


def comparison_page(comparison: RunComparison) -> str:
    """The differences with a plot of their intervals for each figure."""
    parts = []
    for metric in dict.fromkeys(row.metric for row in comparison.figures):
        dots = [
            Dot(
                " − ".join(row.systems),
                row.difference,
                row.low,
                row.high,
                marked=row.low > 0 or row.high < 0,
            )
            for row in comparison.figures
            if row.metric == metric and row.difference == row.difference
        ]
        parts.append(f"<h2>{escape(metric)}</h2>\n")
        parts.append(
            dot_plot(dots, title=f"differences in {metric}", axis="difference, with 95 % interval")
        )
    parts.append(as_html(*comparison_cells(comparison)))
    if comparison.ranks:
        rows = [[r.metric, r.system, str(r.rank), f"{r.low} to {r.high}"] for r in comparison.ranks]
        parts.append("<h2>Places</h2>\n" + as_html(["figure", "system", "place", "95 %"], rows))
    return page(
        f"{comparison.task} on {comparison.split}: {', '.join(comparison.names)}", "".join(parts)
    )


def analysis_page(analysis: Analysis) -> str:
    """The items behind a figure, with a plot of its breakdowns and of the calibration."""
    parts = [
        as_html(
            ["system", analysis.figure],
            [[n, _number(v)] for n, v in zip(analysis.systems, analysis.values, strict=True)],
        )
    ]
    for facet in dict.fromkeys(row.facet for row in analysis.breakdowns):
        dots = [
            Dot(f"{row.value}: {name}", value, marked=name == analysis.systems[0])
            for row in analysis.breakdowns
            if row.facet == facet
            for name, value in zip(analysis.systems, row.figures, strict=True)
            if value is not None and value == value
        ]
        parts.append(
            f"<h2>By {escape(facet)}</h2>\n"
            + dot_plot(dots, title=f"{analysis.figure} by {facet}", axis=analysis.figure)
        )
    for name, tenths in analysis.calibration.items():
        rows = [[f"{pred:.3f}", f"{gold:.3f}", str(n)] for pred, gold, n in tenths]
        parts.append(
            f"<h2>Calibration of {escape(name)}</h2>\n"
            + as_html(["mean prediction", "mean gold", "items"], rows)
        )
    for name, counts in analysis.confusions.items():
        rows = [[pair, str(n)] for pair, n in counts.items()]
        parts.append(
            f"<h2>Confusions of {escape(name)}</h2>\n"
            + as_html(["gold → prediction", "items"], rows)
        )
    parts.append("<h2>Hardest items</h2>\n" + _items(analysis, analysis.hardest))
    if len(analysis.systems) > 1:
        parts.append("<h2>Items that flipped</h2>\n" + _items(analysis, analysis.flipped))
    return page(f"{analysis.task} on {analysis.split}: {analysis.figure}", "".join(parts))


def _items(found: Analysis, rows: Sequence[ItemResult]) -> str:
    def shown(value: float | str) -> str:
        return value if isinstance(value, str) else f"{value:.3f}"

    cells = [[f"{row.id}: {row.text}", shown(row.gold), *map(shown, row.preds)] for row in rows]
    return as_html(["item", "gold", *found.systems], cells)
