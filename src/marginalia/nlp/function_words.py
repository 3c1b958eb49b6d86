"""Words that hold a sentence together and say little themselves, of all languages."""

from __future__ import annotations

from marginalia.lang import known_languages, language

FUNCTION_WORDS, NEGATIONS = (
    frozenset().union(*(language(code).words("sentences", name) for code in known_languages()))
    for name in ("function_words", "negations")
)
"""Negations are not among the function words: they turn what a sentence says into its opposite."""
