"""A file becomes a document: plain text, Markdown, HTML, PDF, folders of those, standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, count
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, MarginaliaError, MissingError
from marginalia.core.task import late
from marginalia.nlp.language import guess

MAX_BYTES = 200 * 2**20
STDIN = "-"

PARSERS: Mapping[str, Callable[..., Any]] = {
    "text": late(__package__, "plain.parse"),
    "markdown": late(__package__, "markdown.parse"),
    "html": late(__package__, "html.parse"),
    "pdf": late(__package__, "pdf.parse"),
}
"""parse(data, path) -> Content, by format."""

SUFFIXES = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".pdf": "pdf",
}

_MARKDOWN = re.compile(rb"^(?:#{1,6} \S|```|~~~)", re.MULTILINE)
_HTML = re.compile(rb"\s*(?:<!doctype html|<html|<\?xml[^>]*>\s*<(?:!doctype )?html)", re.I)


def read(source: str | Path, *, lang: str | None = None, id: str | None = None) -> Document:
    """The document in a file, or on standard input if the source is ``-``.

    ``lang`` overrides the language that the file declares or its words suggest; ``id`` overrides the
    file's name without its suffix. ``meta`` has path, format, lang, title and regions, and for a PDF
    pages: lists of ``[start, end]``. Offsets count code points of ``text``.
    """
    if str(source) == STDIN:
        path, id = Path("standard input"), id or "stdin"
        data = _limited(sys.stdin.buffer.read(MAX_BYTES + 1), path)
        format = _sniff(data)
    else:
        path = Path(source)
        format = _format(path)
        data = _bytes(path)
    content = PARSERS[format](data, path)
    if not content.text.strip():
        raise FormatError("there is no text in it", path=path)
    id = id or path.stem
    meta = {
        "path": str(source),
        "format": format,
        "lang": lang or content.lang or guess(content.text),
        "title": content.title or path.stem,
        "regions": content.regions,
        **content.meta,
    }
    return Document(id=id, text=content.text, meta=meta)


def read_all(
    sources: Iterable[str | Path],
    *,
    lang: str | None = None,
    on_error: Callable[[MarginaliaError], None] | None = None,
) -> Iterator[Document]:
    """The documents of files and folders, one after another, each with an id of its own.

    A folder gives its files of known suffix and those of its folders, sorted. With ``on_error`` a
    file that cannot be read is reported to it and left out; without, its error is raised.
    """
    for source, id in _named(sources):
        try:
            yield read(source, lang=lang, id=id)
        except MarginaliaError as error:
            if on_error is None:
                raise
            on_error(error)


def input_files(sources: Iterable[str | Path]) -> frozenset[Path]:
    """The files that ``read_all`` would read, resolved: nothing may be written over them."""
    return frozenset(Path(path).resolve() for path, _ in _named(sources) if str(path) != STDIN)


def _named(sources: Iterable[str | Path]) -> Iterator[tuple[str | Path, str]]:
    """Each file and its id: its name without suffix, or if that is taken more of its path."""
    taken: set[str] = set()
    sources = [sources] if isinstance(sources, (str, Path)) else sources
    for source in sources:
        folder = Path(source)
        is_folder = str(source) != STDIN and folder.is_dir()
        for path in _files(folder) if is_folder else [source]:
            name = Path(path).relative_to(folder) if is_folder else Path(Path(path).name)
            choices = [name.with_suffix("").as_posix(), name.as_posix(), Path(path).as_posix()]
            if str(source) == STDIN:
                choices = ["stdin"]
            numbered = (f"{choices[-1]}-{number}" for number in count(2))
            id = next(choice for choice in chain(choices, numbered) if choice not in taken)
            taken.add(id)
            yield path, id


def _files(folder: Path) -> list[Path]:
    found = []
    for base, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        visible = (Path(base) / name for name in names if not name.startswith("."))
        found += [path for path in visible if path.suffix.lower() in SUFFIXES]
    if not found:
        raise FormatError(f"the folder has no file that ends in {', '.join(SUFFIXES)}", path=folder)
    return sorted(found)


def _format(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix and suffix not in SUFFIXES:
        raise FormatError(
            f"files that end in {suffix!r} cannot be read; known are {', '.join(SUFFIXES)}",
            path=path,
        )
    return SUFFIXES.get(suffix, "text")


def _bytes(path: Path) -> bytes:
    """What is in the file. It is read under a limit, because a pipe does not tell its size."""
    if path.is_dir():
        raise FormatError("this is a folder, a file was expected", path=path)
    try:
        with path.open("rb") as file:
            return _limited(file.read(MAX_BYTES + 1), path)
    except FileNotFoundError:
        raise MissingError(f"{path}: there is no such file") from None
    except OSError as error:
        raise FormatError(f"it cannot be opened: {error.strerror}", path=path) from error


def _limited(data: bytes, path: Path) -> bytes:
    if len(data) > MAX_BYTES:
        raise FormatError(f"there are more than {MAX_BYTES:,} bytes, the limit", path=path)
    return data


def _sniff(data: bytes) -> str:
    """The format of bytes without a name: by how they start, else Markdown or plain text."""
    if data.startswith(b"%PDF-"):
        return "pdf"
    if _HTML.match(data.removeprefix(b"\xef\xbb\xbf")):
        return "html"
    return "markdown" if _MARKDOWN.search(data) else "text"
