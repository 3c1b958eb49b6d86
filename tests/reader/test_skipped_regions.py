"""What of a document gets no notes, and why; and how it is opened."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from marginalia import (
    Document,
    FormatError,
    UnknownNameError,
    all_annotators,
    extract_measurements,
    get_annotator,
)
from marginalia.cli.main import cli
from marginalia.reader.annotate import annotate
from marginalia.reader.cache import NoteCache
from marginalia.reader.formats.registry import get_format
from marginalia.reader.parse.plain import read_text
from marginalia.reader.skipped_regions import SkippedRegions, open_regions, skipped_regions
from tests.nlp.test_language import OTHERS
from tests.reader.test_annotate import DOC, RED

FRENCH = OTHERS["fr"]


@pytest.mark.parametrize("lang", ["fr", "nl", "sv", "es", "it"])
def test_no_hard_words_in_a_language_that_we_do_not_know(lang: str) -> None:
    doc = annotate(read_text(OTHERS[lang]))
    assert doc.meta["lang"] == lang
    assert doc.annotations == ()
    assert doc.meta["summary"].keys() == {"style"}, (
        "words and sentences are counted in any language"
    )
    names = [one.name for one in all_annotators() if one.languages]
    assert doc.meta["skipped"] == {"regions": {}, "lang": lang, "notes": names}


def test_the_reader_is_told_once() -> None:
    doc = annotate(read_text(FRENCH), ["words", "measurements", "unclear"])
    said = "in French: no notes of words, measurements or unclear"
    assert skipped_regions(doc).sentences() == [said]
    assert str(get_format("html", "write").write([doc])).count(said) == 1
    shown = CliRunner().invoke(cli, ["read", "-", "--no-cache"], input=FRENCH)
    assert shown.exit_code == 0 and shown.stdout.count("in French: no notes of") == 1


def test_the_users_word_on_the_language_wins() -> None:
    doc = annotate(read_text(f"{FRENCH} red", lang="en"), [RED])
    assert skipped_regions(doc).sentences() == []
    assert [note.quote for note in doc.annotations] == ["red"]


def test_a_task_without_languages_takes_all() -> None:
    task = replace(RED, languages=())
    doc = annotate(read_text(f"{FRENCH} red"), [task])
    assert [note.quote for note in doc.annotations] == ["red"]


def test_what_is_skipped_is_counted() -> None:
    doc = annotate(DOC, [RED])
    assert doc.meta["skipped"] == {"regions": {"code": round(7 / 30, 4)}, "lang": "", "notes": []}  # fmt: skip
    assert skipped_regions(doc).sentences() == ["skipped: code 23% of the text"]
    assert SkippedRegions.from_dict({}).sentences() == []


def test_include_opens_regions_and_is_kept_apart_in_the_cache(tmp_path: Path) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    task = replace(get_annotator("words"), annotate=RED.annotate, summary=None)
    closed = annotate(DOC, [task], cache=cache)
    opened = annotate(DOC, [task], include=["code"], cache=cache)
    assert len(opened.annotations) == len(closed.annotations) + 1
    assert opened.meta["skipped"]["regions"] == {}
    assert opened.meta["regions"] == DOC.meta["regions"], "they are still shown as what they are"
    assert annotate(DOC, [task], cache=cache) == closed
    cache.close()


def test_kinds_of_regions() -> None:
    table = Document(id="x", text="a\tb", meta={"regions": [{"kind": "table", "start": 0, "end": 3}]})  # fmt: skip
    assert open_regions(table, ["tables"]).meta["regions"] == []
    with pytest.raises(UnknownNameError, match="references"):
        open_regions(table, ["refs"])
    result = CliRunner().invoke(cli, ["read", "-", "--include", "refs"], input="x")
    assert isinstance(result.exception, UnknownNameError), "before anything is read"


def test_records_are_not_taken_from_what_is_not_understood() -> None:
    text = "Le pain pèse 1,5 kg et la farine coûte 3 euros. " + FRENCH
    with pytest.raises(FormatError, match="the text is in 'fr', measurements knows en and de"):
        extract_measurements(read_text(text))
    assert len(extract_measurements(read_text(text, lang="de")))
    result = CliRunner().invoke(cli, ["extract", "measurement", "-"], input=text)
    assert isinstance(result.exception, FormatError)


def test_a_language_is_named_by_its_code() -> None:
    result = CliRunner().invoke(cli, ["read", "-", "--lang", "klingon"], input="x")
    assert result.exit_code == 2 and "is no code of a language" in result.output
