"""EPUB: the chapters of a book in the order of its spine."""

from __future__ import annotations

import posixpath
import re
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from marginalia.core.errors import FormatError
from marginalia.nlp.language import language_code
from marginalia.reader.parse import html
from marginalia.reader.parse.content import Builder, Content
from marginalia.reader.parse.ledger import Piece
from marginalia.reader.parse.package import Package
from marginalia.reader.parse.pictures import SUFFIXES
from marginalia.reader.parse.plain import check, require_length

_BODY = re.compile(r"<body\b.*", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r"<a\b[^>]*>(.*?)</a>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*>")
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
MIN_LINK_SHARE = 0.5
"""Of the characters of a table of contents; a chapter may begin on the same page, and is none."""
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})


def parse(data: bytes, path: Path) -> Content:
    package = Package(data, path, "EPUB")
    if _CONTAINER not in package.parts:
        raise FormatError(f"the file is no EPUB: it has no {_CONTAINER}", path=path)
    root = package.xml(_CONTAINER).find(".//rootfile")
    place = root.get("full-path") if root is not None else None
    if not place:
        raise package.damaged()
    book = package.xml(place)
    chapters = _spine(book, posixpath.dirname(place))
    if _is_encrypted(package, chapters):
        raise FormatError("the EPUB is encrypted by its seller", path=path)
    contents = _contents(book, posixpath.dirname(place))
    builder = Builder()
    problems, pieces = [], list[Piece]()
    for chapter in chapters:
        if chapter not in package.parts:
            problems.append(f"the part {chapter} is missing")
            continue
        page = check(html.decode_page(package.read(chapter), path), path)
        builder.gap("\n\n")
        is_contents = chapter in contents and _link_share(page) > MIN_LINK_SHARE
        if is_contents:
            builder.open("contents")
        pieces += html.add(builder, page, partial(_picture, package, posixpath.dirname(chapter)))
        if is_contents:
            builder.close()
        require_length(builder.length, path)
    title = " ".join((book.findtext("metadata/title") or "").split())
    return builder.build(
        title=title or builder.heading(1),
        lang=language_code(book.findtext("metadata/language") or ""),
        meta={"problems": problems} if problems else {},
        pieces=pieces,
    )


def _spine(book: Any, folder: str) -> list[str]:
    """The parts with the text, in reading order; those apart from it, such as notes that pop up, at the end."""
    items = {
        item.get("id"): _part(folder, item.get("href") or "")
        for item in book.iterfind("manifest/item")
        if item.get("media-type") in _PAGES
    }
    entries = book.findall("spine/itemref")
    entries.sort(key=lambda entry: entry.get("linear") == "no")
    found = dict.fromkeys(items[id] for entry in entries if (id := entry.get("idref")) in items)
    return list(found)


def _contents(book: Any, folder: str) -> set[str]:
    """The parts that are a table of contents."""
    guide = (
        one.get("href") for one in book.iterfind("guide/reference") if one.get("type") == "toc"
    )
    nav = (
        item.get("href")
        for item in book.iterfind("manifest/item")
        if "nav" in (item.get("properties") or "").split()
    )
    return {_part(folder, href) for href in (*guide, *nav) if href}


def _link_share(page: str) -> float:
    """The share of the characters of a page that stand in links."""
    body = _BODY.search(page)
    whole = len("".join(_TAG.sub("", body.group() if body else page).split()))
    linked = sum(len("".join(_TAG.sub("", link).split())) for link in _LINK.findall(page))
    return linked / max(1, whole)


def _part(folder: str, href: str) -> str:
    """The name of a part that is named from a folder of the package."""
    return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))


def _picture(package: Package, folder: str, source: str) -> str | None:
    """The part of a picture that a chapter shows."""
    part = _part(folder, source)
    return part if part in package.parts and part.lower().endswith(SUFFIXES) else None


def _is_encrypted(package: Package, chapters: list[str]) -> bool:
    """Whether the text is; fonts often are, which does not matter."""
    if _ENCRYPTION not in package.parts:
        return False
    named = package.xml(_ENCRYPTION).iter("CipherReference")
    return bool({_part("", one.get("URI") or "") for one in named} & {*chapters})
