"""Reading files from outside under limits, and writing files all or none."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError

MAX_BYTES = 512 * 2**20
MAX_LINE = 2**20  # bytes; the longest line of any official file has about 5,000


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


def decode(data: bytes, path: Path, line: int | None = None) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"byte {error.start + 1} of {'the line' if line else 'the file'} is not UTF-8 text",
            path=path,
            line=line,
        ) from error


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines without their line ends. Only LF and CRLF end a line, as in the official files."""
    with require_file(path).open("rb") as file:
        number = 0
        while data := file.readline(MAX_LINE + 1):
            number += 1
            if len(data) > MAX_LINE:
                raise FormatError(
                    f"the line is longer than {MAX_LINE:,} bytes", path=path, line=number
                )
            yield number, decode(data, path, number).removesuffix("\n").removesuffix("\r")


def read_text(path: Path) -> str:
    """The whole text with its line ends as they are, so that offsets stay true."""
    return decode(require_file(path).read_bytes(), path)


def read_json(path: Path) -> Any:
    """JSON; a repeated key is an error, because one of the two values would be lost."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise FormatError(f"the key {twice!r} is given twice", path=path)
        return data

    try:
        return json.loads(read_text(path), object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", path=path, line=error.lineno) from error
    except RecursionError as error:
        raise FormatError("the JSON is nested too deeply", path=path) from error


def write_files(folder: Path, files: Mapping[str, str]) -> list[Path]:
    """Write all the files or none: they are made beside their place and then moved into it."""
    if folder.exists() and not folder.is_dir():
        raise FormatError("this is a file, a folder was expected", path=folder)
    folder.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix=".half-written-", dir=folder))
    try:
        for name, text in files.items():
            (half / name).write_text(text, encoding="utf-8", newline="")
        for name in files:
            (half / name).replace(folder / name)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return [folder / name for name in files]


def write_file(path: Path, text: str) -> Path:
    """Write one file, or leave what was there."""
    return write_files(path.parent, {path.name: text})[0]
