"""Relations alone, from gold spans: the setting of Veyseh et al. (2021).

What is given: a paragraph and the offsets and types of its gold Quantity, MeasuredProperty,
MeasuredEntity and Qualifier spans. An entity of three quantities is three rows of gold with the same
offsets; it is given once, so that the number of rows tells nothing. What is not given: sets, ids,
relations, units, modifiers. What is predicted: one set for each quantity, made of the given spans, and
the relations in it; units and modifiers stay empty.

It is scored by the official program on HasQuantity, HasProperty and Qualifies, where a relation counts
if both its spans are in the set of the right quantity. The input is theirs as the overview paper describes
it; how they counted it does not say, so none of their figures stands beside ours. No system can be of this
kind: an item has no gold. ``tagged_of`` takes the spans from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from measurement_linker import Linker, Members
from measurement_pairs import Page

from marginalia.core.errors import UnknownNameError
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.systems.linking import by_proximity, in_order, link_spans
from marginalia.tasks.measurement.systems.tagger import TaggedSpan

RELATIONS = ("HasQuantity", "HasProperty", "Qualifies")
RULES = {"proximity": by_proximity, "in-order": in_order}
"""The rules of the organisers' two baselines."""


def tagged_of(spans: Iterable[Span]) -> list[TaggedSpan]:
    """What is given of gold: each span once, in reading order."""
    each = {TaggedSpan(span.type, span.start, span.end) for span in spans}
    return sorted(each, key=lambda span: (span.start, span.end, span.type))


def from_gold_spans(
    text: str, tagged: Sequence[TaggedSpan], how: str | Linker = "proximity"
) -> Spans:
    """The sets and relations of a paragraph whose spans are known.

    ``how`` is a rule, ``proximity`` or ``in-order``, or a linker that was fitted on other articles.
    """
    if isinstance(how, Linker):
        page = Page(text, tagged)
        return _spans(page, how.link(page))
    if how not in RULES:
        raise UnknownNameError("rule", how, RULES)
    return link_spans(tagged, text, lambda quote: None, RULES[how])


def _spans(page: Page, sets: dict[int, Members]) -> Spans:
    spans: list[Span] = []
    for number, (quantity, own) in enumerate(sets.items(), 1):
        links: dict[int, tuple[str, int]] = {}
        if own.property is not None:
            links[own.property] = "HasQuantity", quantity
        if own.entity is not None:
            has = (
                ("HasQuantity", quantity) if own.property is None else ("HasProperty", own.property)
            )
            links[own.entity] = has
        for j, type in own.qualifiers.items():
            target = own.target(quantity, type)
            links[j] = "Qualifies", quantity if target is None else target
        ids = {i: f"T{place}-{number}" for place, i in enumerate((quantity, *links), 1)}
        for i, id in ids.items():
            span = page.spans[i]
            other = {links[i][0]: ids[links[i][1]]} if i in links else {}
            spans.append(Span(number, span.type, span.start, span.end, id, page.quote(i), other))
    return tuple(spans)
