"""The documentation runs: its Python blocks, and the commands of its console blocks.

A fence may say what it needs: ``console data`` is skipped where there is no data folder,
``console perl`` and ``console node`` where that is not installed, ``console no-run`` is only shown (installing, downloading), ``console installed`` runs with the package of
``examples/passive`` installed beside ours. A line after a command must be in what the
command prints; ``...`` stands for anything.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.passive import install_annotator

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = sorted(
    page
    for pattern in ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "src/**/README.md")
    for page in ROOT.glob(pattern)
)
LONG_PAGES = ("README.md", "docs/how-to/extract-measurements.md", "docs/how-to/catalogues.md")
"""Their commands take long together."""


def named(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[tuple[str, set[str], str]]:
    found = FENCE.findall(page.read_text(encoding="utf-8"))
    return [(kind, set(words.split()), body) for kind, words, body in found]


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow if named(page) in LONG_PAGES else ())
        for page in PAGES
    ],
    ids=named,
)
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch) -> None:
    """All blocks of a page share one namespace and one folder, as a reader typing along would."""
    # A copy: on Windows not everybody may make a symbolic link.
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "docs"}
    for kind, words, body in blocks(page):
        if "no-run" in words or ("data" in words and not os.environ.get("MARGINALIA_DATA")):
            continue
        if any(shutil.which(name) is None for name in words & {"perl", "node"}):
            continue
        if kind == "python":
            exec(compile(body, str(page), "exec"), namespace)  # noqa: S102
        elif kind == "console":
            beside = install_annotator(tmp_path / "site") if "installed" in words else None
            run_console(body, tmp_path, beside)


def run_console(body: str, folder: Path, beside: Path | None = None) -> None:
    """Run the commands in this folder; with ``beside``, as if what is there were installed."""
    paths = [str(beside)] if beside else []
    paths += [os.environ["PYTHONPATH"]] if "PYTHONPATH" in os.environ else []
    more = {"PYTHONPATH": os.pathsep.join(paths)} if paths else {}
    printed = ""
    for line in body.splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:], comments=True)
            assert words[0] == "marginalia", f"only our own command is run: {line}"
            result = subprocess.run(
                [sys.executable, "-m", *words],
                cwd=folder,
                capture_output=True,
                text=True,
                env={**os.environ, **more, "COLUMNS": "400"},
            )
            assert result.returncode == 0, f"{line}\n{result.stderr}"
            printed = " ".join(result.stdout.split())
        elif line.strip() and line.strip() != "...":
            for part in line.split("..."):
                assert " ".join(part.split()) in printed, f"not printed: {line!r}\n{printed[:2000]}"


EXTRAS = {
    r"-o \S+\.parquet|--format parquet": "parquet",
    r"-o \S+\.ttl|--format ttl": "rdf",
    r"-o \S+\.xmi|--format xmi": "xmi",
    r"-o \S+\.pdf|--format pdf": "pdf",
    r"marginalia serve|--web\b": "web",
    r"marginalia corpus .*--engine ray": "ray",
    r"\S+\.tex\b": "latex",
    r"\S+\.rst\b": "rst",
    r"\S+\.(sav|dta)\b": "catalogue",
}
"""What a command needs beyond a plain install -> the extra that its line names."""


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_command_works_after_a_plain_install_or_names_the_extra(page: Path) -> None:
    for kind, _, body in blocks(page):
        for line in body.splitlines() if kind in ("console", "sh", "bash") else ():
            for pattern, extra in EXTRAS.items():
                if line.startswith(("$ marginalia ", "marginalia ")) and re.search(pattern, line):
                    assert f"marginalia[{extra}]" in line, line


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(FENCE, "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize(
    "page",
    sorted(ROOT.glob("src/marginalia/tasks/*/*.md")),
    ids=named,
)
def test_the_modules_that_a_task_names_exist(page: Path) -> None:
    """Named from the task's folder (``systems/baselines.py``), or from that of the repository."""
    for name in re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8")):
        assert (page.parent / name).is_file() or (ROOT / name).is_file(), f"{page} names {name}"
