"""What fonts say of codes that a file does not explain.

Fonts of symbols have encodings of their own (Symbol, Wingdings, the mathematical ones of TeX). Where a file maps
their codes to nothing or into the private area of Unicode, the encoding of the font decides. This module imports
little, as the process that reads PDFs must start quickly.
"""

from __future__ import annotations

UNKNOWN, CODES, MAX_FONTS = 0xE100, 0xA0, 20
"""A control code that no encoding here explains is this much further up, for ``Ligatures`` to look at; those of each font
have a range of their own."""
UNREAD = "\ufffd"

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
_OWN = {0xF6BE: "ȷ", 0xF8FF: "", **{0xF8E5 + n: s for n, s in enumerate(_PIECES)}}

NEGATION = "\u0338"
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = _CAPITALS.lower()

# The encodings of TeX from code 0 on; a blank where nothing is to be seen.
_TEX = {
    "symbols": (
        "−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯∘•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝"
        f"′∞∈∋△▽{NEGATION} ∀∃¬∅ℜℑ⊤⊥ℵ{_CAPITALS}∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{{}}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♦♥♠"
    ),
    "italic": (
        "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυφχψωεϑϖϱςϕ↼↽⇀⇁˓˒▷◁0123456789.,</>⋆"
        f"∂{_CAPITALS}♭♮♯⌣⌢ℓ{_SMALL}ıȷ℘"
    ),
    "extension": (
        "()[]⌊⌋⌈⌉{}⟨⟩|‖/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐⎝⎠⎜⎟⟨⟩"
        "⊔⊔∮∮⊙⊙⊕⊕⊗⊗∑∏∫⋃⋂⊎⋀⋁∑∏∫⋃⋂⊎⋀⋁∐∐^^^~~~[]⌊⌋⌈⌉{}√√√√√| ‖↑↓    ⇑⇓"
    ),
    "msam": (
        "⊡⊞⊠□■·♢♦↻↺⇌⇋⊟⊩⊪⊨↠↞⇇⇉⇈⇊↾⇂↿⇃↣↢⇆⇄↰↱⇝↭↫↬≗≿≳⪆⊸∴∵≑≜≾≲⪅⪕⪖⋞⋟≼≦⩽≶‵ ≓≒≽≧⩾≷"
        "⊏⊐▷◁⊵⊴★≬▼▶◀→←△▲▽≖⋚⋛⪋⪌¥⇛⇚✓⊻⊼⩞∠∡∢∝⌣⌢⋐⋑⋓⋒⋏⋎⋋⋌⫅⫆≏≎⋘⋙⌜⌝®Ⓢ⋔∔∽⋍⌞⌟✠∁⊺⊚⊛⊝"
    ),
    "msbm": (
        "≨≩≰≱≮≯⊀⊁≨≩≰≱⪇⪈⋠⋡⋨⋩⋦⋧≰≱⪵⪶⪹⪺⪉⪊≁≇⟋⟍⊊⊋⊈⊉⫋⫌⫋⫌⊊⊋⊈⊉∦∤∤∦⊬⊮⊭⊯⋭⋬⋪⋫↚↛⇍⇏⇎↮⋇∅"
        f"∄{_CAPITALS}     Ⅎ⅁    ℧ð≂ℶℷℸ⋖⋗⋉⋊∣∥∖∼≈≊⪸⪷↶↷ϝϰ𝕜ℏℏ϶"
    ),
}  # fmt: skip
_FAMILIES = {
    "cmsy": "symbols", "cmbsy": "symbols", "mathsymbols": "symbols",
    "cmmi": "italic", "mathitalic": "italic",
    "cmex": "extension", "mathextension": "extension", "msam": "msam", "msbm": "msbm",
}  # fmt: skip
_PI = ("advp", "mathematicalpi", "mathpi", "universalmath", "mtsy", "mtex", "mathtechnical")
"""Fonts of signs that have the codes of letters: only their shape tells them."""
_SUSPECT = frozenset(map(ord, "¼½þðÞÀÁÂÃÆ"))
"""Letters that stand for signs in fonts of some publishers."""


def needs_font(code: int) -> bool:
    """Whether the code alone does not tell the character."""
    hyphen = code == 2  # PDFium's own mark for one at the end of a line
    private = 0xE000 <= code < 0xF900 or code >= 0xF0000
    odd = code < 0x20 or 0x7F <= code < 0xA0 or code in _SUSPECT
    return not hyphen and (odd or private)


def read_sign(code: int, font: str, *, is_mapped: bool) -> str | None:
    """The character of a code that the file does not explain (or not well); None where only its shape can tell."""
    name = font.lower()
    if code in _OWN:
        return _OWN[code]
    if "wingding" in name or "dingbat" in name:
        code -= 0xF000 if 0xF000 <= code < 0xF100 else 0
        return _WINGDINGS.get(chr(code), "•") if code > 0x20 else " "
    if 0xF000 <= code < 0xF100:  # where fonts of symbols put their codes
        return symbol(code - 0xF000) or None
    family = next((signs for part, signs in _FAMILIES.items() if part in name), "")
    if family and code < 0x80 and (not is_mapped or code < 0x20):
        return _TEX[family][code].strip() if code < len(_TEX[family]) else ""
    if is_pi(name) or needs_font(code):
        return None
    return chr(code)


def is_pi(font: str) -> bool:
    return font.lower().startswith(_PI)


def unread(code: int, font: int = 0) -> str:
    """What stands for a code of the document's nth font that neither the font nor its shape explains."""
    if code < 0x20 or 0x7F <= code < CODES:
        return chr(UNKNOWN + min(font, MAX_FONTS - 1) * CODES + code)
    return UNREAD if needs_font(code) and code not in _SUSPECT else chr(code)


def symbol(code: int) -> str:
    """A code of the Symbol font."""
    for first, signs in zip((0x20, 0xA0), _SYMBOL, strict=True):
        if first <= code < first + len(signs):
            return signs[code - first]
    return ""
