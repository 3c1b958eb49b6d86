"""Linking of tagged spans to annotation sets: by proximity (baseline 1) or in text order (baseline 2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.systems.tagger import TaggedSpan

Link = tuple[int, int]
"""The positions of a span and of the one it points to."""


def positions(spans: Sequence[TaggedSpan], type: str) -> list[int]:
    """Where the spans of a type stand in the list."""
    return [i for i, span in enumerate(spans) if span.type == type]


def gap(a: TaggedSpan, b: TaggedSpan) -> int:
    """Characters between two spans."""
    return max(0, a.start - b.end, b.start - a.end)


def by_proximity(spans: Sequence[TaggedSpan]) -> list[Link]:
    """Knock-out matching: the closest pair first, and who is matched is out.

    Each property takes the nearest quantity, each entity the nearest property or quantity whose
    measurement has no entity yet, each qualifier the nearest span of any type.
    """
    links = _knock_out(spans, positions(spans, "MeasuredProperty"), positions(spans, "Quantity"))
    home = dict(links)
    ends = [*positions(spans, "Quantity"), *home]
    links += _knock_out(
        spans, positions(spans, "MeasuredEntity"), ends, measurement=lambda i: home.get(i, i)
    )
    placed = [*positions(spans, "Quantity"), *(source for source, _ in links)]
    for i in positions(spans, "Qualifier"):
        if placed:
            links.append((i, min(placed, key=lambda j: (gap(spans[i], spans[j]), j))))
    return links


def _knock_out(
    spans: Sequence[TaggedSpan],
    sources: list[int],
    targets: list[int],
    measurement: Callable[[int], int] = lambda i: i,
) -> list[Link]:
    pairs = sorted((gap(spans[i], spans[j]), i, j) for i in sources for j in targets)
    links: list[Link] = []
    out: set[int] = set()
    for _, i, j in pairs:
        if i not in out and measurement(j) not in out:
            out |= {i, measurement(j)}
            links.append((i, j))
    return links


def in_order(spans: Sequence[TaggedSpan]) -> list[Link]:
    """The first property to the first quantity, the second to the second, and so on with each type."""
    quantities = positions(spans, "Quantity")
    links = list(zip(positions(spans, "MeasuredProperty"), quantities, strict=False))
    property_of = {target: source for source, target in links}
    ends = [property_of.get(j, j) for j in quantities]
    links += zip(positions(spans, "MeasuredEntity"), ends, strict=False)
    links += zip(positions(spans, "Qualifier"), quantities, strict=False)
    return links


def link_spans(
    tagged: Iterable[TaggedSpan],
    text: str,
    unit: Callable[[str], str | None],
    link: Callable[[Sequence[TaggedSpan]], list[Link]],
) -> Spans:
    """The annotation sets of a paragraph: one for each quantity, in reading order.

    A span that is linked to no measurement is left out.
    """
    spans = sorted(tagged, key=lambda span: (span.start, span.end))
    links = dict(link(spans))
    sets: dict[int, list[int]] = {i: [i] for i in positions(spans, "Quantity")}
    for i in links:
        sets[_quantity_of(i, links)].append(i)
    made: list[Span] = []
    for number, members in enumerate(sets.values(), 1):
        ids = {i: f"T{place}-{number}" for place, i in enumerate(members, 1)}
        for i in members:
            span = spans[i]
            quote = text[span.start : span.end]
            if i in links:
                other = {_relation(span, spans[links[i]]): ids[links[i]]}
            else:
                known = unit(quote)
                other = {"unit": known} if known else {}
            made.append(Span(number, span.type, span.start, span.end, ids[i], quote, other))
    return tuple(made)


def _quantity_of(i: int, links: dict[int, int]) -> int:
    while i in links:
        i = links[i]
    return i


def _relation(source: TaggedSpan, target: TaggedSpan) -> str:
    if source.type == "Qualifier":
        return "Qualifies"
    return "HasProperty" if target.type == "MeasuredProperty" else "HasQuantity"
