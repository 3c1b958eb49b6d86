"""Documents as JSON: one is an object, several are a list; as JSON lines each has its line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.files import decode, parse_json, read_json, read_text
from marginalia.core.report import plain
from marginalia.reader.formats.format import Columns, Format
from marginalia.reader.view.findings import Finding

MAX_DEPTH = 50
"""Of ours the deepest have six levels."""
_META = {
    **dict.fromkeys(("lang", "title", "path", "format"), str),
    **dict.fromkeys(("summary", "skipped"), dict),
}
"""What is written under these names of ``meta``; the lists are looked at one by one."""
_JSON_LINE = re.compile(rb"""\{[^\n]{0,2000}?"text"\s*:\s*\"""")
"""How a line of a document begins."""


def dump(docs: Sequence[Document]) -> str:
    data = [plain(doc.to_dict()) for doc in docs]
    return _text(data[0] if len(data) == 1 else data, indent=1)


def dump_lines(docs: Sequence[Document]) -> str:
    return "".join(_text(plain(doc.to_dict())) for doc in docs)


def dump_rows(columns: Columns, rows: Sequence[Mapping[str, Any]]) -> str:
    """A list of the rows. The columns are those the rows have."""
    return _text(list(rows), indent=1)


def dump_row_lines(columns: Columns, rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(map(_text, rows))


def dump_findings(findings: Sequence[Finding]) -> str:
    return _text([one.to_dict() for one in findings], indent=1)


def restore(path: Path) -> list[Document]:
    """The documents of a JSON file that ``dump`` wrote."""
    data = read_json(path)
    return [_document(one, path) for one in (data if isinstance(data, list) else [data])]


def restore_lines(path: Path) -> list[Document]:
    """The documents of a JSON lines file. A line may be long: it holds a whole document."""
    lines = enumerate(read_text(path).split("\n"), 1)
    return [_document(parse_json(text, path, line), path, line) for line, text in lines if text]


def parse_lines(data: bytes, path: Path) -> list[Document]:
    """The documents of JSON lines: ours without their notes, and any objects with a text."""
    docs = []
    for line, text in enumerate(decode(data, path).removeprefix("\ufeff").split("\n"), 1):
        if text.strip():
            docs.append(_stripped(parse_json(text, path, line), path, line))
    if not docs:
        raise FormatError("there is no document in it", path=path)
    return docs


def _stripped(data: Any, path: Path, line: int) -> Document:
    """A document without notes. Of an object that is not ours, ``id``, ``title`` and ``lang`` are kept if they are there."""
    if not isinstance(data, dict) or not isinstance(data.get("text"), str):
        raise FormatError('expected an object with a "text"', path=path, line=line)
    if isinstance(data.get("meta"), dict) and "regions" in data["meta"]:
        return replace(_document({"annotations": [], **data}, path, line), annotations=())
    said = {**data.get("meta", {})} if isinstance(data.get("meta"), dict) else data
    meta = {name: said[name] for name in ("title", "lang") if isinstance(said.get(name), str)}
    id = data.get("id", f"{path.stem}-{line}")
    if not isinstance(id, (str, int)):
        raise FormatError(f"the id {id!r:.40} is neither text nor a number", path=path, line=line)
    return check_document(Document(id=str(id), text=data["text"], meta=meta), path, line)


def _text(data: Any, indent: int | None = None) -> str:
    try:
        return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent) + "\n"
    except TypeError as error:
        raise FormatError(f"an annotation or its document holds no JSON data: {error}") from error


def _document(data: Any, path: Path, line: int | None = None) -> Document:
    try:
        doc = Document.from_dict(data)
    except FormatError as error:
        raise error.at(path, line) from None
    return check_document(doc, path, line)


def check_document(doc: Document, path: Path, line: int | None = None) -> Document:
    """The document, if what a file from outside says of it can be used."""
    fault = _fault(doc)
    if fault:
        raise FormatError(f"not a document: {fault}", path=path, line=line)
    return doc


def _fault(doc: Document) -> str:
    """What a file from outside can have wrong that ``Document`` itself does not look at."""
    if any("\ud800" <= sign <= "\udfff" for sign in doc.text):
        return "its text holds half of a surrogate pair"
    if any(_is_deep(data) for data in (doc.meta, *(note.attrs for note in doc.annotations))):
        return f"its data are nested more than {MAX_DEPTH} deep"
    for name, kind in _META.items():
        if name in doc.meta and not isinstance(doc.meta[name], kind):
            return f"its {name!r} is {doc.meta[name]!r:.40}"
    length = len(doc.text)
    regions, pages = doc.meta.get("regions", []), doc.meta.get("pages", [])
    tables = doc.meta.get("tables", [])
    if not isinstance(regions, list) or not all(_is_region(region, length) for region in regions):
        return "its regions must be a list of {kind, start, end}, with offsets into its text"
    if not isinstance(pages, list) or not all(_is_span(page, length) for page in pages):
        return "its pages must be a list of [start, end], with offsets into its text"
    if not isinstance(tables, list) or not all(_is_table(table, len(doc.text)) for table in tables):
        return (
            "its tables must be a list of {start, end, caption, rows}, with offsets into its text"
        )
    return ""


def _is_deep(data: Any) -> bool:
    """Whether what is read could not be written again: each level of writing takes a call."""
    level = [data]
    for _ in range(MAX_DEPTH):
        level = [
            below
            for one in level
            if isinstance(one, (list, dict))
            for below in (one.values() if isinstance(one, dict) else one)
        ]
    return bool(level)


def _is_region(region: Any, length: int) -> bool:
    if not isinstance(region, dict) or not isinstance(region.get("kind"), str):
        return False
    whole = region["kind"] != "heading" or isinstance(region.get("level"), int)
    return whole and _is_place(region, length)


def _is_table(table: Any, length: int) -> bool:
    if not _is_place(table, length) or not isinstance(table.get("rows"), list):
        return False
    if table.get("caption") is not None and not _is_place(table["caption"], length):
        return False
    return all(
        isinstance(row, list)
        and all(_is_place(cell, length) and isinstance(cell.get("head"), bool) for cell in row)
        for row in table["rows"]
    )


def _is_place(place: Any, length: int) -> bool:
    if not isinstance(place, dict):
        return False
    start, end = place.get("start"), place.get("end")
    return type(start) is int and type(end) is int and 0 <= start <= end <= length


def _is_span(span: Any, length: int) -> bool:
    """A page as [start, end]; the same rule as for places that are objects."""
    return (
        isinstance(span, list)
        and len(span) == 2
        and _is_place({"start": span[0], "end": span[1]}, length)
    )


JSON = Format(
    name="json",
    suffixes=(".json",),
    media="application/json",
    write=dump,
    read=restore,
    write_rows=dump_rows,
    write_findings=dump_findings,
)
JSONL = Format(
    name="jsonl",
    suffixes=(".jsonl",),
    media="application/x-ndjson",
    is_signature=lambda data: _JSON_LINE.match(data) is not None,
    parse_all=parse_lines,
    write=dump_lines,
    read=restore_lines,
    write_rows=dump_row_lines,
)
