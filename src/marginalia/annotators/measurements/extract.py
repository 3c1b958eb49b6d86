"""The measurements of a document as a table, as official TSV and as brat; RDF is in ``triples.py``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from marginalia.annotators.measurements.annotate import QUANTITIES, in_reading_order, notes
from marginalia.annotators.measurements.document import measure
from marginalia.annotators.measurements.places import Places
from marginalia.annotators.measurements.query import parse_query
from marginalia.annotators.measurements.records import Measurement
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.core.extraction import Extraction
from marginalia.nlp.prompting import as_model
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.quantities.units.defined import UnitTable
from marginalia.tasks.measurement.official.brat import to_document_brat
from marginalia.tasks.measurement.official.tsv import format_spans

COLUMNS: Mapping[str, type] = {
    "document": str,
    "page": int,
    "section": str,
    "id": str,
    "label": str,
    "quantity": str,
    "start": int,
    "end": int,
    "value": str,
    "kind": str,
    "low": float,
    "high": float,
    "low_open": bool,
    "high_open": bool,
    "uncertainty": float,
    "uncertainty_kind": str,
    "approximate": bool,
    "values": list,
    "per": str,
    "statistic": str,
    "interval_low": float,
    "interval_high": float,
    "interval_kind": str,
    "interval_level": float,
    "p": str,
    "n": int,
    "count": bool,
    "modifiers": list,
    "unit": str,
    "unit_start": int,
    "unit_end": int,
    "ucum": str,
    "qudt": str,
    "unit_confidence": float,
    "doubt": str,
    "currency": str,
    "si_low": float,
    "si_high": float,
    "si_uncertainty": float,
    "si_values": list,
    "si": str,
    "purpose": str,
    "property": str,
    "property_start": int,
    "property_end": int,
    "property_confidence": float,
    "property_name": str,
    "property_implied": str,
    "quantity_kind": str,
    "entity": str,
    "entity_start": int,
    "entity_end": int,
    "entity_confidence": float,
    "conditions": str,
    "qualifiers": list,
    "qualifier_confidence": float,
    "caption": str,
    "alternatives": list,
    "statement": str,
    "sentence": str,
    "system": str,
}
READER_COLUMNS = ("document", "page", "id", "label", "quantity", "start", "end", "system")
"""Columns that the reader has in each of its tables."""
SHOWN_COLUMNS = ("document", "page", "label", "statement", "value", "ucum")


def extract_measurements(
    doc: Document,
    *,
    system: str | None = None,
    min_confidence: float | None = None,
    query: str | None = None,
    units: UnitTable | None = None,
    llm: str | LanguageModel | None = None,
) -> Extraction[Measurement]:
    """What was measured in a document: records, a table, and the official files.

    An entity, property or qualifier is in a record from a confidence of ``min_confidence`` on: 0 gives the best guess
    everywhere, 0.9 little but sure; without it the thresholds are those of the notes. With a ``query`` such as
    ``property ~ temperature and value > 300 K`` only the rows that it selects are there. The official files have the
    system's spans in any case. Without the name of a ``system`` the reader's own is taken; ``rules`` is fast and needs no encoder. The
    result's ``doc`` has a note on each quantity and on what it is linked to; earlier ones are replaced.

    ``units`` defines units of your own, ``{"furlong": "201.168 m", "widgets": "count"}``, or names the settings file with
    that table. A language model (``llm``) gives a second opinion on what the quantities are of.

    >>> found = extract_measurements(read("paper.pdf", notes=[]))  # doctest: +SKIP
    >>> found.to_frame()[["value", "ucum", "property", "entity"]]  # doctest: +SKIP
    """
    check_options(min_confidence=min_confidence, query=query)
    found = measure(
        doc,
        system,
        alternatives=True,
        min_confidence=min_confidence,
        units=units,
        llm=as_model(llm),
    )
    found = replace(found, records=tuple(sorted(found.records, key=in_reading_order)))
    made = list(notes(doc, found))
    noted = _noted(doc, made)
    if query is not None:
        selects = parse_query(query, COLUMNS).matches
        selected = {row["id"] for row in _rows(noted) if selects(row)}
        ids = (note.id for note in made if note.label in QUANTITIES)
        pairs = zip(found.records, ids, strict=True)
        found = replace(found, records=tuple(record for record, id in pairs if id in selected))
        noted = _noted(doc, notes(doc, found))
    # A row of the TSV ends where its line ends, and so must an id.
    name = re.sub(r"\s+", "_", doc.id)
    return Extraction(
        doc=noted,
        records=found.records,
        rows=tuple(_rows(noted)),
        columns=COLUMNS,
        shown=SHOWN_COLUMNS,
        files={
            "tsv": {".tsv": format_spans(name, found.spans)},
            "brat": {".ann": to_document_brat(found.spans, doc.text), ".txt": doc.text},
        },
    )


def check_options(*, min_confidence: float | None = None, query: str | None = None) -> None:
    """Raises ``FormatError`` for what ``extract_measurements`` would refuse, before a document is read."""
    if min_confidence is not None and not 0 <= min_confidence <= 1:
        raise FormatError(f"the least confidence is {min_confidence}, expected 0 to 1")
    if query is not None:
        parse_query(query, COLUMNS)


def _noted(doc: Document, made: Iterable[Annotation]) -> Document:
    """The document with these notes, in place of earlier ones of measurement."""
    kept = tuple(note for note in doc.annotations if note.task != "measurements")
    return replace(doc, annotations=kept).annotate(made)


def rows(doc: Document) -> Iterator[dict[str, Any]]:
    """For the reader's tables: a row for each quantity, with the columns that only measurements have."""
    for row in _rows(doc):
        yield {key: row[key] for key in row if key == "id" or key not in READER_COLUMNS}


def _rows(doc: Document) -> Iterator[dict[str, Any]]:
    ids = {note.id: note for note in doc.notes("measurements")}
    places = Places(doc)
    for note in ids.values():
        if note.label in QUANTITIES:
            row = {
                **note.attrs,
                **_fixed(doc, note),
                **_parts(note, ids),
                "section": places.section(note.start),
                "sentence": places.sentence(note.start),
            }
            yield {name: row.get(name) for name in COLUMNS}


def _fixed(doc: Document, note: Annotation) -> dict[str, Any]:
    return {
        "document": doc.id,
        "page": doc.page(note.start),
        "id": note.id,
        "label": note.label,
        "quantity": note.quote,
        "start": note.start,
        "end": note.end,
        "statement": note.attrs.get("why"),
        "system": note.system,
    }


def _parts(note: Annotation, ids: Mapping[str, Annotation]) -> dict[str, Any]:
    """Quote and offsets of what the quantity is linked to."""
    found: dict[str, Any] = {}
    for role in ("property", "entity"):
        for part in linked(note, role, ids):
            found |= {role: part.quote, f"{role}_start": part.start, f"{role}_end": part.end}
    found["qualifiers"] = [
        {"quote": part.quote, "start": part.start, "end": part.end}
        | ({"name": part.attrs["name"]} if "name" in part.attrs else {})
        for part in linked(note, "qualifier", ids)
    ]
    return found


def linked(note: Annotation, role: str, ids: Mapping[str, Annotation]) -> list[Annotation]:
    """The notes that a quantity is linked to in this role, as far as the document still has them."""
    return [ids[id] for id in note.links.get(role, ()) if id in ids]
