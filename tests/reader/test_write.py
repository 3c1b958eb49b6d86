"""Documents out in every format, and back in where a format can be read."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from marginalia import (
    ContractError,
    Document,
    FormatError,
    MissingError,
    UnknownNameError,
    get_annotator,
    read,
)
from marginalia.core import registry
from marginalia.core.table import as_written
from marginalia.reader.formats import table, turtle
from marginalia.reader.formats.brat import dump as dump_brat
from marginalia.reader.formats.registry import formats_that
from marginalia.reader.formats.table import COLUMNS, FIXED, columns, rows
from marginalia.reader.write import restore, write
from tests.reader.documents import TEXT, documents, note, sample

DOC = sample()


@pytest.fixture
def supplies(monkeypatch: pytest.MonkeyPatch):
    """A function that lets the task ``fruit`` supply rows or triples."""

    def supply(**functions) -> None:
        fruit = replace(get_annotator("words"), name="fruit", **functions)
        only = SimpleNamespace(names=lambda: ["fruit"], get=lambda name: fruit)
        monkeypatch.setattr(registry, "ANNOTATORS", only)

    return supply


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
@settings(max_examples=40)
@given(docs=st.lists(documents(), min_size=1, max_size=3))
def test_json_out_and_in_is_the_identity(tmp_path_factory, suffix: str, docs) -> None:
    path = tmp_path_factory.mktemp("out") / f"x.{suffix}"
    assert write(docs, path) == [path]
    assert restore(path) == docs


def test_one_document_is_an_object_and_several_are_a_list(tmp_path: Path) -> None:
    write(DOC, tmp_path / "one.json")
    data = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert list(data) == ["id", "text", "meta", "annotations"]
    write([DOC, DOC], tmp_path / "two.json")
    assert len(json.loads((tmp_path / "two.json").read_text(encoding="utf-8"))) == 2
    write(iter([DOC, DOC]), tmp_path / "two.jsonl")
    assert len((tmp_path / "two.jsonl").read_text(encoding="utf-8").splitlines()) == 2


@settings(max_examples=40)
@given(st.lists(documents(), min_size=1, max_size=3))
@example([Document(id="x", text=TEXT).annotate([note("a", "honey>.\n"), note("b", "\n\nThe")])])
def test_brat_out_and_in_keeps_every_annotation(tmp_path_factory, docs) -> None:
    folder = tmp_path_factory.mktemp("out")
    write(docs, folder, "brat")
    found = {doc.id: doc for doc in restore(folder)}
    written = [Path(name).stem for name in dump_brat(docs) if name.endswith(".ann")]
    assert len(found) == len(docs) == len(set(written))
    for name, doc in zip(written, docs, strict=True):
        assert found[name].text == doc.text
        assert found[name].annotations == doc.annotations


def test_brat_lines(tmp_path: Path) -> None:
    assert write(DOC, tmp_path / "x.ann") == [tmp_path / "x.txt", tmp_path / "x.ann"]
    lines = (tmp_path / "x.ann").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "T1\tMeasuredEntity 14 27\tjar holds 3.5"
    assert "T3\ta_thing 28 42;43 45\tkg of <honey>. It" in lines
    assert "A1\tunit T2 kg" in lines
    assert "R1\tof Arg1:T1 Arg2:T2" in lines
    assert "R2\tsame_as Arg1:T3 Arg2:T1" in lines


def test_what_was_changed_in_brat_counts(tmp_path: Path) -> None:
    write(DOC, tmp_path / "x.ann")
    path = tmp_path / "x.ann"
    text = path.read_text(encoding="utf-8")
    text = text.replace("T1\tMeasuredEntity", "T1\tThing").replace(
        "R1\tof Arg1:T1", "R1\tin Arg1:T1"
    )
    path.write_text(text, encoding="utf-8")
    first = restore(path)[0].annotations[0]
    assert (first.label, first.links) == ("Thing", {"of": ("urn:x:1",), "in": ("q1",)})


def test_brat_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("one two\nthree", encoding="utf-8")
    ann = (
        "T1\tNumber 0 3\tone\r\nT2\tNumber 4 7;8 13\ttwo three\nE1\tEvent:T1\n*\tEquiv T1 T2\n"
        "R1\tNext Arg1:T1 Arg2:T2\t\nA1\tOdd T1\nA2\tSize T1 small\n#1\tAnnotatorNotes T2\tplain words\n"
        "A3\tNegated E1\n"
    )
    (tmp_path / "x.ann").write_text(ann, encoding="utf-8", newline="")
    one, two = restore(tmp_path)[0].annotations
    assert (one.id, one.task, one.quote, one.links) == ("T1", "brat", "one", {"Next": ("T2",)})
    assert one.attrs == {"Odd": True, "Size": "small"}
    assert (two.quote, two.attrs) == ("two\nthree", {"note": "plain words"})


@pytest.mark.parametrize("change", [("14", '"x"'), ('{"of"', '[{"of"'), ('"q1"', "[1]")])
def test_a_note_that_only_looks_like_ours_is_a_plain_note(tmp_path: Path, change) -> None:
    write(DOC, tmp_path / "x.ann")
    lines = (tmp_path / "x.ann").read_text(encoding="utf-8").splitlines()
    (place,) = (
        n for n, line in enumerate(lines) if line.startswith("#") and "Marginalia T1" in line
    )
    lines[place] = lines[place].replace("Marginalia", "AnnotatorNotes").replace(*change)
    (tmp_path / "x.ann").write_text("\n".join(lines), encoding="utf-8")
    first = restore(tmp_path)[0].annotations[0]
    assert (first.id, first.label, first.quote) == ("T1", "MeasuredEntity", "jar holds 3.5")
    assert first.attrs["note"] in lines[place]


@pytest.mark.parametrize(
    ("ann", "message"),
    [
        ("T1\tNumber 0\tone\n", ":1: expected 'TYPE START END'"),
        ("T1\tNumber 0 3\ttwo\n", ":1: T1 quotes 'two', but the text at 0 3 is 'one'"),
        ("T1\tNumber 90 93\tone\n", "T1 quotes 'one', but the text at 90 93 is ''"),
        ("T1\tNumber 3 0\t\n", "impossible span 3:0"),
        ("T1\tNumber 0 3\tone\n\nR1\tNext Arg1:T1 Arg2:T9\n", ":3: expected 'TYPE Arg1:T1"),
    ],
)
def test_bad_brat_files_are_refused_with_their_place(
    tmp_path: Path, ann: str, message: str
) -> None:
    (tmp_path / "x.txt").write_text("one two", encoding="utf-8")
    (tmp_path / "x.ann").write_text(ann, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        restore(tmp_path / "x.ann")


def test_rows_have_fixed_columns() -> None:
    first = next(rows(DOC))
    assert set(first) == set(COLUMNS)
    assert {key: first[key] for key in ("document", "id", "quote", "start", "page", "score")} == {
        "document": "sample",
        "id": "q2",
        "quote": "jar holds 3.5",
        "start": 14,
        "page": 2,
        "score": None,
    }
    assert [DOC.page(place) for place in (0, 8, 10, 99)] == [1, 1, 2, 2]
    assert Document(id="x", text="y").page(0) is None


def test_a_task_supplies_its_own_rows(supplies) -> None:
    supplies(rows=lambda doc: [{"id": "q1", "low": 3, "unit": "kg"}, {"id": "q1", "low": 4.5}])
    found = list(rows(DOC))
    assert [row["id"] for row in found] == ["q1", "q1", "q3", "q4"], "fruit supplies no row for q2"
    assert [row.get("fruit.low") for row in found] == [3, 4.5, None, None]
    assert columns(found) == [*FIXED, "fruit.low", "fruit.unit"]
    supplies(rows=lambda doc: [{"id": "q9"}])
    with pytest.raises(ContractError, match="fruit: a row is about 'q9'"):
        list(rows(DOC))


@settings(max_examples=40)
@given(st.lists(documents(), max_size=3))
def test_csv_has_one_row_per_annotation_whose_offsets_slice_back(docs) -> None:
    found = list(csv.DictReader(io.StringIO(table.dump_csv(docs), newline="")))
    notes = [(doc, own) for doc in docs for own in doc.annotations]
    assert len(found) == len(notes)
    for row, (doc, own) in zip(found, notes, strict=True):
        cells = {name: as_written(cell) for name, cell in row.items()}
        assert doc.text[int(row["start"]) : int(row["end"])] == cells["quote"] == own.quote
        assert (cells["document"], cells["id"], cells["label"]) == (doc.id, own.id, own.label)
        assert "attrs" not in row and not cells["quote"].startswith("'=")
        assert row["score"] == ("" if own.score is None else repr(own.score))


def test_parquet_keeps_types(tmp_path: Path, supplies) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    supplies(
        rows=lambda doc: [
            {"id": "q1", "low": 3, "sure": True, "unit": "kg", "range": [1, 2], "mixed": 1},
            {"id": "q2", "low": 4.5, "mixed": "x"},
        ]
    )
    write([DOC, Document(id="bare", text="x")], tmp_path / "x.parquet")
    found = parquet.read_table(tmp_path / "x.parquet")
    kinds = {name: str(found.schema.field(name).type) for name in found.column_names}
    assert list(kinds)[: len(FIXED)] == list(FIXED)
    assert (kinds["start"], kinds["score"], kinds["page"], kinds["quote"]) == (
        "int64",
        "double",
        "int64",
        "string",
    )
    assert kinds["fruit.low"] == "double"
    assert (kinds["fruit.sure"], kinds["fruit.range"]) == ("bool", "string")
    assert [row["quote"] for row in found.to_pylist()] == [note.quote for note in DOC.annotations]
    write(Document(id="bare", text="x"), tmp_path / "none.parquet")
    assert parquet.read_table(tmp_path / "none.parquet").num_rows == 0


@settings(max_examples=40)
@given(documents())
def test_turtle_holds_quotes_and_positions(doc: Document) -> None:
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Graph().parse(data=turtle.dump([doc]), format="turtle")
    query = """
        PREFIX oa: <http://www.w3.org/ns/oa#>
        SELECT ?note ?start ?end ?exact ?prefix ?suffix ?label WHERE {
          ?note a oa:Annotation ; oa:hasTarget ?target ; oa:hasBody/rdf:value ?label .
          ?target oa:hasSource ?doc ; oa:hasSelector ?place, ?words .
          ?place a oa:TextPositionSelector ; oa:start ?start ; oa:end ?end .
          ?words a oa:TextQuoteSelector ; oa:exact ?exact ; oa:prefix ?prefix ; oa:suffix ?suffix }"""
    found = list(graph.query(query))
    assert sorted((int(r.start), str(r.exact), str(r.label)) for r in found) == sorted(
        (note.start, note.quote, note.label) for note in doc.annotations
    )
    for row in found:
        start, end = int(row.start), int(row.end)
        assert doc.text[start:end] == str(row.exact)
        assert doc.text[:start].endswith(str(row.prefix))
        assert doc.text[end:].startswith(str(row.suffix))


def test_turtle_has_fields_links_and_supplied_triples(supplies) -> None:
    rdflib = pytest.importorskip("rdflib")
    supplies(
        triples=lambda doc: [
            (
                "q1",
                "http://qudt.org/schema/qudt/unit",
                {"@id": "http://qudt.org/vocab/unit/KiloGM"},
            ),
            ("q1", "urn:x:has", {"@id": "_:value"}),
            ("_:value", "urn:x:number", 3.5),
            ("_:value", "urn:x:of", {"@id": "q2"}),
        ]
    )
    graph = rdflib.Graph().parse(data=turtle.dump([DOC]), format="turtle")
    base = rdflib.Namespace("urn:marginalia:document:sample#")
    own = rdflib.Namespace(turtle.VOCABULARY)
    assert graph.value(base.q1, own.score).toPython() == 0.75
    assert graph.value(base.q1, own.unit).toPython() == "kg"
    assert set(graph.objects(base.q2, own.of)) == {base.q1, rdflib.URIRef("urn:x:1")}
    unit = graph.value(base.q1, rdflib.URIRef("http://qudt.org/schema/qudt/unit"))
    assert str(unit).endswith("KiloGM")
    value = graph.value(base.q1, rdflib.URIRef("urn:x:has"))
    assert graph.value(value, rdflib.URIRef("urn:x:number")).toPython() == 3.5
    assert graph.value(value, rdflib.URIRef("urn:x:of")) == base.q2
    supplies(triples=lambda doc: [("q1", "unit", "kg")])
    with pytest.raises(ContractError, match="'unit' is not an absolute IRI"):
        turtle.dump([DOC])
    supplies(triples=lambda doc: [("q9", "urn:x:y", "kg")])
    with pytest.raises(ContractError, match="'q9' is no annotation"):
        turtle.dump([DOC])


def test_turtle_of_many_notes_is_whole_and_keeps_no_list_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """rdflib's list of namespaces made the time grow with the square of the notes."""
    rdflib = pytest.importorskip("rdflib")
    from rdflib import namespace

    def triples(graph) -> Counter:
        """Without the names of blank nodes, which are new in every graph."""
        return Counter(
            tuple("_" if isinstance(term, rdflib.BNode) else term for term in triple)
            for triple in graph
        )

    graphs, kept = [], []

    def keep(strie, trie, value: str) -> None:
        kept.append(value)
        insert(strie, trie, value)

    def writer(graph, doc: Document):
        graphs.append(graph)
        return whole(graph, doc)

    insert, whole = namespace.insert_strie, turtle._Writer
    monkeypatch.setattr(namespace, "insert_strie", keep)
    monkeypatch.setattr(turtle, "_Writer", writer)
    counts = []
    for size in (10, 300):
        kept.clear()
        notes = [
            note(f"a{place}", "jar", links={"of": (f"a{place - 1}", f"#char={place},{place + 3}")})
            for place in range(size)
        ]
        text = turtle.dump([Document(id="x y", text=TEXT).annotate(notes)])
        counts.append(len(kept))
        assert text.startswith("@prefix") and "a oa:Annotation" in text
        assert f"<urn:marginalia:document:x%20y#char={size - 1},{size + 2}>" in text
        assert triples(rdflib.Graph().parse(data=text)) == triples(graphs[-1])
    assert counts[0] == counts[1] > 0


@pytest.mark.parametrize(("package", "suffix"), [("pyarrow", "parquet"), ("rdflib", "ttl")])
def test_a_missing_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, suffix: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingError, match=r"pip install 'marginalia\[(parquet|rdf)\]'"):
        write(DOC, tmp_path / f"x.{suffix}")
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_when_something_fails(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("before", encoding="utf-8")
    bad = Document(id="x", text=TEXT).annotate([note("a", "jar", attrs={"set": {1, 2}})])
    with pytest.raises(FormatError, match="no JSON data"):
        write([DOC, bad], path)
    assert path.read_text(encoding="utf-8") == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["x.json"]


def test_a_text_that_is_already_there_is_not_written_over(tmp_path: Path) -> None:
    beside = tmp_path / "x.txt"
    beside.write_text("An unrelated text.", encoding="utf-8")
    for path, format in ((tmp_path / "x.ann", None), (tmp_path, "brat")):
        with pytest.raises(FormatError, match=r"x\.txt: this file holds another text than x\.ann"):
            write(replace(DOC, id="x"), path, format)
    assert beside.read_text(encoding="utf-8") == "An unrelated text."
    assert list(tmp_path.iterdir()) == [beside]


def test_the_same_text_beside_stays_as_it_is(tmp_path: Path) -> None:
    beside = tmp_path / "x.txt"
    beside.write_bytes(TEXT.encode())
    before = beside.stat()
    for _ in range(2):
        written = write(DOC, tmp_path / "x.ann", inputs={beside.resolve()})
        assert written == [tmp_path / "x.ann"]
    after = beside.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert restore(tmp_path)[0].annotations == DOC.annotations


def test_an_input_is_not_written_over_and_costs_no_work(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("before", encoding="utf-8")
    untouched = iter([DOC])
    with pytest.raises(FormatError, match=r"x\.json: this input file would be overwritten"):
        write(untouched, tmp_path / "a" / ".." / "x.json", inputs={path.resolve()})
    assert next(untouched) is DOC
    assert path.read_text(encoding="utf-8") == "before"


def test_an_undefined_score_becomes_null(tmp_path: Path) -> None:
    doc = Document(id="x", text=TEXT).annotate([note("a", "jar", score=float("nan"))])
    write(doc, tmp_path / "x.json")
    assert restore(tmp_path / "x.json")[0].annotations[0].score is None


@pytest.mark.parametrize("format", sorted(set(formats_that("write")) - {"brat", "pdf", "xmi"}))
def test_without_a_path_the_content_goes_to_standard_output(
    capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, format: str
) -> None:
    write(DOC, tmp_path / "x", format)
    assert write(DOC, None, format) == []
    assert capfdbinary.readouterr().out == (tmp_path / "x").read_bytes()


@pytest.mark.parametrize(
    ("path", "format", "message"),
    [
        ("x.doc", None, "the extension does not say the format"),
        ("x", "xml", "no output format 'xml'"),
        (None, "brat", "name a folder"),
        ("x.ann", None, "2 documents do not fit one .ann file"),
        (".", None, "a folder does not say the format; name the format: json"),
    ],
)
def test_places_that_cannot_be_written(
    tmp_path: Path, path: str | None, format: str | None, message: str
) -> None:
    with pytest.raises((FormatError, UnknownNameError), match=message):
        write([DOC, DOC], None if path is None else tmp_path / path, format)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_written_is_known_before_the_work(tmp_path: Path) -> None:
    def docs():
        pytest.fail("a document was made")
        yield DOC

    for path, format in (("x.doc", None), ("x", "xml"), (".", None), (None, "brat")):
        with pytest.raises((FormatError, UnknownNameError)):
            write(docs(), None if path is None else tmp_path / path, format)


@pytest.mark.parametrize("folder", ["new/", "there"])
def test_a_folder_takes_a_file_per_document(tmp_path: Path, folder: str) -> None:
    (tmp_path / "there").mkdir()
    other = replace(DOC, id="a/b")
    written = write([DOC, other], f"{tmp_path}/{folder}", "json")
    assert [path.name for path in written] == [f"{DOC.id}.json", "a_b.json"]
    assert [restore(path) for path in written] == [[DOC], [other]]


def test_bytes_are_not_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(FormatError, match="not for a terminal"):
        write(DOC, None, "parquet")


GOOD = json.dumps({"id": "x", "text": "one", "meta": {}, "annotations": []})


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.json", "", "x.json:1: not JSON"),
        ("x.json", "[1]", "not a document"),
        ("x.json", '{"id": "x"}', "not a document"),
        ("x.json", GOOD.replace('"one"', "1"), "its 'text' is 1"),
        ("x.json", GOOD.replace('"one"', r'"\ud800"'), "half of a surrogate pair"),
        ("x.json", GOOD.replace('"meta": {}', '"meta": []'), "its 'meta' is"),
        ("x.json", GOOD.replace("{}", '{"regions": [{"kind": "code"}]}'), "list of {kind, start"),
        ("x.json", GOOD.replace("{}", '{"regions": [1]}'), "list of {kind, start"),
        ("x.json", GOOD.replace("{}", '{"pages": [[0]]}'), "pages must be a list"),
        ("x.json", GOOD.replace("{}", f'{{"x": {"[" * 450}{"]" * 450}}}'), "more than 50 deep"),
        ("x.jsonl", f"{GOOD}\n{GOOD}}}\n", "x.jsonl:2: not JSON"),
        ("x.jsonl", GOOD + "\n" + GOOD.replace("[]", '[{"id": "a"}]'), ":2: not an annotation"),
        ("x.txt", GOOD, "restored from files that end in .json, .jsonl, .jsonld, .ann, .xmi"),
        ("x.ann", "", "should hold the text of x.ann"),
    ],
)
def test_bad_files_are_not_restored(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises((FormatError, MissingError), match=message):
        restore(tmp_path / name)


def test_restore_names_what_it_knows(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no \.ann file"):
        restore(tmp_path)
    with pytest.raises(UnknownNameError, match="no format to restore 'ttl'"):
        restore(tmp_path / "x.ttl", "ttl")


def test_a_folder_of_brat_files_declares_its_types(tmp_path: Path) -> None:
    write(DOC, tmp_path, "brat")
    conf = (tmp_path / "annotation.conf").read_text(encoding="utf-8")
    lines = (tmp_path / "sample.ann").read_text(encoding="utf-8").splitlines()
    for line in lines:
        kind = line.split("\t")[1].split()[0]
        if line[0] in "TRA":
            assert re.search(rf"^{re.escape(kind)}(\t|$)", conf, re.MULTILINE), line
    assert [line for line in lines if "AnnotatorNotes" in line and "{" not in line], "readable"
    (tmp_path / "annotation.conf").write_text("[entities]\nOwn\n", encoding="utf-8")
    write(DOC, tmp_path, "brat")
    assert "Own" in (tmp_path / "annotation.conf").read_text(encoding="utf-8"), (
        "not ours to write over"
    )


def test_cells_say_what_matters_and_run_nothing(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    attrs = {
        "why": "=1+1",
        "easier": ["big", "large"],
        "readings": [{"filler": "a"}, {"filler": "b"}],
    }
    doc = Document(id="d", text="=cmd() and -5 °C").annotate(
        [
            replace(note("a", "x"), start=0, end=6, quote="=cmd()", attrs=attrs, links={}),
            replace(note("b", "x"), start=11, end=16, quote="-5 °C", attrs={}, links={}),
        ]
    )
    write(doc, tmp_path / "x.csv")
    first, second = csv.DictReader(io.StringIO((tmp_path / "x.csv").read_text(encoding="utf-8")))
    assert (first["quote"], first["why"]) == ("'=cmd()", "'=1+1")
    assert (first["fruit.easier"], first["fruit.readings"]) == ("big; large", "a; b")
    assert second["quote"] == "-5 °C", "an amount computes nothing"
    write(doc, tmp_path / "raw.csv", raw_cells=True)
    assert "\n=cmd()" not in (raw := (tmp_path / "raw.csv").read_text(encoding="utf-8"))
    assert ",=cmd()," in raw
    write(doc, tmp_path / "x.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx").active
    names = [cell.value for cell in sheet[1]]
    assert sheet[2][names.index("start")].value == 0
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)


def test_notes_as_sarif_stand_at_lines_or_on_pages(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("# A *title*\n\nSome *fine* words.\n", encoding="utf-8")
    doc = read(path)
    start = doc.text.index("fine")
    marked = doc.annotate([replace(note("a", "x"), start=start, end=start + 4, quote="fine")])
    write(marked, tmp_path / "x.sarif")
    (result,) = json.loads((tmp_path / "x.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (3, 7, 11)
    write(DOC, tmp_path / "page.sarif")
    results = json.loads((tmp_path / "page.sarif").read_text(encoding="utf-8"))["runs"][0][
        "results"
    ]
    assert all("region" not in one["locations"][0]["physicalLocation"] for one in results)
    assert {one["properties"]["page"] for one in results} == {2}
