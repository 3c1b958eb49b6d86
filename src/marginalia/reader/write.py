"""Documents with their annotations become files, for people, programs and other tools, and such files documents again."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path

from marginalia.core import table
from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.files import encode, write_files
from marginalia.reader.formats.brat import CONFIGURATION, MARK, file_names
from marginalia.reader.formats.format import Format
from marginalia.reader.formats.registry import choose_format, formats_that, get_format


def write(
    docs: Document | Iterable[Document],
    path: str | Path | None = None,
    format: str | None = None,
    *,
    inputs: Collection[Path] = (),
    raw_cells: bool = False,
) -> list[Path]:
    """Write the documents and return the paths that were written, all or none.

    Without a format the path's suffix says it; without a path the content goes to standard output, as
    JSON unless a format is named. A path that is a folder, or ends in a slash, takes a file per document in the
    format that is named. brat needs two files per document, so its path is a folder, or a
    file ``NAME.ann`` for one document. ``inputs`` are resolved paths that are never written over; a
    text beside an ``.ann`` file is not either, and where it is the same text it stays as it is. In a table, cells that a
    spreadsheet would run get an apostrophe in front, unless ``raw_cells`` are wanted.
    """
    folder = path is not None and (Path(path).is_dir() or str(path).endswith(("/", os.sep)))
    path = None if path is None else Path(path)
    # All this before the work, which docs may do one by one: hours of it should not end in a misspelled extension.
    refuse_input(path, inputs)
    if path is None:
        chosen = get_format(format or "json", "write")
    else:
        chosen = choose_format(path, format, formats_that("write"))
        chosen.require("write")
    if path is None and chosen.several:
        raise FormatError(f"{chosen.name} writes several files: name a folder for them")
    docs = [docs] if isinstance(docs, Document) else list(docs)
    with table.raw_cells() if raw_cells else nullcontext():
        if path is not None and chosen.several:
            return _write_several(docs, path, chosen, inputs)
        if path is not None and folder:
            return place_files(path, _each(docs, chosen), inputs)
        return place(path, chosen.write(docs), inputs)


def place(path: Path | None, content: str | bytes, inputs: Collection[Path]) -> list[Path]:
    """Write one file, but not over an input; without a path, to standard output."""
    if path is None:
        if isinstance(content, bytes) and sys.stdout.isatty():
            raise FormatError("this format is not for a terminal: name a file for it")
        sys.stdout.flush()
        sys.stdout.buffer.write(content.encode() if isinstance(content, str) else content)
        sys.stdout.buffer.flush()
        return []
    if path.is_dir():
        raise FormatError("this is a folder, a file was expected", path=path)
    return place_files(path.parent, {path.name: content}, inputs, named=path.name)


def place_files(
    folder: Path,
    files: Mapping[str, str | bytes],
    inputs: Collection[Path],
    *,
    named: str | None = None,
) -> list[Path]:
    """Write all the files or none, and none over an input or over another text beside an ``.ann`` file.

    ``named`` is the one whose path was given; a symbolic link is followed there and nowhere else.
    """
    new: dict[str, str | bytes] = {}
    for name, content in files.items():
        path = folder / name
        is_text = path.suffix == ".txt" and f"{path.stem}.ann" in files and path.is_file()
        data = encode(content, path) if isinstance(content, str) else content
        if is_text and path.read_bytes() == data:
            continue
        refuse_input(path, inputs)
        if (
            name == CONFIGURATION
            and path.is_file()
            and not path.read_bytes().startswith(MARK.encode())
        ):
            continue  # not ours: it declares what there is in the folder
        if is_text:
            raise FormatError(
                f"this file holds another text than {path.stem}.ann is about: "
                "remove it, or name another place for the output",
                path=path,
            )
        new[name] = content
    return write_files(folder, new, named=named)


def refuse_input(path: Path | None, inputs: Collection[Path]) -> None:
    if path is not None and path.resolve() in inputs:
        raise FormatError(
            "this input file would be overwritten: name another place for the output", path=path
        )


def _each(docs: list[Document], format: Format) -> dict[str, str | bytes]:
    """A file for each document by its name."""
    names = file_names(docs)
    suffix = format.suffixes[0]
    return {name + suffix: format.write([doc]) for name, doc in zip(names, docs, strict=True)}


def _write_several(
    docs: list[Document], path: Path, format: Format, inputs: Collection[Path]
) -> list[Path]:
    """In a folder, or the files of one document under the name of one of them."""
    files = format.write_files(docs)
    if path.suffix != format.suffixes[0]:
        return place_files(path, files, inputs)
    if len(docs) != 1:
        raise FormatError(
            f"{len(docs)} documents do not fit one {path.suffix} file: name a folder", path=path
        )
    renamed = {
        path.stem + Path(name).suffix if Path(name).suffix in format.several else name: text
        for name, text in files.items()
        if name != CONFIGURATION  # for a folder of them; one file joins a folder that has its own
    }
    return place_files(path.parent, renamed, inputs, named=path.name)


def restore(path: str | Path, format: str | None = None) -> list[Document]:
    """The documents of a file; of a folder those of its ``.ann`` files, or of others if the format is named."""
    path = Path(path)
    suffixes = {
        suffix: name for name, one in formats_that("read").items() for suffix in one.suffixes
    }
    format = format or ("brat" if path.is_dir() else suffixes.get(path.suffix.lower()))
    if format is None:
        raise FormatError(
            f"documents are restored from files that end in {', '.join(suffixes)}", path=path
        )
    return get_format(format, "read", what="format to restore").read(path)
