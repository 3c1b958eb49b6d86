"""Measurements by a language model of the user's choice, alone and blended with the shipped system.

What it quotes is found in the paragraph, or dropped and counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from marginalia.core.benchmark import System
from marginalia.core.registry import get_benchmark
from marginalia.core.resolution import choose_system
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.prompt import Entry, Request, load_prompt
from marginalia.nlp.prompting.quotes import Place, find_quote
from marginalia.nlp.prompting.system import Prompted
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans, by_set, overlaps

QUALIFIERS = False
"""Whether the blend for the board has the model's qualifiers: where annotators saw none
they cost more than they bring (``benchmarks/prompted.py``)."""
ROLES = {"property": "MeasuredProperty", "entity": "MeasuredEntity", "qualifier": "Qualifier"}


def make_prompted() -> Prompted:
    return Prompted(requests, read, shipped)


def make_combined() -> Prompted:
    return Prompted(requests, read, shipped, blend=blend)


def shipped() -> System:
    return choose_system(get_benchmark("measurement")).loaded()


def requests(items: Mapping[str, Paragraph], per_request: int = 0) -> Iterator[Request]:
    """A paragraph each, so that what one says cannot change what is found in another."""
    entries = [Entry((id,), {"paragraph": item.text}, id) for id, item in items.items()]
    return load_prompt(__package__, "measurement").requests(entries, per_request)


def read(
    items: Mapping[str, Paragraph], entry: Entry, answer: Mapping[str, Any], model: LanguageModel
) -> dict[str, Spans]:
    (id,) = entry.ids
    text, spans, last = items[id].text, list[Span](), 0
    for said in answer["quantities"]:
        place = find_quote(text, said["quantity"], near=last, after=last)
        if place is None or any(_touch(place, span) for span in spans if span.type == "Quantity"):
            model.tally.dropped += 1
            continue
        last = place[1]
        spans += _measurement(text, said, place, 1 + len(by_set(spans)), model)
    return {id: tuple(spans)}


def _touch(place: Place, span: Span) -> bool:
    return place[0] < span.end and span.start < place[1]


def _measurement(
    text: str, said: Mapping[str, Any], place: Place, number: int, model: LanguageModel
) -> Iterator[Span]:
    """The quantity and what is around it, each span with the relation that the official format gives it."""
    other: dict[str, Any] = {}
    if said["unit"] and said["unit"] in text[place[0] : place[1]]:
        other["unit"] = said["unit"]
    if said["modifiers"]:
        other["mods"] = list(dict.fromkeys(said["modifiers"]))
    quantity = _span(text, place, number, "Quantity", 1, other)
    found: dict[str, Span] = {"quantity": quantity}
    for n, (role, type) in enumerate(ROLES.items(), start=2):
        if not said[role].strip():
            continue
        where = find_quote(text, said[role], near=place[0])
        if where is None:
            model.tally.dropped += 1
        elif not any(_touch(where, span) for span in found.values()):
            target = found.get("property", quantity) if role == "entity" else quantity
            relation = _relation(type, target)
            found[role] = _span(text, where, number, type, n, {relation: target.id})
    yield from found.values()


def _relation(type: str, target: Span) -> str:
    if type == "Qualifier":
        return "Qualifies"
    return "HasProperty" if target.type == "MeasuredProperty" else "HasQuantity"


def _span(
    text: str, place: Place, number: int, type: str, n: int, other: Mapping[str, Any]
) -> Span:
    start, end = place
    return Span(number, type, start, end, f"T{n}-{number}", text[start:end], other)


def blend(prompted: Spans, shipped: Spans, qualifiers: bool = QUALIFIERS) -> Spans:
    """The quantities of the shipped system, each with the context that the model gives a quantity at its place.

    Rules and a trained network find numbers and units as the annotators do; a large model knows better what they are of.
    """
    kept = (span for span in prompted if qualifiers or span.type != "Qualifier")
    said = list(by_set(kept).values())
    found: list[Span] = []
    for own in by_set(shipped).values():
        quantity = next(span for span in own if span.type == "Quantity")
        match = next((one for one in said if overlaps(one[0], quantity)), [])
        found += [quantity, *_moved(match, quantity)] if len(match) > 1 else own
    return tuple(found)


class Reviewed:
    """The shipped system for documents, with the contexts that a model gives its quantities."""

    def __init__(self, shipped: Any, model: LanguageModel) -> None:
        self.shipped, self.model = shipped, model
        self.verdicts: dict[str, dict[int, bool]] = {}
        """Paragraph -> number of the set -> whether the model corrected its context, where it gave one."""

    def predict(self, items: Mapping[str, Paragraph]) -> dict[str, Spans]:
        """A paragraph without quantities is not sent."""
        pred: dict[str, Spans] = dict(self.shipped.predict(items))
        asked = {id: item for id, item in items.items() if pred[id]}
        for entry, answer in self.model.ask(requests(asked)):
            for id, said in read(items, entry, answer, self.model).items():
                blended = blend(said, pred[id], qualifiers=True)
                before, after = by_set(pred[id]), by_set(blended)
                mine = [one[0] for one in by_set(said).values() if len(one) > 1]
                self.verdicts[id] = {
                    number: _places(before[number]) != _places(spans)
                    for number, spans in after.items()
                    if any(overlaps(quantity, spans[0]) for quantity in mine)
                }
                pred[id] = blended
        return pred

    def contexts(self, items: Mapping[str, Paragraph]) -> dict[str, Any]:
        """What the shipped system says of the contexts, but for those that the model gave."""
        if not hasattr(self.shipped, "contexts"):
            return {}
        found = self.shipped.contexts(items)
        return {
            id: {
                number: roles
                for number, roles in judged.items()
                if number not in self.verdicts.get(id, {})
            }
            for id, judged in found.items()
        }


def _places(spans: list[Span]) -> set[tuple[str, int, int]]:
    return {(span.type, span.start, span.end) for span in spans}


def _moved(measurement: list[Span], quantity: Span) -> list[Span]:
    """The context of a measurement, the quantity first in it, as that of another quantity."""
    first, *context = measurement
    ids = {first.id: quantity.id}
    ids |= {span.id: f"T{n}-{quantity.set}" for n, span in enumerate(context, start=101)}
    return [
        replace(
            span,
            set=quantity.set,
            id=ids[span.id],
            other={relation: ids[target] for relation, target in span.other.items()},
        )
        for span in context
    ]
