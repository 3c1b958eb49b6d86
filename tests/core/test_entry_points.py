"""Entry points: the same as importlib.metadata finds, in less time."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from marginalia.core import entry_points as module
from marginalia.core.entry_points import Entry, entries

GROUPS = [
    "marginalia.benchmarks",
    "marginalia.commands",
    "marginalia.weights",
    "marginalia.licences",
]


@pytest.mark.parametrize("group", GROUPS)
def test_they_are_those_that_the_standard_library_finds(group: str) -> None:
    expected = {(entry.name, entry.value) for entry in entry_points(group=group)}
    assert expected and {(entry.name, entry.value) for entry in entries(group)} == expected


def test_an_entry_loads_its_object() -> None:
    assert (
        Entry("x", "json:JSONDecoder.decode", "g").load() is __import__("json").JSONDecoder.decode
    )
    assert Entry("x", "json", "g").load() is __import__("json")
    with pytest.raises(AttributeError):
        Entry("x", "json:nothing", "g").load()


def test_the_first_of_two_installations_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, version in enumerate(("2.0", "1.0")):
        folder = tmp_path / str(place) / f"Plug_in-{version}.dist-info"
        folder.mkdir(parents=True)
        text = f"[console_scripts]\nx = y:z\n\n[marginalia.benchmarks]\n# ours\nplug = plug:V{version[0]}\n"
        (folder / "entry_points.txt").write_text(text, encoding="utf-8")
    paths = [str(tmp_path / "0"), str(tmp_path / "1"), str(tmp_path / "nowhere")]
    monkeypatch.setattr(sys, "path", paths)
    module._all_entries.cache_clear()
    try:
        assert entries("marginalia.benchmarks") == [
            Entry("plug", "plug:V2", "marginalia.benchmarks")
        ]
    finally:
        module._all_entries.cache_clear()
