"""What commands wrote before and after: recorded as text, compared line by line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import outputs
import pytest
from output_cases import DOCUMENTS, commands

EXAMPLES = Path(__file__).parents[2] / "examples"


def recorded(folder: Path, **texts: str) -> Path:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_command_is_recorded_with_its_exit_code_and_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The lake is 31 m deep.", encoding="utf-8")
    words = ["extract", "measurement", "a.txt", "--system", "numbers", "-o", "out.json"]
    text = outputs.run(words, tmp_path, dict(os.environ))
    assert text.startswith(f"$ marginalia {' '.join(words)}\nexit code 0\n")
    assert "=== file out.json" in text and "31 m" in text
    assert str(tmp_path) not in text
    refused = outputs.run(["extract", "measurement", "b.txt"], tmp_path, dict(os.environ))
    assert "exit code 2" in refused and "b.txt" in refused


def test_what_differs_from_run_to_run_is_replaced() -> None:
    text = 'made 2026-11-17T09:00:00Z in 1.25 s by marginalia 0.1.0, "seconds": 2.5e-3'
    for pattern, instead in outputs.NOISE:
        text = pattern.sub(instead, text)
    assert text == 'made TIME in SECONDS s by marginalia VERSION, "seconds": SECONDS'


def test_data_are_shown_a_value_a_line() -> None:
    assert outputs.readable('{"a": [1, "ä"]}').splitlines()[2:4] == ["  1,", '  "ä"']
    assert outputs.readable('{"a": 1}\n{"a": 2}\n').count("\n") == 5
    assert outputs.readable("plain text\n") == "plain text\n"


def test_differences_are_listed_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = recorded(tmp_path / "a", same="1\n", other="x\ny\n", gone="1\n")
    after = recorded(tmp_path / "b", same="1\n", other="x\nz\n", new="1\n")
    assert outputs.compare(before, before) == 0
    assert "3 of 3 commands write the same" in capsys.readouterr().out
    assert outputs.compare(before, after) == 4, "two lines, and two commands in one folder only"
    shown = capsys.readouterr().out
    assert "other: 2 lines differ\n  -y\n  +z\n" in shown
    assert "1 of 4 commands write the same; 4 differences" in shown


def test_every_example_and_every_recorded_case_is_among_the_commands(tmp_path: Path) -> None:
    written = {path.name for path in EXAMPLES.glob("*.*")} - {"make_article.py", "survey.ddi.xml"}
    assert written == set(DOCUMENTS)
    case = tmp_path / "cases" / "sts" / "case-01"
    case.mkdir(parents=True)
    (case / "expected.json").write_text(json.dumps({"official": {}}), encoding="utf-8")
    named = dict(commands(tmp_path))
    assert "score-sts-case-01" in named
    assert len(named) == len(list(commands(tmp_path))), "two commands of one name"
