"""Words and signs that quantities are made of, as pieces of regular expressions.

Symbols and signs are the same everywhere and stand here; words and the signs of numbers are those of the language
(``lang/*/numbers.toml``, ``lang/*/units.toml``) and of the languages whose words its texts have among their own. In lists of
words an underscore stands for a blank.
"""

from __future__ import annotations

import re
from functools import cache, cached_property

from marginalia import lang
from marginalia.quantities import currencies
from marginalia.quantities.numerals import decimal_sign

BLANK = r"[ \u00a0\u2002-\u200a\u202f]"
"""A blank inside a quantity: thin and unbreakable ones too, but no tab, which parts the cells of a table."""
MINUS = r"[-\u2010-\u2013\u2212\u207b]"
DASH = r"[-\u2010-\u2015\u2212]"
_IN_PATTERN = "␣"
"""A blank in a pattern of a language."""
_LIST = re.compile(r"<(\w+)>")


def any_of(listed: str) -> str:
    """The words as alternatives, the longest first; one that matches nothing if there are none."""
    order = sorted(set(listed.split()), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace("_", BLANK) for word in order) or "(?!)"


# Numbers.
_THIN = r"[\u00a0\u2002-\u200a\u202f]"
# Blanks part thousands too; but "100 200" are two numbers of a table, "20 000" and "100 000" are one.
_GROUPED = (
    rf"\d{{1,3}}(?:{_THIN}\d{{3}})+(?!\d)|[1-9]\d?(?:[ ]\d{{3}})+(?!\d)|[1-9]\d\d(?:[ ]000)+(?!\d)"
)
_VULGAR = "[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]"
_BEHIND = rf"(?:\(\d{{1,2}}\))?|{BLANK}?{_VULGAR})?"
_NUMERAL = {
    ".": rf"(?:(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|{_GROUPED}|\d+)(?:\.\d+{_BEHIND}|\.\d+|{_VULGAR})",
    ",": rf"(?:(?:\d{{1,3}}(?:\.\d{{3}})+(?!\d)|{_GROUPED}|\d+)(?:[,.]\d+{_BEHIND}|{_VULGAR})",
}
"""By the decimal sign."""
POWER = (
    rf"(?:{BLANK}?\(?[×x·⋅∙*]{BLANK}?10(?:\^?{MINUS}?{BLANK}?\d{{1,3}}|(?:[⁻⁺]|{MINUS})?[⁰¹²³⁴-⁹]+)?\)?"
    r"|[eE][-+−]?\d{1,3}(?!\w)|\^[-−]?\d{1,3}|[⁻⁺]?[⁰¹²³⁴-⁹]+)"
)
"""× 10 to a power; in a text that lost its superscripts the power is glued to the 10: ``3.7 × 106``."""
_SIGN = rf"(?:[<>]{BLANK}?=|[~∼≈≃≅<>≤≥⩽⩾≲≳≪≫±+]|{MINUS})"
SIGNS = rf"(?:{_SIGN}{BLANK}?){{0,3}}"

# Units.
_PREFIX = "[fpnuµμmcdhkMG]"
_PREFIXED = any_of(
    "m g s A K mol Hz N Pa J W V Ω Ohm T l L M eV bar Bar cal Da Gy Sv Bq Ci lm lx cd bp bps bit Bit Byte Wb U IU "
    "emu erg pc yr Oe rad deg t Torr Osm Jy kat VAr"
)
_PLAIN = any_of(
    "wt% wt.% wt_% wt._% vol% vol.% vol_% vol._% at% at.% at._% mol% mol.% mol_% mol._% mass% ppm ppb ppt "
    "ppmv ppbv ° °C °_C °F °_F °N °S °E °W º ºC oC oN oS ˚C ◦C ℃ degC arcsec arcmin mas Å Ǻ Å AU au ly "
    "Ma Ga ka Ka kyr Myr Gyr kyrs byr yr yrs y min mins h hr hrs d wk wks sec secs msec ha ft yd mi mph "
    "kph knots kn kt lb lbs oz gal psi atm torr mmHg mm_Hg rpm ×_g ×g xg x_g CFU cfu PFU dB dBm kcal hp "
    "Mt Gt Tg Pg TW TJ THz TeV TB kB KB MB GB DU RU kb kbp Mb Mbp nt aa px fps Mbps kbps Gbps mbsl masl mbgl "
    "Nm kNm dB(A) mbsf R⊕ M⊕ R☉ M☉ R⊙ M⊙ L⊙ kR H mH μH µH nH v/v w/w w/v UT UTC € $ £ ¥ USD EUR kWh MWh GWh "
    "TWh Wh Ah mAh VA Js sq_mi sq_ft sq_km sq_m sq._ft sq._mi cu_ft cu._ft Km Kg KG KM Gb Tb EB PB KiB MiB GiB TiB BTU Btu mcg cc fl_oz "
    "Vs pF nF μF µF mF pC nC μC µC mC mS μS µS nS mG kG Mhz Ghz Khz KHz khz J_s Pa_s mPa_s N_m kN_m V_s kW_h lb-ft ft-lb ft-lbs lb-in "
    "in-lb lbf_ft ft_lbf dpi cP cSt a.u. dex bpm"
)
SYMBOL = rf"(?:{_PLAIN}|{_PREFIX}?(?:{_PREFIXED}))"
_SCALES = r"[Cc]elsius|[Cc]elcius|[Ff]ahrenheit|[Cc]entigrade|[Kk]elvin"
_BYTES = r"(?:[kK]ilo|[mM]ega|[gG]iga|[tT]era|[pP]eta|[eE]xa|[kK]ibi|[mM]ebi|[gG]ibi|[tT]ebi)(?:bytes?|Bytes?|bits?|Bits?)(?:[ ]per[ ]second)?"
_SPOKEN_PREFIXES = frozenset("kcmμnpMGdh")
"""Prefixes that words of units have."""
_RADIUS = r"R(?:[A-Z][a-z]?|[a-z])"
"""Of a planet or star: ``8.7Rs``, ``3Rp``."""
_END = r"(?![^\W_])"
"""Neither letter nor digit follows, so the unit is whole."""
_LOWERED = rf"(?:\^?{MINUS}{BLANK}?[1-9](?!\d)|⁻[¹²³⁴-⁹]+)"
_RAISED = rf"(?:\^?{MINUS}{BLANK}?[1-9](?![\d.,]*\d)|\^\(?{MINUS}?\d\)?|[⁻⁺]?[¹²³⁴-⁹]+|[2346](?![\d.,]*\d))"
# "mWm−2", "kgs-1": symbols in a row are one unit if a power ends them.
_GLUED = rf"(?:{_PREFIX}?(?:{_PREFIXED})[234²³]?[CNP]?){{2,3}}{_LOWERED}"
_SPACED = rf"(?:{BLANK}[−⁻-][1-4](?!\d|[.,]\d|{BLANK}?[°%]))"
"""An exponent that a PDF has moved away from its symbol; only inside a compound, where it cannot be a number."""
_SUBSTANCE = "CO[2₂](?:-?eq?\\.?)?|N2O|CH4|NO3|NH4|P2O5|K2O|DW|DM|FW|Chl|N|P|C|K|S"
_PER_TIME = r"/(?:[mnµμ]?s|min|h|d|day|Min\.|[mµμ]?[lL]|kg)(?![^\W_])"
"""Directly behind a number: a pulse of ``110/min``."""


class Lexicon:
    """The pieces for texts of one language."""

    def __init__(self, language: lang.Language) -> None:
        self.language = language
        self.decimal = decimal_sign(language.code)

    def listed(self, subject: str, name: str) -> str:
        """The words of a list, with those of the languages that are borrowed from; keys of a table."""
        found = []
        for known in self.language.with_borrowed("numbers"):
            words = known.data(subject).get(name, "")
            found.append(
                words if isinstance(words, str) else " ".join(w.replace(" ", "_") for w in words)
            )
        return " ".join(found)

    def words(self, subject: str, name: str) -> frozenset[str]:
        return frozenset(self.listed(subject, name).split())

    def any_of(self, subject: str, name: str) -> str:
        return any_of(self.listed(subject, name))

    def pattern(self, subject: str, name: str, *, table: str = "", borrowed: bool = True) -> str:
        """The alternatives of a pattern; ``<name>`` in them stands for the words of that list."""
        parts: list[str] = []
        for known in self.language.with_borrowed("numbers") if borrowed else [self.language]:
            data = known.table(subject, table) if table else known.data(subject)
            written = data.get(name, ())
            parts += [written] if isinstance(written, str) else written
        text = "|".join(part for part in parts if part) or "(?!)"
        text = _LIST.sub(lambda match: f"(?:{self._list(match[1])})", text)
        text = text.replace(f"[-{_IN_PATTERN}]", f"[-{BLANK[1:-1]}]")
        text = re.sub(rf"\[([,.]){_IN_PATTERN}\]", lambda match: f"[{match[1]}{BLANK[1:-1]}]", text)
        return text.replace(_IN_PATTERN, BLANK)

    def _list(self, name: str) -> str:
        if name in ("small", "tens"):
            return any_of(self._spoken("ones" if name == "small" else "tens"))
        if name == "scales":
            return self.scales
        subject = "units" if self.listed("units", name).strip() else "numbers"
        return self.any_of(subject, name)

    def _spoken(self, name: str) -> str:
        """The numbers below a hundred of the languages that part them by blanks."""
        return " ".join(
            str(known.data("numbers").get(name, "")).replace(",", " ")
            for known in self.language.with_borrowed("numbers")
            if not known.data("numbers").get("joined")
        )

    @cached_property
    def numeral(self) -> str:
        return _NUMERAL[self.decimal]

    @cached_property
    def scales(self) -> str:
        """``million``, ``dozen``."""
        dozens = (
            word
            for known in self.language.with_borrowed("numbers")
            for word, value in known.table("numbers", "dozens").items()
            if value == 12
        )
        return any_of(f"{self.listed('numbers', 'scales')} {' '.join(dozens)}")

    @cached_property
    def number_words(self) -> str:
        """Cardinals and fractions in words; ``number_words`` says what they are, or that they are none."""
        found = [self.pattern("numbers", "number_phrases")]
        small, tens, scales = self._list("small"), self._list("tens"), self.scales
        hundred, and_ = "(?!)", "&"
        for known in self.language.with_borrowed("numbers"):
            if known.data("numbers").get("joined"):
                part, word, behind = (
                    any_of(str(known.data("numbers").get(name, "")))
                    for name in ("joined_parts", "counted", "parts_behind")
                )
                found.append(rf"(?:{part}){{2,9}}(?:{BLANK}(?:{scales}))?")
                found.append(rf"(?:{word})(?:{BLANK}(?:{scales}|{behind}))?")
            else:
                table = known.table("numbers", "scales")
                hundred = any_of(" ".join(word for word, power in table.items() if power == 2))
                and_ = f"{known.data('numbers').get('and', '&')}|&"
        spoken = rf"(?:(?:{tens})(?:[-\u2010 ](?:{small})(?!-))?|{small}|{hundred})"
        found.append(
            rf"{spoken}(?:{BLANK}(?:{scales})(?:,{BLANK}{spoken}(?={BLANK}(?:{scales}))|{BLANK}(?:(?:{and_}){BLANK})?{spoken}(?![^\W_]))?)*"
            rf"(?:(?:{self.pattern('numbers', 'added_phrases')})(?:{BLANK}(?:{scales}))?)?"
        )
        return rf"(?:{'|'.join(found)})"

    @cached_property
    def vague(self) -> str:
        return self.pattern("numbers", "vague_phrases")

    @cached_property
    def article(self) -> str:
        """``a gallon`` and ``ein Pfund`` are one; ``a day`` and ``a year`` nearly never count anything."""
        return f"(?:{self.pattern('units', 'article')})"

    @cached_property
    def approximate(self) -> str:
        # "c. 5 Ma", but not "21 °C. Two rooms"
        return self.any_of("numbers", "approximate") + r"|(?-i:(?<![°\w])c\.)"

    @cached_property
    def bound(self) -> str:
        return self.any_of("numbers", "bound")

    @cached_property
    def spread(self) -> str:
        """What opens a range; alone it does not belong to the quantity."""
        return self.any_of("numbers", "spread")

    @cached_property
    def or_more(self) -> str:
        return self.pattern("numbers", "or_more")

    @cached_property
    def stop(self) -> frozenset[str]:
        """Words that are neither the head of a noun phrase nor part of one."""
        return self.words("numbers", "stop")

    @cached_property
    def no_symbols(self) -> frozenset[str]:
        """Symbols of units that are words of the language itself."""
        return self.language.words("units", "no_symbols")

    @cached_property
    def _prefixes(self) -> str:
        found = {
            word
            for known in self.language.with_borrowed("units")
            for word, sign in known.table("units", "prefixes").items()
            if sign in _SPOKEN_PREFIXES
        }
        return "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in sorted(found))

    @cached_property
    def unit(self) -> re.Pattern[str]:
        """What can follow a number as its unit: ``km``, ``mg kg−1 day−1``, ``% per year``, ``cells/ml``.

        It takes a quarter of a second to compile.
        """
        named = self.any_of("units", "named")
        symbol = rf"(?:{self.any_of('units', 'symbols')}|{SYMBOL})"
        metric = rf"(?:{self._prefixes})?(?:{self.pattern('units', 'metric')})"
        degrees, per = self.pattern("units", "degrees"), self.any_of("units", "per")
        temperature = (
            rf"(?:(?:{degrees}){BLANK})?(?:{_SCALES})|(?:{degrees}){BLANK}[CFKcf](?![^\W_])"
        )
        # Behind a word, so that "0.4 day⁻¹" is per day.
        inverse = rf"(?:⁻?[¹²³]|\^\(?{MINUS}?[1-3]\)?|[−-]1(?![\d.,]*\d|{BLANK}?(?:{named})))"
        powered = (
            rf"(?:{self.pattern('units', 'before_powered')})(?:{metric}|{named}|{symbol}){_END}"
            rf"|(?:{metric}|{named}|{symbol}){BLANK}(?:{self.pattern('units', 'behind_powered')}){_END}"
        )
        one = (
            rf"(?:[%‰]|[fpn]b{_LOWERED}|(?:{self.pattern('units', 'inverse')}){_END}|×(?!\w|{BLANK}?(?:\d|g(?!\w)))"
            rf"|{powered}|{currencies.after()}|(?:{temperature}|{_BYTES}|{metric}|{named}){inverse}?{_END}|(?:{symbol}|{_RADIUS}){_RAISED}?{_END})"
        )
        further = (
            rf"[/∕][cd]?m{BLANK}[23](?!\w|[.,]\d)|/a(?![^\W_])|{BLANK}?[/∕⁄·⋅∙*]{BLANK}?(?:1[.·]73{BLANK}?m(?:2|²|\^2)|100{BLANK}?km|{_GLUED}|{one}{_SPACED}?"
            rf"|\({one}(?:{BLANK}?[·⋅∙*]?{BLANK}?{one})*{BLANK}?\))"
            rf"|{BLANK}(?:(?:{_SUBSTANCE}){BLANK})?(?:{named}|{symbol}){_LOWERED}"
            rf"|{BLANK}(?:{_SUBSTANCE})(?={BLANK}?[/∕]|{BLANK}(?:{per}){BLANK})"
            rf"|{BLANK}?(?:(?:{_SUBSTANCE}){BLANK})?\({one}(?:{BLANK}[A-Z]\w{{1,4}})?\){BLANK}?{_LOWERED}"
            rf"|{BLANK}(?:{per}){BLANK}100{BLANK}?(?:g|m[lL])(?![^\W_])"
            rf"|(?:{self.pattern('units', 'after_unit')})"
            rf"|{BLANK}(?:{self.any_of('units', 'per_distance')}){BLANK}100{BLANK}?km(?![^\W_])"
            rf"|{BLANK}(?:{per}){BLANK}(?:(?:square|cubic){BLANK})?[^\W\d_]+"
        )
        rate = self.pattern("units", "rate")
        return re.compile(
            rf"(?:{_PER_TIME}|(?:{_GLUED}|{one})(?:{further})*(?:{self.pattern('units', 'end_of_unit')})?"
            rf"|(?:(?:{self.pattern('units', 'cases')}){BLANK})?(?:{rate})|(?:{self.pattern('units', 'counted_per')})|[a-zA-Z]{{3,20}}/(?:{one}))"
        )


def lexicon(language: str) -> Lexicon:
    """That of the language of a code."""
    return _lexicon(lang.language(language))


@cache
def _lexicon(language: lang.Language) -> Lexicon:
    return Lexicon(language)


def stop_words() -> frozenset[str]:
    """Words of all languages that are neither the head of a noun phrase nor part of one."""
    return _stop_words(tuple(lang.known_languages()))


@cache
def _stop_words(codes: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(lang.language(code).words("numbers", "stop") for code in codes))
