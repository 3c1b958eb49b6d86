"""What the two distributions say of themselves, and what their archives hold."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import marginalia

ROOT = Path(__file__).parent.parent
SECOND = ROOT / "noncommercial"
GUIDE = ROOT / "examples" / "guide.md"
HOME = "https://github.com/marginalia-reader/marginalia"
LARGEST = 95_000_000
"""Bytes of an archive: a package index takes no more than 100 MB without asking."""


def project(folder: Path) -> dict[str, object]:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_version_is_set_in_one_place() -> None:
    for folder in (ROOT, SECOND):
        assert "version" in project(folder)["dynamic"] and "version" not in project(folder)
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {marginalia.__version__}\n" in cited


def test_the_list_of_lowest_versions_is_that_of_the_lower_bounds() -> None:
    """``make lowest`` tests what pyproject.toml promises, not what it promised some time ago."""
    lines = (ROOT / "requirements/lowest.txt").read_text(encoding="utf-8").splitlines()
    listed = {
        canonicalize_name(name): Version(v) for name, v in (line.split("==") for line in lines)
    }
    bounds: dict[str, Version] = {}
    for line in project(ROOT)["dependencies"] + _flat(
        "test", project(ROOT)["optional-dependencies"]
    ):
        wanted = Requirement(line)
        name = canonicalize_name(wanted.name)
        for one in wanted.specifier:
            if one.operator == ">=":
                bounds[name] = max(Version(one.version), bounds.get(name, Version("0")))
    assert len(bounds) > 20
    higher = {
        name
        for name, bound in bounds.items()
        if (*listed[name].release, 0, 0)[: len(bound.release)] != bound.release
    }
    raised = {"dkpro-cassis", "krippendorff", "myst-parser", "numpy", "pyarrow", "scipy"}
    assert higher <= raised, "others of the tests ask for a later one"
    assert all(listed[name] >= bounds[name] for name in higher)


def _flat(extra: str, extras: dict[str, list[str]]) -> list[str]:
    """The requirements of an extra, those of the extras that it names among them."""
    found = []
    for each in extras[extra]:
        wanted = Requirement(each)
        if canonicalize_name(wanted.name) == "marginalia":
            found += [one for name in wanted.extras for one in _flat(name, extras)]
        else:
            found.append(each)
    return found


def test_all_addresses_of_the_project_have_one_home() -> None:
    raw = HOME.replace("github.com", "raw.githubusercontent.com")
    for name in ("pyproject.toml", "noncommercial/pyproject.toml", "CITATION.cff", "README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for address in re.findall(r"https://[\w.]*github[\w.]*/[\w-]+/marginalia\b", text):
            assert address in (HOME, raw), f"{name}: {address}"
    assert all(str(url).startswith(HOME) for url in project(ROOT)["urls"].values())


def test_links_of_the_front_page_are_absolute_on_an_index() -> None:
    """The substitutions that the build makes, made here."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    hook = settings["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for one in hook["substitutions"]:
        text = re.sub(one["pattern"], one["replacement"], text)
    targets = re.findall(r"\]\(([^)\s]+)", text)
    assert targets and all(target.startswith("https://") for target in targets)
    for target in targets:
        if target.startswith(HOME + "/blob/main/"):
            path = target.removeprefix(HOME + "/blob/main/").partition("#")[0]
            assert (ROOT / path).exists(), target


def test_the_page_on_installing_names_every_extra() -> None:
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    named = {
        name for some in re.findall(r"marginalia\[([\w,]+)\]", page) for name in some.split(",")
    }
    for_users = set(project(ROOT)["optional-dependencies"]) - {"bench", "docs", "test"}
    assert named == for_users


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands(shell: str) -> None:
    """As the page on installing says."""
    page = (ROOT / "docs" / "how-to" / "install.md").read_text(encoding="utf-8")
    assert f"_MARGINALIA_COMPLETE={shell}_source marginalia" in page
    given = {"COMP_WORDS": "marginalia cl", "COMP_CWORD": "1" if shell != "fish" else "cl"}
    environment = {**os.environ, **given, "_MARGINALIA_COMPLETE": f"{shell}_complete"}
    code = "from marginalia.cli.main import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert "clarify" in result.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """Folder of a distribution -> folder with its wheel and source archive, built without the network."""
    pytest.importorskip("hatchling")
    pytest.importorskip("hatch_fancy_pypi_readme")
    found = {}
    for folder in (ROOT, SECOND):
        found[folder] = tmp_path_factory.mktemp("archives")
        command = [sys.executable, "-m", "hatchling", "build", "--directory", str(found[folder])]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("folder", [ROOT, SECOND], ids=["marginalia", "noncommercial"])
def test_the_archives_are_small_enough_and_hold_the_licences(
    folder: Path, archives: dict[Path, Path]
) -> None:
    made = sorted(archives[folder].iterdir())
    assert [path.suffix for path in made] == [".whl", ".gz"]
    assert all(path.stat().st_size < LARGEST for path in made)
    with zipfile.ZipFile(made[0]) as wheel:
        names = wheel.namelist()
        texts = {path.name for path in folder.glob("licences/*.txt")} | {"NOTICE"}
        assert texts <= {name.rpartition("/")[2] for name in names if ".dist-info/licenses" in name}
        rows = next(name for name in names if name.endswith("/licences.json"))
        forbidden = [row for row in json.loads(wheel.read(rows)) if not row["commercial"]]
    assert bool(forbidden) == (folder == SECOND)
    second = any(name.startswith("marginalia_noncommercial/") for name in names)
    assert second == (folder == SECOND)


@pytest.mark.slow
def test_the_wheels_read_a_guide_alone_and_together(
    archives: dict[Path, Path], tmp_path: Path
) -> None:
    site, libraries = tmp_path / "site", tmp_path / "libraries"
    libraries.mkdir()
    # What is installed here but for ourselves: a fresh environment without the network.
    for path in (p for one in sys.path if one.endswith("-packages") for p in Path(one).iterdir()):
        link = libraries / path.name
        if "marginalia" not in path.name and path.suffix != ".pth" and not link.is_symlink():
            link.symlink_to(path)
    for folder in (ROOT, SECOND):
        with zipfile.ZipFile(next(archives[folder].glob("*.whl"))) as wheel:
            wheel.extractall(site)
        result = subprocess.run(
            [
                sys.executable,
                "-S",
                "-m",
                "marginalia",
                "read",
                str(GUIDE),
                "--for",
                "learner",
                "--format",
                "json",
            ],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((str(site), str(libraries)))},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        notes = json.loads(result.stdout)["annotations"]
        assert "words" in {note["task"] for note in notes}
        assert ("pip install marginalia-noncommercial" in result.stderr) == (folder == ROOT)
