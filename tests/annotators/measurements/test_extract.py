"""Measurements out of documents: rows that link back, official files, and RDF that answers questions."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from marginalia import Annotation, Document, FormatError
from marginalia.annotators.measurements import document as measured
from marginalia.annotators.measurements.document import measure
from marginalia.annotators.measurements.extract import (
    COLUMNS,
    READER_COLUMNS,
    SHOWN_COLUMNS,
    extract_measurements,
    rows,
)
from marginalia.core.extraction import Extraction
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.reader.formats import turtle
from marginalia.reader.formats.table import rows as reader_rows
from marginalia.reader.read import read
from marginalia.tasks.measurement.official.brat import from_brat
from marginalia.tasks.measurement.official.spans import Span, check_spans
from marginalia.tasks.measurement.official.submission import score_files
from marginalia.tasks.measurement.official.tsv import format_spans, read_spans
from tests.tasks.measurement.invented import TEXTS, gold, invented_task

EXAMPLES = Path(__file__).parents[3] / "examples"
FIRST = TEXTS["S01-1"]
PAGES = f"Nothing here.\n\n{FIRST}"


class Golden:
    """Knows the invented paragraphs by heart, and one other reading."""

    def predict(self, items):
        known = {text: gold()[id] for id, text in TEXTS.items()}
        return {id: known.get(item.text, ()) for id, item in items.items()}

    def contexts(self, items):
        known = tuple(
            RoleSpan(span.type, span.start, span.end, 0.9)
            for span in gold()["S01-1"]
            if span.set == 2 and span.type != "Quantity"
        )
        context = (*known, RoleSpan("MeasuredEntity", 34, 39, 0.25))
        other = {2: Quantity(0, 0, None, (), 0.9, context, known)}
        return {id: other if item.text == FIRST else {} for id, item in items.items()}


@pytest.fixture
def golden(monkeypatch: pytest.MonkeyPatch):
    """Documents are read by ``Golden``."""
    monkeypatch.setattr(measured, "BENCHMARK", invented_task(Golden))
    measured._measure.cache_clear()
    yield
    measured._measure.cache_clear()


@pytest.fixture
def paged(golden) -> Extraction:
    """Two pages, with all the quantities on the second."""
    meta = {"lang": "en", "pages": [[0, 13], [15, len(PAGES)]]}
    return extract_measurements(Document(id="a/b c", text=PAGES, meta=meta))


def test_every_row_links_back(paged: Extraction) -> None:
    assert len(paged.rows) == 3
    for row in paged.rows:
        assert list(row) == list(COLUMNS)
        assert (row["document"], row["page"]) == ("a/b c", 2)
        for name in ("", "unit_", "property_", "entity_"):
            start, end = row[f"{name}start"], row[f"{name}end"]
            quote = row[name.rstrip("_") or "quantity"]
            assert (PAGES[start:end] if quote else None) == quote
        for part in row["qualifiers"] + row["alternatives"]:
            assert PAGES[part["start"] : part["end"]] == part["quote"]
    point = paged.rows[1]
    assert (point["property"], point["entity"]) == ("boiling point", "the brine")
    assert [part["quote"] for part in point["qualifiers"]] == ["At 20 °C"]
    assert [row["label"] for row in paged.rows] == ["measurement", "measurement", "count"]


def test_rows_are_of_the_types_they_say(paged: Extraction) -> None:
    assert set(paged.shown) <= COLUMNS.keys() and paged.shown == SHOWN_COLUMNS
    for row in [*paged.rows, *extract_measurements(read(EXAMPLES / "methods.txt")).rows]:
        for name, kind in COLUMNS.items():
            allowed = (int, float) if kind is float else kind
            assert row[name] is None or isinstance(row[name], allowed), name
        json.dumps(row, allow_nan=False)


def test_other_readings_are_for_the_curator_only(paged: Extraction) -> None:
    (other,) = paged.rows[1]["alternatives"]
    assert (other["quote"], other["score"], other["role"]) == ("brine", 0.25, "MeasuredEntity")
    assert all("0.25" not in text for ends in paged.files.values() for text in ends.values())


def test_what_is_not_sure_enough_stays_empty(golden) -> None:
    doc = Document(id="x", text=PAGES, meta={"lang": "en"})
    found = extract_measurements(doc, min_confidence=0.95)
    point = found.rows[1]
    assert (point["property"], point["entity"], point["qualifiers"]) == (None, None, [])
    assert point["entity_confidence"] is None and point["statement"].startswith("about 104 °C")
    assert len(point["alternatives"]) == 4
    kept = extract_measurements(doc).rows[1]
    assert kept["entity_confidence"] == kept["property_confidence"] == 0.9
    assert kept["qualifier_confidence"] == 0.9
    official = "MeasuredProperty"
    assert official in found.files["tsv"][".tsv"]


@pytest.mark.parametrize("least", [-0.1, 1.5, float("nan")])
def test_a_confidence_is_between_0_and_1(least: float) -> None:
    with pytest.raises(FormatError, match="expected 0 to 1"):
        extract_measurements(Document(id="x", text="5 m"), min_confidence=least)


def test_the_official_table_is_read_back(paged: Extraction, tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_text(paged.files["tsv"][".tsv"], encoding="utf-8")
    found = list(read_spans(tmp_path / "x.tsv"))
    assert {doc for doc, _ in found} == {"a/b_c"}
    spans = [span for _, span in found]
    check_spans(spans)
    assert all(PAGES[span.start : span.end] == span.text for span in spans)
    assert [(s.type, s.text, s.other) for s in spans] == [
        (s.type, s.text, s.other) for s in gold()["S01-1"]
    ]


def test_the_brat_file_is_read_back(paged: Extraction) -> None:
    ends = paged.files["brat"]
    assert ends[".txt"] == PAGES
    official = measure(paged.doc).spans
    assert sorted(from_brat(ends[".ann"], PAGES), key=_place) == sorted(official, key=_place)


def _place(span: Span) -> tuple[int, str]:
    return span.set, span.id


def test_what_is_extracted_from_gold_scores_full_marks(golden, tmp_path: Path) -> None:
    for folder in ("gold", "pred"):
        (tmp_path / folder).mkdir()
    for id, text in TEXTS.items():
        table = extract_measurements(Document(id=id, text=text, meta={"lang": "en"})).files["tsv"][
            ".tsv"
        ]
        assert table == format_spans(id, gold()[id])
        (tmp_path / "pred" / f"{id}.tsv").write_text(table, encoding="utf-8")
        (tmp_path / "gold" / f"{id}.tsv").write_text(format_spans(id, gold()[id]), encoding="utf-8")
    report = score_files(tmp_path / "gold", tmp_path / "pred")
    assert report.scores["overall"]["f1_overlap"] == 1


def test_earlier_notes_are_replaced_and_those_of_others_kept() -> None:
    doc = read(EXAMPLES / "methods.txt")
    once = extract_measurements(doc).doc
    assert extract_measurements(once).doc == once
    other = Annotation(id="o", task="other", label="x", start=0, end=4, quote=doc.text[:4])
    assert other in extract_measurements(doc.annotate([other])).doc.annotations


def test_the_readers_tables_have_a_row_for_each_quantity(paged: Extraction) -> None:
    found = list(reader_rows(paged.doc))
    assert [row["quote"] for row in found] == ["20 °C", "about 104 °C", "12"]
    assert found[1]["measurements.entity"] == "the brine" and found[1]["page"] == 2
    own = next(iter(rows(paged.doc)))
    assert own.keys() == (COLUMNS.keys() - set(READER_COLUMNS)) | {"id"}


def test_records_are_in_the_order_of_the_rows() -> None:
    found = extract_measurements(read(EXAMPLES / "methods.txt"), system="rules")
    assert [record.quantity.quote for record in found.records] == [
        row["quantity"] for row in found.rows
    ]
    assert found.to_dict() == {"document": "methods", "rows": [dict(row) for row in found.rows]}


PREFIXES = """
PREFIX sosa: <http://www.w3.org/ns/sosa/>
PREFIX qudt: <http://qudt.org/schema/qudt/>
PREFIX unit: <http://qudt.org/vocab/unit/>
PREFIX schema: <https://schema.org/>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX oa: <http://www.w3.org/ns/oa#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX m: <urn:marginalia:vocabulary#>
"""


def ask(doc: Document, query: str) -> list[tuple]:
    import rdflib

    graph = rdflib.Graph().parse(data=turtle.dump([doc]), format="turtle")
    return [
        tuple(None if term is None else term.toPython() for term in row)
        for row in graph.query(PREFIXES + query)
    ]


def test_rdf_says_what_was_measured_of_what(paged: Extraction) -> None:
    found = ask(
        paged.doc,
        """SELECT ?property ?entity ?number ?unit ?qualifier WHERE {
             ?observation a sosa:Observation, schema:Observation ;
               sosa:observedProperty/rdfs:label ?property ;
               sosa:hasFeatureOfInterest/rdfs:label ?entity ;
               schema:measurementQualifier ?qualifier ;
               sosa:hasResult ?result .
             ?result a qudt:QuantityValue ; qudt:numericValue ?number ; qudt:hasUnit ?unit . }""",
    )
    celsius = "http://qudt.org/vocab/unit/DEG_C"
    assert found == [("boiling point", "the brine", Decimal(104), celsius, "At 20 °C")]


def test_every_node_of_rdf_leads_back_to_document_page_and_offsets(paged: Extraction) -> None:
    base = "urn:marginalia:document:a%2Fb%20c"
    for kind in ("Observation", "Result", "FeatureOfInterest", "ObservableProperty"):
        nodes = ask(paged.doc, f"SELECT DISTINCT ?node WHERE {{ ?node a sosa:{kind} }}")
        found = ask(
            paged.doc,
            f"""SELECT DISTINCT ?node ?source ?page ?start ?end ?quote WHERE {{
                  ?node a sosa:{kind} ; prov:wasDerivedFrom ?note .
                  ?note oa:hasTarget ?target ; m:page ?page .
                  ?target oa:hasSource ?source ; oa:hasSelector ?place, ?text .
                  ?place a oa:TextPositionSelector ; oa:start ?start ; oa:end ?end .
                  ?text oa:exact ?quote . }}""",
        )
        assert nodes and {row[0] for row in found} == {row[0] for row in nodes}
        for node, source, page, start, end, quote in found:
            assert (source, page, PAGES[start:end]) == (base, 2, quote)
            fragment = f"{base}#char={start},{end}"
            assert node.startswith(f"{base}#measurements-")
            if kind != "Observation":  # which is derived from its qualifiers too
                assert ask(
                    paged.doc,
                    f"SELECT ?x WHERE {{ <{node}> prov:wasDerivedFrom <{fragment}> . ?x a sosa:{kind} }}",
                )


def test_rdf_keeps_bounds_tolerances_and_exact_decimals(golden) -> None:
    doc = extract_measurements(Document(id="x", text=TEXTS["S02-7"], meta={"lang": "en"})).doc
    bounds = "SELECT ?low ?high WHERE { ?r qudt:lowerBound ?low ; qudt:upperBound ?high }"
    assert ask(doc, bounds) == [(Decimal(3), Decimal(9))]
    margin = "SELECT ?v ?m WHERE { ?o schema:value ?v ; schema:marginOfError ?m }"
    assert ask(doc, margin) == [(Decimal("31.5"), Decimal("0.2"))]


def test_counts_are_counts_in_rdf_too(paged: Extraction) -> None:
    found = ask(
        paged.doc,
        "SELECT ?n ?l WHERE { ?r qudt:hasUnit unit:NUM ; qudt:numericValue ?n ; rdfs:label ?l }",
    )
    assert found == [(Decimal(12), "12")]


def test_dates_are_rows_but_no_observations() -> None:
    doc = extract_measurements(read(EXAMPLES / "methods.txt"), system="rules")
    dates = [row for row in doc.rows if row["label"] == "date"]
    assert [row["quantity"] for row in dates] == ["12 March 2019"]
    simple = {row[0] for row in ask(doc.doc, "SELECT ?r WHERE { ?o sosa:hasSimpleResult ?r }")}
    assert "45 °C" in simple and "12 March 2019" not in simple
