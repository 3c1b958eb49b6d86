"""Small plots as SVG, drawn here so that a report needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, LINE, LEFT, RIGHT, TOP, BOTTOM = 640, 22, 220, 60, 12, 34


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
    told = "; ".join(f"{dot.name} {dot.value:.4g}" for dot in dots)
    parts = [
        f'<svg role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}: {escape(told)}</title>'
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
