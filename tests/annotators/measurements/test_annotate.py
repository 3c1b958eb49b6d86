"""Quantities in documents: their notes, how these are linked, and what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import Annotation, Document, MissingError, UnknownNameError
from marginalia.annotators.measurements import document as measured
from marginalia.annotators.measurements.annotate import PARTS, QUANTITIES, annotate, notes
from marginalia.annotators.measurements.document import MeasuredDocument, measure, read_in
from marginalia.annotators.measurements.records import records
from marginalia.annotators.measurements.wording import describe, si_symbol
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.reader.annotate import annotate as annotate_all
from marginalia.reader.read import read
from marginalia.tasks.measurement.benchmark import BENCHMARK as TASK
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.official.tsv import format_spans
from tests.tasks.measurement.invented import TEXTS, gold, invented_task

EXAMPLES = Path(__file__).parents[3] / "examples"


def gold_notes(id: str) -> dict[str, Annotation]:
    """The notes that the gold spans of an invented paragraph make."""
    spans = gold()[id]
    found = MeasuredDocument("gold", "en", spans, tuple(records(TEXTS[id], spans)))
    return {note.id: note for note in notes(Document(id=id, text=TEXTS[id]), found)}


def test_a_quantity_is_linked_to_its_parts_and_they_to_it() -> None:
    found = gold_notes("S01-1")
    point = found["measurements-2"]
    assert (point.label, point.quote, point.task, point.system) == (
        "measurement",
        "about 104 °C",
        "measurements",
        "gold",
    )
    assert {role: [found[id].quote for id in ids] for role, ids in point.links.items()} == {
        "property": ["boiling point"],
        "entity": ["the brine"],
        "qualifier": ["At 20 °C"],
    }
    assert point.links.keys() == PARTS.keys()
    (property,), (entity,), (qualifier,) = point.links.values()
    assert found[property].links == {"HasQuantity": ("measurements-2",)}
    assert found[entity].links == {"HasProperty": (property,)}
    assert found[qualifier].links == {"Qualifies": ("measurements-2",)}
    assert found[found["measurements-1"].links["entity"][0]].links == {
        "HasQuantity": ("measurements-1",)
    }


def test_what_a_quantity_carries() -> None:
    attrs = gold_notes("S01-1")["measurements-2"].attrs
    expected = {
        "low": 104,
        "high": 104,
        "unit": "°C",
        "unit_start": 58,
        "ucum": "Cel",
        "qudt": "http://qudt.org/vocab/unit/DEG_C",
        "si": "kelvin",
        "si_symbol": "K",
        "si_low": 377.15,
        "approximate": True,
        "modifiers": ["IsApproximate"],
        "count": False,
        "alternatives": [],
    }
    assert {name: attrs[name] for name in expected} == expected
    assert json.loads(json.dumps(attrs)) == attrs


def test_notes_say_it_in_a_sentence() -> None:
    said = {note.quote: note.attrs["why"] for note in gold_notes("S01-1").values()}
    assert said["about 104 °C"] == ("boiling point of the brine: about 104 °C (377.15 K), At 20 °C")
    assert said["12"] == "number of samples: 12"
    assert said["the brine"] == "has boiling point: about 104 °C"
    assert said["boiling point"] == "is about 104 °C (the brine)"
    assert said["At 20 °C"] == "holds for about 104 °C"
    said = {note.quote: note.attrs["why"] for note in gold_notes("S02-7").values()}
    assert said["31.5 ± 0.2 m"] == "mean depth of Lake Wud: 31.5 ± 0.2 m"
    assert said["between 3 and 9 km"] == "between 3 and 9 km, off the coast"


@pytest.mark.parametrize(
    ("quote", "unit", "said"),
    [
        ("150 °C", "°C", "150 °C (423.15 K)"),
        ("20–25 °C", "°C", "20–25 °C (293.15–298.15 K)"),
        ("less than 5 min", "min", "less than 5 min (< 300 s)"),
        ("at least 5 min", "min", "at least 5 min (≥ 300 s)"),
        ("10 ± 1 inches", "inches", "10 ± 1 inches (0.254 ± 0.0254 m)"),
        ("36 km/h", "km/h", "36 km/h (10 m·s⁻¹)"),
        ("5 km", "km", "5 km"),
        ("5 %", "%", "5 %"),
        ("5 million years", "years", "5 million years"),
        ("5 passages", "passages", "5 passages"),
    ],
)
def test_si_where_it_tells_the_reader_something(quote: str, unit: str, said: str) -> None:
    spans = (Span(1, "Quantity", 0, len(quote), "T1-1", quote, {"unit": unit}),)
    (record,) = records(quote, spans)
    assert describe(record) == said


@pytest.mark.parametrize(
    ("entity", "property", "said"),
    [
        ((0, 8), (13, 21), "old film"),
        ((0, 8), (4, 8), "old film"),
        ((4, 8), (4, 8), "film"),
        ((9, 12), (4, 8), "film of dry"),
    ],
)
def test_nothing_is_said_to_be_of_itself(
    entity: tuple[int, int], property: tuple[int, int], said: str
) -> None:
    text = "old film dry old film: 5 m"
    spans = (
        Span(1, "Quantity", 23, 26, "T1-1", "5 m", {"unit": "m"}),
        Span(
            1,
            "MeasuredProperty",
            *property,
            "T2-1",
            text[slice(*property)],
            {"HasQuantity": "T1-1"},
        ),
        Span(1, "MeasuredEntity", *entity, "T3-1", text[slice(*entity)], {"HasProperty": "T2-1"}),
    )
    (record,) = records(text, spans)
    assert describe(record) == f"{said}: 5 m"


def test_counts_are_labelled_apart() -> None:
    labels = {note.quote: note.label for note in gold_notes("S01-1").values()}
    assert labels["12"] == "count" and labels["20 °C"] == "measurement"
    assert {labels["samples"], labels["boiling point"]} == {"measured entity", "measured property"}


def test_a_shared_entity_has_one_note() -> None:
    text = "The rod is 3 m long and weighs 2 kg."
    spans: Spans = (
        Span(1, "Quantity", 11, 14, "T1-1", "3 m", {"unit": "m"}),
        Span(1, "MeasuredEntity", 0, 7, "T2-1", "The rod", {"HasQuantity": "T1-1"}),
        Span(2, "Quantity", 31, 35, "T1-2", "2 kg", {"unit": "kg"}),
        Span(2, "MeasuredEntity", 0, 7, "T2-2", "The rod", {"HasQuantity": "T1-2"}),
    )
    doc = Document(id="x", text=text)
    found = list(notes(doc, MeasuredDocument("x", "en", spans, tuple(records(text, spans)))))
    (entity,) = [note for note in found if note.label == "measured entity"]
    assert entity.links == {"HasQuantity": ("measurements-1", "measurements-2")}
    assert entity.attrs["why"] == "has 3 m; 2 kg"
    assert len(doc.annotate(found).annotations) == 3


@pytest.mark.parametrize(
    ("si", "symbol"),
    [
        ("kelvin", "K"),
        ("kilogram / meter ** 3", "kg·m⁻³"),
        ("meter / second ** 2", "m·s⁻²"),
        ("kilogram * meter ** 2 / ampere / second ** 3", "kg·m²·A⁻¹·s⁻³"),
        ("1 / second", ""),
        ("dimensionless", ""),
    ],
)
def test_symbols_of_si_units(si: str, symbol: str) -> None:
    assert si_symbol(si) == symbol


def test_the_english_example() -> None:
    doc = read(EXAMPLES / "methods.txt")
    notes = annotate(doc, system="rules")
    found = {note.quote: note for note in notes if note.label in QUANTITIES}
    assert found["45 °C"].attrs["si_low"] == 318.15
    assert found["45 °C"].attrs["ucum"] == "Cel"
    assert (found["20–25 °C"].attrs["low"], found["20–25 °C"].attrs["high"]) == (20, 25)
    assert found["12 March 2019"].label == "date"
    assert {found["12"].label, found["Twelve"].label} == {"count"}
    assert "3" not in found, "Fig. 3 is no quantity"
    second = doc.text.index("The tensile")
    assert any(note.start > second and note.links for note in found.values())


def test_the_german_example() -> None:
    doc = annotate_all(read(EXAMPLES / "methoden.txt"), ["measurements"])
    assert {note.system for note in doc.annotations} == {"rules"}, "the one that reads German"
    found = {note.quote: note.attrs for note in doc.annotations if note.label in QUANTITIES}
    assert (found["0,12 mm"]["low"], found["0,12 mm"]["ucum"]) == (0.12, "mm")
    assert found["etwa 30 Minuten"]["approximate"] and found["etwa 30 Minuten"]["si_low"] == 1800
    between = found["zwischen 20 und 25 °C"]
    assert (between["low"], between["high"], between["kind"]) == (20, 25, "range")
    assert any(attrs["low"] == 1250 for attrs in found.values())


def test_paragraphs_are_read_alone_and_their_offsets_shifted_back() -> None:
    first, second = TEXTS["S01-1"], TEXTS["S02-7"]
    whole = measure(Document(id="x", text=f"{first}\n\n  \n{second}\n", meta={"lang": "en"}))
    offset = len(first) + len("\n\n  \n")
    parts = [measure(Document(id="x", text=t, meta={"lang": "en"})) for t in (first, second)]
    places = [(s.type, s.start, s.end, s.text) for s in parts[0].spans]
    places += [(s.type, s.start + offset, s.end + offset, s.text) for s in parts[1].spans]
    assert [(s.type, s.start, s.end, s.text) for s in whole.spans] == places
    assert len({s.set for s in whole.spans}) == len(whole.records)
    ids = {(s.set, s.id) for s in whole.spans}
    assert len(ids) == len(whole.spans)
    for span in whole.spans:
        assert span.relation is None or (span.set, span.relation[1]) in ids


def test_one_paragraph_is_what_the_system_predicts() -> None:
    text = TEXTS["S01-1"]
    found = measure(Document(id="S01-1", text=text, meta={"lang": "en"}))
    pred = TASK.system(found.system).predict({"S01-1": Paragraph("S01", "", text, "en")})
    assert format_spans("S01-1", found.spans) == format_spans("S01-1", pred["S01-1"])


def test_tables_are_read_row_by_row_and_code_not_at_all() -> None:
    text = "It ran 5 s.\n\nsleep 30 min\n\npaper\t80 g\nthread\t60 cm\n\nUse 7 kg of x=9 kg."
    code, table, inline = text.index("sleep"), text.index("paper"), text.index("x=9")
    regions = [
        {"kind": "code", "start": code, "end": code + len("sleep 30 min")},
        {"kind": "table", "start": table, "end": text.index("\n\nUse")},
        {"kind": "formula", "inline": True, "start": inline, "end": inline + len("x=9 kg")},
    ]
    doc = Document(id="x", text=text, meta={"lang": "en", "regions": regions})
    quotes = [n.quote for n in annotate(doc, system="rules") if n.label in QUANTITIES]
    assert quotes == ["5 s", "80 g", "60 cm", "7 kg"]
    rows = [text[low:high] for low, high in read_in(text, ((table, text.index("\n\nUse")),))]
    assert rows[2:4] == ["paper\t80 g", "thread\t60 cm"]


def test_the_number_of_a_heading_is_no_quantity() -> None:
    text = "2.1 Drying for 5 h\n\n12 films were dried."
    regions = [{"kind": "heading", "level": 2, "start": 0, "end": text.index("\n")}]
    doc = Document(id="x", text=text, meta={"lang": "en", "regions": regions})
    quotes = [n.quote for n in annotate(doc, system="rules") if n.label in QUANTITIES]
    assert quotes == ["5 h", "12"]


def test_systems_by_name() -> None:
    doc = Document(id="x", text="It ran 5 s.", meta={"lang": "en"})
    assert {note.system for note in annotate(doc, system="numbers")} == {"numbers"}
    with pytest.raises(UnknownNameError, match="no system for measurement 'magic'"):
        list(annotate(doc, system="magic"))
    with pytest.raises(MissingError, match=r"'baseline-1' must be trained.*numbers"):
        list(annotate(doc, system="baseline-1"))


def test_a_system_may_judge_what_its_quantities_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unsure:
        def predict(self, items):
            return {id: gold()["S01-1"] for id in items}

        def contexts(self, items):
            brine = (RoleSpan("MeasuredEntity", 34, 39, 0.25),)
            samples = (RoleSpan("MeasuredEntity", 0, 2, 0.9),)
            return {
                id: {
                    1: Quantity(0, 0, None, (), 0.9, samples, samples),
                    2: Quantity(0, 0, None, (), 0.9, brine),
                }
                for id in items
            }

    monkeypatch.setattr(measured, "BENCHMARK", invented_task(Unsure))
    measured._measure.cache_clear()
    doc = Document(id="x", text=f"Before.\n\n{TEXTS['S01-1']}", meta={"lang": "en"})
    # The first paragraph takes three sets too, so the second's begin at four.
    found = {r.set: r for r in measure(doc, alternatives=True).records}
    sure = {r.set: r for r in measure(doc, min_confidence=0.25).records}
    measured._measure.cache_clear()
    assert found[4].entity.quote == doc.text[9:11], "what is given moves with its paragraph"
    others = found[5].alternatives
    assert [doc.text[other.start : other.end] for other in others] == ["brine"]
    assert found[5].entity is None and found[5].property is None and found[5].qualifiers == ()
    assert found[5].entity_confidence is None
    assert sure[5].entity.quote == "brine" and sure[5].entity_confidence == 0.25
    assert sure[5].alternatives == ()
    # What the system says nothing about is as its spans have it.
    assert found[6].entity.quote == "samples" and found[6].entity_confidence is None


@pytest.mark.parametrize("text", ["", "  \n\n ", "No number at all.", "😀 😀", "שלום עולם."])
def test_texts_without_quantities_have_no_notes(text: str) -> None:
    assert list(annotate(Document(id="x", text=text))) == []


@given(st.text("5 .,\n\t-–±<kg°C%aB(10)", max_size=120), st.sampled_from(["en", "de"]))
def test_whatever_the_text_the_notes_fit_it(text: str, lang: str) -> None:
    doc = Document(id="x", text=text, meta={"lang": lang})
    noted = doc.annotate(annotate(doc, system="rules"))
    ids = {note.id for note in noted.annotations}
    for note in noted.annotations:
        assert all(id in ids for targets in note.links.values() for id in targets)
        assert "\n" not in note.attrs["why"] and note.attrs["why"]
    assert Document.from_dict(json.loads(json.dumps(noted.to_dict()))) == noted


@pytest.mark.parametrize(
    ("text", "lang", "said"),
    [
        ("It should not be smaller than 512 MB.", "en", "not smaller than 512 MB"),
        ("Er sollte nicht kleiner als 512 MB sein.", "de", "nicht kleiner als 512 MB"),
    ],
)
def test_what_is_said_of_shares_bounds_and_times(text: str, lang: str, said: str) -> None:
    doc = Document(id="x", text=text, meta={"lang": lang})
    found = [note for note in annotate(doc, system="rules") if note.label in QUANTITIES]
    assert [note.attrs["why"] for note in found] == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("About 40% of the patients were men.", "share of patients: About 40%"),
        ("We need a two-thirds quorum.", "quorum: two-thirds"),
    ],
)
def test_shares_are_called_so(text: str, said: str) -> None:
    doc = Document(id="x", text=text, meta={"lang": "en"})
    (record,) = measure(doc, "rules", min_confidence=0.3).records
    assert describe(record) == said
