"""A file becomes a document, a folder or a file of JSON lines several; so does standard input."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, MarginaliaError, MissingError
from marginalia.core.files import as_utf8
from marginalia.nlp.language import guess, language_code, text_language
from marginalia.reader.formats.format import Format
from marginalia.reader.formats.signature import (
    format_of,
    formats_of,
    is_document,
    parsed_suffixes,
    sniff,
)
from marginalia.reader.parse.content import Content, sections
from marginalia.reader.parse.plain import check
from marginalia.reader.parse.regions import with_foreign, with_references
from marginalia.reader.parse.tables import make_tables

MAX_BYTES = 200 * 2**20
STDIN = "-"


def read(
    source: str | Path, *, lang: str | None = None, id: str | None = None, ocr: bool = False
) -> Document:
    """The document in a file, or on standard input if the source is ``-``.

    ``lang`` overrides the language that the file declares or its words suggest; ``id`` overrides the
    file's name without its suffix. ``meta`` has path, format, lang, title, regions and sections; for a
    PDF also pages, as ``[start, end]``, geometry, and problems if some page could not be read. Offsets
    count code points of ``text``. With ``ocr`` the text of scanned pages of a PDF is recognised first.
    """
    docs = read_each(source, lang=lang, id=id, ocr=ocr)
    if len(docs) > 1:
        path = "standard input" if str(source) == STDIN else source
        raise FormatError(f"one document was expected, but there are {len(docs)}", path=path)
    return docs[0] if id is None else replace(docs[0], id=id)


def read_each(
    source: str | Path, *, lang: str | None = None, id: str | None = None, ocr: bool = False
) -> list[Document]:
    """All documents in a file: one, unless it is one of JSON lines; those have their own ids."""
    if str(source) == STDIN:
        data, path = read_stdin(), Path("standard input")
        format, id = sniff(data, path), id or "stdin"
    else:
        path = Path(source)
        formats_of(path)  # what cannot be read need not be opened
        data = read_bytes(path)
        format = format_of(path, data)
    if ocr and format.name == "pdf":
        from marginalia.reader.pdf.ocr import recognise

        data = recognise(data, path, lang)
    if format.can("parse_all"):
        docs = [_completed(doc, source, lang) for doc in format.parse_all(data, path)]
    else:
        doc = read_data(data, path, lang=lang, id=id, format=format)
        docs = [replace(doc, meta={**doc.meta, "path": readable_name(str(source))})]
    if any(not doc.text.strip() for doc in docs):
        raise FormatError("there is no text in it", path=path)
    return docs


def _completed(doc: Document, source: str | Path, lang: str | None) -> Document:
    """A document out of a file of several with all that is known of one; what it knows of itself stays."""
    if "regions" in doc.meta:
        return replace(doc, meta={**doc.meta, "lang": lang}) if lang else doc
    known = Content(
        text=check(doc.text, Path(source)),
        title=doc.meta.get("title", ""),
        lang=language_code(str(doc.meta.get("lang", ""))),
    )
    return _document(known, doc.id, str(source), "jsonl", lang, doc.id)


def read_data(
    data: bytes,
    path: Path,
    *,
    lang: str | None = None,
    id: str | None = None,
    format: Format | None = None,
) -> Document:
    """The document in bytes that are at hand, such as an editor's text that is not saved yet.

    Without a format the extension of the path says it. The text may be empty.
    """
    data = as_utf8(data)
    format = format or format_of(path, data)
    if format.can("parse_all"):
        docs = format.parse_all(data, path)
        if len(docs) > 1:
            raise FormatError(f"one document was expected, but there are {len(docs)}", path=path)
        return _completed(docs[0], path, lang)
    format.require("parse")
    content = format.parse(data, path)
    return _document(
        content, id or readable_name(path.stem), str(path), format.name, lang, path.stem
    )


def read_stdin() -> bytes:
    """What comes on standard input, under the limit of a file."""
    return _limited(sys.stdin.buffer.read(MAX_BYTES + 1), Path("standard input"))


def read_pages(
    source: str | Path, *, lang: str | None = None, id: str | None = None
) -> Iterator[Document]:
    """The pages of a PDF one by one, each as soon as it is read; of other files the whole document.

    A page is a document with offsets of its own; ``meta["offset"]`` says where its text begins in the
    document that ``read`` gives. Pages without text are left out.
    """
    path = Path(source)
    if str(source) == STDIN or formats_of(path)[0].name != "pdf":
        yield read(source, lang=lang, id=id)
        return
    from marginalia.reader.pdf.parse import parse_pages

    for offset, content in parse_pages(read_bytes(path), path):
        if content.text.strip():
            lang = lang or guess(content.text)
            doc = _document(content, id or path.stem, str(source), "pdf", lang, path.stem)
            yield replace(doc, meta={**doc.meta, "offset": offset})


def _document(
    content: Content, id: str, source: str, format: str, lang: str | None, name: str
) -> Document:
    regions = with_references(content.text, content.regions)
    tables = make_tables(content.text, regions, content.tables)
    lang = lang or text_language(content.text, content.lang)
    regions = with_foreign(content.text, regions, lang)
    meta = {
        "path": readable_name(source),
        "format": format,
        "lang": lang,
        "title": content.title or readable_name(name),
        "regions": regions,
        "sections": sections(content.text, regions),
        **({"tables": tables} if tables else {}),
        **({"figures": content.figures} if content.figures else {}),
        **content.meta,
    }
    return Document(id=id, text=content.text, meta=meta)


def read_all(
    sources: Iterable[str | Path],
    *,
    lang: str | None = None,
    on_error: Callable[[MarginaliaError], None] | None = None,
    ocr: bool = False,
) -> Iterator[Document]:
    """The documents of files and folders, one after another, each with an id of its own.

    A folder gives its files of known suffix and those of its folders, sorted. With ``on_error`` a
    file that cannot be read is reported to it and left out; without, its error is raised.
    """
    taken: set[str] = set()
    for source, id in _named(sources):
        try:
            docs = read_each(source, lang=lang, id=id, ocr=ocr)
        except MarginaliaError as error:
            if on_error is None:
                raise
            on_error(error)
            continue
        for doc in docs:
            choices = chain([doc.id, f"{id}/{doc.id}"], (f"{id}/{doc.id}-{n}" for n in count(2)))
            own = next(choice for choice in choices if choice not in taken)
            taken.add(own)
            yield doc if own == doc.id else replace(doc, id=own)


def input_files(sources: Iterable[str | Path]) -> frozenset[Path]:
    """The files that ``read_all`` would read, resolved: nothing may be written over them."""
    return frozenset(Path(path).resolve() for path, _ in _named(sources) if str(path) != STDIN)


def _named(sources: Iterable[str | Path]) -> Iterator[tuple[str | Path, str]]:
    """Each file and its id: its name without suffix, or if another has that too more of its path.

    All files of one name get more of their paths, not only the later ones: the order says nothing.
    """
    sources = [sources] if isinstance(sources, (str, Path)) else sources
    files: list[tuple[str | Path, list[str]]] = []
    for source in sources:
        folder = Path(source)
        is_folder = str(source) != STDIN and folder.is_dir()
        for path in _files(folder) if is_folder else [source]:
            name = Path(path).relative_to(folder) if is_folder else Path(Path(path).name)
            choices = [name.with_suffix("").as_posix(), name.as_posix(), Path(path).as_posix()]
            choices = [readable_name(choice) for choice in choices]
            files.append((path, ["stdin"] * 3 if str(source) == STDIN else choices))
    ids: dict[int, str] = {}
    taken: set[str] = set()
    for length in range(3):
        left = {place: files[place][1][length] for place in range(len(files)) if place not in ids}
        often = Counter(left.values())
        found = {place: id for place, id in left.items() if often[id] == 1 and id not in taken}
        ids.update(found)
        taken.update(found.values())
    for place, (path, choices) in enumerate(files):
        if place not in ids:  # given several times
            numbered = (f"{choices[-1]}-{number}" for number in count(2))
            choice = chain([choices[-1]], numbered)
            ids[place] = next(id for id in choice if id not in taken)
            taken.add(ids[place])
        yield path, ids[place]


def walk_folder(folder: Path) -> Iterator[Path]:
    """The files of a folder and of its folders that can be read, sorted folder by folder.

    What is hidden is left out, and what is no file (a FIFO would be waited for), and links that lead out of the folder.
    """
    home = folder.resolve()
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(base) / name
            if not name.startswith(".") and _is_inside(path, home) and is_document(path):
                yield path


def _is_inside(path: Path, home: Path) -> bool:
    """Whether this is a file, and one of the folder even if it is a link."""
    if not path.is_file():
        return False
    return not path.is_symlink() or path.resolve().is_relative_to(home)


def readable_name(name: str) -> str:
    """A file name as text: bytes that are no UTF-8 become the replacement character."""
    return os.fsencode(name).decode("utf-8", "replace")


def _files(folder: Path) -> list[Path]:
    found = list(walk_folder(folder))
    if not found:
        raise FormatError(
            f"the folder has no file that ends in {', '.join(parsed_suffixes())}", path=folder
        )
    return sorted(found)


def read_bytes(path: Path) -> bytes:
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
    return as_utf8(data)


def read_picture(path: Path, figure: Mapping[str, Any]) -> tuple[bytes, str]:
    """The bytes and the media type of a figure of ``meta["figures"]`` that its file holds; those of PDFs are on their pages."""
    from marginalia.reader.parse.html import decode_page
    from marginalia.reader.parse.package import Package
    from marginalia.reader.parse.pictures import find_data, show_picture

    if "part" in figure:
        package = Package(path.read_bytes(), path, path.suffix.lstrip(".").upper() or "file")
        return show_picture(package.read(str(figure["part"])), path)
    data = find_data(decode_page(path.read_bytes(), path), str(figure.get("data", "")))
    if data is None:
        raise MissingError("this picture is not in the file any more")
    return show_picture(data, path)
