"""Settings are found upwards, and a wrong one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Document, FormatError
from marginalia.reader.view.settings import find_settings, find_units


def test_the_nearest_counts(tmp_path: Path) -> None:
    inner = tmp_path / "docs" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("[tool.marginalia]\nmax = 3\n")
    (tmp_path / "docs" / "pyproject.toml").write_text("[project]\nname = 'no settings here'\n")
    assert find_settings(inner / "a.md") == {"max": 3}
    (tmp_path / "docs" / ".marginalia.toml").write_text('catalogue = "x/survey.xml"\n')
    assert find_settings(inner) == {"catalogue": str(tmp_path / "docs" / "x/survey.xml")}


def test_paths_of_settings_are_seen_from_their_file(tmp_path: Path) -> None:
    (tmp_path / ".marginalia.toml").write_text('vocabularies = ["Base"]\nbaseline = "known.json"\n')
    found = find_settings(tmp_path / "deep" / "a.md")
    assert found["baseline"] == str(tmp_path / "known.json")
    assert found["styles"] == str(tmp_path / "styles")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sentence-words = -1", "'sentence-words' must not be negative"),
        ("genre = 3", "'genre' must be a text"),
        ("maximum = 3", "'maximum' is unknown; known are notes, for, profiles"),
        ("max = true", "'max' must be a whole number"),
        ("ignore = 'hard-word'", "'ignore' must be a list of texts"),
        ("ignore = [1]", "'ignore' must be a list of texts"),
        ("severity = 'error'", "'severity' must be a table of texts"),
        ("units = {smoot = 3}", "'units' must be a table of texts"),
        ("max = ", "not TOML"),
        ("max = -1", "'max' must not be negative"),
        ("least = 'bad'", "'bad' is none of note, warning, error"),
        ("severity = {hard-word = 'bad'}", "'bad' is none of note, warning, error"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / ".marginalia.toml").write_text(text)
    with pytest.raises(FormatError, match=said) as caught:
        find_settings(tmp_path)
    assert ".marginalia.toml" in str(caught.value)


def test_units_are_named_by_their_file(tmp_path: Path) -> None:
    """What reads them says in which file one is wrong."""
    path = tmp_path / ".marginalia.toml"
    path.write_text("[units]\nsmoot = '1.7018 m'\n")
    assert find_settings(tmp_path / "a.md") == {"units": str(path)}
    doc = Document(id="a", text="", meta={"path": str(tmp_path / "a.md")})
    assert find_units(doc) == {"units": str(path)}
    path.write_text("max = 3\n")
    assert find_units(doc) == {}
