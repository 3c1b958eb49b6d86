"""``marginalia clarify``: tables, data, files, and what goes wrong."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from marginalia.annotators.unclear.places import COLUMNS
from marginalia.cli.main import cli
from marginalia.tasks.clarification.official.data import read_items
from tests.annotators.unclear.listed import Listed, tagger

__all__ = ["tagger"]

GUIDE = (
    "How to Bake Bread\n\n1. Mix some flour and the water in a warm bowl. Leave it overnight.\n"
    "2. There are long tins and short tins. Use the long for big loaves.\n"
)
PAIRS = [
    {"old": "Check the tyres.", "new": "Check the pressure of the tyres."},
    {"old": "Stir the soup.", "new": "Stir the soup slowly."},
    {"old": "Keep a tank.", "new": "Keep a goldfish tank."},
]


@pytest.fixture
def guide(tmp_path: Path) -> Path:
    path = tmp_path / "guide.txt"
    path.write_text(GUIDE, encoding="utf-8")
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in PAIRS), encoding="utf-8")
    return path


def clarify(*words: object, text: str | None = None, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["clarify", *map(str, words)], input=text)
    assert result.exit_code == code, result.output
    return result


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """The whole program, which turns errors into one sentence."""
    command = [sys.executable, "-m", "marginalia", "clarify", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, input="")


def test_find_shows_a_table(guide: Path, monkeypatch: pytest.MonkeyPatch, tagger: Listed) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = clarify("find", guide).stdout
    assert "2 unclear places" in shown and "“some flour”: how much?" in shown
    assert "vague wording" in clarify("find", guide, "--all").stdout
    only = clarify("find", guide, "--all", "--kind", "vague wording").stdout
    assert "1 unclear place" in only and "flour" not in only
    assert clarify("find", "-", text="It rained all day.").stdout == "no unclear place found\n"


def test_find_gives_data_with_offsets(guide: Path, tagger: Listed) -> None:
    rows = json.loads(clarify("find", guide, "--json").stdout)
    assert [row["quote"] for row in rows] == ["some flour", "overnight"]
    assert all(GUIDE[row["start"] : row["end"]] == row["quote"] for row in rows)
    assert rows[0]["document"] == "guide" and rows[0]["kind"] == "amount"


def test_fill_a_marked_gap() -> None:
    words = ("fill", "--sentence", "Hold ______ still.", "--context", "Take the egg.")
    rows = json.loads(clarify(*words, "--json", "-n", "3").stdout)
    assert len(rows) == 3 and {"filler": "the egg", "source": "context"} in rows
    assert "the egg" in clarify(*words).stdout


def test_rank_a_marked_gap() -> None:
    words = ("rank", "--sentence", "Hold ______ still.", "--context", "Take the egg.")
    own = json.loads(clarify(*words, "--filler", "the egg", "--filler", "a cloud", "--json").stdout)
    assert {reading["filler"] for reading in own["readings"]} == {"the egg", "a cloud"}
    shown = clarify(*words).stdout
    assert (
        "implicit reference: Hold ______ still." in " ".join(shown.split()) and "the egg" in shown
    )


def test_files_are_written_and_inputs_are_not(guide: Path, tmp_path: Path, tagger: Listed) -> None:
    clarify("find", guide, "-o", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["quote"] == "some flour"
    result = run("find", guide, "-o", tmp_path / "out.xyz")
    assert result.returncode == 2 and "known are .json, .jsonl, .csv" in result.stderr
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps(PAIRS[0]) + "\n", encoding="utf-8")
    result = run("mine", pairs, "-o", pairs)
    assert result.returncode == 2 and "would be overwritten" in result.stderr


def test_other_languages_are_said_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        text = "Halten Sie das Bein für zehn Sekunden und lassen Sie es dann wieder sinken."
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    result = clarify("find", tmp_path)
    assert result.stderr.count("clarify reads English") == 1 and "nothing on a, b" in result.stderr
    assert result.stdout == "no unclear place found\n"


def test_one_bad_file_of_many(guide: Path, tmp_path: Path, tagger: Listed) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\xff\xfe\x00")
    result = clarify("find", guide, bad, code=1)
    assert "left out" in result.stderr and "some flour" in result.stdout
    assert run("find", tmp_path / "none.txt").returncode == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("find",), "at least one FILE was expected"),
        (("rank", "--filler", "a"), "Missing option '--sentence'"),
        (("fill", "--sentence", "Hold still."), "the sentence has no gap"),
        (("find", "x.txt", "--kind", "irony"), "'irony' is not one of"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], message: str) -> None:
    assert message in clarify(*words, code=2).stderr


def test_mine_two_documents(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("Put the beans into a bowl. Rinse under water.", encoding="utf-8")
    new.write_text("Put the beans into a bowl. Rinse the beans under water.", encoding="utf-8")
    assert "the beans" in clarify("mine", old, new).stdout
    assert clarify("mine", old, old).stdout == "no clarification found\n"


def test_mine_a_stream_of_pairs(pairs: Path, tmp_path: Path) -> None:
    rows = json.loads(clarify("mine", pairs, "--json").stdout)
    assert [(row["phenomenon"], row["filler"]) for row in rows] == [
        ("metonymy", "pressure"),
        ("noun compound", "goldfish"),
    ]
    piped = json.loads(clarify("mine", "-", "--json", text=pairs.read_text("utf-8")).stdout)
    assert piped == rows
    clarify("mine", pairs, "-o", tmp_path / "out.tsv")
    items = read_items(tmp_path / "out.tsv")
    assert [items[f"{n}_1"].filler for n in (1, 2)] == ["pressure", "goldfish"]
    clarify("mine", pairs, "-o", tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == rows


def test_ratings(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("id,rater,rating\n1_1,a,5\n1_1,b,4\n1_2,a,1\n1_2,b,2\n", encoding="utf-8")
    shown = clarify("ratings", path).stdout
    assert "alpha_ratings" in shown and "PLAUSIBLE" in shown
    report = json.loads(clarify("ratings", path, "--json").stdout)
    assert report["items"] == 2 and report["classes"]["PLAUSIBLE"] == 1
    clarify("ratings", path, "-o", tmp_path / "gold.csv")
    gold = (tmp_path / "gold.csv").read_text(encoding="utf-8")
    assert gold == "id,rating,label,raters\n1_1,4.5,PLAUSIBLE,2\n1_2,1.5,IMPLAUSIBLE,2\n"


def test_a_gap_of_fewer_underscores_is_one_too() -> None:
    words = ["clarify", "rank", "--sentence", "Hold ___ still.", "--filler", "the leg", "--json"]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["cloze"] == "Hold ______ still."


def test_if_no_guide_can_be_read_nothing_is_written(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "marginalia", "clarify", "find", "no.md", "nor.md"]
    result = subprocess.run(
        [*command, "-o", "out.csv"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 2 and list(tmp_path.iterdir()) == []
    assert result.stderr.endswith("marginalia: none of the documents could be read\n")


def test_a_table_has_the_same_columns_with_and_without_rows(
    tmp_path: Path, guide: Path, tagger: Listed
) -> None:
    (tmp_path / "short.txt").write_text("Good evening.", encoding="utf-8")
    for source in (guide, tmp_path / "short.txt"):
        out = tmp_path / "out.csv"
        clarify("find", source, "-o", out)
        with out.open(encoding="utf-8", newline="") as file:
            assert tuple(next(csv.reader(file))) == COLUMNS
