"""``marginalia extract``: the table on screen, every format read back, and what goes wrong."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marginalia import FormatError, get_annotator
from marginalia.annotators.measurements.extract import COLUMNS
from marginalia.cli.main import cli
from marginalia.core import registry
from marginalia.core.extraction import Extraction
from marginalia.reader.write import restore
from marginalia.tasks.measurement.official.brat import from_brat
from marginalia.tasks.measurement.official.tsv import read_spans
from tests.reader.documents import pdf

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
METHODS, METHODEN = str(EXAMPLES / "methods.txt"), str(EXAMPLES / "methoden.txt")


def extract(*words: str, text: str | None = None) -> Result:
    result = CliRunner().invoke(cli, ["extract", *words], input=text)
    assert result.exit_code in (0, 1), result.output
    return result


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The whole program, which turns errors into one sentence."""
    return subprocess.run(
        [sys.executable, "-m", "marginalia", "extract", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        input="It weighed 5 kg.",
    )


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    """The rows of both examples."""
    return json.loads(extract("measurement", METHODS, METHODEN, "--json").stdout)


def test_a_table_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = extract("measurement", METHODS).stdout
    assert "rows from 1 document" in shown
    assert "45 °C" in shown and "Cel" in shown
    assert "page" not in shown, "a text file has none"
    assert extract("measurement", "-", text="Nothing here.").stdout == (
        "measurements: nothing found in 1 document\n"
    )


def test_rows_as_data_link_back_to_their_documents(rows: list[dict]) -> None:
    texts = {
        name: (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8")
        for name in ("methods", "methoden")
    }
    assert {row["document"] for row in rows} == texts.keys()
    for row in rows:
        assert texts[row["document"]][row["start"] : row["end"]] == row["quantity"]
    assert len({(row["document"], row["id"]) for row in rows}) == len(rows)


def test_csv(tmp_path: Path, rows: list[dict]) -> None:
    extract("measurement", METHODS, METHODEN, "-o", str(tmp_path / "out.csv"))
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert list(found[0]) == list(COLUMNS) and len(found) == len(rows)
    for cells, row in zip(found, rows, strict=True):
        assert cells["quantity"] == row["quantity"]
        assert cells["low"] == ("" if row["low"] is None else str(row["low"]))
        assert cells["count"] == ("true" if row["count"] else "false")
        assert json.loads(cells["qualifiers"]) == row["qualifiers"]


def test_json_and_json_lines(tmp_path: Path, rows: list[dict]) -> None:
    extract("measurement", METHODS, METHODEN, "-o", str(tmp_path / "out.json"))
    extract("measurement", METHODS, METHODEN, "-o", str(tmp_path / "out.jsonl"))
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8")) == rows
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == rows


def test_parquet_has_the_same_types_whatever_was_found(tmp_path: Path, rows: list[dict]) -> None:
    from pyarrow import parquet

    (tmp_path / "empty.txt").write_text("Nothing here.", encoding="utf-8")
    extract("measurement", METHODS, METHODEN, "-o", str(tmp_path / "out.parquet"))
    extract("measurement", str(tmp_path / "empty.txt"), "-o", str(tmp_path / "empty.parquet"))
    table = parquet.read_table(tmp_path / "out.parquet")
    empty = parquet.read_table(tmp_path / "empty.parquet")
    assert table.schema.equals(empty.schema) and empty.num_rows == 0
    found = table.to_pylist()
    assert [row["low"] for row in found] == [row["low"] for row in rows]
    assert str(table.schema.field("low").type) == "double"
    assert str(table.schema.field("count").type) == "bool"


def test_turtle(tmp_path: Path, rows: list[dict]) -> None:
    import rdflib

    extract("measurement", METHODS, METHODEN, "-o", str(tmp_path / "out.ttl"))
    graph = rdflib.Graph().parse(tmp_path / "out.ttl")
    found = graph.query(
        "PREFIX sosa: <http://www.w3.org/ns/sosa/> "
        "SELECT ?o ?r WHERE { ?o a sosa:Observation ; sosa:hasSimpleResult ?r }"
    )
    observed = [row["quantity"] for row in rows if row["label"] != "date"]
    assert sorted(str(row.r) for row in found) == sorted(observed)


def test_html(tmp_path: Path) -> None:
    extract("measurement", METHODS, METHODEN, "-o", str(tmp_path / "out.html"))
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "318.15 K" in page and "<mark" in page and "Gelatinefolien" in page


def test_official_tables_in_a_folder_are_scored(tmp_path: Path) -> None:
    """A submission is a folder; against itself it is perfect."""
    out = tmp_path / "submission"
    extract("measurement", METHODS, METHODEN, "-o", str(out), "--format", "tsv")
    assert {path.name for path in out.iterdir()} == {"methods.tsv", "methoden.tsv"}
    words = ["bench", "score", "measurement", "--gold", str(out), "--pred", str(out), "--json"]
    scored = CliRunner().invoke(cli, [*words, "--text", str(EXAMPLES)])
    assert scored.exit_code == 0, scored.output
    report = json.loads(scored.stdout)
    assert report["overall"]["f1_overlap"] == 1
    assert report["also_report"]["rows_whose_text_differs_from_the_paragraph"] == 0


def test_one_document_fits_one_official_file(tmp_path: Path) -> None:
    extract("measurement", METHODS, "-o", str(tmp_path / "x.tsv"))
    spans = [span for _, span in read_spans(tmp_path / "x.tsv")]
    extract("measurement", METHODS, "-o", str(tmp_path / "x.ann"))
    text = (tmp_path / "x.txt").read_text(encoding="utf-8")
    assert text == Path(METHODS).read_text(encoding="utf-8")
    again = from_brat((tmp_path / "x.ann").read_text(encoding="utf-8"), text)
    assert {(s.set, s.id, s.type, s.start, s.end) for s in again} == {
        (s.set, s.id, s.type, s.start, s.end) for s in spans
    }
    printed = extract("measurement", METHODS, "--format", "tsv").stdout
    assert printed == (tmp_path / "x.tsv").read_text(encoding="utf-8")


def test_documents_of_a_folder_keep_their_names_apart(tmp_path: Path) -> None:
    for place in ("a/x.txt", "b/x.txt", "b/y.md"):
        (tmp_path / "in" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / place).write_text("It weighed 5 kg.", encoding="utf-8")
    result = extract(
        "measurement", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--format", "ann"
    )
    names = {path.name for path in (tmp_path / "out").glob("*.ann")}
    assert names == {"a_x.ann", "b_x.ann", "b_y.ann"}
    assert "and 3 more" in result.stderr
    words = ("measurement", str(tmp_path / "in"), "--system", "rules", "--json")
    found = json.loads(extract(*words).stdout)
    assert [row["document"] for row in found] == ["a/x", "b/x", "b/y"]


def test_pages_of_a_pdf(tmp_path: Path) -> None:
    (tmp_path / "x.pdf").write_bytes(pdf(["Nothing here."], ["It weighed 5 kg."]))
    words = ("measurement", str(tmp_path / "x.pdf"), "--system", "rules", "--json")
    (row,) = json.loads(extract(*words).stdout)
    assert (row["page"], row["quantity"]) == (2, "5 kg")


def test_the_system_is_chosen_by_name() -> None:
    found = json.loads(extract("measurement", METHODS, "--system", "numbers", "--json").stdout)
    assert {row["system"] for row in found} == {"numbers"}


def test_rows_are_selected_by_a_query() -> None:
    words = (
        "measurement",
        METHODS,
        "--query",
        "property ~ TEMPERATURE and value > 300 K",
        "--json",
    )
    (row,) = json.loads(extract(*words).stdout)
    assert (row["quantity"], row["si_low"]) == ("45 °C", 318.15)
    nothing = extract("measurement", METHODS, "--query", "value > 1 km").stdout
    assert nothing == "measurements: nothing found in 1 document\n"


def test_a_bad_query_is_told_before_a_document_is_read(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    result = run("measurement", "bad.txt", "--query", "value >", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("marginalia: the end of the query: expected a value")


def test_a_task_without_queries_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = replace(get_annotator("measurements"), extract_options=(), check_extract=None)
    monkeypatch.setattr(registry, "all_annotators", lambda: [plain])
    result = CliRunner().invoke(cli, ["extract", "measurement", METHODS, "--query", "value > 3"])
    assert "know no --query" in str(result.exception)


def test_language_can_be_given() -> None:
    words = ("measurement", "-", "--lang", "de", "--json")
    (row,) = json.loads(extract(*words, text="1,5 kg").stdout)
    assert (row["low"], row["ucum"]) == (1.5, "kg")


def test_what_was_written_as_data(tmp_path: Path) -> None:
    result = extract("measurement", METHODS, "-o", str(tmp_path / "x.csv"), "--json")
    said = json.loads(result.stdout)
    assert said["documents"] == 1 and said["files"] == [str(tmp_path / "x.csv")]
    assert said["rows"] > 5


def test_one_bad_file_of_many_costs_that_file(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("It weighed 5 kg.", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    result = run("measurement", ".", "-o", "out.json", "--system", "rules", cwd=tmp_path)
    assert result.returncode == 1
    assert "left out" in result.stderr and "bad.txt" in result.stderr
    (row,) = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert row["document"] == "good"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["measurment", "-"], "Did you mean 'measurement'? Known:"),
        (["complexity", "-"], "no kind of record to extract 'complexity'"),
        (["measurement", "nowhere.txt"], "nowhere.txt"),
        (["measurement", "-", "--system", "magic"], "no system for measurement 'magic'"),
        (["measurement", "-", "--system", "baseline-1"], "must be trained"),
        (["measurement", "-", "-o", "out.xls"], "the extension does not say the format"),
        (["measurement", "-", "-o", "out"], "a folder does not say the format"),
        (["measurement", "-", "-o", "."], "a folder does not say the format"),
        (["measurement", "-", "-o", ".", "--format", "csv"], "a file was expected"),
        (["measurement", "-", "--format", "xls"], "no output format 'xls'"),
        (["measurement", METHODS, METHODEN, "-o", "x.tsv"], "2 documents do not fit one .tsv"),
        (["measurement", METHODS, METHODEN, "--format", "tsv"], "name a folder"),
        (["measurement", "-", "--query", "value > 5 foo"], "character 9 of the query: only '5'"),
        (["measurement", "-", "--query", "size > 5"], "there is no column 'size'"),
        (["measurement", "."], "has no file that ends in"),
    ],
    ids=lambda words: (
        " ".join(Path(word).name for word in words) if isinstance(words, list) else ""
    ),
)
def test_what_goes_wrong_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, words: list[str], message: str
) -> None:
    result = run(*words, cwd=tmp_path)
    assert result.returncode == 2, result.stdout + result.stderr
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("marginalia: ") and message in sentence
    assert result.stdout == "" and list(tmp_path.iterdir()) == []


def test_when_nothing_can_be_read_nothing_is_written(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00")
    result = run("measurement", "a.txt", "b.txt", "-o", "out.csv", cwd=tmp_path)
    assert result.returncode == 2
    assert "none of the documents could be read" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b.txt"]


def test_any_task_with_an_extract_function_can_be_extracted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of a stranger's task nothing is known but its function; brat is then the reader's."""

    def words(doc, system=None) -> Extraction:
        rows = tuple({"word": word, "letters": len(word)} for word in doc.text.split())
        return Extraction(
            doc=doc, rows=rows, columns={"word": str, "letters": int}, shown=("word",), files={}
        )

    stranger = replace(get_annotator("words"), record="words", extract=words)
    monkeypatch.setattr(registry, "all_annotators", lambda: [stranger])
    assert extract("words", "-", "--format", "csv", text="Read me").stdout == (
        "word,letters\nRead,4\nme,2\n"
    )
    extract("words", "-", "-o", str(tmp_path / "x.ann"), text="Read me")
    assert restore(tmp_path / "x.ann")[0].text == "Read me"
    result = CliRunner().invoke(cli, ["extract", "words", "-", "--format", "tsv"], input="Read me")
    assert "has no format 'tsv' of its own" in str(result.exception)


def test_help_is_worth_reading() -> None:
    shown = extract("--help").stdout
    for word in ("csv", "parquet", "ttl", "tsv", "brat", "offsets", "--system", "papers/"):
        assert word in shown


def test_units_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARGINALIA_CACHE", str(tmp_path / "cache"))
    text, settings = tmp_path / "bridge.txt", tmp_path / ".marginalia.toml"
    text.write_text("The bridge was more than 364.4 smoots long.\n")

    def note() -> dict:
        words = ["read", str(text), "--notes", "measurements", "--format", "json", "--all"]
        made = CliRunner().invoke(cli, words)
        assert made.exit_code == 0, made.output
        return next(n for n in json.loads(made.stdout)["annotations"] if "si_low" in n["attrs"])

    assert note()["attrs"]["si_low"] is None
    settings.write_text('[units]\nsmoots = "1.7018 m"\n')
    (row,) = json.loads(extract("measurement", str(text), "--json").stdout)
    assert (row["unit"], row["si_low"], row["si"]) == ("smoots", 620.13592, "meter")
    assert note()["attrs"]["si_low"] == 620.13592  # not the cached note without the unit
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(cli, ["quantity", "2 smoots", "--json"])
    assert json.loads(found.stdout)["si_low"] == 3.4036
    settings.write_text('[units]\nsmoots = "some metres"\n')
    for words in (["read", "bridge.txt", "--notes", "measurements"], ["quantity", "2 smoots"]):
        with pytest.raises(FormatError, match=r"\.toml: 'units\.smoots' is 'some metres'"):
            CliRunner().invoke(cli, words, catch_exceptions=False)
    refused = run("measurement", "bridge.txt", cwd=tmp_path)
    assert refused.returncode == 2
    assert ".marginalia.toml: 'units.smoots' is 'some metres', expected a unit" in refused.stderr
