"""The tokens in which agreement is counted and spans are tagged."""

from __future__ import annotations

import re

# Digits and letters part ("10mm" is two tokens), so that the edges of nearly all gold spans are edges here.
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|[^\w\s]|_")


def tokens(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _TOKEN.finditer(text)]
