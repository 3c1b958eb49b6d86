"""Cue words and signs around a number: for bounds, ranges, lists and approximation."""

from __future__ import annotations

from functools import cache

from marginalia import lang

SIGNS = {
    "<": "less", "≪": "less", "≤": "most", "⩽": "most", "≦": "most", "<=": "most", "=<": "most",
    ">": "more", "≫": "more", "≥": "least", "⩾": "least", "≧": "least", ">=": "least",
    "≲": "about most", "⪅": "about most", "≳": "about least", "⪆": "about least",
    "~": "about", "∼": "about", "≈": "about", "≃": "about", "≅": "about", "～": "about", "˜": "about",
    "±": "tolerance", "∓": "tolerance", "+/-": "tolerance",
    ",": "and", ";": "and", "&": "and", "×": "and", "✕": "and", "*": "and", "…": "to", "→": "to",
    ":": "ratio", "∶": "ratio", "/": "ratio",
}  # fmt: skip
"""Sign -> its roles. ``20 × 30 mm`` are two lengths, so that ``×`` makes a list."""

MAX_CUE_WORDS = 5
"""Words of the longest phrase."""


def cues(language: str) -> dict[str, frozenset[str]]:
    """Phrase -> its roles: which one it plays depends on where it stands."""
    return _cues(lang.language(language))


@cache
def _cues(language: lang.Language) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for role, listed in language.table("numbers", "cues").items():
        for phrase in listed.split(";"):
            found.setdefault(" ".join(phrase.split()), set()).add(role)
    return {phrase: frozenset(roles) for phrase, roles in found.items()}
