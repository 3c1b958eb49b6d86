"""What `bench new` writes runs and keeps its contracts as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from marginalia import FormatError, UnknownNameError
from marginalia.bench.run import run
from marginalia.bench.scaffold import new_system, new_task
from tests.sixth import DATA, sixth_task


def test_a_new_system_runs(tmp_path: Path) -> None:
    task = sixth_task()
    paths = new_system("my_own", task, tmp_path)
    assert [path.name for path in paths] == ["my_own.py", "test_my_own.py"]
    # Its baseline is looked up by name, and this task is not installed.
    text = paths[0].read_text(encoding="utf-8")
    changed = text.replace('get_benchmark("acronyms")', "BENCHMARK").replace(
        "from marginalia import Split, get_benchmark",
        "from marginalia import Split\nfrom marginalia_acronyms.benchmark import BENCHMARK",
    )
    paths[0].write_text(changed, encoding="utf-8")
    done = run(task, data=DATA, system=f"{paths[0]}:MyOwn", resamples=0).run
    assert done.scores == {"accuracy": 0.5} and done.fit_seconds >= 0


def test_a_new_task_passes_its_own_tests(tmp_path: Path) -> None:
    new_task("riddles", tmp_path)
    root = tmp_path / "riddles"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(root)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    with pytest.raises(FormatError, match="this file is there already"):
        new_task("riddles", tmp_path)


@pytest.mark.parametrize("name", ["Riddles", "two words", "../out", "complexity", ""])
def test_names_that_would_not_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError):
        new_task(name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["class", "My", "a-b", "../x"])
def test_names_of_systems_that_would_not_do(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError):
        new_system(name, "complexity", tmp_path)
    with pytest.raises(UnknownNameError):
        new_system("fine", "no-task", tmp_path)
