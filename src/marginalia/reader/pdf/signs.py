"""Characters whose code a PDF does not explain: what the font's own encoding says they are.

Fonts of symbols have encodings of their own (Symbol, Wingdings, the mathematical ones of TeX). Where a file maps
their codes to nothing or into the private area of Unicode, the encoding of the font decides. This module imports
nothing, as the process that reads PDFs must start quickly.
"""

from __future__ import annotations

UNKNOWN = 0xE100
"""A control code that no encoding here explains is this much further up, for ``ligatures`` to look at."""

_SYMBOL = (
    # From 0x20 to 0x7E, then from 0xA0 to 0xFE; a blank where the encoding has no sign.
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
)
_PIECES = "‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭"
"""Pieces of large brackets, from U+F8E5 on in the private area of many fonts."""
_WINGDINGS = {
    **dict.fromkeys("lmnqr§¨\x84\x9f", "•"),
    "à": "→", "ß": "←", "è": "→", "ð": "→", "Ø": "➢", "ü": "✓", "û": "✗", "þ": "☑", "o": "☐",
}  # fmt: skip
_EXTENSION = "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\"
"""The large brackets of TeX's mathematical extension fonts, from code 0 on."""
_TEX_SYMBOLS = {0x10: "≍", 0x16: "⪯", 0x17: "⪰", 0x1C: "≪", 0x1D: "≫", 0x0F: "•"}
_TEX_ITALIC = {0x0F: "ϵ", 0x10: "ζ", 0x11: "η", 0x12: "θ", 0x13: "ι", 0x14: "κ"}
_OWN = {0xF6BE: "ȷ", 0xF8FF: "", **{0xF8E5 + n: s for n, s in enumerate(_PIECES)}}
_ACCENTS = {
    "\u0060": "\u0300",
    "\u00b4": "\u0301",
    "\u005e": "\u0302",
    "\u02c6": "\u0302",
    "\u007e": "\u0303",
    "\u02dc": "\u0303",
    "\u00a8": "\u0308",
    "\u02dd": "\u030b",
    "\u02da": "\u030a",
    "\u02c7": "\u030c",
    "\u02d8": "\u0306",
    "\u00af": "\u0304",
    "\u02d9": "\u0307",
    "\u00b8": "\u0327",
    "\u02db": "\u0328",
}


def needs_font(code: int) -> bool:
    """Whether the code alone does not tell the character."""
    hyphen = code == 2  # PDFium's own mark for one at the end of a line
    private = 0xE000 <= code < 0xF900 or code >= 0xF0000
    return not hyphen and (code < 0x20 or 0x7F <= code < 0xA0 or private)


def read_sign(code: int, font: str) -> str:
    """The character of a code that ``needs_font``; empty where nothing is to be seen."""
    name = font.lower()
    if code in _OWN:
        return _OWN[code]
    if 0xF000 <= code < 0xF100:  # where fonts of symbols put their codes
        code -= 0xF000
        if "wingding" not in name and "dingbat" not in name:
            return symbol(code)
    if "wingding" in name or "dingbat" in name:
        return _WINGDINGS.get(chr(code), "•") if code > 0x20 else " "
    if "cmex" in name or "extension" in name:
        return _EXTENSION[code] if code < len(_EXTENSION) else ""
    if "cmsy" in name or "mathsymbols" in name:
        return _TEX_SYMBOLS.get(code, "")
    if "cmmi" in name or "mathitalic" in name:
        return _TEX_ITALIC.get(code, "")
    return chr(UNKNOWN + code) if code < 0xA0 else ""


def symbol(code: int) -> str:
    """A code of the Symbol font."""
    for first, signs in zip((0x20, 0xA0), _SYMBOL, strict=True):
        if first <= code < first + len(signs):
            return signs[code - first]
    return ""


def combining(sign: str) -> str:
    """The accent that a sign of its own stands for when it is set over a letter; empty if none."""
    return _ACCENTS.get(sign, "")
