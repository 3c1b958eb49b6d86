"""Vale's vocabularies: what is accepted is left alone and written just so, what is rejected is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from marginalia import FormatError, MissingError, lint
from marginalia.nlp.vocabulary import FOLDER, compile_entry, read_vocabulary


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "styles" / FOLDER / "Base"
    folder.mkdir(parents=True)
    (folder / "accept.txt").write_text(
        "# ours\nPageMill\n[Oo]bservability\n(?i)spellcheck\nGithub\n\n"
    )
    (folder / "reject.txt").write_text("whitelist(?:ed)?\n")
    (tmp_path / ".marginalia.toml").write_text(
        'vocabularies = ["Base"]\nselect = ["vocabulary", "spelling"]\n'
    )
    return tmp_path


def test_a_project_has_its_own_words(project: Path) -> None:
    path = project / "a.md"
    path.write_text(
        "Pagemill is whitelisted, PageMill is not. SpellCheck, spellcheck, on Github. `pagemill`\n"
    )
    found = [(one.code, one.quote, [each.text for each in one.fix]) for one in lint(path)]
    assert found == [
        ("vocabulary.spelling", "Pagemill", ["PageMill"]),
        ("vocabulary.rejected", "whitelisted", []),
    ]
    (project / ".marginalia.toml").unlink()
    found = [one.code for one in lint(path, select=["spelling"])]
    assert "spelling.name" in found
    assert [one.code for one in lint(path, select=["spelling.*"], vocabularies=["Base"])] == []


def test_a_vocabulary_that_is_not_there_is_named(project: Path) -> None:
    (project / "a.md").write_text("Text.\n")
    with pytest.raises(MissingError, match=r"the vocabulary 'Bass' has no accept\.txt"):
        lint(project / "a.md", vocabularies=["Bass"])


@pytest.mark.parametrize("entry", ["(a+)+", "(?:a*b*)*", r"(a)\1", "a" * 300, "(", "[a"])
def test_an_entry_that_could_take_forever_is_refused(entry: str) -> None:
    with pytest.raises(FormatError):
        compile_entry(entry, Path("accept.txt"), 1)


def test_repetition_has_a_bound() -> None:
    pattern = compile_entry("[pP]y.*", Path("accept.txt"), 1)
    assert pattern.fullmatch("Pyramid") and not pattern.search("y" * 100_000)
    assert compile_entry("(?i)github", Path("a"), 1).fullmatch("GitHub")
    assert not compile_entry("github", Path("a"), 1).fullmatch("GitHub")


def test_entries_are_read_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "accept.txt").write_text("good\n((\n")
    with pytest.raises(FormatError, match=r"accept.txt:2.*no expression"):
        read_vocabulary(tmp_path)
