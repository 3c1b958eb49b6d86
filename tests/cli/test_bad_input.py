"""Bad submissions on the command line: one sentence that says what and where, exit code 2.

Where the official program takes a submission all the same, so do we, and a note says what is wrong.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HEADER = "docId\tannotSet\tannotType\tstartOffset\tendOffset\tannotId\ttext\tother\n"
ROW = 'S1-1\t1\tQuantity\t4\t9\tT1-1\t12 mm\t{{"unit": "{unit}"}}\n'

GOLD = {
    "complexity": {"reference.csv": "a,0.1\nb,0.5\nc,0.9\n"},
    "measurement": {"S1-1.tsv": HEADER + ROW.format(unit="mm")},
    "variables": {
        "true.json": '{"u1": 1, "u2": 0}',
        "uuid_langs.json": '{"u1": "en", "u2": "en"}',
        "uuid_docs.json": '{"u1": "7", "u2": "7"}',
    },
    "clarification": {"reference.tsv": "1_1\tPLAUSIBLE\n1_2\tNEUTRAL\n1_3\tIMPLAUSIBLE\n"},
    "similarity": {"STS.gs.toy.txt": "1.0\n3.0\n5.0\n"},
}
PRED = {
    "complexity": ("predictions.csv", "a,0.2\nb,0.4\nc,0.7\n"),
    "measurement": ("S1-1.tsv", HEADER + ROW.format(unit="mm")),
    "variables": ("pred.json", '{"u1": 1, "u2": 1}'),
    "clarification": ("predictions.tsv", "1_1\tPLAUSIBLE\n1_2\tPLAUSIBLE\n1_3\tNEUTRAL\n"),
    "similarity": ("STS.output.toy.txt", "1.5\t100\n2.0\t100\n4.0\t100\n"),
}


def score(
    tmp_path: Path, task: str, content: str | bytes | None
) -> subprocess.CompletedProcess[str]:
    """Score a submission whose one file has this content; None makes it a folder."""
    gold, pred = tmp_path / "gold", tmp_path / "pred"
    gold.mkdir()
    pred.mkdir()
    for name, text in GOLD[task].items():
        (gold / name).write_text(text, encoding="utf-8")
    path = pred / PRED[task][0]
    if content is None:
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content, encoding="utf-8")
    command = ["bench", "score", task, "--gold", str(gold), "--pred", str(pred), "--json"]
    return subprocess.run(
        [sys.executable, "-m", "marginalia", *command], capture_output=True, text=True
    )


@pytest.mark.parametrize("task", GOLD)
def test_a_good_submission_is_scored(tmp_path: Path, task: str) -> None:
    result = score(tmp_path, task, PRED[task][1])
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["warnings"] == [] or task == "measurement"


def lines(task: str, change: Callable[[list[str]], list[str]]) -> str:
    return "".join(change(PRED[task][1].splitlines(keepends=True)))


REFUSED = {
    ("complexity", "missing id"): (lines("complexity", lambda r: r[:2]), "no prediction.*'c'"),
    ("complexity", "nan"): ("a,0.2\nb,nan\nc,1\n", r"predictions.csv:2: .*not a finite number"),
    ("complexity", "columns"): ("a,0.2\nb\nc,1\n", r"predictions.csv:2: expected id,value"),
    ("measurement", "columns"): ("docId\tannotSet\n", r"S1-1.tsv:1: .*column"),
    ("measurement", "duplicate"): (lines("measurement", lambda r: [*r, r[1]]), r"S1-1.tsv:3: "),
    ("measurement", "offset"): (
        PRED["measurement"][1].replace("\t4\t9", "\t4\tnan"),
        r"S1-1.tsv:2: ",
    ),
    ("measurement", "length"): (
        PRED["measurement"][1].replace("\t4\t9", "\t4\t10"),
        r"S1-1.tsv:2: ",
    ),
    ("variables", "missing id"): ('{"u1": 1}', "u2"),
    ("variables", "unknown id"): ('{"u1": 1, "u2": 1, "u3": 1}', "u3"),
    ("variables", "duplicate"): ('{"u1": 1, "u2": 1, "u2": 0}', "pred.json: .*'u2' is given twice"),
    ("variables", "nan"): ('{"u1": 1, "u2": NaN}', "pred.json: some labels are fractions"),
    ("variables", "not json"): ('{"u1": 1,\n "u2" 1}', "pred.json:2: not JSON"),
    ("variables", "shape"): ("[1, 0]", "pred.json"),
    ("clarification", "missing id"): (lines("clarification", lambda r: r[:2]), "predictions.tsv"),
    ("clarification", "unknown id"): (
        lines("clarification", lambda r: [*r[:2], "9_1\tNEUTRAL\n"]),
        "9_1",
    ),
    ("clarification", "class"): (
        lines("clarification", lambda r: [*r[:2], "1_3\tneutral\n"]),
        r"predictions.tsv:3: ",
    ),
    ("clarification", "columns"): (
        lines("clarification", lambda r: [*r[:2], "1_3\n"]),
        r"predictions.tsv:3: ",
    ),
}


@pytest.mark.parametrize(("task", "fault"), REFUSED, ids=lambda word: word.replace(" ", "-"))
def test_a_bad_submission_is_refused(tmp_path: Path, task: str, fault: str) -> None:
    content, message = REFUSED[task, fault]
    assert_refused(score(tmp_path, task, content), message)


@pytest.mark.parametrize("task", GOLD)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ""),
        (b"\xff\xfe\x00bad", "not UTF-8"),
        (b"x" * 50_000_000, ""),
        (None, "folder"),
    ],
    ids=["empty", "encoding", "50 MB line", "folder"],
)
def test_a_file_that_is_none_is_refused(
    tmp_path: Path, task: str, content: bytes | None, message: str
) -> None:
    assert_refused(score(tmp_path, task, content), message, where=PRED[task][0])


def assert_refused(result: subprocess.CompletedProcess[str], message: str, where: str = "") -> None:
    assert result.returncode == 2, result.stdout + result.stderr
    assert result.stdout == ""
    sentences = result.stderr.splitlines()
    assert len(sentences) == 1, result.stderr
    assert sentences[0].startswith("marginalia: ")
    assert re.search(message, sentences[0]), sentences[0]
    assert where in sentences[0]


TAKEN = {
    ("complexity", "unknown id"): ("a,0.2\nb,0.4\nc,0.7\nd,1\n", "1 unknown ids"),
    ("complexity", "duplicate"): ("a,0.2\nb,0.4\nc,0.7\nc,0.8\n", "1 repeated ids"),
    ("clarification", "duplicate"): ("1_1\tNEUTRAL\n1_1\tNEUTRAL\n1_2\tNEUTRAL\n", "1_3|missing"),
    ("similarity", "missing row"): ("1.5\t100\n2.0\t100\n", "2"),
    ("similarity", "not a number"): ("1.5\t100\nabc\t100\n4.0\t100\n", ""),
    ("similarity", "no confidence"): ("1.5\n2.0\n4.0\n", "confidence"),
}


@pytest.mark.parametrize(("task", "fault"), TAKEN, ids=lambda word: word.replace(" ", "-"))
def test_what_the_official_program_takes_is_scored_with_a_note(
    tmp_path: Path, task: str, fault: str
) -> None:
    content, note = TAKEN[task, fault]
    result = score(tmp_path, task, content)
    assert result.returncode == 0, result.stderr
    warnings = json.loads(result.stdout)["warnings"]
    assert any(re.search(note, warning) for warning in warnings), warnings


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bench", "run", "complexty"], "Did you mean 'complexity'"),
        (["bench", "run", "complexity", "--system", "magic", "--data", "."], "no system"),
        (
            ["bench", "run", "complexity", "--split", "trial", "--data", "."],
            "Known: dev, test, train",
        ),
        (["bench", "run", "complexity", "--data", "nowhere"], "does not exist"),
        (["bench", "run", "complexity", "--data", "."], "data fetch complexity"),
        (["bench", "predict", "complexity", "--out", "x", "--data", "."], "data fetch complexity"),
        (["bench", "score", "complexity", "--gold", "no.csv", "--pred", "no.csv"], "no such file"),
        (["bench", "score", "complexity", "--gold", ".", "--pred", "."], "no .csv file"),
        (["read", "nowhere.txt"], "nowhere.txt"),
        (["read", "--notes", "magic", "-"], "Known:"),
    ],
)
def test_wrong_words_get_one_sentence_and_write_nothing(
    tmp_path: Path, words: list[str], message: str
) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "marginalia", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        input="Some text.",
    )
    assert_refused(result, message)
    assert list(tmp_path.iterdir()) == []


def test_square_brackets_in_a_path_are_no_markup(tmp_path: Path) -> None:
    folder = tmp_path / "we[" / "x]ird"
    folder.mkdir(parents=True)
    for name, text in GOLD["complexity"].items():
        (folder / name).write_text(text, encoding="utf-8")
    command = ["bench", "score", "complexity", "--gold", str(folder), "--pred", str(folder)]
    result = subprocess.run(
        [sys.executable, "-m", "marginalia", *command], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert "x]ird" in result.stdout.replace("\n", "")
