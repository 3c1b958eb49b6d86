"""What kind of text was pasted, and what to call it: it comes without a name."""

from __future__ import annotations

import re
from pathlib import Path

from marginalia.core.errors import MarginaliaError
from marginalia.reader.formats.signature import sniff
from marginalia.reader.view.caption import shorten

MAX_PEEKED_BYTES = 20_000
_FRAGMENT = re.compile(
    rb"\s*<(?:p|div|h[1-6]|ul|ol|table|article|section|main|body|blockquote)\b[^<>]*>", re.I
)
_MARK_UP = re.compile(r"<[^<>]*>|^[#>*+\-\s]+|[*_`]{1,3}")


def pasted_name(data: bytes) -> str:
    """A file name for it: its first words, and the extension of what it looks like."""
    head = data[:MAX_PEEKED_BYTES]
    if _FRAGMENT.match(head):
        suffix = ".html"
    else:
        try:
            suffix = sniff(head, Path("pasted")).suffixes[0]
        except MarginaliaError:
            suffix = ".txt"
    lines = (
        _MARK_UP.sub(" ", line).strip() for line in head.decode("utf-8", "replace").split("\n")
    )
    first = next((line for line in lines if line), "text")
    return shorten(first, 48).replace("/", " ") + suffix
