"""Lists of words that a reader or a project knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import Document, FormatError
from marginalia.reader.annotate import annotate
from marginalia.reader.known_words import (
    PROJECT_FILE,
    add_words,
    known_words,
    personal_list,
    project_list,
    read_list,
    remove_words,
)

TEXT = "It was an egregious mistake that nobody had looked for."


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARGINALIA_CONFIG", str(tmp_path / "config"))


def test_words_are_added_once_and_removed(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    assert read_list(path) == []
    assert add_words(path, ["kinase", "Kinase", "phenotype"]) == ["kinase", "Kinase", "phenotype"]
    assert add_words(path, ["KINASE"]) == []
    path.write_text("# biology\nkinase  # an enzyme\nphenotype", encoding="utf-8")
    assert add_words(path, ["allele"]) == ["allele"]
    assert remove_words(path, ["Kinase", "absent"]) == ["kinase"]
    assert path.read_text(encoding="utf-8") == "# biology\nphenotype\nallele\n"


@pytest.mark.parametrize("word", ["", "two words", "x" * 100, "a#b"])
def test_what_is_no_word_is_refused(word: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="is not a word"):
        add_words(tmp_path / "list.txt", [word])
    assert not (tmp_path / "list.txt").exists()


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("one\ntwo words\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"list.txt:2: expected one word"):
        read_list(path)


def test_a_project_list_counts_below_its_folder(tmp_path: Path) -> None:
    (tmp_path / PROJECT_FILE).write_text("repository\n", encoding="utf-8")
    inside = tmp_path / "docs" / "guide.md"
    inside.parent.mkdir()
    assert project_list(inside) == tmp_path / PROJECT_FILE
    add_words(personal_list(), ["kinase"])
    doc = Document(id="x", text="", meta={"path": str(inside)})
    assert known_words(doc) == "kinase\nrepository"


def test_a_known_word_gets_no_note(tmp_path: Path) -> None:
    doc = Document(id="x", text=TEXT, meta={"lang": "en", "path": str(tmp_path / "x.txt")})
    learner = {"audience": "learner"}
    noted = annotate(doc, ["words"], options=learner).annotations
    assert [note.quote for note in noted] == ["egregious"]
    add_words(personal_list(), ["egregious"])
    assert not annotate(doc, ["words"], options=learner).annotations
