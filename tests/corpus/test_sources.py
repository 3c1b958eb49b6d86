"""Every kind of source gives its documents, under names that stay the same."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet

from marginalia import FormatError, MissingError
from marginalia.corpus.sources import (
    Item,
    check_sources,
    count_items,
    list_items,
    read_item,
    spellings,
)


def names(*sources: object) -> list[str]:
    return [item.name for item in list_items([str(source) for source in sources])]


def data(item: Item) -> bytes:
    return read_item(item) if item.data is None else item.data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "papers"
    (made / "2020").mkdir(parents=True)
    (made / "b.txt").write_text("Two.")
    (made / "2020" / "a.md").write_text("One.")
    (made / "picture.png").write_bytes(b"no document")
    return made


def test_a_folder_a_file_and_a_glob(folder: Path) -> None:
    assert sorted(names(folder)) == ["papers/2020/a.md", "papers/b.txt"]
    assert names(folder / "b.txt") == ["b.txt"]
    assert names(folder / "**" / "*.md") == ["papers/2020/a.md"]
    assert [data(item) for item in list_items([str(folder / "*.txt")])] == [b"Two."]
    assert count_items([str(folder), str(folder / "b.txt")]) == 3


def test_names_do_not_depend_on_where_the_folder_lies(folder: Path, tmp_path: Path) -> None:
    before = names(folder)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    folder.rename(moved / "papers")
    assert names(moved / "papers") == before


def test_json_lines_keep_their_ids_and_number_what_comes_twice(tmp_path: Path) -> None:
    lines = [{"id": "x", "text": "One."}, {"text": "Two."}, {"id": "x", "text": "Three."}]
    path = tmp_path / "d.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\nnot json\n")
    items = list(list_items([str(path)]))
    assert [item.name for item in items] == ["d.jsonl/x", "d.jsonl/2", "d.jsonl/x-2", "d.jsonl/5"]
    assert all(item.record for item in items)
    path.write_text(path.read_text() + json.dumps({"id": "new", "text": "Four."}))
    again = list(list_items([str(path)]))
    assert again[:4] == items, "what was there looks as it did, so it is not read again"


def test_parquet_needs_a_text(tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    parquet.write_table(pyarrow.table({"id": ["a", None], "text": ["One.", "Two."]}), path)
    found = list(list_items([str(path)]))
    assert [(item.name, json.loads(data(item))["text"]) for item in found] == [
        ("d.parquet/a", "One."),
        ("d.parquet/2", "Two."),
    ]
    assert count_items([str(path)]) == 2
    parquet.write_table(pyarrow.table({"body": ["One."]}), path)
    with pytest.raises(FormatError, match="no column 'text'"):
        names(path)


def test_zip_and_tar(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "d.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/one.txt", "One.")
        archive.writestr("a/picture.png", "no")
        archive.writestr("bomb.txt", b" " * 50_000_000)
    with tarfile.open(tmp_path / "d.tar.gz", "w:gz") as archive:
        for name in ("one.txt", "../two.txt"):
            member = tarfile.TarInfo(name)
            member.size = 4
            archive.addfile(member, io.BytesIO(b"One."))
        link = tarfile.TarInfo("link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    found = {item.name: data(item) for item in list_items([str(tmp_path / "d.zip")])}
    assert found == {"d.zip/a/one.txt": b"One.", "d.zip/bomb.txt": b""}
    assert names(tmp_path / "d.tar.gz") == ["d.tar.gz/one.txt", "d.tar.gz/../two.txt"]


def test_an_address_of_fsspec() -> None:
    import fsspec

    files = fsspec.filesystem("memory")
    files.pipe("/papers/2020/a.txt", b"One.")
    files.pipe("/papers/b.md", b"Two.")
    files.pipe("/lines.jsonl", b'{"id": "x", "text": "Three."}\n')
    try:
        found = {
            item.name: data(item)
            for item in list_items(["memory://papers", "memory://lines.jsonl"])
        }
        assert found["papers/2020/a.txt"] == b"One." and found["papers/b.md"] == b"Two."
        assert b"Three." in found["lines.jsonl/x"]
        with pytest.raises(MissingError, match="no such"):
            names("memory://nothing")
    finally:
        files.rm("/", recursive=True)


def test_what_is_not_there_and_what_has_one_name(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no such file or folder"):
        names(tmp_path / "nothing")
    (tmp_path / "x" / "papers").mkdir(parents=True)
    with pytest.raises(FormatError, match="two sources are called 'papers'"):
        names(folder, tmp_path / "x" / "papers")
    with pytest.raises(FormatError, match="no file ends in"):
        names(tmp_path / "x" / "papers")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("foo://papers", "foo://papers: it cannot be reached"),
        ("s3+nothing://papers/x.zip", "it cannot be reached"),
        ("bad.zip", "bad.zip: not a zip archive"),
        ("bad.parquet", "bad.parquet: not Parquet"),
        ("bad.tar", "bad.tar: the tar archive cannot be read"),
        ("empty.jsonl", "empty.jsonl: there is no document in it"),
    ],
)
def test_a_source_that_cannot_be_read_is_told_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if "://" not in source:
        Path(source).write_bytes(b"" if "empty" in source else b"garbage")
    with pytest.raises((FormatError, MissingError), match=message):
        check_sources([source])


def test_a_source_can_be_written_in_several_ways(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = spellings(str(tmp_path / "papers"))
    assert all(spellings(one) & whole for one in ("papers", "papers/", "./papers"))
    assert not spellings("papers/*.txt") & whole
    assert spellings("s3://b/papers/") == spellings("s3://b/papers")
