"""Reading files from outside under limits, and writing files all or none."""

from __future__ import annotations

import codecs
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from marginalia.core.errors import FormatError, MissingError

MAX_BYTES = 512 * 2**20
MAX_LINE = 2**20  # bytes; the longest line of any official file has about 5,000


PEEK = 4_096
"""Bytes by which an encoding is told."""
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_WIDE = re.compile(
    r"""\A(<\?xml[^>]*encoding=["'])(?:utf-?(?:16|32)(?:[lb]e)?|ucs-?[24])""", re.IGNORECASE
)

PREFIX = ".half-written-"
TRIES = 10
"""Another process may take a new folder for a leftover in the moment before it is held."""


def require_file(path: Path, *, max_bytes: int = MAX_BYTES) -> Path:
    """The path itself, if it names a file that is not absurdly large."""
    if path.is_dir():
        raise FormatError("this is a folder, a file was expected", path=path)
    if not path.exists():
        raise MissingError(f"{path}: there is no such file")
    if path.stat().st_size > max_bytes:
        raise FormatError(
            f"the file has {path.stat().st_size:,} bytes, the limit is {max_bytes:,}", path=path
        )
    return path


def list_files(path: Path, *suffixes: str) -> list[Path]:
    """The path itself if it is no folder, else the folder's files with one of the suffixes, sorted."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.iterdir() if file.suffix in suffixes)
    if not found:
        raise FormatError(f"the folder has no {' or '.join(suffixes)} file", path=path)
    return found


def as_utf8(data: bytes) -> bytes:
    """Text in UTF-16 or UTF-32, with a byte order mark or without, as UTF-8; other bytes as they are."""
    name = _wide_encoding(data)
    if not name:
        return data
    try:
        text = data.decode(name).removeprefix("\ufeff")
    except UnicodeDecodeError:
        return data
    # XML says in its first line how it is encoded.
    return _WIDE.sub(r"\1UTF-8", text, count=1).encode("utf-8", "replace")


def _wide_encoding(data: bytes) -> str:
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            return name
    head = data[:PEEK]
    if b"\0" not in head or data.startswith((b"PK", b"%PDF")):
        return ""
    # Letters of most scripts have zeros at the same places of each character.
    for size, places in {4: {"utf-32-le": 0, "utf-32-be": 3}, 2: {"utf-16-le": 0, "utf-16-be": 1}}.items():  # fmt: skip
        whole = head[: len(head) // size * size]
        for name, place in places.items():
            others = b"".join(whole[n::size] for n in range(size) if n != place)
            if b"\0" not in whole[place::size] and others.count(0) > 0.7 * len(others) > 1:
                return name
    return ""


def decode(data: bytes, path: Path, line: int | None = None) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"byte {error.start + 1} of {'the line' if line else 'the file'} is not UTF-8 text: save it as UTF-8",
            path=path,
            line=line,
        ) from error


def encode(text: str, path: Path) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise FormatError(
            f"character {error.start + 1} is half of a surrogate pair and cannot be written",
            path=path,
        ) from error


def read_lines(path: Path, *, ends: bool = False) -> Iterator[tuple[int, str]]:
    """Numbered lines, with their line ends or without. Only LF and CRLF end one, as in the official files."""
    with require_file(path).open("rb") as file:
        number = 0
        while data := file.readline(MAX_LINE + 1):
            number += 1
            if len(data) > MAX_LINE:
                raise FormatError(
                    f"the line is longer than {MAX_LINE:,} bytes", path=path, line=number
                )
            text = decode(data, path, number)
            yield number, text if ends else text.removesuffix("\n").removesuffix("\r")


def read_text(path: Path) -> str:
    """The whole text with its line ends as they are, so that offsets stay true."""
    return decode(require_file(path).read_bytes(), path)


def file_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"not TOML: {error}", path=path) from error


def read_json(path: Path) -> Any:
    """JSON; a repeated key is an error, because one of the two values would be lost."""
    return parse_json(read_text(path), path)


def parse_json(text: str, path: Path, line: int | None = None) -> Any:
    """The value of a JSON text that stands in a file, or on one line of it."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise FormatError(f"the key {twice!r} is given twice", path=path, line=line)
        return data

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", path=path, line=line or error.lineno) from error
    except ValueError as error:
        raise FormatError(
            "the JSON holds a number that is too long", path=path, line=line
        ) from error
    except RecursionError as error:
        raise FormatError("the JSON is nested too deeply", path=path, line=line) from error


def write_files(
    folder: Path, files: Mapping[str, str | bytes], *, named: str | None = None
) -> list[Path]:
    """Write all the files or none: they are made beside their place and then moved into it.

    A file that is replaced leaves its mode to the new one. What is not a file, such as a device or a FIFO, is written
    into. A symbolic link is replaced and never followed out of the folder, but for the one that is ``named``: a user
    chose that path, so the link stays and its target is written.
    """
    contents = {}
    for name, content in files.items():
        # Names are often made from ids of a data file; none may lead out of the folder.
        if Path(name).name != name or name in ("", ".."):
            raise FormatError(f"{name!r} is not the name of a file", path=folder)
        if (folder / name).is_dir():
            raise FormatError("this is a folder, a file was expected", path=folder / name)
        contents[name] = encode(content, folder / name) if isinstance(content, str) else content
    for parent in (folder, *folder.parents):
        if parent.exists() and not parent.is_dir():
            raise FormatError("this is a file, a folder was expected", path=parent)
    streams = {name for name in contents if _is_stream(folder / name, follow=name == named)}
    moves: list[tuple[Path, Path]] = []
    halves: dict[Path, Path] = {}
    with ExitStack() as ending:
        for name in contents.keys() - streams:
            target = _target(folder / name) if name == named else folder / name
            if target.parent not in halves:
                halves[target.parent] = ending.enter_context(unfinished(target.parent))
            made = halves[target.parent] / name
            made.write_bytes(contents[name])
            _keep_mode(target, made)
            moves.append((made, target))
        for name in streams:  # a stream takes nothing back, so it comes when little can still fail
            _pour(folder / name, contents[name])
        for made, target in moves:
            made.replace(target)
    return [folder / name for name in files]


def write_file(path: Path, content: str | bytes, *, follow: bool = False) -> Path:
    """Write one file, or leave what was there; with ``follow`` a symbolic link stays and its target is written."""
    return write_files(path.parent, {path.name: content}, named=path.name if follow else None)[0]


@contextmanager
def write_half(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes its place when all is written; after an error there is nothing of it."""
    with unfinished(path.parent) as half:
        with (half / path.name).open("wb") as file:
            yield file
        (half / path.name).replace(path)


def _is_stream(path: Path, *, follow: bool) -> bool:
    """Whether this is there and neither a file, nor a folder, nor a link that is not followed."""
    try:
        mode = path.stat(follow_symlinks=follow).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _target(path: Path) -> Path:
    """Where a symbolic link leads in the end; the path itself, if it is none."""
    if not path.is_symlink():
        return path
    try:
        target = path.resolve()
    except RuntimeError:  # what Python 3.11 and 3.12 say of a circle
        target = path
    if target.is_symlink():
        raise FormatError("this link leads in a circle", path=path)
    return target


def _keep_mode(old: Path, new: Path) -> None:
    """Who may read and write the old file may read and write the new one."""
    try:
        status = old.stat(follow_symlinks=False)
    except OSError:
        return
    if stat.S_ISREG(status.st_mode):
        with suppress(OSError, AttributeError):  # only root may give files away; Windows cannot
            os.chown(new, status.st_uid, status.st_gid)
        new.chmod(stat.S_IMODE(status.st_mode) & 0o777)


def _pour(path: Path, data: bytes) -> None:
    try:
        with os.fdopen(os.open(path, os.O_WRONLY), "wb") as file:  # neither created nor truncated
            file.write(data)
    except OSError as error:
        raise FormatError(f"this cannot be written into: {error.strerror}", path=path) from error


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """A new folder on the disk of ``folder``, which is removed in the end. What killed processes left there goes first."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder.absolute())
        half, held = _make(folder)
    except OSError as error:  # the name of the half-written folder would say little
        raise FormatError(f"nothing can be written there: {error.strerror}", path=folder) from error
    try:
        yield half
    finally:
        shutil.rmtree(half, ignore_errors=True)
        if held is not None:
            os.close(held)


def _make(folder: Path) -> tuple[Path, int | None]:
    for _ in range(TRIES):
        half = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        held = _hold(half)
        if half.is_dir():
            return half, held
        if held is not None:
            os.close(held)
    raise OSError(0, "another process removes what is being written")


def _hold(half: Path) -> int | None:
    """Lock a folder for as long as this process lives; where folders cannot be locked, nothing is ever swept."""
    with suppress(ImportError, OSError):
        import fcntl

        handle = os.open(half, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise
        return handle
    return None


@cache
def _sweep(folder: Path) -> None:
    """Once for each folder and process: who writes many files there need not list them before each."""
    for half in folder.glob(f"{PREFIX}*"):
        if half.is_dir() and not half.is_symlink() and (held := _hold(half)) is not None:
            shutil.rmtree(half, ignore_errors=True)
            os.close(held)
