"""From loose spans to annotation sets: by proximity (baseline 1) or in text order (baseline 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.systems.tagger import Bound

Link = tuple[int, int]
"""The positions of a span and of the one it points to."""


@dataclass(frozen=True, slots=True)
class Loose:
    """The spans of a paragraph in reading order, not yet linked."""

    bounds: list[Bound]

    def of(self, type: str) -> list[int]:
        """The positions of the spans of a type."""
        return [i for i, bound in enumerate(self.bounds) if bound.type == type]

    def gap(self, i: int, j: int) -> int:
        """Characters between two spans."""
        a, b = self.bounds[i], self.bounds[j]
        return max(0, a.start - b.end, b.start - a.end)


def by_proximity(loose: Loose) -> list[Link]:
    """Knock-out matching: the closest pair first, and who is matched is out.

    Each property takes the nearest quantity, each entity the nearest property or quantity whose
    measurement has no entity yet, each qualifier the nearest span of any type.
    """
    links = _knock_out(loose, loose.of("MeasuredProperty"), loose.of("Quantity"))
    home = dict(links)
    ends = [*loose.of("Quantity"), *home]
    links += _knock_out(
        loose, loose.of("MeasuredEntity"), ends, measurement=lambda i: home.get(i, i)
    )
    placed = [*loose.of("Quantity"), *(source for source, _ in links)]
    for i in loose.of("Qualifier"):
        if placed:
            links.append((i, min(placed, key=lambda j: (loose.gap(i, j), j))))
    return links


def _knock_out(
    loose: Loose,
    sources: list[int],
    targets: list[int],
    measurement: Callable[[int], int] = lambda i: i,
) -> list[Link]:
    pairs = sorted((loose.gap(i, j), i, j) for i in sources for j in targets)
    links: list[Link] = []
    out: set[int] = set()
    for _, i, j in pairs:
        if i not in out and measurement(j) not in out:
            out |= {i, measurement(j)}
            links.append((i, j))
    return links


def in_order(loose: Loose) -> list[Link]:
    """The first property to the first quantity, the second to the second, and so on with each type."""
    quantities = loose.of("Quantity")
    links = list(zip(loose.of("MeasuredProperty"), quantities, strict=False))
    property_of = {target: source for source, target in links}
    ends = [property_of.get(j, j) for j in quantities]
    links += zip(loose.of("MeasuredEntity"), ends, strict=False)
    links += zip(loose.of("Qualifier"), quantities, strict=False)
    return links


def to_spans(
    bounds: Iterable[Bound],
    text: str,
    unit: Callable[[str], str | None],
    link: Callable[[Loose], list[Link]],
) -> Spans:
    """The annotation sets of a paragraph: one for each quantity, in reading order.

    A span that is linked to no measurement is left out.
    """
    loose = Loose(sorted(bounds, key=lambda bound: (bound.start, bound.end)))
    links = dict(link(loose))
    sets: dict[int, list[int]] = {i: [i] for i in loose.of("Quantity")}
    for i in links:
        sets[_quantity_of(i, links)].append(i)
    spans = []
    for number, members in enumerate(sets.values(), 1):
        ids = {i: f"T{place}-{number}" for place, i in enumerate(members, 1)}
        for i in members:
            bound = loose.bounds[i]
            quote = text[bound.start : bound.end]
            if i in links:
                other = {_relation(bound, loose.bounds[links[i]]): ids[links[i]]}
            else:
                known = unit(quote)
                other = {"unit": known} if known else {}
            spans.append(Span(number, bound.type, bound.start, bound.end, ids[i], quote, other))
    return tuple(spans)


def _quantity_of(i: int, links: dict[int, int]) -> int:
    while i in links:
        i = links[i]
    return i


def _relation(source: Bound, target: Bound) -> str:
    if source.type == "Qualifier":
        return "Qualifies"
    return "HasProperty" if target.type == "MeasuredProperty" else "HasQuantity"
