"""Words with their code-point offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Letters and digits, with apostrophes, hyphens and full stops only between them: "can't", "co-op",
# "3.5". An accent written as a character of its own (as in many PDFs) stays with its letter.
_WORD = re.compile(r"[^\W_]+(?:[\u0300-\u036f]+[^\W_]*|['’.\-‐‑][^\W_]+)*")


def words(text: str) -> Iterator[re.Match[str]]:
    """Each word as a match: ``match.group()`` is the word, ``match.span()`` its offsets."""
    return _WORD.finditer(text)


def lower_words(text: str) -> list[str]:
    """The words themselves, in small letters."""
    return [match.group().lower() for match in words(text)]


def like(word: str, model: str) -> str:
    """The word with a capital where the model has one."""
    if model[:1].isupper() and word[:1].islower():
        return word[:1].upper() + word[1:]
    return word
