"""In a folder of somebody else nothing of it is run: our child processes take no module from there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from marginalia.bench.host.judge import JudgeProcess
from marginalia.bench.host.settings import read_competition
from marginalia.core.long_work import module_command
from marginalia.reader.read import read
from marginalia.web.entry import Entry
from marginalia.web.pages import page_image
from tests.bench.host.small import make_competition, predictions

ARTICLE = Path(__file__).parent.parent.parent / "examples" / "article.pdf"


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with modules of the names we use; each leaves a mark when it is run."""
    for name in ("marginalia", "pypdfium2", "numpy", "json"):
        code = f"open({str(tmp_path / 'mark')!r}, 'w').close()\nraise SystemExit(3)\n"
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_modules_there_would_be_run(foreign: Path) -> None:
    """What the other tests rest on: without -P Python takes them."""
    command = [word for word in module_command("marginalia", "--version") if word != "-P"]
    assert subprocess.run(command, check=False).returncode == 3
    assert (foreign / "mark").exists()


def test_a_pdf_is_read_and_drawn_by_our_own_modules(foreign: Path) -> None:
    doc = read(ARTICLE)
    picture = page_image(Entry(id="1", name="article.pdf", path=ARTICLE, doc=doc), 1)
    assert picture.startswith(b"\x89PNG")
    assert not (foreign / "mark").exists()


def test_several_systems_are_run_by_our_own_modules(foreign: Path) -> None:
    words = ["bench", "run", "complexity", "--system", "length", "--system", "frequency"]
    result = subprocess.run(
        [sys.executable, "-P", "-m", "marginalia", *words, "--data", "."],
        capture_output=True,
        text=True,
        check=False,
    )
    said = result.stderr.splitlines()
    assert "data fetch complexity" in said[0], "the child, which found no data"
    assert "the run of complexity with the system 'length' failed" in said[-1]
    assert not (foreign / "mark").exists()


def test_a_judge_of_a_competition_runs_our_own_modules(foreign: Path) -> None:
    judge = JudgeProcess(read_competition(make_competition(foreign / "competition")))
    try:
        assert judge.check("main", "one.csv", predictions()) == 24
    finally:
        judge.close()
    assert not (foreign / "mark").exists()


@pytest.mark.slow
def test_workers_of_ray_run_our_own_modules(foreign: Path) -> None:
    pytest.importorskip("ray")
    (foreign / "papers").mkdir()
    (foreign / "papers" / "one.txt").write_text("The rod is 5 m long.", encoding="utf-8")
    words = ["corpus", "annotate", "papers", "-o", "out", "--no-vectors", "--engine", "ray"]
    result = subprocess.run(
        [*module_command("marginalia", *words), "--workers", "1"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    assert not (foreign / "mark").exists()


def test_the_action_takes_no_module_from_the_repository_it_checks() -> None:
    action = (ARTICLE.parent.parent / "action.yml").read_text(encoding="utf-8")
    commands = re.findall(r"^ *python (.*)", action, re.MULTILINE)
    assert len(commands) == 3
    assert all(command.startswith("-P ") for command in commands), commands
