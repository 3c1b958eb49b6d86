"""How papers write units: text to factors, such as km s−1 to kilo·metre and second to the power −1.

What a symbol means is decided for science texts (``symbols.json`` has them all): ``M`` is molar, ``h`` hour,
``d`` day, ``a`` year and so ``Ma`` a million of them, ``u`` and ``Da`` dalton, ``U`` enzyme unit, ``G`` gauss,
``C`` coulomb (degrees Celsius have their °), ``H`` henry, ``D`` debye, ``Mg`` megagram, ``Mt`` megatonne,
``ton`` the metric one, ``ppt`` parts per trillion, ``Gy`` gray, ``Sv`` sievert, ``as`` nothing.
Behind a slash everything is below it (``W/m2 K``), unless its own exponent is negative (``mg/kg day−1``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache

from marginalia import lang
from marginalia.quantities.units.symbols import (
    Known,
    Symbol,
    phrases,
    replace_phrases,
    spoken_words,
    squeezed,
    symbols,
)

MAX_UNIT_LENGTH = 60
"""Characters; a longer text is not a unit."""
_TOKEN = re.compile(
    r"(?P<slash>/|÷|\bper\b)|(?P<open>[(\[{])|(?P<close>[)\]}])(?:\s?\^?(?P<all>[-−–]\s?[1-9]))?"
    r"|(?P<symbol>(?<![^\W_])(?:m°[CNSEW]?|[fpnuμmcdkMG]?[′″])(?![^\W\d_])|°\s?[CFNSEW](?![^\W\d_])|[^\W\d_]+[⊙☉⊕]?|[°%‰′″])"
    r"(?:\s?(?:\^|\*\*)?\s?\(?(?P<power>[-−–+]?\s?[1-9])\)?(?!\d))?"
    r"|(?P<gap>[\s·⋅.*×•∙-]+)"
)
_ELEMENT = re.compile(
    r"^((?:[fpnumμcdkMGTP]|Eq)?(?:g|t|mol|eq))[ ·](?:CO2(?:[ -]?eq?\.?)?|(?:N2O|NO3|NH4|CH4|PO4)(?:-[NCP])?|P2O5|K2O|SiO2|CaCO3|O2"
    r"|Chl(?: ?a)?|N|P|C|S|Si|Fe|K(?= ?/? ?ha)|DW|DM|FW|dw|dm|fw|a\.?i\.?|ae)(?=[ ·/(]|$)"
)
"""The substance of a mass or amount: in ``kg N ha-1`` nitrogen is no newton."""
_MATTER = re.compile(
    r"(?<=g)[ ·-](?:DW|DM|FW|dw|dm|fw|dry weight|body weight|bw|BW|soil|tissue|protein|biomass|sediment)(?![^\W\d_])"
)
_SCALED = (
    (re.compile(r"1[.·]73 ?m ?\^?2"), "bsa"),
    (re.compile(r"100 ?km\b"), "hkm"),
    (re.compile(r"(?<=per )100 ?g\b"), "hg"),
    (re.compile(r"(?<=per )100 ?m[lL]\b"), "dL"),
    (re.compile(r"(?<=[WJ]/)(c?m|k?g|mol)K\b"), r"(\1·K)"),
    (re.compile(r"\((k?g|m?[lL]|ha) [A-Z]\w{1,4}\)"), r"(\1)"),
    (re.compile(r"(?<=g)[CNP](?=[mk]?g)"), " "),
    (
        re.compile(r"^(?:(?:new )?[a-zA-Zäö]+ )?(?:per|pro) 100[., ]?000\b(?: [A-Za-z-]+){0,3}$"),
        "perhundredthousand",
    ),
    (
        re.compile(r"^(?:(?:new )?[a-zA-Zäö]+ )?(?:per|pro) 10[., ]?000\b(?: [A-Za-z-]+){0,3}$"),
        "pertenthousand",
    ),
    (
        re.compile(r"^(?:(?:new )?[a-zA-Zäö]+ )?(?:per|pro) 1[., ]?000\b(?: [A-Za-z-]+){0,3}$"),
        "perthousand",
    ),
)
"""Units that have a number in them (mL/min/1.73 m2, kWh/100 km, cases per 100,000), whose symbols are written without a
blank (W/mK), or that name a substance (kg (kg ECM)-1, μgCg-1)."""
_KELVIN = re.compile(r"^K(?=[gmHVWJPN])")
"""``Kg`` and ``KHz`` for kg and kHz."""
MAX_GLUED_LENGTH = 8


@cache
def _per(language: lang.Language) -> re.Pattern[str]:
    """``pro`` and ``je``; inside a unit they are all read as "per"."""
    return re.compile(rf"\b(?:{'|'.join(language.words('units', 'per_in_units')) or '(?!)'})\b")


@cache
def _measured(language: lang.Language) -> re.Pattern[str]:
    """What may stand behind a unit and belongs to what is measured: ``m thick``, ``years old``, ``ka BP``."""
    words = "|".join(
        known.pattern("units", "measured") for known in language.with_borrowed("units")
    )
    return re.compile(rf"[\s-]*(?:\(?\b[vwm]/[vwm]\)?|(?:cal )?B\.?P\.?|{words})$")


@cache
def _powers(language: lang.Language) -> dict[str, int]:
    return {
        word: size
        for known in language.with_borrowed("units")
        for word, size in known.table("units", "powers").items()
    }


@dataclass(frozen=True, slots=True)
class Factor:
    """``(prefix · symbol) ** power``; ``prefix`` is a sign such as k."""

    symbol: Symbol
    prefix: str
    power: int


def read_factors(text: str, language: str = "en") -> tuple[Factor, ...] | None:
    """What the unit is made of, or None if any part of it is not a unit."""
    if not text or len(text) > MAX_UNIT_LENGTH:
        return None
    known = lang.language(language)
    text = _per(known).sub("per", _plain(text))
    for form in dict.fromkeys((text, _measured(known).sub("", text))):
        phrase = phrases(language).get(squeezed(form)) or replace_phrases(form, language)
        if phrase and (factors := _read(phrase, language)):
            return factors
    return None


def _plain(text: str) -> str:
    """One sign for each thing: both micro signs, all the degree signs, superscripts as digits."""
    text = re.sub(r"[º˚∘◦]|(?<![^\W_])o(?=\s?[CNSEW]\b)", "°", text)
    text = text.replace("″", "\ue000").replace("′", "\ue001")  # these two would be taken apart
    text = unicodedata.normalize("NFKC", text).replace("\ue000", "″").replace("\ue001", "′")
    text = " ".join(text.replace("\u2061", "").split())
    if text[:1] in "([" and text[-1:] in ")]":
        text = text[1:-1]
    text = re.sub(r"[∕⁄⧸]", "/", text.strip(" ,;:").rstrip("."))
    for pattern, symbol in _SCALED:
        text = pattern.sub(symbol, text)
    text = _MATTER.sub("", _ELEMENT.sub(r"\1", text))
    text = re.sub(r"^inverse (?=\w)", "per ", text)
    text = re.sub(r"^dB ?\(A\)$", "dB", text)
    text = re.sub(r" an? (?=(?:second|minute|hour|day|week|month|year)$)", " per ", text)
    return re.sub(r"^1\s?(?=/)", "", text)


def _read(text: str, language: str) -> tuple[Factor, ...] | None:
    if known := symbols().get(text):
        return tuple(_expand(*known, 1))
    reader = Reader(language, glue=bool(re.search(r"[\d/]", text)))
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or not reader.take(match):
            return None
        at = match.end()
    return tuple(reader.factors) if reader.factors and reader.size == 1 else None


@dataclass(slots=True)
class Reader:
    """Takes the tokens of a unit one by one."""

    language: str
    glue: bool
    """Whether symbols may stand together, as in mWm−2: only where a digit or a slash says it is a unit."""
    factors: list[Factor] = field(default_factory=list)
    below: bool = False
    """Behind a slash."""
    size: int = 1
    """2 behind ``square``."""
    opened: int = 0
    """How many factors there were before the bracket."""

    def take(self, token: re.Match[str]) -> bool:
        """Whether it can be part of a unit."""
        if token["slash"]:
            self.below = True
        elif token["open"]:
            self.opened = len(self.factors)
        elif token["close"] and token["all"]:
            power = _integer(token["all"])
            inside = self.factors[self.opened :]
            self.factors[self.opened :] = [replace(f, power=f.power * power) for f in inside]
        elif token["symbol"]:
            return self.take_symbol(token["symbol"].replace(" ", ""), token["power"])
        return True

    def take_symbol(self, word: str, power: str | None) -> bool:
        low, known = word.lower(), lang.language(self.language)
        powers = _powers(known)
        joined = known.data("units").get("joined_powers", False)
        if low.endswith("ed") and low in powers:  # squared, cubed
            if self.factors:
                last = self.factors[-1]
                self.factors[-1] = replace(last, power=last.power * powers[low])
            return bool(self.factors)
        for name, size in powers.items():
            if low == name or (low.startswith(name) and joined):
                self.size, word = size, word[len(name) :]
                break
        if not word:
            return True
        symbols_of = _find(word, self.language, self.glue)
        if symbols_of is None:
            return False
        written = _integer(power or "1")
        sign = -1 if self.below else 1
        for symbol, prefix in symbols_of[:-1]:
            self.factors += _expand(symbol, prefix, sign)
        # in "kgs-1" the exponent belongs to the last symbol only
        whole = written * self.size * (sign if written > 0 else 1)
        self.factors += _expand(*symbols_of[-1], whole)
        self.size = 1
        return True


def _integer(power: str) -> int:
    return int(re.sub(r"\s", "", power).translate({ord("−"): "-", ord("–"): "-"}))


def _expand(symbol: Symbol, prefix: str, power: int) -> Iterator[Factor]:
    """The factor itself, or those it stands for: M is mol/L."""
    if not symbol.stands_for:
        yield Factor(symbol, prefix, power)
        return
    for place, part in enumerate(_read(symbol.stands_for, "en") or ()):
        sign = prefix or part.prefix if place == 0 else part.prefix
        yield Factor(part.symbol, sign, part.power * power)


def _find(word: str, language: str, glue: bool) -> list[Known] | None:
    """The symbols a token is made of, nearly always one."""
    known_symbols = symbols()
    forms = [word, _KELVIN.sub("k", word)]
    if not glue and len(word) > 2:
        forms.append(word.removesuffix("s"))
    for form in forms:
        if known := known_symbols.get(form):
            return [known]
        if known := _word(form, language):
            return [known]
    shouted = word.isupper() and len(word) > 2  # PDF/s are no poise debye farad
    if glue and not shouted and len(word) <= MAX_GLUED_LENGTH:
        for cut in _cuts(word):
            if all(part in known_symbols for part in cut):
                return [known_symbols[part] for part in cut]
    return None


def _cuts(word: str) -> Iterator[tuple[str, ...]]:
    """In two and then in three, the longest first part first: ``mWm`` is mW and m."""
    for i in range(len(word) - 1, 0, -1):
        yield word[:i], word[i:]
    for i in range(len(word) - 2, 0, -1):
        for j in range(len(word) - 1, i, -1):
            yield word[:i], word[i:j], word[j:]


def _word(word: str, language: str) -> Known | None:
    low = word.casefold()
    for spoken in dict.fromkeys((lang.language(language), lang.language(lang.DEFAULT))):
        words = spoken_words(spoken)
        for end in spoken.data("units").get("endings", ("",)):
            stem = low.removesuffix(end) + ("y" if end == "ies" else "")
            if low.endswith(end) and len(stem) > 2 and stem in words:
                return words[stem]
    return None
