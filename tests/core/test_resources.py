"""Data files of the package: hashed, and damaged ones are told in one sentence."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from marginalia import FormatError, MissingError
from marginalia.core import resources
from marginalia.core.resources import HASHES, read_resource, resource_bytes, shipped


def test_the_hashes_are_those_of_the_files() -> None:
    kept = json.loads(HASHES.read_text(encoding="utf-8"))
    assert kept == shipped(), "run python -m marginalia.core.resources"
    assert "quantities/units/units.json" in kept
    assert "tasks/clarification/gaps/lexicon.json.gz" in kept


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "ROOT", tmp_path)
    monkeypatch.setattr(resources, "_hashes", lambda: {"a.json": "0" * 64})
    (tmp_path / "a.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FormatError, match="the file is damaged: reinstall"):
        resource_bytes(tmp_path / "a.json")
    with pytest.raises(MissingError, match="is missing: reinstall"):
        resource_bytes(tmp_path / "b.json")


@pytest.mark.parametrize("cut", [5, 12, 40])
def test_a_truncated_archive_of_a_plug_in_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int
) -> None:
    """A truncated .gz raises EOFError, which a command line takes for an interrupted person."""
    package = tmp_path / f"their_package_{cut}"  # a module of one name is imported once
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    whole = gzip.compress(json.dumps({"word": list(range(99))}).encode())
    (package / "data.json.gz").write_bytes(whole[:cut])
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(FormatError, match="the file is damaged"):
        read_resource(package.name, "data.json.gz")
    (package / "data.json.gz").write_bytes(whole)
    assert read_resource(package.name, "data.json.gz")["word"][5] == 5
