"""The text of a PDF, page by page, in the order in which PDFium finds it."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pypdfium2

from marginalia.core.errors import FormatError
from marginalia.reader.content import Content
from marginalia.reader.plain import require_length

MAX_PAGES = 2_000
BETWEEN = "\n\n"

_LOCK = threading.Lock()  # PDFium is not safe to use from two threads at once.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def parse(data: bytes, path: Path) -> Content:
    """The text of all pages; ``meta["pages"]`` has the offsets of each, ``meta["unread"]`` the broken ones."""
    with _LOCK:
        pdf = _open(data, path)
        try:
            return _parse(pdf, path)
        finally:
            pdf.close()


def _parse(pdf: Any, path: Path) -> Content:
    if len(pdf) > MAX_PAGES:
        raise FormatError(f"the PDF has {len(pdf):,} pages, the limit is {MAX_PAGES:,}", path=path)
    texts: list[str] = []
    pages: list[list[int]] = []
    unread: list[int] = []
    length = 0
    for index in range(len(pdf)):
        try:
            text = _page(pdf, index)
        except pypdfium2.PdfiumError:
            text = ""
            unread.append(index + 1)
        length += len(BETWEEN) if index else 0
        pages.append([length, length + len(text)])
        length += len(text)
        require_length(length, path)
        texts.append(text)
    text = BETWEEN.join(texts)
    if not text.strip():
        raise FormatError(
            "the PDF holds no text; if its pages are scans, recognise their text first", path=path
        )
    meta = {"pages": pages, **({"unread": unread} if unread else {})}
    return Content(text=text, title=pdf.get_metadata_dict().get("Title", "").strip(), meta=meta)


def _open(data: bytes, path: Path) -> Any:
    # PDFium mends a file without an end as well as it can, and pages are lost without a word.
    if data.startswith(b"%PDF-") and b"%%EOF" not in data[-2048:]:
        raise FormatError("the PDF has no end: it seems to be truncated", path=path)
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        # Its error code alone is not enough: a file without pages leaves the last file's code.
        if b"/Encrypt" in data and "password" in str(error):
            message = "the PDF is encrypted; save it without a password first"
        else:
            message = "not a PDF that can be read: it is damaged or has no pages"
        raise FormatError(message, path=path) from None


def _page(pdf: Any, index: int) -> str:
    page = pdf[index]
    try:
        textpage = page.get_textpage()
        try:
            text = str(textpage.get_text_range())
        finally:
            textpage.close()
    finally:
        page.close()
    # U+FFFE is PDFium's mark for a hyphen at a line end where the word goes on.
    text = text.replace("\ufffe", "").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("\ufffd", text)
