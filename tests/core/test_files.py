"""Files from outside are read under limits; files of ours are written all or none."""

from __future__ import annotations

import os
import socket
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from marginalia import FormatError, MissingError
from marginalia.core import files
from marginalia.core.files import (
    as_utf8,
    read_json,
    read_lines,
    read_text,
    require_file,
    write_file,
    write_files,
)
from marginalia.core.table import format_table, parse_float, read_table

READERS = {
    "lines": lambda path: list(read_lines(path)),
    "text": read_text,
    "json": read_json,
    "table": lambda path: list(read_table(path, ("a", "b"))),
    "quoted table": lambda path: list(read_table(path, ("a", "b"), quoted=True)),
}
readers = pytest.mark.parametrize("read", READERS.values(), ids=READERS)


def made(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@readers
def test_a_folder_is_not_a_file(tmp_path: Path, read) -> None:
    with pytest.raises(FormatError, match="this is a folder, a file was expected"):
        read(tmp_path)


@readers
def test_a_missing_file_is_named(tmp_path: Path, read) -> None:
    with pytest.raises(MissingError, match=r"nowhere\.tsv: there is no such file"):
        read(tmp_path / "nowhere.tsv")


@readers
def test_wrong_encoding_is_an_error_with_its_place(tmp_path: Path, read) -> None:
    path = made(tmp_path / "latin.tsv", "a\tb\nmühsam\tx\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"latin\.tsv.*is not UTF-8 text"):
        read(path)


def test_the_byte_that_is_not_utf_8_is_counted(tmp_path: Path) -> None:
    path = made(tmp_path / "x", "a\nmühsam\n".encode("latin-1"))
    with pytest.raises(FormatError, match="x:2: byte 2 of the line is not UTF-8"):
        list(read_lines(path))
    with pytest.raises(FormatError, match="x: byte 4 of the file is not UTF-8"):
        read_text(path)
    with pytest.raises(FormatError, match="not UTF-8"):
        read_text(made(tmp_path / "y", "x".encode("utf-16")))


def test_a_line_of_50_mb_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = made(tmp_path / "long.tsv", b"a\tb\n")
    os.truncate(path, 50 * 2**20)  # a hole of zero bytes: no disk is written
    for reader in ("lines", "table", "quoted table"):
        with pytest.raises(FormatError, match=r"long\.tsv:2: the line is longer than 1,048,576"):
            READERS[reader](path)


def test_a_line_may_be_as_long_as_the_limit(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 4)
    assert list(read_lines(made(tmp_path / "x", b"abc\nabcd"))) == [(1, "abc"), (2, "abcd")]
    with pytest.raises(FormatError, match="x:2: the line is longer"):
        list(read_lines(made(tmp_path / "x", b"abc\nabcde")))


def test_a_huge_file_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "x", b"12345")
    assert require_file(path, max_bytes=5) == path
    with pytest.raises(FormatError, match="the file has 5 bytes, the limit is 4"):
        require_file(path, max_bytes=4)


def test_an_empty_file(tmp_path: Path) -> None:
    path = made(tmp_path / "empty", b"")
    assert list(read_lines(path)) == []
    assert read_text(path) == ""
    assert list(read_table(path, ("a",), header=False)) == []
    with pytest.raises(FormatError, match="empty:1: the header lacks the column 'a'"):
        list(read_table(path, ("a",)))
    with pytest.raises(FormatError, match="empty:1: not JSON"):
        read_json(path)


def test_only_lf_and_crlf_end_a_line(tmp_path: Path) -> None:
    path = made(tmp_path / "x", "a\r\nb\u2028c\x0bd\x85e\n\nf".encode())
    assert list(read_lines(path)) == [(1, "a"), (2, "b\u2028c\x0bd\x85e"), (3, ""), (4, "f")]
    assert "".join(text for _, text in read_lines(path, ends=True)) == read_text(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 2}}', "the key 'c' is given twice"),
        ('{"a": 1,\n"b"}', "x.json:2: not JSON"),
        ("\ufeff{}", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 5000, "a number that is too long"),
    ],
)
def test_bad_json_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_json(made(tmp_path / "x.json", text.encode()))


def test_files_are_written_as_they_are(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    paths = write_files(folder, {"a.txt": "ä\r\nb\n", "b.bin": b"\xff"})
    assert paths == [folder / "a.txt", folder / "b.bin"]
    assert paths[0].read_bytes() == "ä\r\nb\n".encode()
    assert write_file(folder / "a.txt", "new").read_text(encoding="utf-8") == "new"
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "b.bin"], "nothing is left"


@pytest.mark.parametrize(
    ("bad", "content", "message"),
    [
        ("b.txt", "\ud800", "b.txt: character 1 is half of a surrogate pair"),
        ("../b.txt", "x", "'../b.txt' is not the name of a file"),
        ("sub/b.txt", "x", "'sub/b.txt' is not the name of a file"),
        ("..", "x", "'..' is not the name of a file"),
        ("", "x", "'' is not the name of a file"),
        ("taken", "x", "this is a folder, a file was expected"),
    ],
)
def test_one_bad_file_and_none_is_written(
    tmp_path: Path, bad: str, content: str, message: str
) -> None:
    folder = tmp_path / "out"
    (folder / "taken").mkdir(parents=True)
    (folder / "a.txt").write_text("old", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(FormatError, match=message):
        write_files(folder, {"a.txt": "new", bad: content})
    assert (folder / "a.txt").read_text(encoding="utf-8") == "old"
    assert sorted(tmp_path.rglob("*")) == before


def test_a_failure_while_writing_leaves_what_was_there(tmp_path: Path, monkeypatch) -> None:
    write_files(tmp_path, {"a.txt": "old"})
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == "b.txt":
            raise OSError("no space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="no space"):
        write_files(tmp_path, {"a.txt": "new", "b.txt": "new"})
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.txt", b"old")]


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    made(tmp_path / "file", b"")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(FormatError, match="file: this is a file, a folder was expected"):
            write_files(folder, {"a.txt": "x"})


def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path, monkeypatch) -> None:
    def refuse(**_: object) -> str:
        raise PermissionError(13, "Permission denied", str(tmp_path / ".half-written-x"))

    monkeypatch.setattr("tempfile.mkdtemp", refuse)
    with pytest.raises(
        FormatError, match="nothing can be written there: Permission denied"
    ) as found:
        write_files(tmp_path, {"a": "b"})
    assert found.value.path == tmp_path and "half-written" not in str(found.value)


def test_nothing_is_made_for_a_bad_file_in_a_new_folder(tmp_path: Path) -> None:
    with pytest.raises(FormatError):
        write_files(tmp_path / "new", {"a.txt": "\udc00"})
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")
def test_a_fifo_is_written_into_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with ThreadPoolExecutor(1) as pool:  # each end waits for the other
        received = pool.submit((tmp_path / "pipe.json").read_bytes)
        write_files(tmp_path, {"pipe.json": "ä" * 100_000, "b.txt": "beside"})
        assert received.result() == ("ä" * 100_000).encode()
    assert (tmp_path / "pipe.json").is_fifo()
    assert (tmp_path / "b.txt").read_bytes() == b"beside"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals of one's own on this system")
def test_a_device_is_written_into_by_name_and_through_a_link(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    device = Path(os.ttyname(theirs))
    (tmp_path / "link.txt").symlink_to(device)
    assert write_file(device, "one") == device
    write_file(tmp_path / "link.txt", " two", follow=True)
    with open(ours, "rb", closefd=False) as terminal:
        assert terminal.read(len("one two")) == b"one two"
    assert device.is_char_device() and (tmp_path / "link.txt").is_symlink()
    assert [path.name for path in tmp_path.iterdir()] == ["link.txt"]
    os.close(ours)
    os.close(theirs)


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no such sockets on this system")
def test_what_cannot_be_written_into_is_named_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the address of a socket may not be long
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket.json")
        with pytest.raises(FormatError, match=r"socket\.json: this cannot be written into: "):
            write_files(tmp_path, {"a.txt": "new", "socket.json": "{}"})
    assert [path.name for path in tmp_path.iterdir()] == ["socket.json"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o755])
def test_the_mode_of_what_is_replaced_is_kept(tmp_path: Path, mode: int) -> None:
    for name in ("named.txt", "a.txt"):
        made(tmp_path / name, b"old").chmod(mode)
    write_file(tmp_path / "named.txt", "new", follow=True)
    write_files(tmp_path, {"a.txt": "new", "b.txt": "new"})
    for name in ("named.txt", "a.txt"):
        assert (tmp_path / name).read_bytes() == b"new"
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode
    usual = made(tmp_path / "c.txt", b"").stat().st_mode
    assert (tmp_path / "b.txt").stat().st_mode == usual, "a new file is as every new file"


def test_a_link_in_a_folder_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    outside = made(tmp_path / "outside.txt", b"old")
    outside.chmod(0o600)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.txt").symlink_to(outside)
    (folder / "null.txt").symlink_to(os.devnull)
    write_files(folder, {"a.txt": "new", "null.txt": "new"})
    write_file(folder / "a.txt", "newer")
    assert outside.read_bytes() == b"old"
    assert not any(path.is_symlink() for path in folder.iterdir())
    assert [path.read_bytes() for path in sorted(folder.iterdir())] == [b"newer", b"new"]
    assert (folder / "a.txt").stat().st_mode == (folder / "null.txt").stat().st_mode


def test_a_link_that_was_named_stays_and_its_target_is_written(tmp_path: Path) -> None:
    target = made(tmp_path / "target.txt", b"old")
    target.chmod(0o600)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "second").symlink_to("../target.txt")
    (folder / "first").symlink_to("second")
    (folder / "beside").symlink_to("../target.txt")
    assert write_file(folder / "first", "new", follow=True) == folder / "first"
    assert target.read_bytes() == b"new" and stat.S_IMODE(target.stat().st_mode) == 0o600
    write_files(folder, {"first": "newer", "beside": "own"}, named="first")
    assert target.read_bytes() == b"newer", "and the one beside it was not followed"
    assert (folder / "first").is_symlink() and (folder / "second").is_symlink()
    assert not (folder / "beside").is_symlink() and (folder / "beside").read_bytes() == b"own"
    (folder / "new").symlink_to("../made.txt")
    write_file(folder / "new", "made", follow=True)
    assert (folder / "new").is_symlink() and (tmp_path / "made.txt").read_bytes() == b"made"


def test_a_link_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(FormatError, match="a: this link leads in a circle"):
        write_file(tmp_path / "a", "x", follow=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


TABLE = 'a\tb\tc\n1\the said "no\t\n2\tx\ty\n'


def test_rows_have_their_line_numbers_and_all_columns(tmp_path: Path) -> None:
    path = made(tmp_path / "x.tsv", TABLE.encode())
    assert list(read_table(path, ("b", "a"))) == [
        (2, {"a": "1", "b": 'he said "no', "c": ""}),
        (3, {"a": "2", "b": "x", "c": "y"}),
    ]


def test_quotes_are_text_or_quoting(tmp_path: Path) -> None:
    path = made(tmp_path / "x.csv", b'a,b\n"1,5","line\nbreak ""x"""\n2,z\n')
    assert list(read_table(path, ("a", "b"), quoted=True, delimiter=",")) == [
        (3, {"a": "1,5", "b": 'line\nbreak "x"'}),
        (4, {"a": "2", "b": "z"}),
    ]
    with pytest.raises(FormatError, match=":2: 3 columns where 2 were expected"):
        list(read_table(path, ("a", "b"), delimiter=","))


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tc\n", ":1: the header lacks the column 'b'; expected a, b"),
        ("a\tb\ta\n", ":1: the header names a column twice"),
        ("a\tb\n1\n", ":2: 1 columns where 2 were expected .a, b."),
        ("a\tb\n1\t2\n\n1\t2\n", ":3: . columns where 2"),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, text: str, message: str, quoted: bool) -> None:
    path = made(tmp_path / "x.tsv", text.encode())
    with pytest.raises(FormatError, match=message):
        list(read_table(path, ("a", "b"), quoted=quoted))


def test_broken_quoting_is_refused(tmp_path: Path) -> None:
    for text in ('a\tb\n"1\t2\n', 'a\tb\n"1"x\t2\n'):
        with pytest.raises(FormatError, match=r"x\.tsv:2: broken quoting"):
            list(read_table(made(tmp_path / "x.tsv", text.encode()), ("a", "b"), quoted=True))


@pytest.mark.parametrize("quoted", [False, True])
def test_empty_lines_are_skipped_when_asked(tmp_path: Path, quoted: bool) -> None:
    path = made(tmp_path / "x.tsv", b"1\t2\r\n\r\n\n3\t4\n")
    rows = read_table(path, ("a", "b"), header=False, quoted=quoted, skip_empty=True)
    assert list(rows) == [(1, {"a": "1", "b": "2"}), (4, {"a": "3", "b": "4"})]


cells = st.text(st.characters(codec="utf-8"), max_size=8)
plain_cells = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r"), max_size=8)


@given(st.lists(st.tuples(plain_cells, plain_cells), max_size=5))
def test_an_unquoted_table_comes_back_as_it_was(tmp_path_factory, rows) -> None:
    path = made(tmp_path_factory.mktemp("t") / "x.tsv", format_table(rows).encode())
    back = read_table(path, ("a", "b"), header=False)
    assert [tuple(row.values()) for _, row in back] == rows


@given(st.lists(st.tuples(cells, cells), max_size=5), st.sampled_from("\t,"))
@example([("a\rb", "\r")], ",")
def test_a_quoted_table_comes_back_as_it_was(tmp_path_factory, rows, delimiter: str) -> None:
    text = format_table(rows, quoted=True, delimiter=delimiter)
    path = made(tmp_path_factory.mktemp("t") / "x.csv", text.encode())
    back = read_table(path, ("a", "b"), header=False, quoted=True, delimiter=delimiter)
    assert [tuple(row.values()) for _, row in back] == rows


@pytest.mark.parametrize("cell", ["a\tb", "a\nb", "a\r"])
def test_an_unquoted_cell_with_a_separator_is_refused(cell: str) -> None:
    with pytest.raises(FormatError, match="holds a separator"):
        format_table([("x", cell)])


def test_numbers_are_finite(tmp_path: Path) -> None:
    assert parse_float(" -1.5e3 ", "score", tmp_path / "x", 3) == -1500
    with pytest.raises(FormatError, match="x:3: the score 'high' is not a number"):
        parse_float("high", "score", tmp_path / "x", 3)
    for text in ("nan", "inf", "-Infinity", "1e999"):
        with pytest.raises(FormatError, match=r"x:3: the score is .*, not a finite number"):
            parse_float(text, "score", tmp_path / "x", 3)


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "utf-8"]
)
def test_wide_encodings_become_utf8(encoding: str) -> None:
    text = "Ein Glas hält Honig – seit Jahren."
    assert as_utf8(text.encode(encoding)).decode() == text
    xml = '<?xml version="1.0" encoding="UTF-16"?><a>Glas</a>'
    assert b'"UTF-8"?><a>' in as_utf8(xml.encode("utf-16"))


def test_other_bytes_stay_as_they_are() -> None:
    for data in (
        b"",
        b"a\0",
        b"\x00" * 64,
        bytes(range(256)),
        b"PK\x03\x04\x00\x00",
        b"\xff\xfe\x00",
    ):
        assert as_utf8(data) == data
