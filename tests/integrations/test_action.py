"""The GitHub Action: its steps run here as its runner would run them, without the ones that need the network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parent.parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def step(name: str) -> dict[str, object]:
    return next(one for one in ACTION["runs"]["steps"] if one.get("name") == name)


def run(name: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    places = {"RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(folder / "output")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(step(name)["run"])],
        cwd=folder,
        env={**os.environ, **places, "PATH": path, **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(("fail_on", "failing"), [("warning", 1), ("error", 0), ("never", 0)])
def test_the_job_fails_from_the_severity_on_that_is_asked_for(
    tmp_path: Path, fail_on: str, failing: int
) -> None:
    (tmp_path / "a.md").write_text("This is the the text.\n", encoding="utf-8")
    options = {"FILES": "a.md", "OPTIONS": "--select wording", "FAIL_ON": fail_on}
    done = run("Lint", tmp_path, **options)
    assert done.returncode == 0, done.stderr
    said = dict(
        line.split("=", 1)
        for line in (tmp_path / "output").read_text(encoding="utf-8").splitlines()
    )
    assert Path(said["sarif"]).is_file() and said["findings"] == "1"
    assert said["failing"] == str(failing)
    last = run("Result", tmp_path, FINDINGS=said["findings"], FAILING=said["failing"])
    assert last.returncode == failing


def test_an_error_of_lint_fails_the_job(tmp_path: Path) -> None:
    done = run("Lint", tmp_path, FILES="nothing.md", OPTIONS="", FAIL_ON="never")
    assert done.returncode == 2 and "no such file" in done.stderr


def test_every_input_is_used_and_none_is_written_into_a_script() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"inputs.{name}" in text
    for one in ACTION["runs"]["steps"]:
        assert "${{" not in str(one.get("run", "")), "an input in a script could be a command"
