"""Nothing is noted twice, and a broken cache costs only time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from marginalia import Annotation, Document, Task, get_task
from marginalia.reader.annotate import annotate
from marginalia.reader.cache import NoteCache, default_path

DOC = Document(id="d", text="red apple", meta={"lang": "en"})


@pytest.fixture
def calls() -> list[str]:
    return []


@pytest.fixture
def task(calls: list[str]) -> Task:
    def find(doc: Document, level: str = "general") -> Iterator[Annotation]:
        calls.append(level)
        yield Annotation(
            id="n-1", task="colour", label=level, start=0, end=3, quote="red", attrs={"x": [1]}
        )

    def sum_up(doc: Document, level: str = "general") -> dict[str, int]:
        return {"words": 2}

    return replace(get_task("complexity"), name="colour", annotate=find, summary=sum_up)


def test_the_second_reading_is_the_first(tmp_path: Path, task: Task, calls: list[str]) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    first = annotate(DOC, [task], cache=cache)
    assert annotate(DOC, [task], cache=cache) == first
    assert NoteCache(tmp_path / "notes.sqlite").get(DOC, task, {}) is not None
    assert calls == ["general"]
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
    tmp_path: Path, task: Task, calls: list[str], change: object
) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    annotate(DOC, [task], cache=cache)
    annotate(change(DOC), [task], cache=cache)
    assert len(calls) == 2


def test_other_settings_are_read_anew(tmp_path: Path, task: Task, calls: list[str]) -> None:
    cache = NoteCache(tmp_path / "notes.sqlite")
    annotate(DOC, [task], cache=cache)
    annotate(DOC, [task], cache=cache, options={"level": "expert"})
    assert calls == ["general", "expert"]


def test_a_file_named_by_an_option_counts_with_its_content(
    tmp_path: Path, task: Task, calls: list[str]
) -> None:
    task = replace(task, note_options={"level": ()})
    path, cache = tmp_path / "list", NoteCache(tmp_path / "notes.sqlite")
    for text in ("a", "a", "bc"):
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
        annotate(DOC, [task], cache=cache, options={"level": str(path)})
    assert len(calls) == 2


def test_a_damaged_cache_costs_only_time(tmp_path: Path, task: Task, calls: list[str]) -> None:
    path = tmp_path / "notes.sqlite"
    path.write_bytes(b"no database, " * 400)
    assert annotate(DOC, [task], cache=NoteCache(path)) == annotate(DOC, [task])
    assert annotate(DOC, [task], cache=NoteCache(tmp_path)) == annotate(DOC, [task])


def test_the_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MARGINALIA_CACHE", str(tmp_path))
    assert default_path() == tmp_path / "notes.sqlite"
