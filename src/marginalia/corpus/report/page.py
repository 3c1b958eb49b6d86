"""The report as one page: tables, and plots as SVG in which every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from marginalia.core.page import whole_page
from marginalia.corpus.across import compare
from marginalia.corpus.database import Database, connect
from marginalia.corpus.report import facts
from marginalia.corpus.store import Store

WIDTH = 640
ROW = 20
LABEL = 230
STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b; background: #fdfcf9 }
h1, h2, h3 { line-height: 1.2; font-weight: 600 } h2 { margin-top: 2.5rem; border-top: 1px solid #d9d4c7; padding-top: 1rem }
table { border-collapse: collapse; width: 100%; font-size: .9rem } th, td { text-align: left; padding: .25rem .6rem .25rem 0; vertical-align: top;
border-bottom: 1px solid #e8e4d9 } td.n { text-align: right; font-variant-numeric: tabular-nums }
svg { max-width: 100%; height: auto; font: 12px sans-serif } svg rect, svg circle { fill: #2f6690 } svg .outlier { fill: #b3261e }
svg .axis { stroke: #8a8578 } .quiet { color: #5c574b; font-size: .9rem } :target { background: #fff3c4 }
blockquote { margin: .3rem 0; padding-left: .8rem; border-left: 3px solid #d9d4c7 } nav a { margin-right: 1rem }
@media (prefers-color-scheme: dark) { body { background: #1c1b19; color: #ece8dd } svg text { fill: #ece8dd }
svg rect, svg circle { fill: #8ab8d8 } svg .outlier { fill: #ff8a80 } a { color: #8ab8d8 } .quiet { color: #b5afa0 } :target { background: #4a431f } }
"""


def bars(rows: Sequence[tuple[str, float]], *, unit: str = "", title: str) -> str:
    """A horizontal bar for each label."""
    most = max((value for _, value in rows), default=0) or 1
    height = ROW * len(rows) + 4
    parts = [_open(height, title)]
    for number, (label, value) in enumerate(rows):
        y = number * ROW
        length = (WIDTH - LABEL - 90) * value / most
        parts.append(
            f'<text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(_short(label))}</text>'
        )
        parts.append(
            f'<rect x="{LABEL}" y="{y + 3}" width="{max(length, 1):.1f}" height="14" rx="2"/>'
        )
        parts.append(
            f'<text x="{LABEL + length + 6:.1f}" y="{y + 14}" class="value">{_number(value)}{escape(unit)}</text>'
        )
    return "".join([*parts, "</svg>"])


def strip(values: Sequence[tuple[float, str, bool]], *, unit: str, title: str) -> str:
    """A point for each value on one axis, each a link to its sentence; outliers are marked by shape and colour."""
    numbers = [value for value, _, _ in values]
    low, high = min(numbers), max(numbers)
    logarithmic = low > 0 and high / low > 100
    scale = (lambda x: math.log10(x)) if logarithmic else (lambda x: x)
    first, last = scale(low), scale(high)
    span = (last - first) or 1
    parts = [_open(58, title), f'<line x1="10" x2="{WIDTH - 10}" y1="34" y2="34" class="axis"/>']
    for number, (value, target, outlier) in enumerate(values):
        x = 10 + (WIDTH - 20) * (scale(value) - first) / span
        y = 34 - 5 - (number * 7) % 24
        mark = (
            f'<path d="M{x:.1f} {y - 4} l4 7 h-8 z" class="outlier"/>'
            if outlier
            else f'<circle cx="{x:.1f}" cy="{y}" r="3"/>'
        )
        parts.append(
            f'<a href="#{escape(target, quote=True)}"><title>{_number(value)} {escape(unit)}</title>{mark}</a>'
        )
    parts.append(f'<text x="10" y="52">{_number(low)} {escape(unit)}</text>')
    note = "logarithmic, " if logarithmic else ""
    parts.append(
        f'<text x="{WIDTH - 10}" y="52" text-anchor="end">{note}{_number(high)} {escape(unit)}</text>'
    )
    return "".join([*parts, "</svg>"])


def _open(height: int, title: str) -> str:
    said = escape(title, quote=True)
    return f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-label="{said}">'


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def _short(text: str, length: int = 28) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def make_report(store: Store) -> str:
    """The report as one HTML file. Documents are compared first, as far as that is not done."""
    compare(store)
    with connect(store) as database:
        sections = list(_sections(database))
        head = _overview(facts.overview(database))
    links = "".join(f'<a href="#{name}">{escape(title)}</a>' for name, title, _ in sections)
    body = "".join(
        f'<section id="{name}"><h2>{escape(title)}</h2>{content}</section>'
        for name, title, content in sections
    )
    content = f"<main><h1>Corpus report</h1>{head}<nav>{links}</nav>{body}</main>"
    return whole_page("Corpus report", content, style=STYLE, with_script=True)


def _overview(found: dict[str, Any]) -> str:
    said = ", ".join(f"{value:,} {name}" for name, value in found.items())
    return f"<p>{said}</p>"


def _sections(database: Database) -> Iterable[tuple[str, str, str]]:
    kinds = facts.notes_by_kind(database)
    yield (
        "notes",
        "Notes",
        bars(kinds[: facts.GROUPS], title="Notes by kind") if kinds else _none("notes"),
    )
    yield "words", "Hard words", _hard_words(database)
    yield "properties", "Measured properties", _properties(facts.properties(database))
    yield "variables", "Survey variables", _variables(database)
    yield "repeats", "Passages that repeat", _repeats(facts.repeats(database))
    yield (
        "contradictions",
        "Numbers that contradict each other",
        _contradictions(facts.contradictions(database)),
    )
    found = facts.errors(database)
    rows = [(row["document"], row["kind"], row["reason"]) for row in found]
    yield (
        "errors",
        "Documents that failed",
        _table(("document", "kind", "reason"), rows) if rows else _none("errors"),
    )


def _hard_words(database: Database) -> str:
    parts = []
    for column, title in (("group", "by source"), ("year", "by year")):
        rows = facts.hard_words_by(database, column)
        if rows:
            said = f"Hard words for each hundred words, {title}"
            parts.append(f"<h3>{said}</h3>{bars(rows, title=said)}")
    words = facts.hardest_words(database)
    if words:
        listed = [(row["word"], row["documents"], row["times"]) for row in words]
        parts.append("<h3>In most documents</h3>" + _table(("word", "documents", "times"), listed))
    return "".join(parts) or _none("hard words")


def _properties(found: Sequence[facts.Property]) -> str:
    parts = []
    for number, one in enumerate(found, 1):
        points = []
        for place, value in enumerate(one.values):
            points.append((value.value, f"value-{number}-{place}", value.outlier))
        title = f"{one.name}, in {one.unit}" if one.unit else one.name
        shown = [(place, value) for place, value in enumerate(one.values) if value.outlier]
        rest = [pair for pair in enumerate(one.values) if not pair[1].outlier]
        parts.append(f"<h3>{escape(title)}</h3>{strip(points, unit=one.unit, title=title)}")
        said = f"{one.count:,} values in {one.documents:,} documents"
        said += f", {len(shown)} far from the others" if shown else ""
        if one.left_out:
            said += f"; {one.left_out:,} more have no unit or one of another dimension, and were not compared"
        parts.append(f'<p class="quiet">{said}</p>')
        parts.append(_sentences(number, shown))
        parts.append(
            f"<details><summary>all sentences</summary>{_sentences(number, rest)}</details>"
        )
    script = (
        "<script>addEventListener('hashchange',()=>{const t=document.querySelector(location.hash);"
        "const d=t&&t.closest('details');if(d){d.open=true;t.scrollIntoView()}})</script>"
    )
    return (
        "".join(parts) + script
        if parts
        else _none(f"property with {facts.MIN_VALUES} values in {facts.MIN_DOCUMENTS} documents")
    )


def _sentences(number: int, values: Iterable[tuple[int, facts.Value]]) -> str:
    return "".join(
        f'<blockquote id="value-{number}-{place}"><b>{escape(one.quantity)}</b>: {escape(one.sentence)} '
        f"{f'<i>{escape(one.conditions)}</i> ' if one.conditions else ''}"
        f'<span class="quiet">{escape(_place(one.document, one.page))}</span></blockquote>'
        for place, one in values
    )


def _variables(database: Database) -> str:
    found = facts.variables(database)
    if not found:
        return _none("links to survey variables")
    top = [(f"{row['target']} {row['label'] or ''}", row["documents"]) for row in found]
    parts = [bars(top, title="Documents that use a variable")]
    rows = [
        (
            f"{row['a']} {row['label_a'] or ''}",
            f"{row['b']} {row['label_b'] or ''}",
            row["documents"],
            ", ".join(row["users"]),
        )
        for row in facts.used_together(database)
    ]
    if rows:
        parts.append(
            "<h3>Used together</h3>" + _table(("variable", "and", "documents", "such as"), rows)
        )
    return "".join(parts)


def _repeats(found: Sequence[facts.Shared]) -> str:
    parts = []
    for one in found:
        shared = f"{one.documents:,} documents"
        shared += f" share {one.count:,} passages, such as" if one.count > len(one.texts) else ""
        texts = "".join(f"<blockquote>{escape(text)}</blockquote>" for text in one.texts)
        more = ", …" if one.documents > len(one.users) else ""
        parts.append(
            f"<p>{shared}</p>{texts}<p class='quiet'>{escape(', '.join(one.users))}{more}</p>"
        )
    return "".join(parts) or _none("passages that repeat across documents")


def _contradictions(found: Sequence[dict[str, Any]]) -> str:
    parts = []
    for row in found:
        head = row["property"] or f"{row['quantity_a']} against {row['quantity_b']}"
        sides = "".join(
            f"<blockquote><b>{escape(row[f'quantity_{side}'])}</b>: {escape(row[f'sentence_{side}'] or '')} "
            f"<span class='quiet'>{escape(_place(row[f'document_{side}'], row[f'page_{side}']))}</span></blockquote>"
            for side in "ab"
        )
        parts.append(f"<h3>{escape(head)}</h3>{sides}")
    return "".join(parts) or _none("numbers that contradict each other across documents")


def _place(document: str, page: int | None) -> str:
    return f"{document}, page {page}" if page else document


def _table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    number = isinstance(value, (int, float))
    return f'<td class="n">{value:,}</td>' if number else f"<td>{escape(str(value))}</td>"


def _none(what: str) -> str:
    return f'<p class="quiet">No {escape(what)}.</p>'
