"""Measurements as RDF: observations (SOSA, schema.org) whose results are quantity values (QUDT).

A quantity's annotation is about a span of the text; the observation is what it says of the world. Each
observation, result, feature and property leads back to the annotation it was derived from, which has the
document, page, quote and offsets, and to the characters ``#char=start,end`` (RFC 5147) of the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from marginalia.annotators.measurements.annotate import QUANTITIES
from marginalia.annotators.measurements.extract import linked
from marginalia.core.annotator import Triple
from marginalia.core.document import Annotation, Document
from marginalia.quantities.numerals import shift
from marginalia.quantities.values import parse_value

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
SOSA = "http://www.w3.org/ns/sosa/"
QUDT = "http://qudt.org/schema/qudt/"
SCHEMA = "https://schema.org/"
PROV = "http://www.w3.org/ns/prov#"
NUMBER = "http://qudt.org/vocab/unit/NUM"
"""The unit of what is counted."""

_PARTS = {
    "entity": ("FeatureOfInterest", "hasFeatureOfInterest", "observationAbout"),
    "property": ("ObservableProperty", "observedProperty", "measuredProperty"),
}
"""Role -> its SOSA class, and what SOSA and schema.org call the way from the observation to it."""


def triples(doc: Document) -> Iterator[Triple]:
    """An observation for each quantity but dates, which measure nothing."""
    ids = {note.id: note for note in doc.notes("measurements")}
    for note in ids.values():
        if note.label in QUANTITIES and note.label != "date":
            yield from _observation(note, ids)
    for role in _PARTS:
        named = (linked(note, role, ids) for note in ids.values())
        for part in {part.id: part for parts in named for part in parts}.values():
            yield from _part(part, role)


def _observation(note: Annotation, ids: Mapping[str, Annotation]) -> Iterator[Triple]:
    node, result = f"#{note.id}-observation", f"#{note.id}-result"
    yield node, RDF + "type", _to(SOSA + "Observation")
    yield node, RDF + "type", _to(SCHEMA + "Observation")
    yield from _derived(node, note, str(note.attrs.get("why") or note.quote))
    yield node, SOSA + "hasSimpleResult", note.quote
    yield node, SOSA + "hasResult", _to(result)
    for role, (_, sosa, schema) in _PARTS.items():
        for part in linked(note, role, ids):
            yield node, SOSA + sosa, _to(f"#{part.id}-{role}")
            yield node, SCHEMA + schema, _to(f"#{part.id}-{role}")
    for part in linked(note, "qualifier", ids):
        yield node, SCHEMA + "measurementQualifier", part.quote
        yield node, PROV + "wasDerivedFrom", _to(part.id)
    yield result, RDF + "type", _to(SOSA + "Result")
    yield result, RDF + "type", _to(QUDT + "QuantityValue")
    yield from _derived(result, note, note.quote)
    yield from _value(node, result, note.attrs)


def _value(node: str, result: str, attrs: Mapping[str, Any]) -> Iterator[Triple]:
    """The numbers as exact decimals, read from the exact text that the note has of them."""
    value = parse_value(str(attrs.get("value") or ""))
    if value.kind in ("number", "ratio"):
        yield result, QUDT + "numericValue", value.low
        yield node, SCHEMA + "value", value.low
    else:
        ends = {"lower": value.low, "upper": value.high}
        for (name, end), least in zip(ends.items(), ("minValue", "maxValue"), strict=True):
            if end is not None:
                yield result, f"{QUDT}{name}Bound", end
                yield node, SCHEMA + least, end
    for number in value.numbers if value.kind in ("list", "size") else ():
        if not number.tolerance:
            yield result, RDF + "value", shift(number.value, value.power)
    if value.uncertainty is not None:
        yield node, SCHEMA + "marginOfError", value.uncertainty
    if attrs.get("unit"):
        yield node, SCHEMA + "unitText", attrs["unit"]
    unit = attrs.get("qudt") or (NUMBER if attrs.get("count") else None)
    if unit:
        yield node, SCHEMA + "unitCode", _to(unit)
        yield result, QUDT + "hasUnit", _to(unit)
    if attrs.get("quantity_kind"):
        yield result, QUDT + "hasQuantityKind", _to(attrs["quantity_kind"])


def _part(part: Annotation, role: str) -> Iterator[Triple]:
    node = f"#{part.id}-{role}"
    yield node, RDF + "type", _to(SOSA + _PARTS[role][0])
    yield from _derived(node, part, part.quote)


def _derived(node: str, note: Annotation, label: str) -> Iterator[Triple]:
    """A name for people, and the way back to the annotation and its characters."""
    yield node, RDFS + "label", " ".join(label.split())
    yield node, PROV + "wasDerivedFrom", _to(note.id)
    yield node, PROV + "wasDerivedFrom", _to(f"#char={note.start},{note.end}")


def _to(id: str) -> dict[str, str]:
    return {"@id": id}
