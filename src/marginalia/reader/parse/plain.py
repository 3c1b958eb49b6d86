"""Plain text. Only its line ends are changed, so that offsets count characters one can see."""

from __future__ import annotations

import re
from pathlib import Path

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.files import decode
from marginalia.nlp.language import guess
from marginalia.reader.parse.content import MAX_CHARACTERS, Content
from marginalia.reader.parse.regions import with_foreign

_TITLE = re.compile(r"\s*(\S[^\n]{1,118}[^\s.!?:;,])[^\S\n]*\n[^\S\n]*\n")
"""A short first line with a blank one after it, and without the mark that ends a sentence."""


def parse(data: bytes, path: Path) -> Content:
    text = clean(data, path)
    title = _TITLE.match(text)
    return Content(text=text, title=title.group(1) if title else "")


def clean(data: bytes, path: Path) -> str:
    """UTF-8 text without byte order mark and with ``\\n`` as its only line end."""
    return check(decode(data, path).removeprefix("\ufeff"), path)


def check(text: str, path: Path) -> str:
    """The text with ``\\n`` as its only line end, if it is text and not too long."""
    zero = text.find("\0")
    if zero >= 0:
        line = text.count("\n", 0, zero) + 1
        raise FormatError("there is a NUL byte, so this is not a text file", path=path, line=line)
    require_length(len(text), path)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def require_length(length: int, path: Path) -> None:
    if length > MAX_CHARACTERS:
        raise FormatError(
            f"the text has more than {MAX_CHARACTERS:,} characters, the limit for a document",
            path=path,
        )


def read_text(text: str, *, lang: str | None = None, id: str = "text") -> Document:
    """The document of a plain text, as if it had been read from a file."""
    content = parse(text.encode("utf-8", "surrogatepass"), Path(id))
    if not content.text.strip():
        raise FormatError("there is no text in it")
    lang = lang or guess(content.text)
    meta = {
        "format": "text",
        "lang": lang,
        "title": content.title or id,
        "regions": with_foreign(content.text, content.regions, lang),
    }
    return Document(id=id, text=content.text, meta=meta)
