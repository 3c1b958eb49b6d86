"""Two plots as SVG: bars, and a strip of values with outliers marked. Numbers are data, so every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

WIDTH = 640
ROW = 20
LABEL = 230


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
