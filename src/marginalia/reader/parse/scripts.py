"""Figures above and below the line as characters of their own, so that 10³ does not become 103."""

from __future__ import annotations

FIGURES = {
    "sup": str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ"),
    "sub": str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}


def shifted(text: str, script: str) -> str:
    """The text above (``sup``) or below (``sub``) the line; unchanged where a sign has no such form."""
    figures = FIGURES.get(script, {})
    return text.translate(figures) if all(ord(sign) in figures for sign in text) else text
