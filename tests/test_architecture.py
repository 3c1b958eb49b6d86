"""The map of the code is true: every name on it exists, the three ways run as it says, and a change touches few files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
HOP = re.compile(r"^\d+\. `([\w.]+)`", re.MULTILINE)
CHILD = "reader.pdf.child."
"""What runs in another process cannot be listened to."""


def ways() -> dict[str, tuple[list[str], list[str]]]:
    """Heading -> the words of its command, and its hops."""
    found = {}
    for part in PAGE.split("\n## The way of ")[1:]:
        heading, rest = part.partition("\n## What")[0].split("\n", 1)
        command = re.search(r"^`marginalia (.+)`$", rest, re.MULTILINE)
        assert command, heading
        found[heading] = command[1].split(), HOP.findall(rest)
    return found


WAYS = ways()


def test_there_are_the_three_ways() -> None:
    assert list(WAYS) == ["a PDF page", "a paragraph that is scored", "a sentence that is linked"]
    assert all(len(hops) > 10 for _, hops in WAYS.values())


@pytest.mark.parametrize("name", sorted({hop for _, hops in WAYS.values() for hop in hops}))
def test_every_name_exists(name: str) -> None:
    assert callable(resolve(name))


def resolve(name: str) -> Any:
    """The function or method of this name."""
    words = name.split(".")
    for cut in range(len(words) - 1, 0, -1):
        try:
            found = import_module(".".join(["marginalia", *words[:cut]]))
        except ModuleNotFoundError:
            continue
        for word in words[cut:]:
            found = getattr(found, word)
        return found
    raise AssertionError(f"no module of {name}")


@pytest.mark.parametrize("heading", WAYS)
def test_no_way_comes_back(heading: str) -> None:
    """A module that was left is not entered again."""
    _, hops = WAYS[heading]
    modules = [module for module, _ in groupby(module_of(hop) for hop in hops)]
    assert len(set(modules)) == len(modules)


def module_of(name: str) -> str:
    words = name.split(".")
    return ".".join(word for word in words[:-1] if word.islower())


@pytest.mark.parametrize("heading", WAYS)
def test_the_functions_are_called_in_this_order(heading: str, tmp_path: Path) -> None:
    words, hops = WAYS[heading]
    listed = [hop for hop in hops if not hop.startswith(CHILD)]
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in words]
    result = subprocess.run(
        [sys.executable, "-m", "tests.calls", str(tmp_path / "calls"), *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "MARGINALIA_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )
    assert result.returncode == 0, result.stderr
    called = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert [name for name in called if name in set(listed)] == listed


def changes() -> dict[str, list[str]]:
    """Heading -> the files that the change touches."""
    parts = PAGE.partition("\n## What a change touches")[2].split("\n### ")[1:]
    return {
        part.partition("\n")[0]: re.findall(r"^- `([^`]+)`", part, re.MULTILINE) for part in parts
    }


CHANGES = changes()
MAX_FILES = 6
"""What a newcomer can keep in mind."""


def test_there_are_the_five_changes() -> None:
    assert list(CHANGES) == [
        "A kind of note",
        "A language",
        "A bigger encoder",
        "A sixth task",
        "An input format",
    ]


@pytest.mark.parametrize("heading", CHANGES)
def test_a_change_touches_few_files_and_each_has_a_model(heading: str) -> None:
    files = CHANGES[heading]
    assert 0 < len(set(files)) == len(files) <= MAX_FILES
    for file in files:
        assert list(ROOT.glob(re.sub(r"\b(?:NAME|CODE)\b|NAME(?=\.py)", "*", file))), file


def test_the_map_has_every_layer() -> None:
    layers = set(re.findall(r"^\| `(\w+)(?:/NAME)?` \|", PAGE, re.MULTILINE))
    folders = (ROOT / "src" / "marginalia").glob("*/__init__.py")
    assert layers == {path.parent.name for path in folders}


def test_the_map_has_every_annotator() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `annotators/NAME`"))
    cards = (ROOT / "src" / "marginalia" / "annotators").glob("*/annotator.py")
    assert {path.parent.name for path in cards} <= set(re.findall(r"`(\w+)`", row))
