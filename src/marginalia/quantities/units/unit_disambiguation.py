"""Symbols with several readings: which one is meant, by the words around, or that it stays open.

A wrong value in a table is worse than none. ``C`` is degrees Celsius beside a temperature and coulomb beside a
charge; where no word speaks for either, the unit is not read and the record says why. Only symbols that stand
alone are in doubt: in a compound such as ``A m-2`` the others settle it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

READING_WINDOW = 80
"""Characters before and behind a quantity whose words may settle what its unit is."""


NEAR = 25
"""Characters around a glued ``M`` in which a solution is named: "1M users" are a million."""


class Reading(NamedTuple):
    """How a unit is to be read."""

    unit: str | None
    """The unit to read in place of what is written; None where it stays open."""
    confidence: float = 1.0
    currency: str | None = None
    reason: str | None = None
    """Why there is no unit, in words for the record."""


class Choice(NamedTuple):
    """One reading and the words that speak for it; no words: the usual reading of a symbol apart from its number."""

    unit: str
    words: re.Pattern[str] | None
    confidence: float = 0.95


def _words(listed: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<![^\W_])(?:{listed})")


_HEAT = _words(
    r"temperatur|temp\b|weather|cold|hot\b|warm|cool|heat|freez|boil|melt|oven|bake|fever|anneal|incubat|room temp|kalt|heiß|"
    r"celsius|fahrenheit|cryogen|therm|outside|outdoors|winter|summer|(?:below|above) zero|draußen"
)
_SMALL = re.compile(r"\D*(?:0?\.\d|[\d.]+(?:e[-−]|\s?[×x·]\s?10\s?\^?[-−⁻]))")
_AT = re.compile(r"\b(?:at|bei|mit)\s(?:\S+\s)?\Z")
_VERB = re.compile(
    r"(?<![\w-])(?!(?:at|to|of|below|above|near|around|about|from|between|and|or|was|is|than|reached|bei|auf|von|bis|und|oder)\s)[a-zäöüß]{3,}\s\Z"
)
"""A word that no temperature follows: who earns or runs 10 K has a thousand."""
_CLAUSE = re.compile(r"[;.!?]\s|\n")
_ANGLE = _words(
    r"angl|rotat|latitud|longitud|tilt|inclin|slope|azimuth|north|south|east|west|phase|bend|bent|turn|orbit|field of view|inciden|"
    r"diffract|dreh|2θ|scatter|dip\b|twist|pitch|yaw|roll\b|arc\b|circle|compass|flexion|knee|Winkel|Breite|Länge|gedreht|Neigung"
)
_OVEN = _words(
    r"\w*ofen\b|vorheiz|backen|gebacken|kochen|Umluft|Oberhitze|Wasser|Temperatur|kalt|heiß|warm|Hitze|Fieber|Sommer|Winter|Frost|Sonne|Herd"
)
"""Beside these German degrees are Celsius."""
_AMERICAN = _words(
    r"(?:lane[- ])?miles?|feet|foot|pounds?|lbs?\b|gallons?|inch|acres?|U\.S\.|US\b|America"
)
"""Beside these a ton is as likely a short one."""
_LASTING = _words(r"minutes?|duration|timeout|hours?|seconds?|interval|Minuten|Dauer")
_DISTANCE = _words(
    r"long|wide|high|deep|tall|length|width|height|depth|distance|altitude|sprint|dash|race|ran|run|swim|metres|meters|lang|hoch|breit|tief|Lauf|lief"
)
_CHARGE = _words(r"charg|coulomb|electric|capacit|Ladung")
_FORCE = _words(
    r"force|load|thrust|tension|tensile|indent|weight|grip|pull|push|newton|Kraft|Last\b"
)
_MAGNET = _words(r"magnet|tesla|MRI|NMR|fMRI|scanner|field|coil|solenoid|Feld")
_SOLUTION = _words(
    r"solution|concentrat|molar|buffer|acid|NaCl|HCl|NaOH|KCl|urea|salt|Tris|PBS|electrolyte|ethanol|glycerol|sucrose|guanid|"
    r"hexanes?|THF|toluene|methanol|MeOH|DMSO|dioxane|BuLi|imidazole|EDTA|dissolv|titrat|Lösung|KOH|H2SO4|HNO3|LiPF|Mg|Ca|K\b|Na\b|LiCl|MgCl2|CaCl2"
)
_CURRENT = _words(
    r"current|amp|\d\s?V\b|AC\b|DC\b|draws?\b|charger|power supply|electric|battery|fuse|circuit|voltage|charg|Strom|superconduct|arc\b|welding"
)
_ENZYME = _words(
    r"enzym|units?\b|activit|insulin|heparin|penicillin|polymerase|ligase|nuclease|thrombin|trypsin|lipase|catalase|botulinum|dose|ml\b|IU\b"
)
_DATA = _words(
    r"packets?|data|information|memory|server|bytes?|bits?\b|file|download|upload|disk|storage|bandwidth|network|cache|RAM\b|Datei|Speicher"
)
_GENOME = _words(
    r"genom|sequenc|DNA|RNA|chromosom|gene|reads?\b|assembl|contig|locus|plasmid|insert|bp\b|deletion|transcript"
)
_NUCLEAR = _words(r"cross[- ]sections?|nuclear|neutron|proton|physics|scatter|barn|collision")
_PRESSURE = _words(r"pressur|atmospher|vacuum|hPa|Druck|barometr|cyclone")
_SPIN = _words(r"centrifug|spun|rpm|zentrifug|rcf")
_SALT = _words(r"salin|seawater|sea water|brine|estuar|brackish|Salzgehalt")
_TRACE = _words(r"trillion|trace|atmospher|mixing ratio|dioxin|mercury|CFC|halocarbon|isotop")
_MONEY = _words(
    r"price|cost|paid|pay\b|pays|profit|sales|revenue|worth|budget|fund|invest|bank|market|shares?\b|debt|loan|earn|salar|wage|tax|"
    r"fine[ds]?\b|spen[dt]|million|billion|income|turnover|expens|financ|bond|deficit|£|sterling|buy|sold|sell|compensation|fee\b|bid\b|deal\b"
)
_WEIGHT = _words(
    r"weigh|weight|mass|heav|lifted|load|lbs?\b|ounces?|oz\b|flour|meat|butter|sugar|body|gain|lost|kg|grams?\b|per (?:square|acre)"
)
_OIL = _words(
    r"oil|crude|petroleum|fuel|gasoline|OPEC|refin|pipeline|Öl|Rohöl|barrels? (?:a|per) day|drill|well"
)
_CARRIED = re.compile(
    r"\s(?!notes?\b|coins?\b|fine|bill|a\b|for\b|in\b|on\b|to\b|and\b|or\b|of\b|per\b|was\b|is\b|has\b)[a-z]{3,}"
)
_THINGS = re.compile(r"\s[a-z]{3,}(?<!ou)(?<!i)s\b")
"""Behind a glued M: "0.4M nodes" are no solution."""
_COUNTED = _words(
    r"people|users|customers|views|downloads|parameters|residents|inhabitants|visitors|copies|followers|voters|jobs|tons|copies|Menschen|words?\b|samples|rows|tokens"
)

_SKY = _words(
    r"arc|angular|seeing|telescop|star|galax|nebula|planet|field of view|pixel scale|parallax|declin|latitud|longitud|aperture|Stern|Winkel"
)
_INCHES = _words(
    r"long|wide|high|tall|deep|thick|diameter|length|width|height|depth|screen|display|pipe|board|plank|wheel|drive|print|paper|feet|foot|ft\b|gap|hole|bolt|monitor|Zoll"
)
_FOOD = (
    r"Hack|Butter|Mehl|Fleisch|Kaffee|Zucker|Kartoffel|Tomate|Äpfel|Spargel|Erdbeer|Kirsche|Brot|Käse|Wurst|Zwiebel|Quark|Nudel|Reis\b|Fisch|"
    r"Möhren|Karotte|Pilze|Rezept|Zutat|Teig|Markt\b|Obst|Gemüse"
)
"""A German pound of these is half a kilogram."""

_ALONE = {
    "C": ("degrees Celsius or coulomb", (Choice("°C", _HEAT), Choice("C", _CHARGE))),
    "F": ("degrees Fahrenheit or farad", (Choice("F", _words("capacit|farad")), Choice("°F", _HEAT, 0.9))),
    "c": ("degrees Celsius or cents", (Choice("°C", _HEAT),)),
    "K": ("kelvin or thousand", (Choice("K", _HEAT), Choice("K", None, 0.9))),
    "M": ("molar, mega or million", (Choice("M", _SOLUTION), Choice("M", _words("mM|µM|μM|nM")))),
    "T": ("tesla or tonnes", (Choice("T", _MAGNET), Choice("t", _words("tonne|biomass|harvest|emission|cargo|freight")))),
    "N": ("newton, normal or nitrogen", (Choice("N", _FORCE),)),
    "U": ("enzyme units or atomic mass units", (Choice("U", _ENZYME),)),
    "A": ("ampere or ångström", (Choice("A", _CURRENT), Choice("Å", _words("resolution|lattice|bond|crystal|distance|spacing|interatomic|RMSD")))),
    "G": ("gauss or times gravity", (Choice("G", _MAGNET),)),
    "P": ("poise or phosphorus", (Choice("P", _words("viscos|Viskosität")),)),
    "B": ("bytes or bel", (Choice("B", _DATA),)),
    "b": ("bits or barn", (Choice("bit", _DATA), Choice("barn", _NUCLEAR))),
    "S": ("siemens or Svedberg", (Choice("S", _words("conduct|electr|siemens")),)),
    "H": ("henry or hours", (Choice("H", _words("induct|coil|henr")),)),
    "D": ("debye, darcy or dioptre", (Choice("D", _words("dipol|debye")), Choice("darcy", _words("permeab")))),
    "u": ("dalton or enzyme units", (Choice("u", _words("mass|isotop|m/z|nucle|atom|spectr")), Choice("U", _ENZYME))),
    "Mm": ("megametres or a misspelt mM", (Choice("Mm", _words("solar|sun|loop|corona|orbit|planet|distance|photospher")),)),
    "mb": ("millibar, megabit or megabyte", (Choice("mbar", _PRESSURE),)),
    "ppt": ("parts per trillion or per thousand", (Choice("‰", _SALT), Choice("ppt", _TRACE))),
    "g": ("", (Choice("× g", _SPIN), Choice("g", None, 0.99))),
    "°": ("degrees of an angle, Celsius or Fahrenheit", ()),
    "degrees": ("degrees of an angle, Celsius or Fahrenheit", ()),
    "barrels": ("a barrel of oil or of something else", (Choice("bbl", _OIL),)),
    "m": ("metres or millions", ()),
    "tons": ("short, long or metric", ()),
    "turns": ("turns of an angle or of something else", (Choice("turns", _words("rotat|revolv|crank|shaft")),)),
    "″": ("inches or seconds of arc", (Choice("arcsec", _SKY), Choice("inch", _INCHES))),
    "Pfund": ("500 g, 453.6 g or money", (Choice("Pfund", _words(_FOOD)),)),
}  # fmt: skip
_SAME = {
    "turn": "turns",
    "ton": "tons",
    "degree": "degrees",
    "deg": "degrees",
    "Grad": "degrees",
    "barrel": "barrels",
}
_BASES = {"kb": "kilo", "Mb": "mega", "Gb": "giga", "Tb": "tera"}
_POUNDS = frozenset(("pound", "pounds"))


_COMPOUND = {
    "ms-1": ("metres per second or per millisecond", (Choice("m s-1", _words("speed|velocit|wind|flow|current|geschwindigkeit|fast")), Choice("ms-1", _words("rate|decay|frequen")))),
    "U/min": ("turns or enzyme units per minute", (Choice("rpm", _words("dreh|umdreh|nenndreh|motor|rotor|pump|centrifug|spun|spin|speed|zentrifug")), Choice("U/min", _words("vasopress|oxytocin|insulin|heparin|infus|dose|enzym")))),
}  # fmt: skip
"""Compounds that are written alike."""
_SPELLED = {
    "Tbsp": "tbsp",
    "tbs": "tbsp",
    "Mhz": "MHz",
    "Ghz": "GHz",
    "Khz": "kHz",
    "KHz": "kHz",
    "khz": "kHz",
}
_HOURS = frozenset(("h", "hr", "hrs", "hour", "hours"))
_SKY_HOURS = re.compile(
    r"(?:\bRA|\b[Rr]ight [Aa]scension|\b[Hh]our angle|\bRektaszension|\bLST)\W{0,4}(?:(?:of|is|was|von|ist)\s)?(?:\d{1,2}\s?h\s?)?\Z"
)
"""Before an hour that is a twenty-fourth of a circle."""
_HOUR_ANGLE = re.compile(r"(?i:\bhour angle|\bright ascension|\bstundenwinkel|\brektaszension)")
_MINUTES = re.compile(r"\dm\s?\d+(?:\.\d+)?s\Z")
_AFTER_HOURS = re.compile(r"\dh\s?\Z")
_FEET_MARKS = frozenset("'’′")
"""Of 6'2\"; elsewhere they are no unit."""
_TORQUE = re.compile(r"(?:lbf?|ft|foot|in|inch)[-·. ](?:lbs?f?|ft|in|pounds?)")
_SLASH_AND_DOT = re.compile(r"/[^/()]+[·∙⋅*×]")
_AREA = _words(r"AUC|area under|Fläche unter|exposure|dose")
"""Of these ``µg/ml·min`` are micrograms times minutes, of other things it is per minute."""


def settle(unit: str, *, quote: str, before: str, after: str) -> Reading:
    """What a unit means between these words; ``unit`` itself where it has one reading only.

    The words of its own clause come first, then those of the whole window.
    """
    if _SLASH_AND_DOT.search(unit) and _AREA.search(before[-READING_WINDOW:]):
        return Reading(None, 0.0, reason=f"{unit} may be times or per what comes last")
    if (doubtful := _COMPOUND.get(unit.replace("⁻¹", "-1").replace("−1", "-1"))) is not None:
        doubt, choices = doubtful
        around = f"{before[-READING_WINDOW:]} {after[:READING_WINDOW]}"
        for choice in choices:
            if choice.words is not None and choice.words.search(around):
                return Reading(choice.unit, choice.confidence)
        return Reading(None, 0.0, reason=f"{unit} may be {doubt}")
    if _TORQUE.fullmatch(unit):
        return Reading(None, 1.0, reason=f"{unit} has pounds of force, which are not converted")
    if unit.lower().startswith(("mbit", "mbyte")):  # there are no thousandths of a bit
        return Reading(f"M{unit[1:]}", 0.9)
    if unit in _SPELLED:
        return Reading(_SPELLED[unit])
    if unit in _HOURS and (
        _SKY_HOURS.search(before) or _HOUR_ANGLE.search(before) or _HOUR_ANGLE.search(after)
    ):
        return Reading(None, 0.0, reason=f"{unit} may be of an angle on the sky")
    if unit == "m" and _MINUTES.search(quote):
        on_sky = _SKY_HOURS.search(before) or _AFTER_HOURS.search(before)
        reason = "m may be minutes of an angle on the sky"
        return Reading(None, 0.0, reason=reason) if on_sky else Reading("min", 0.9)
    if unit in _FEET_MARKS:
        return Reading("ft", 0.9)
    if unit.startswith("dB("):
        return Reading(None, 1.0, reason=f"{unit} is a weighted level, which has no SI unit")
    if unit.startswith("ct/"):
        return Reading(None, 0.0, reason=f"{unit} may be cents or carats")
    known = _SAME.get(unit, unit)
    if known not in _ALONE and known not in _POUNDS and known not in _BASES:
        return Reading(unit)
    before, after = before[-READING_WINDOW:], after[:READING_WINDOW]
    near = _CLAUSE.split(before)[-1], _CLAUSE.split(after)[0]
    reading = _settle(known, unit, quote, *near)
    if reading.unit is not reading.currency or (known == "K" and _is_glued(quote, unit)):
        return reading
    return _settle(known, unit, quote, before, after)


def _is_glued(quote: str, unit: str) -> bool:
    """Whether no blank parts number and unit."""
    return quote.removesuffix(unit)[-1:].isdigit()


def _settle(known: str, unit: str, quote: str, before: str, after: str) -> Reading:
    around = f"{before} {quote} {after}"
    if known in _POUNDS:
        return _pounds(unit, around, after)
    if known in _BASES:
        return _bases(unit, around)
    doubt, choices = _ALONE[known]
    open_ = Reading(None, 0.0, reason=f"{unit} may be {doubt}")
    if known == "°":
        if _ANGLE.search(around) or not (_HEAT.search(around) or _OVEN.search(around)):
            return Reading(unit, 0.95)
        return Reading("°C", 0.9) if _OVEN.search(around) else open_
    if unit == "Grad" and _OVEN.search(around) and not _ANGLE.search(around):
        return Reading("°C", 0.9)
    if known == "degrees":
        return Reading(unit, 0.9) if _ANGLE.search(around) and not _HEAT.search(around) else open_
    glued = _is_glued(quote, unit)
    if known in ("m", "M") and glued and _COUNTED.match(after.lstrip()):
        return open_
    if known == "M" and glued and _THINGS.match(after):
        return open_
    if known == "M" and glued and not _SOLUTION.search(f"{before[-NEAR:]} {after[:NEAR]}"):
        return Reading(unit, 0.95) if _SMALL.match(quote) else open_
    if known == "tons":
        return open_ if _AMERICAN.search(around) else Reading(unit, 0.9)
    if known == "m" and glued and _LASTING.search(around) and not _DISTANCE.search(around):
        return Reading(None, 0.0, reason="m may be metres or minutes")
    if known == "m":
        return Reading(unit, 0.97)
    if known == "g" and not _AT.search(before):  # a weight, even beside a centrifuge
        return Reading(unit, 0.97)
    if known == "M" and _SMALL.match(quote):  # nobody counts millionths of millions
        return Reading(unit, 0.95)
    for choice in choices:
        # A symbol of its own is the usual reading; glued to its number, K is often a thousand.
        spoken = (
            known != "K" or (not glued and not _VERB.search(before))
            if choice.words is None
            else choice.words.search(around)
        )
        if spoken:
            return Reading(choice.unit, choice.confidence)
    return open_


def _pounds(unit: str, around: str, after: str) -> Reading:
    if unit == "pound" and _CARRIED.match(after):  # "a twenty-pound bag", whatever it costs
        return Reading("lb", 0.9)
    money, weight = _MONEY.search(around), _WEIGHT.search(around)
    if money and not weight:
        return Reading(None, 0.9, currency="GBP")
    if money:
        return Reading(None, 0.0, reason=f"{unit} may be a weight or money")
    return Reading("lb", 0.9 if weight else 0.8)


def _bases(unit: str, around: str) -> Reading:
    """``Mb``: megabits, or a million bases of DNA, which are counted and have no SI unit."""
    genome, data = _GENOME.search(around), _DATA.search(around)
    if genome and not data:
        return Reading(None, 0.9, reason=f"{unit} are {_BASES[unit]}bases, which are counted")
    if data and not genome:
        return Reading(f"{unit[0]}bit", 0.8)
    return Reading(None, 0.0, reason=f"{unit} may be {_BASES[unit]}bits or {_BASES[unit]}bases")
