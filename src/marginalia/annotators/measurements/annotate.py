"""Notes on the quantities of a document, linked to notes on what was measured and under which conditions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from marginalia.annotators.measurements.context import Part
from marginalia.annotators.measurements.document import MeasuredDocument, measure
from marginalia.annotators.measurements.names import implied_property, property_name
from marginalia.annotators.measurements.records import Measurement
from marginalia.annotators.measurements.wording import (
    condition,
    describe,
    describe_part,
    flat,
    si_symbol,
)
from marginalia.core.document import Annotation, Document
from marginalia.quantities.numerals import shift
from marginalia.quantities.statistics import Statistics, read_spread
from marginalia.quantities.units.defined import UnitTable
from marginalia.quantities.units.unit import DIMENSIONLESS
from marginalia.quantities.values import scale, write_value

if TYPE_CHECKING:
    from marginalia.nlp.prompting.model import LanguageModel

PARTS = {"entity": "measured entity", "property": "measured property", "qualifier": "qualifier"}
"""What a quantity links to -> the label of the note there."""
NOT_SAID = Statistics(0)
QUANTITIES = ("measurement", "count", "date")
"""The labels of quantities: counts and dates are kept apart from measurements."""


def annotate(
    doc: Document,
    *,
    system: str | None = None,
    units: UnitTable | None = None,
    llm: LanguageModel | None = None,
) -> Iterator[Annotation]:
    """A note on each quantity, and one on each span that is the entity, property or qualifier of a quantity.

    These are the rows of ``extract_measurements``. ``units`` are those of the user: a table of definitions, or the settings
    file that has it.
    """
    return notes(doc, measure(doc, system, units=units, llm=llm))


def notes(doc: Document, found: MeasuredDocument) -> Iterator[Annotation]:
    """Quantities link to their parts (entity, property, qualifier), and those back with the official relations."""
    roles: dict[tuple[str, Part], list[tuple[str, Measurement]]] = {}
    records = sorted(found.records, key=in_reading_order)
    names = {id(record): f"measurements-{number}" for number, record in enumerate(records, 1)}
    for record in records:
        for role, part in parts(record):
            roles.setdefault((role, part), []).append((names[id(record)], record))
    places = sorted(roles, key=lambda key: (key[1].start, key[1].end, key[0]))
    ids = {key: f"measurements-part-{number}" for number, key in enumerate(places, 1)}
    for record in records:
        links: dict[str, tuple[str, ...]] = {}
        for role, part in parts(record):
            links[role] = (*links.get(role, ()), ids[role, part])
        yield _note(
            record.quantity,
            id=names[id(record)],
            label=label(record),
            score=record.confidence,
            attrs={
                **attributes(record, doc.text, found.language),
                **_second_opinion(found, record),
            },
            links=links,
            system=f"{found.system} + {found.model}"
            if record.set in found.corrected
            else found.system,
        )
    for role, part in places:
        owners = roles[role, part]
        yield _note(
            part,
            id=ids[role, part],
            label=PARTS[role],
            attrs={
                "why": describe_part(role, [record for _, record in owners]),
                "part_of": [name for name, _ in owners],
                **({"name": part.name} if part.name else {}),
            },
            links=_relations(role, owners, ids),
            system=found.system,
        )


def _second_opinion(found: MeasuredDocument, record: Measurement) -> dict[str, str]:
    """What a language model said of what the quantity is of, where one was asked and answered."""
    if record.set not in found.corrected:
        return {}
    from marginalia.nlp.prompting.passages import CORRECTED, KEPT, MODEL, VERDICT

    return {MODEL: found.model, VERDICT: CORRECTED if found.corrected[record.set] else KEPT}


def in_reading_order(record: Measurement) -> tuple[int, int]:
    """Sorts records as their notes are numbered."""
    return record.quantity.start, record.set


def label(record: Measurement) -> str:
    if record.value.kind == "date":
        return "date"
    return "count" if record.count else "measurement"


def parts(record: Measurement) -> Iterator[tuple[str, Part]]:
    """The role and span of what a quantity is linked to."""
    if record.property:
        yield "property", record.property
    if record.entity:
        yield "entity", record.entity
    for part in dict.fromkeys(record.qualifiers):
        yield "qualifier", part


def attributes(record: Measurement, text: str, language: str) -> dict[str, Any]:
    """A quantity of the text as JSON data. ``value`` is exact; ``low``, ``high`` and the like are floats."""
    value, unit, si = record.value, record.unit, record.si
    said = record.statistics or NOT_SAID
    off, si_off = value.uncertainty, si and si.uncertainty
    if off is None and said.deviation is not None:
        off = said.deviation
        si_off = scale(off, unit.factor) if unit else None
    return {
        "why": describe(record, language),
        "value": write_value(value),
        "kind": value.kind,
        "low": number(value.low),
        "high": number(value.high),
        "low_open": value.low_open,
        "high_open": value.high_open,
        "uncertainty": number(off),
        "uncertainty_kind": _uncertainty_kind(record, text, language),
        "approximate": value.approximate,
        "values": _listed(record),
        "per": record.per,
        "statistic": said.name,
        "interval_low": number(said.low),
        "interval_high": number(said.high),
        "interval_kind": said.interval_kind,
        "interval_level": number(said.level),
        "p": said.p,
        "n": said.n,
        "count": record.count,
        "modifiers": list(record.modifiers),
        "unit": record.unit_text
        or (record.unit_part.quote if record.unit_part else unit and unit.text),
        "unit_start": record.unit_part and record.unit_part.start,
        "unit_end": record.unit_part and record.unit_part.end,
        "ucum": unit and unit.ucum,
        "qudt": unit and unit.qudt,
        "unit_confidence": record.unit_confidence,
        "doubt": record.doubt,
        "currency": record.currency,
        "si": si and si.unit,
        "si_symbol": si and si_symbol(si.unit),
        "si_low": number(si and si.low),
        "si_high": number(si and si.high),
        "si_uncertainty": number(si_off),
        "si_values": [number(each) for each in si.values] if si and si.values else None,
        "purpose": record.purpose,
        "caption": record.caption and flat(record.caption.quote),
        "entity_confidence": record.entity_confidence,
        "property_confidence": record.property_confidence,
        "qualifier_confidence": record.qualifier_confidence,
        "property_name": _name(record),
        "property_implied": implied_property(record),
        "conditions": "; ".join(map(condition, record.qualifiers)) or None,
        "quantity_kind": record.kind and record.kind.iri,
        "quantity_kind_label": record.kind and record.kind.label,
        "alternatives": [
            {
                "role": other.role,
                "quote": text[other.start : other.end],
                "start": other.start,
                "end": other.end,
                "score": other.score,
            }
            for other in record.alternatives
        ],
    }


def _name(record: Measurement) -> str | None:
    """The property's, or where none is given that of what the unit is for: a temperature, a pressure."""
    if record.property or (name := implied_property(record)):
        return property_name(record.property.quote) if record.property else name
    measured = record.unit and record.unit.dimension != DIMENSIONLESS and record.kind
    return record.kind.label.lower() if measured and record.kind else None


def _listed(record: Measurement) -> list[int | float | None] | None:
    """The numbers of a list or size, in their order."""
    value = record.value
    if value.kind not in ("list", "size"):
        return None
    return [number(shift(one.value, value.power)) for one in value.numbers if not one.tolerance]


def _uncertainty_kind(record: Measurement, text: str, language: str) -> str | None:
    """``SD`` or ``SE`` where that is said, beside the number or once for the whole text."""
    said = record.statistics.deviation_kind if record.statistics else None
    if said or record.value.uncertainty is None:
        return said
    return "SD" if "IsMeanHasSD" in record.modifiers else read_spread(text, language)


def number(value: Decimal | float | None) -> int | float | None:
    """A number for JSON: an integer where it is whole and a float would keep it exactly, else a float."""
    size = None if value is None else float(value)
    if value is None or size is None or not math.isfinite(size):
        return None
    return int(value) if abs(size) < 2**53 and value == int(value) else size


def _note(part: Part, **more: Any) -> Annotation:
    return Annotation(task="measurements", start=part.start, end=part.end, quote=part.quote, **more)


def _relations(
    role: str,
    owners: Iterable[tuple[str, Measurement]],
    ids: dict[tuple[str, Part], str],
) -> dict[str, tuple[str, ...]]:
    """As the task relates them: the property to its quantity, the entity to the property where there is one."""
    links: dict[str, tuple[str, ...]] = {}
    for name, record in owners:
        relation, target = {"qualifier": "Qualifies"}.get(role, "HasQuantity"), name
        if role == "entity" and record.property:
            relation, target = "HasProperty", ids["property", record.property]
        if target not in links.get(relation, ()):
            links[relation] = (*links.get(relation, ()), target)
    return links
