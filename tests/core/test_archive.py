"""Zip archives: what goes in comes out, and nothing gets out of its folder."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

from marginalia import FormatError
from marginalia.core import archive
from marginalia.core.archive import pack, unpacked


def made(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def test_files_come_out_as_they_went_in(tmp_path: Path) -> None:
    files = {"a.tsv": "1\t2\n", "b.tsv": "ä\n"}
    path = tmp_path / "sub.zip"
    path.write_bytes(pack(files))
    assert pack(files) == path.read_bytes()
    with unpacked(path) as folder:
        assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == files
    assert not folder.exists()


def test_a_folder_around_the_files_is_stepped_into(tmp_path: Path) -> None:
    path = made(tmp_path / "sub.zip", **{"run/a.csv": b"1", "__MACOSX/run/._a.csv": b"x"})
    with unpacked(path) as folder:
        assert [file.name for file in folder.iterdir()] == ["a.csv"]


def test_what_is_no_archive_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,2\n", encoding="utf-8")
    for path in (tmp_path, tmp_path / "a.csv"):
        with unpacked(path) as same:
            assert same == path


@pytest.mark.parametrize(
    "name", ["../out.txt", "/etc/out.txt", "a/../../out.txt", "C:\\out.txt", "..\\out.txt"]
)
def test_no_name_leads_out(tmp_path: Path, name: str) -> None:
    path = made(tmp_path / "sub.zip", **{name: b"x"})
    with pytest.raises(FormatError, match="which is no file of it"), unpacked(path):
        pass
    assert sorted(file.name for file in tmp_path.iterdir()) == ["sub.zip"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sub.zip"
    with zipfile.ZipFile(path, "w") as file:
        info = zipfile.ZipInfo("gold.tsv")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        file.writestr(info, "/etc/passwd")
    with pytest.raises(FormatError, match=r"'gold.tsv', which is no file"), unpacked(path):
        pass


def test_a_bomb_is_stopped_by_what_it_unpacks_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 100_000)
    path = made(tmp_path / "bomb.zip", a=b"0" * 60_000, b=b"0" * 60_000)
    assert path.stat().st_size < 1_000
    with pytest.raises(FormatError, match="more than 100,000 bytes"), unpacked(path):
        pass


def test_too_many_files_and_damaged_archives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    many = made(tmp_path / "many.zip", **{str(n): b"" for n in range(4)})
    with pytest.raises(FormatError, match="4 files, the limit is 3"), unpacked(many):
        pass
    data = bytearray(made(tmp_path / "damaged.zip", a=b"some text that is packed" * 9).read_bytes())
    data[45] ^= 255
    (tmp_path / "damaged.zip").write_bytes(data)
    with (
        pytest.raises(FormatError, match="the archive cannot be read"),
        unpacked(tmp_path / "damaged.zip"),
    ):
        pass


def test_an_archive_that_was_cut_off_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "cut.zip"
    path.write_bytes(pack({"labels.tsv": "1_1\tNEUTRAL\n" * 200})[:60])
    with pytest.raises(FormatError, match="the archive is cut off"), unpacked(path):
        pass
