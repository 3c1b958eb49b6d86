"""Pictures that a file holds: where each stands is kept while the file is read, the picture itself is taken from the file when it is shown.

A picture of a package is named by its part, one that a page holds in its text (``data:``) by the hash of its bytes. Pictures
from elsewhere are not fetched. Only kinds that every browser shows and that can hold no script are known.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

from marginalia.core.errors import FormatError

MAX_PICTURES = 500
"""Of one document; a file with more is a catalogue of icons."""
MAX_PICTURE_BYTES = 20 * 2**20
MIN_PIXELS = 40
"""What its page says is smaller on a side is an icon or counts visitors."""
SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")

_DATA = re.compile(r"data:image/[\w.+-]+[^,]{0,80};base64,([^\"'\s>)]+)", re.IGNORECASE)


def media_type(data: bytes) -> str | None:
    """By how the bytes begin: names lie."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data.startswith(b"RIFF") and data[8:12] == b"WEBP" else None


def data_hash(source: str) -> str | None:
    """The name of a picture that stands in the text of a page; None if it is none that can be shown."""
    match = _DATA.match(source)
    data = _decode(match.group(1)) if match else None
    return None if data is None or media_type(data) is None else _name(data)


def find_data(page: str, name: str) -> bytes | None:
    """The picture of that name in a page."""
    return next((data for data in _all(page) if _name(data) == name), None)


def show_picture(data: bytes, path: Path) -> tuple[bytes, str]:
    """A picture and its type, if it is one that can be shown."""
    kind = media_type(data)
    if kind is None or len(data) > MAX_PICTURE_BYTES:
        raise FormatError("this picture cannot be shown", path=path)
    return data, kind


def _all(page: str) -> Iterator[bytes]:
    for match in _DATA.finditer(page):
        data = _decode(match.group(1))
        if data is not None:
            yield data


def _decode(text: str) -> bytes | None:
    if len(text) > 2 * MAX_PICTURE_BYTES:
        return None
    try:
        return base64.b64decode(unquote_to_bytes(text), validate=True)
    except (binascii.Error, ValueError):
        return None


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:24]
