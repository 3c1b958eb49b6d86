"""Which format a document has: by its extension, by the outermost element of XML, or by how it starts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.reader.formats.format import Format
from marginalia.reader.formats.registry import formats_that

PEEK = 8192
"""Bytes in which the outermost element of XML must begin."""

_ASIDE = re.compile(rb"<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>", re.DOTALL)
_ROOT = re.compile(rb"<(?:[\w.\-]+:)?([\w.\-]+)")
_XML = (b"<?xml", b"<!DOCTYPE", b"<article", b"<TEI", b"<tei")


@cache
def parsed_suffixes() -> dict[str, list[Format]]:
    """Extension -> the formats that such a file may have, of those that can be parsed."""
    by_suffix: dict[str, list[Format]] = {}
    for format in formats_that("parse", "parse_all").values():
        for suffix in (*format.suffixes, *format.also_parsed):
            by_suffix.setdefault(suffix, []).append(format)
    return by_suffix


def formats_of(path: Path) -> list[Format]:
    """The formats that a file of this name may have; without an extension it is plain text."""
    known = parsed_suffixes()
    suffix = path.suffix.lower()
    if suffix and suffix not in known:
        raise FormatError(
            f"files that end in {suffix!r} cannot be read; known are {', '.join(known)}", path=path
        )
    return known[suffix] if suffix else [formats_that("parse")["text"]]


def format_of(path: Path, data: bytes) -> Format:
    """The format of a file by its name, and where that leaves several by its outermost element."""
    found = formats_of(path)
    return found[0] if len(found) == 1 else _by_root(data, path)


def is_document(path: Path) -> bool:
    """Whether its name says that it can be read; XML can be anything, so its beginning must say so too."""
    found = parsed_suffixes().get(path.suffix.lower(), [])
    if len(found) < 2:
        # A file of several documents may well be what was made of the folder; it is read where it is named.
        return bool(found) and found[0].can("parse")
    try:
        with path.open("rb") as file:
            return _find_root(file.read(PEEK)) is not None
    except OSError:
        return True  # reading it says why that cannot be done


def sniff(data: bytes, path: Path) -> Format:
    """The format of bytes without a name: by how they start, else Markdown or plain text."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    formats = formats_that("parse", "parse_all")
    if data.lstrip().startswith(_XML) and not formats["html"].is_signature(data):
        return _by_root(data, path)
    return next(one for one in reversed(formats.values()) if one.is_signature(data))


def root_name(data: bytes) -> str:
    """The name of the outermost element of XML, without its namespace; empty if there is none."""
    found = _ROOT.search(_ASIDE.sub(b"", data))
    return found.group(1).decode() if found else ""


def _find_root(data: bytes) -> Format | None:
    name = root_name(data[:PEEK])
    formats = formats_that("parse").values()
    return next((format for format in formats if name in format.roots), None)


def _by_root(data: bytes, path: Path) -> Format:
    found = _find_root(data)
    if found is None:
        name = root_name(data[:PEEK])
        what = f"the element <{name}>" if name else "no element"
        raise FormatError(f"expected XML of JATS or TEI, found {what}", path=path)
    return found
