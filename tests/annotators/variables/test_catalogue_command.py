"""``marginalia catalogue``: build, look into, search, recommend; and what goes wrong."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marginalia.cli.main import cli

EXAMPLE = str(Path(__file__).parents[3] / "examples" / "survey.ddi.xml")
TABLE = """survey,id,label,question
X,V18,Job satisfaction 2010,How satisfied are you with your job?
X,courts,Confidence in the courts,How much do you trust the courts?
Y,V18,Job satisfaction 2014,How satisfied are you with your job?
Y,V18,Job satisfaction 2014,How satisfied are you with your job?
Y,,Roses,
"""


def catalogue(*words: str) -> Result:
    result = CliRunner().invoke(cli, ["catalogue", *words])
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("catalogue")
    (folder / "more.csv").write_text(TABLE, encoding="utf-8")
    result = catalogue("build", EXAMPLE, str(folder / "more.csv"), "-o", str(folder / "all.cat"))
    assert result.stdout == "30 variables of 3 surveys\n"
    assert "note: 1 variables were given twice" in result.stderr
    assert "note: 1 ids occur more than once" in result.stderr
    return str(folder / "all.cat")


def test_building_again_changes_nothing(built: str) -> None:
    sources = [EXAMPLE, str(Path(built).parent / "more.csv")]
    said = json.loads(catalogue("build", *sources, "-o", built, "--json").stdout)
    assert (said["variables"], said["surveys"]) == (30, 3) and len(said["notes"]) == 3


def test_info(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = catalogue("info", built)
    assert "30 variables in 29 groups" in shown.stdout and "RVP-2022" in shown.stdout
    info = json.loads(catalogue("info", built, "--json").stdout)
    assert info["surveys"] == {"RVP-2022": 26, "X": 2, "Y": 2}
    assert info["retrievers"] == ["words", "letters", "meaning"]


@pytest.mark.parametrize("by", ["words", "fuzzy", "meaning", "both"])
def test_search(built: str, by: str) -> None:
    found = json.loads(catalogue("search", built, "satisfied job", "--by", by, "--json").stdout)
    job = next(row for row in found[:2] if row["id"] == "X:V18")
    assert job["group"] == 2 and job["surveys"] == ["X", "Y"]
    assert job["variables"] == ["X:V18", "Y:V18"]
    only = json.loads(
        catalogue("search", built, "trust", "--survey", "X", "-k", "1", "--by", by, "--json").stdout
    )
    assert {row["survey"] for row in only} == {"X"} and len(only) == 1


def test_search_on_screen(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = catalogue("search", built, "job satisfaction").stdout
    assert "X:V18 (+1)" in shown and "X and others" in shown
    assert catalogue("search", built, "zzzz", "--by", "words").stdout == "nothing found\n"


def test_a_source_can_be_searched_without_building() -> None:
    found = json.loads(catalogue("search", EXAMPLE, "Vertrauen in Gerichte", "--json").stdout)
    assert found[0]["id"] == "V23"


def test_candidates(built: str) -> None:
    sentence = "Those who trust the courts are satisfied with their job."
    found = json.loads(catalogue("candidates", built, sentence, "--json").stdout)
    assert {row["id"] for row in found[:5]} >= {"courts", "V23"}
    assert all(len(row["retrievers"]) >= 2 for row in found)


def test_recommend_for_a_variable(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "250")
    found = json.loads(catalogue("recommend", built, "courts", "--json").stdout)
    assert found[0]["id"] == "V23" and "shared words: courts" in found[0]["reason"]
    assert "same question" in catalogue("recommend", built, "Y:V18").stdout


def test_recommend_for_a_paper(built: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("# Trust\n\nTrust in courts fell. Roses grew.", encoding="utf-8")
    found = json.loads(catalogue("recommend", built, str(paper), "--json").stdout)
    assert found[0]["sentence"] == "Trust in courts fell."
    monkeypatch.setenv("COLUMNS", "250")
    shown = catalogue("recommend", built, str(paper)).stdout
    assert "Trust in courts fell." in shown and "score" not in shown
    assert "Of ten such proposals a paper used one or two" in shown
    found = json.loads(
        catalogue("recommend", built, str(paper), "--survey", "RVP-2022", "--json").stdout
    )
    assert {row["survey"] for row in found} <= {"X", "Y"} and found


def test_rows_in_files(built: str, tmp_path: Path) -> None:
    catalogue("search", built, "job", "-o", str(tmp_path / "rows.csv"))
    catalogue("search", built, "job", "-o", str(tmp_path / "rows.json"))
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert [row["id"] for row in cells] == [row["id"] for row in rows]
    assert cells[0]["surveys"] == ";".join(rows[0]["surveys"])


def test_cells_that_a_spreadsheet_would_run_are_harmless_unless_raw_ones_are_wanted(
    tmp_path: Path,
) -> None:
    (tmp_path / "odd.csv").write_text('id,label\nv1,"=1+1 and more"\n', encoding="utf-8")
    for options, label in (((), "'=1+1 and more"), (("--raw-cells",), "=1+1 and more")):
        catalogue("list", str(tmp_path / "odd.csv"), "-o", str(tmp_path / "out.csv"), *options)
        with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
            assert [row["label"] for row in csv.DictReader(file)] == [label]


def test_columns_by_name(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("code,words\na1,Trust in courts\n", encoding="utf-8")
    words = ("--column", "id=code", "--column", "label=words", "--json")
    found = json.loads(catalogue("search", str(tmp_path / "t.csv"), "courts", *words).stdout)
    assert found[0]["id"] == "a1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["search", "nowhere.xml", "x"], "nowhere.xml: there is no such file"),
        (["search", "empty", "x"], "the folder has no .xml"),
        (["search", "survey.xml", "x", "--survey", "Z"], "no survey in this catalogue 'Z'"),
        (
            ["search", "survey.xml", "x", "-o", "out.xls"],
            "known are .json, .jsonl, .csv, .parquet, .xlsx",
        ),
        (["search", "t.csv", "x", "-o", "t.csv"], "would be overwritten"),
        (["search", "t.csv", "x", "--column", "label"], "FIELD=NAME was expected"),
        (["search", "t.csv", "x", "--column", "sound=a"], "no field of a variable 'sound'"),
        (["recommend", "survey.xml", "V99"], "no variable in this catalogue 'V99'"),
        (["build", "survey.xml", "-o", "survey.xml"], "this is a file"),
        (["build", "survey.xml", "-o", "."], "not empty and not a catalogue"),
        (["build", "broken.xml", "-o", "new.cat"], "broken.xml:1: not well-formed XML"),
        (["build", "none.csv", "-o", "new.cat"], "none.csv: the source holds no variables"),
        (
            ["show", "survey.xml", "V99"],
            "Did you mean 'V9'? Known among others: V1, ",
        ),
        (["decide", "survey.xml", "t.csv"], "lacks the column 'decision'"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_what_goes_wrong_is_one_sentence(tmp_path: Path, words: list[str], message: str) -> None:
    (tmp_path / "survey.xml").write_bytes(Path(EXAMPLE).read_bytes())
    (tmp_path / "broken.xml").write_bytes(b"<codeBook><var>")
    (tmp_path / "t.csv").write_text("id,label\na,b\n", encoding="utf-8")
    (tmp_path / "none.csv").write_text("id,label\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    result = subprocess.run(
        [sys.executable, "-m", "marginalia", "catalogue", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2, result.stdout + result.stderr
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("marginalia: ") and message in sentence
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == "id,label\na,b\n"


def test_list_and_show(built: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    rows = json.loads(catalogue("list", built, "--survey", "X", "--json").stdout)
    assert [row["id"] for row in rows] == ["X:V18", "courts"]
    assert "Confidence in the courts" in catalogue("list", built).stdout
    shown = json.loads(catalogue("show", built, "X:V18", "--json").stdout)
    assert shown["label"] == "Job satisfaction 2010" and shown["same"] == ["Y:V18"]
    coded = catalogue("show", built, "V23").stdout
    assert "Trust in the courts" in coded and "10  Complete trust" in coded


def test_terminal_escapes_of_a_source_stay_there(tmp_path: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("id,label\nv1,Trust \x1b[31mred\x07\n", encoding="utf-8")
    for words in (["show", str(bad), "v1"], ["list", str(bad)], ["search", str(bad), "trust"]):
        assert not {"\x1b", "\x07"} & set(catalogue(*words).stdout)


def test_nothing_is_recommended_within_one_survey(tmp_path: Path) -> None:
    result = catalogue("recommend", EXAMPLE, "V22")
    assert result.stdout == "nothing found\n"
    assert "the catalogue holds one survey" in result.stderr
    command = [sys.executable, "-m", "marginalia", "catalogue", "recommend", EXAMPLE, "paper.pdf"]
    said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stderr
    assert said == "marginalia: paper.pdf: there is no such file, and no such variable\n"


def test_a_build_that_never_began_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text("<a><b></a>", encoding="utf-8")
    command = [sys.executable, "-m", "marginalia", "catalogue", "build", "bad.xml", "-o", "bad.cat"]
    assert subprocess.run(command, capture_output=True, cwd=tmp_path).returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad.xml"]
