"""Nothing is noted twice, and a broken cache costs only time."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import Annotation, Annotator, Document, get_annotator
from marginalia.reader.annotate import annotate
from marginalia.reader.cache import NoteCache, _home, _modules, default_path

DOC = Document(id="d", text="red apple", meta={"lang": "en"})


@pytest.fixture
def calls() -> list[str]:
    return []


@pytest.fixture
def task(calls: list[str]) -> Annotator:
    def find(doc: Document, audience: str = "reader") -> Iterator[Annotation]:
        calls.append(audience)
        yield Annotation(
            id="n-1", task="colour", label=audience, start=0, end=3, quote="red", attrs={"x": [1]}
        )

    def sum_up(doc: Document, audience: str = "reader") -> dict[str, int]:
        return {"words": 2}

    return replace(get_annotator("words"), name="colour", annotate=find, summary=sum_up)


def test_the_second_reading_is_the_first(tmp_path: Path, task: Annotator, calls: list[str]) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    first = annotate(DOC, [task], cache=cache)
    assert annotate(DOC, [task], cache=cache) == first
    assert NoteCache(tmp_path / "notes.sqlite").get(DOC, task, {}) is not None
    assert calls == ["reader"]
    assert first.meta["summary"] == {"colour": {"words": 2}}


@pytest.mark.parametrize(
    "change",
    [
        lambda doc: replace(doc, text="red apples"),
        lambda doc: replace(doc, meta={"lang": "de"}),
        lambda doc: replace(
            doc, meta={**doc.meta, "regions": [{"kind": "quote", "start": 0, "end": 3}]}
        ),
    ],
)
def test_another_content_is_read_anew(
    tmp_path: Path, task: Annotator, calls: list[str], change: object
) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    annotate(DOC, [task], cache=cache)
    annotate(change(DOC), [task], cache=cache)
    assert len(calls) == 2


def test_other_settings_are_read_anew(tmp_path: Path, task: Annotator, calls: list[str]) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    annotate(DOC, [task], cache=cache)
    annotate(DOC, [task], cache=cache, options={"audience": "specialist"})
    assert calls == ["reader", "specialist"]


def test_a_file_named_by_an_option_counts_with_its_content(
    tmp_path: Path, task: Annotator, calls: list[str]
) -> None:
    task = replace(task, options={"audience": ()})
    path, cache = tmp_path / "list", NoteCache(tmp_path / "notes.sqlite")
    for text in ("a", "a", "bc"):
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        annotate(DOC, [task], cache=cache, options={"audience": str(path)})
    assert len(calls) == 2


def test_a_damaged_cache_costs_only_time(tmp_path: Path, task: Annotator, calls: list[str]) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"no database, " * 400)
    assert annotate(DOC, [task], cache=NoteCache(path)) == annotate(DOC, [task])
    assert annotate(DOC, [task], cache=NoteCache(tmp_path)) == annotate(DOC, [task])


def test_a_damaged_cache_is_put_aside(tmp_path: Path, task: Annotator, calls: list[str]) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"no database, " * 400)
    for _ in range(2):
        annotate(DOC, [task], cache=NoteCache(path))
    assert calls == ["reader"]
    assert path.with_suffix(".damaged").read_bytes().startswith(b"no database")


def test_a_message_of_the_database_that_is_no_text(tmp_path: Path, task: Annotator) -> None:
    """SQLite quotes the damaged schema, and Python cannot decode that."""
    cache = NoteCache(tmp_path / "notes.sqlite")
    first = annotate(DOC, [task], cache=cache)
    cache.close()
    data = cache.path.read_bytes()
    cache.path.write_bytes(
        data.replace(b"CREATE TABLE notes (key", b"CREATE TABLE \x81\xff(s (key", 1)
    )
    assert annotate(DOC, [task], cache=NoteCache(cache.path)) == first


@pytest.mark.parametrize(
    "kept",
    [
        b"[1]",
        b'{"notes": [], "summary": 3}',
        b'{"notes": ' + b"[" * 9000 + b"]" * 9000 + b"}",
        b'{"summary": null, "notes": [{"id": "n", "task": "colour", "label": "x", "start": 4, "end": 7, "quote": "red"}]}',
    ],
)
def test_a_damaged_entry_is_made_again(
    tmp_path: Path, task: Annotator, calls: list[str], kept: bytes
) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    first = annotate(DOC, [task], cache=cache)
    with sqlite3.connect(cache.path) as db:
        db.execute("UPDATE notes SET value = ?", (zlib.compress(kept),))
    db.close()
    assert annotate(DOC, [task], cache=cache) == first
    assert len(calls) == 2


def test_a_clock_that_was_wrong_once_does_not_fill_the_cache(
    tmp_path: Path, task: Annotator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("marginalia.reader.cache.MAX_ENTRIES", 2)
    cache = NoteCache(tmp_path / "notes.sqlite")
    docs = [replace(DOC, text=f"red {n}") for n in range(4)]
    now = 1_800_000_000.0
    for ahead, doc in zip((1e9, 1e9, 0, 1), docs, strict=True):
        monkeypatch.setattr("time.time", lambda ahead=ahead: now + ahead)
        annotate(doc, [task], cache=cache)
    assert [cache.get(doc, task, {}) is not None for doc in docs[2:]] == [True, True]


def test_the_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARGINALIA_CACHE", str(tmp_path))
    assert default_path() == tmp_path / "notes.sqlite"


def test_what_is_stamped_holds_all_that_makes_the_notes() -> None:
    folders = {
        str(folder).rpartition("marginalia/")[2]
        for folder in map(_home, _modules(get_annotator("measurements")))
    }
    assert folders == {
        *("annotators/measurements", "tasks/measurement"),
        *("lang", "lexicon", "nlp", "quantities"),
    }
