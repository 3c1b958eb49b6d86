"""``marginalia similar``: sentences, files, records and searches; on screen, as data, in files."""

from __future__ import annotations

import csv
import html
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from marginalia.annotators.consistency.commands.page import marked
from marginalia.cli.main import cli

EXAMPLES = Path(__file__).parents[3] / "examples"
REPORT = str(EXAMPLES / "report.md")
LEFT = "The water content fell below 12 % within three days."
RIGHT = "Within 3 days the water content had fallen under 15 %."
MILL = '{"dcTitle": "The water mill", "dcCreator": "Penfold, Clara"}'


def similar(*words: str, text: str | None = None) -> Result:
    result = CliRunner().invoke(cli, ["similar", *words], input=text)
    assert result.exit_code == 0, result.output
    return result


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The whole program, which turns errors into one sentence."""
    return subprocess.run(
        [sys.executable, "-m", "marginalia", "similar", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
    )


@pytest.fixture(autouse=True, scope="module")
def wide() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "200")
        yield


def test_two_sentences() -> None:
    shown = similar(LEFT, RIGHT).stdout
    assert " of 5: they say " in shown
    assert "another number: “12 %” against “15 %”" in shown
    data = json.loads(similar(LEFT, RIGHT, "--json").stdout)
    assert data["left"] == LEFT and 0 <= data["score"] <= 5


def test_a_sentence_that_would_drive_the_terminal() -> None:
    assert "\x1b" not in similar("It was \x1b[31mred all over.", "It was \x1b[2Jblue.").stdout


def test_two_records(tmp_path: Path) -> None:
    (tmp_path / "mill.json").write_text(MILL, encoding="utf-8")
    shown = similar(MILL, str(tmp_path / "mill.json")).stdout
    assert "author" in shown and "5.0000" in shown and "location" in shown
    assert "in both: Clara Penfold" in shown


def test_why_two_records_are_alike(tmp_path: Path) -> None:
    (tmp_path / "mill.jsonl").write_text(f"{MILL}\n", encoding="utf-8")
    other = '{"dcTitle": "A <b>mill</b>", "dcCreator": "Penfold, C."}'
    words = (str(tmp_path / "mill.jsonl"), other)
    said = "Clara Penfold and C Penfold may be the same"
    assert said in similar(*words).stdout
    data = json.loads(similar(*words, "--json").stdout)
    assert data["why"]["author"] == [said] and data["why"].keys() == data["scores"].keys()
    similar(*words, "-o", str(tmp_path / "x.html"))
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert said in page and "words in both: mill" in page and "<b>" not in page
    similar(*words, "-o", str(tmp_path / "x.csv"))
    assert said in (tmp_path / "x.csv").read_text(encoding="utf-8")
    (tmp_path / "mill.jsonl").write_text(f"{MILL}\n{MILL}\n", encoding="utf-8")
    result = CliRunner().invoke(cli, ["similar", *words])
    assert "one record was expected, but there are 2" in str(result.exception)


def test_two_files(tmp_path: Path) -> None:
    text = Path(REPORT).read_text(encoding="utf-8").replace("22 °C", "25 °C")
    (tmp_path / "other.md").write_text(text, encoding="utf-8")
    other = str(tmp_path / "other.md")
    shown = similar(REPORT, other).stdout
    assert "are identical" in shown and "“22 °C” against “25 °C”" in shown
    data = json.loads(similar(REPORT, other, "--json").stdout)
    assert 4 < data["score"] < 5 and data["said"]["left"] > 0.9
    similar(REPORT, other, "-o", str(tmp_path / "x.html"))
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "25 °C" in page and "<script" not in page
    similar(REPORT, other, "-o", str(tmp_path / "x.csv"))
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(data["left"]) + len(data["right"])


def test_a_sentence_in_a_file(tmp_path: Path) -> None:
    shown = similar("Films that dry slowly do not crack.", REPORT).stdout
    assert "did not crack" in shown and "1 Summary" in shown
    data = json.loads(
        similar("-", "Slow films do not crack.", "--json", text="They do crack.").stdout
    )
    assert data["passages"][0]["other"]["document"] == "stdin"
    words = ("Films that dry slowly do not crack.", REPORT)
    similar(*words, "-o", str(tmp_path / "x.html"))
    similar(*words, "-o", str(tmp_path / "x.csv"))
    assert "did not crack" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "did not crack" in (tmp_path / "x.csv").read_text(encoding="utf-8")


def test_within_a_document(tmp_path: Path) -> None:
    shown = similar("--within", REPORT).stdout
    assert "by meaning: all were compared" in shown
    assert "levelled with three screws" in shown and "2 passages, score" in shown
    data = json.loads(similar("--within", REPORT, "--json", "--min", "4.5").stdout)
    assert data["by"] == "meaning" and data["documents"] == 1
    assert all(row["score"] >= 4.5 for row in data["matches"])
    by_words = similar("--within", REPORT, "--by", "words").stdout
    assert "by words: the" in by_words


def test_across_a_folder_in_every_format(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "a.txt").write_text("The films were cast on glass plates.", encoding="utf-8")
    (folder / "b.txt").write_text("The films were cast on glass plates!", encoding="utf-8")
    words = ("--corpus", str(folder), "--across", "--cache", str(tmp_path / "kept" / "v.db"))
    (row,) = json.loads(similar(*words, "--json").stdout)["matches"]
    assert (row["document_a"], row["document_b"], row["kind"]) == ("a", "b", "identical")
    for name in ("x.json", "x.csv", "x.html"):
        similar(*words, "-o", str(tmp_path / name))
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))["matches"] == [row]
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        (cells,) = csv.DictReader(file)
    assert cells["text_b"] == row["text_b"] and cells["start_b"] == "0"
    assert "glass plates!" in (tmp_path / "x.html").read_text(encoding="utf-8")
    assert similar(*words, "--format", "csv").stdout.startswith("cluster,score,kind")


def test_other_results_in_files(tmp_path: Path) -> None:
    for words in ((LEFT, RIGHT), (MILL, MILL)):
        for name in ("x.html", "x.csv", "x.json"):
            said = similar(*words, "-o", str(tmp_path / name), "--json")
            assert json.loads(said.stdout)["files"] == [str(tmp_path / name)]
            assert (tmp_path / name).stat().st_size > 50
    similar("<b>bold & new</b> words stand here.", "Old words.", "-o", str(tmp_path / "x.html"))
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<b>bold" not in page and "&lt;" in page and 'class="alone"' in page


@given(
    st.text(alphabet="ab <>&\"'é", max_size=20),
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20))),
)
def test_marks_leave_the_text_as_it_is(text: str, places: list[tuple[int, int]]) -> None:
    spans = sorted((min(place), max(place), "same") for place in places)
    bare = re.sub(r"</?mark[^>]*>", "", marked(text, spans))
    assert html.unescape(bare) == text


def test_nothing_is_said_twice(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The films were cast on glass plates.", encoding="utf-8")
    assert "no repeated passages" in similar("--within", str(tmp_path / "a.txt")).stdout


def test_without_a_sentence_of_some_length_there_is_nothing_to_compare(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Too short. Much too short.", encoding="utf-8")
    said = "no sentence is long enough to compare"
    assert similar("--within", str(tmp_path / "a.txt")).stdout.split("\n")[0] == said
    similar("--within", str(tmp_path / "a.txt"), "-o", str(tmp_path / "out.html"))
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert said in page and "said twice" not in page


def test_one_bad_file_of_many_costs_that_file(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("The films were cast on glass plates.", encoding="utf-8")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00")
    result = run("--corpus", ".", "-o", "out.json", cwd=tmp_path)
    assert result.returncode == 1
    assert "left out" in result.stderr and "bad.txt" in result.stderr
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["documents"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "two sentences, files or records were expected"),
        (["a", "b", "c"], "but 3 given"),
        (["nowhere.md", "A sentence."], "nowhere.md: there is no such file"),
        ([".", "A sentence."], "search it with --corpus"),
        (["", "A sentence."], "the first text is empty"),
        ([MILL, "A sentence."], "one is a record and the other a sentence"),
        ([MILL, "{bad"], "the second record:1: not JSON"),
        ([MILL, '{"title": "x"}'], "unknown field 'title'"),
        ([MILL, MILL, "--system", "encoder"], "'encoder' does not compare records"),
        (["A sentence.", "Another.", "--by", "words"], "--by belongs to a search"),
        (["A sentence.", "Another.", "--min", "3"], "--min belongs to a search"),
        (["A sentence.", "Another.", "--system", "magic"], "no system for similarity 'magic'"),
        (["A sentence.", "Another.", "-o", "x.xls"], "the extension does not say the format"),
        (["A sentence.", "Another.", "--format", "xls"], "no output format 'xls'"),
        (["--within"], "--within needs at least one file"),
        (["--within", "nowhere.md"], "nowhere.md"),
        (["--corpus", "."], "has no file that ends in"),
        (["--within", REPORT, "--by", "magic"], "no way to search 'magic'"),
        (["--within", REPORT, "--min", "9"], "a number from 0 to 5"),
        (["--within", REPORT, "--limit", "0"], "a whole number from 1"),
        (["--within", REPORT, "-o", REPORT, "--format", "json"], "name another place"),
        (["--within", REPORT, "--cache", REPORT], "not a vector cache"),
    ],
    ids=lambda words: (
        " ".join(Path(word).name for word in words) if isinstance(words, list) else ""
    ),
)
def test_what_goes_wrong_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from marginalia.core.errors import MarginaliaError

    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, ["similar", *words])
    assert isinstance(result.exception, MarginaliaError), result.output
    assert message in str(result.exception) and "\n" not in str(result.exception)
    assert result.stdout == "" and list(tmp_path.iterdir()) == []


def test_an_error_is_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    result = run("nowhere.md", "A sentence.", cwd=tmp_path)
    assert result.returncode == 2 and result.stdout == ""
    assert result.stderr == "marginalia: nowhere.md: there is no such file\n"


def test_help_is_worth_reading() -> None:
    shown = similar("--help").stdout
    for word in ("--within", "--corpus", "--across", "--by", "--cache", "records", "reuse.csv"):
        assert word in shown
