"""Zip archives from outside: their files are unpacked under limits, and none of them leads out of its folder."""

from __future__ import annotations

import io
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from marginalia.core.errors import FormatError

EPOCH = (1980, 1, 1, 0, 0, 0)
"""The earliest time a zip archive knows: the same files always make the same archive."""
MEDIA = "application/zip"
MAX_FILES = 20_000
MAX_UNPACKED_BYTES = 256 * 2**20
_BEGINS = b"PK\x03\x04"
_MARKS = ("__MACOSX", ".DS_Store", "Thumbs.db")
"""What archiving programs add on their own."""


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """A folder with the files of the archive; a path that is no archive as it is.

    A single folder at the top of an archive is stepped into, since many programs add one.
    """
    if path.is_dir() or not _is_archive(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="marginalia-") as temporary:
        folder = Path(temporary)
        unpack(path, folder)
        inner = list(folder.iterdir())
        yield inner[0] if len(inner) == 1 and inner[0].is_dir() else folder


def _is_archive(path: Path) -> bool:
    """Whether the file is an archive; one that was cut off still begins as one, but has lost the list of its files."""
    if zipfile.is_zipfile(path):
        return True
    if path.is_file():
        with path.open("rb") as file:
            if file.read(4) == _BEGINS:
                raise FormatError("the archive is cut off: its list of files is missing", path=path)
    return False


def unpack(path: Path, folder: Path) -> None:
    """Unpack all files into a folder, or raise before anything is beyond the limits."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
            if len(members) > MAX_FILES:
                raise FormatError(f"{len(members):,} files, the limit is {MAX_FILES:,}", path=path)
            left = MAX_UNPACKED_BYTES
            for member in members:
                name = PurePosixPath(member.filename.replace("\\", "/"))
                if any(part in _MARKS for part in name.parts):
                    continue
                place = _place(name, member, path, folder)
                left -= _copy(archive, member, place, left, path)
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
    ) as error:
        raise FormatError(f"the archive cannot be read: {error}", path=path) from error


def _place(name: PurePosixPath, member: zipfile.ZipInfo, path: Path, folder: Path) -> Path:
    link = member.external_attr >> 16 & 0o170000 == 0o120000
    odd = name.is_absolute() or ".." in name.parts or ":" in name.parts[0] or "\0" in str(name)
    if link or odd:
        raise FormatError(
            f"the archive names {member.filename[:80]!r}, which is no file of it", path=path
        )
    place = folder.joinpath(*name.parts)
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _copy(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, place: Path, left: int, path: Path
) -> int:
    """Unpack one file and say how many bytes it has: what is written counts, not what the archive promises."""
    size = 0
    with archive.open(member) as source, place.open("xb") as target:
        while block := source.read(2**16):
            size += len(block)
            if size > left:
                raise FormatError(
                    f"unpacked it has more than {MAX_UNPACKED_BYTES:,} bytes, the limit", path=path
                )
            target.write(block)
    return size


def pack(files: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these files; the same files make the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def within(error: FormatError, inner: Path, path: Path) -> FormatError:
    """The error of an unpacked file with the place in its archive, not with that of a temporary folder."""
    if inner == path or error.path is None:
        return error
    try:
        name = Path(error.path).relative_to(inner)
    except ValueError:
        return error
    return FormatError(error.message, path=path / name, line=error.line)
