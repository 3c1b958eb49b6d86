"""What the name, weight and flags of a PDF's font say of the letters set in it."""

from __future__ import annotations

BOLD, MONO, MATHS = 1, 2, 4

_BOLD = ("bold", "black", "heavy", "cmbx", "demi", "-bd")
_MONO = ("mono", "courier", "consol", "cmtt", "typewriter", "menlo")
_MATHS = ("cmmi", "cmsy", "cmex", "math", "msbm", "msam", "stix", "mt-extra")
_FIXED_PITCH = 1
_FORCE_BOLD = 1 << 18


def font_style(name: str, weight: int, flags: int) -> int:
    """The sum of BOLD, MONO and MATHS, as far as they apply."""
    name = name.lower()
    bold = weight >= 500 or flags & _FORCE_BOLD or any(word in name for word in _BOLD)
    mono = flags & _FIXED_PITCH or any(word in name for word in _MONO)
    maths = any(word in name for word in _MATHS)
    return BOLD * bool(bold) | MONO * bool(mono) | MATHS * maths
