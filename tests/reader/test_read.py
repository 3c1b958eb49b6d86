"""Files, folders and standard input become documents, or one clear sentence."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError, MarginaliaError, MissingError
from marginalia.reader import read as reading
from marginalia.reader.parse import content, markdown, plain
from marginalia.reader.read import read, read_all
from tests.reader.documents import pdf


def put(path: Path, data: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_plain_text_stays_as_it_is_but_for_its_line_ends(tmp_path: Path) -> None:
    path = put(tmp_path / "a.b.txt", "\ufeff  Ein Titel\r\n\r\nDas ist\tder Text.\rUnd mehr. \n")
    doc = read(path)
    assert doc.text == "  Ein Titel\n\nDas ist\tder Text.\nUnd mehr. \n"
    assert doc.id == "a.b"
    assert doc.meta == {
        "path": str(path),
        "format": "text",
        "lang": "de",
        "title": "Ein Titel",
        "regions": [],
        "sections": [],
    }


def test_the_language_can_be_named(tmp_path: Path) -> None:
    path = put(tmp_path / "x.txt", "The text is in English.")
    assert read(path).meta["lang"] == "en"
    assert read(path, lang="de").meta["lang"] == "de"


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_comes_back(tmp_path_factory, text: str) -> None:
    path = put(tmp_path_factory.mktemp("in") / "x.txt", text)
    expected = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if expected.strip():
        assert read(path).text == expected
    else:
        with pytest.raises(FormatError, match="no text"):
            read(path)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.txt", b"", "there is no text in it"),
        ("x.md", b" \n\n", "there is no text in it"),
        ("x.html", b"", "there is no text in it"),
        ("x.html", b"<p><!-- nothing --></p>", "there is no text in it"),
        ("x.txt", b"fine\nnot \xff fine", "byte 10 of the file is not UTF-8 text"),
        ("x.md", b"\xff\xfe#", "byte 1 of the file is not UTF-8 text"),
        ("x.txt", b"one\ntwo\0three", ":2: there is a NUL byte"),
        ("x.html", b"<p>a\0b</p>", ":1: there is a NUL byte"),
        ("x.docx", b"PK", "not a DOCX that can be read: it is damaged"),
        ("x.doc", b"PK", r"end in '.doc' cannot be read; known are .txt"),
        ("x.xml", b"<codeBook/>", "expected XML of JATS or TEI, found the element <codeBook>"),
        ("x.xml", b"text", "expected XML of JATS or TEI, found no element"),
    ],
)
def test_bad_files_are_refused_with_their_place(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    path = put(tmp_path / name, data)
    with pytest.raises(FormatError, match=message) as caught:
        read(path)
    assert str(caught.value).startswith(str(path))


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingError, match="no such file"):
        read(tmp_path / "none.txt")
    with pytest.raises(FormatError, match="folder"):
        read(tmp_path)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "x.md", "word " * 100)
    monkeypatch.setattr(markdown, "MAX_CHARACTERS", 499)
    with pytest.raises(FormatError, match="Markdown may have 499 characters"):
        read(path)
    monkeypatch.setattr(plain, "MAX_CHARACTERS", 499)
    with pytest.raises(FormatError, match="more than 499 characters"):
        read(path)
    monkeypatch.setattr(reading, "MAX_BYTES", 499)
    with pytest.raises(FormatError, match="more than 499 bytes"):
        read(path)
    assert content.MAX_CHARACTERS == 20_000_000


@pytest.mark.parametrize(
    ("data", "format", "text"),
    [
        (b"Just * text.", "text", "Just * text."),
        (b"# Head\n\nSome *text*.", "markdown", "Head\n\nSome text."),
        (b"\n<!DOCTYPE html><p>Some <b>text</b>.", "html", "Some text."),
        (pdf(["Some text."]), "pdf", "Some text."),
    ],
    ids=["text", "markdown", "html", "pdf"],
)
def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, data: bytes, format: str, text: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    doc = read("-")
    assert (doc.id, doc.text) == ("stdin", text)
    assert (doc.meta["path"], doc.meta["format"]) == ("-", format)


def test_bad_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\0")))
    with pytest.raises(FormatError, match="standard input:1: there is a NUL byte"):
        list(read_all(["-"]))


def test_a_folder_gives_its_documents_sorted_and_with_their_own_ids(tmp_path: Path) -> None:
    for name in ("b.txt", "a.md", "sub/b.txt", "sub/deep/c.HTML", "b.md", ".hidden/x.txt", "x.py"):
        put(tmp_path / name, "Some words.")
    docs = list(read_all([tmp_path]))
    assert [doc.id for doc in docs] == ["a", "b.md", "b.txt", "sub/b", "sub/deep/c"]
    assert [Path(doc.meta["path"]).name for doc in docs][:3] == ["a.md", "b.md", "b.txt"]


def test_files_of_one_name_from_several_places_get_different_ids(tmp_path: Path) -> None:
    one, two = put(tmp_path / "1" / "x.txt", "one"), put(tmp_path / "2" / "x.txt", "two")
    docs = list(read_all([one, two, two, two, two]))
    assert [doc.id for doc in docs] == [
        one.as_posix(),
        *[f"{two.as_posix()}{n}" for n in ("", "-2", "-3", "-4")],
    ]
    assert [doc.text for doc in docs] == ["one", "two", "two", "two", "two"]


def test_an_id_does_not_depend_on_the_order_of_the_files(tmp_path: Path) -> None:
    names = ("1/x.txt", "2/x.txt", "y.md", "y.txt", "z.txt", "y.md.txt")
    paths = [put(tmp_path / name, f"words of {name}") for name in names]
    ids = {doc.text: doc.id for doc in read_all(paths)}
    assert {doc.text: doc.id for doc in read_all(paths[::-1])} == ids
    assert len(set(ids.values())) == len(names)
    assert ids["words of z.txt"] == "z" and ids["words of y.txt"] == "y.txt"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="here everything can be read")
def test_what_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    put(tmp_path / "a.txt", "Some words.")
    put(tmp_path / "b.xml", "<article/>").chmod(0)
    said: list[MarginaliaError] = []
    assert [doc.id for doc in read_all([tmp_path], on_error=said.append)] == ["a"]
    assert len(said) == 1 and "cannot be opened" in str(said[0])


def test_unreadable_xml_is_left_to_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As above, also for root, who may open everything."""
    put(tmp_path / "b.xml", "<article/>")

    def refuse(self: Path, *args: object, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FormatError, match="cannot be opened: Permission denied"):
        list(read_all([tmp_path]))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_a_folder_with_a_fifo_a_link_out_and_a_name_of_bytes(tmp_path: Path) -> None:
    """The FIFO is not waited for, the link not followed, and the name is text in every output."""
    folder = tmp_path / "papers"
    folder.mkdir()
    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "pipe.xml")
    (tmp_path / "secret.txt").write_text("Nobody should read this.")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "away").symlink_to(tmp_path, target_is_directory=True)
    (folder / "real.txt").write_text("This is read.")
    (folder / "within.txt").symlink_to(folder / "real.txt")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text("And this.")
    docs = list(read_all([folder]))
    assert [doc.id for doc in docs] == ["caf\ufffd", "real", "within"]
    for doc in docs:
        json.dumps(doc.to_dict(), ensure_ascii=False).encode()


def test_a_folder_without_documents_says_what_was_sought(tmp_path: Path) -> None:
    put(tmp_path / "x.py", "pass")
    with pytest.raises(FormatError, match=r"no file that ends in \.txt"):
        list(read_all([tmp_path]))


def test_a_bad_file_among_many_can_be_left_out(tmp_path: Path) -> None:
    put(tmp_path / "a.txt", "fine")
    bad = put(tmp_path / "b.txt", b"\xff")
    put(tmp_path / "c.txt", "fine too")
    with pytest.raises(FormatError):
        list(read_all([tmp_path]))
    errors: list[Exception] = []
    assert [doc.id for doc in read_all([tmp_path], on_error=errors.append)] == ["a", "c"]
    assert len(errors) == 1
    assert str(bad) in str(errors[0])
