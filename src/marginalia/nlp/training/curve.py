"""The curve of a training as SVG: how its loss fell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 320, 64, 16, 28, 36
SMOOTHED = 0.9
"""How much of what came before the second line keeps at each point."""


def curve(lines: Mapping[str, Points], *, title: str) -> str:
    """One line for each stage, thin as it is and thick smoothed; the title says where each begins and ends."""
    lines = {name: points for name, points in lines.items() if len(points) > 1}
    if not lines:
        return ""
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    low, high = min(ys), max(ys)
    high = high if high > low else low + 1

    def place(x: float, y: float) -> str:
        right = (x - min(xs)) / (max(xs) - min(xs)) * (WIDTH - LEFT - RIGHT)
        down = (high - y) / (high - low) * (HEIGHT - TOP - BOTTOM)
        return f"{LEFT + right:.1f},{TOP + down:.1f}"

    told = "; ".join(f"{name} from {p[0][1]:.4g} to {p[-1][1]:.4g}" for name, p in lines.items())
    parts = [
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="12">'
        f"<title>{escape(title)}: {escape(told)}</title>"
        f'<text x="{LEFT}" y="16">{escape(title)}</text>'
    ]
    for value in (low, (low + high) / 2, high):
        y = place(min(xs), value).partition(",")[2]
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}" stroke="#ccc"/>'
            f'<text x="{LEFT - 6}" y="{y}" dy="4" text-anchor="end">{value:.3g}</text>'
        )
    parts.append(
        f'<text x="{LEFT}" y="{HEIGHT - 12}">step {min(xs):g}</text>'
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 12}" text-anchor="end">{max(xs):g}</text>'
    )
    for points in lines.values():
        raw = " ".join(place(x, y) for x, y in points)
        thick = " ".join(place(x, y) for x, y in smoothed(points))
        parts.append(f'<polyline points="{raw}" fill="none" stroke="#9bc" stroke-width="1"/>')
        parts.append(f'<polyline points="{thick}" fill="none" stroke="#047" stroke-width="2"/>')
    return "".join(parts) + "</svg>\n"


def smoothed(points: Points) -> list[tuple[float, float]]:
    """The running mean of a line."""
    found, mean = [], points[0][1]
    for x, y in points:
        mean = SMOOTHED * mean + (1 - SMOOTHED) * y
        found.append((x, mean))
    return found
