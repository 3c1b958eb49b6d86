"""Counts by code, and figures for each file."""

from __future__ import annotations

from pathlib import Path

from marginalia.reader.lint.check import look
from marginalia.reader.lint.statistics import summarise
from marginalia.reader.lint.wanted import choose_wanted


def test_figures_leave_out_what_is_no_prose(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "# A title\n\nThe the cat sat. It was warm.\n\n```\nsome code here\n```\n"
    )
    (tmp_path / "b.md").write_text("Die Katze saß. Es war warm.\n")
    linted = [
        look(tmp_path / name, choose_wanted(tmp_path / name, select=["wording"]), lang=lang)
        for name, lang in (("a.md", "en"), ("b.md", "de"))
    ]
    figures = summarise(linted, [one for each in linted for one in each.findings])
    english, german = figures.files
    assert (english.words, english.sentences, english.findings) == (7, 2, 1)
    assert list(english.readability) == ["Flesch Reading Ease", "Flesch–Kincaid grade", "LIX"]
    assert list(german.readability) == ["Flesch (Amstad)", "Wiener Sachtextformel", "LIX"]
    assert figures.codes == {"wording.doubled": 1} and figures.fixable == 1
    assert figures.per_1000_words == round(1000 / 13, 1)
    assert figures.to_dict()["files"][0]["path"] == str(tmp_path / "a.md")


def test_words_are_counted_where_nothing_of_style_is_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("The cat sat. It was warm.\n")
    linted = look(path, choose_wanted(path, select=["consistency"]), lang="en")
    figures = summarise([linted], linted.findings)
    assert (figures.words, figures.files[0].sentences) == (6, 2)
