"""Amounts and times of day in a sentence, brought to one unit, and whether two of them can both be true.

``1.5 hours`` is ``90 minutes``, 3.14 rounded is 3.1, 52 is ``at least 40``, and ``5 to 10 mg`` holds 8 mg.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from marginalia.tasks.similarity.systems.numerals import NUMBER_WORDS, read

MAX_ROUNDING, MAX_HEDGED_ROUNDING, MAX_CONVERSION_ERROR = 0.05, 0.1, 0.02
"""How far a round number may lie from the exact one, one after ``about``, and one in another unit."""
MIN_ROUND_NUMBER = 1_000
"""From here on a number with zeros at its end may be a rounded one."""

# dimension: unit, its factor, next unit ...
_TABLE = {
    "length": "nm 1e-9 µm 1e-6 mm .001 millimetre .001 millimeter .001 cm .01 centimetre .01 centimeter .01 zentimeter .01 "
    "m 1 metre 1 meter 1 metern 1 km 1000 kilometre 1000 kilometer 1000 kilometern 1000 inch .0254 inche .0254 ft .3048 "
    "foot .3048 feet .3048 mile 1609.344 meile 1609.344 meilen 1609.344 yard .9144",
    "mass": "µg 1e-6 mg .001 g 1 gram 1 gramm 1 kg 1000 kilogram 1000 kilogramm 1000 kilo 1000 tonne 1e6 tonnen 1e6 ton 1e6",
    "time": "ms .001 s 1 sec 1 second 1 sekunde 1 sekunden 1 min 60 minute 60 minuten 60 h 3600 hr 3600 hour 3600 "
    "stunde 3600 stunden 3600 day 86400 tag 86400 tage 86400 tagen 86400 week 604800 woche 604800 wochen 604800 "
    "month 2629800 monat 2629800 monate 2629800 monaten 2629800 year 31557600 jahr 31557600 jahre 31557600 jahren 31557600",
    "volume": "µl 1e-6 ml .001 cl .01 l 1 liter 1 litern 1 litre 1 m³ 1000",
    "area": "cm² 1e-4 m² 1 ha 1e4 hectare 1e4 hektar 1e4 km² 1e6",
    "data": "byte 1 kb 1e3 mb 1e6 gb 1e9 tb 1e12 kib 1024 mib 1048576 gib 1073741824",
    "share": "% 1 percent 1 prozent 1",
    "euro": "€ 1 euro 1 eur 1",
    "dollar": "$ 1 dollar 1 usd 1",
    "pound": "£ 1 pound 1",
    "power": "mw 1e6 kw 1000 w 1 watt 1",
    "energy": "kwh 3.6e6 wh 3600 j 1 kj 1000",
    "pressure": "pa 1 kpa 1000 mpa 1e6 bar 1e5",
    "frequency": "hz 1 khz 1e3 mhz 1e6 ghz 1e9",
    "voltage": "mv .001 v 1 volt 1 kv 1000",
    "speed": "km/h .2777778 mph .44704 m/s 1",
    "temperature": "°c 1",
    "fahrenheit": "°f 1",
}
UNITS = {
    unit: (dimension, float(factor))
    for dimension, listed in _TABLE.items()
    for unit, factor in zip(listed.split()[::2], listed.split()[1::2], strict=True)
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "hundert": 1e2, "tausend": 1e3,
           "millionen": 1e6, "milliarden": 1e9, "mio.": 1e6, "mrd.": 1e9}  # fmt: skip


def _one_of(words: object) -> str:
    return "|".join(re.escape(str(word)) for word in sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


_NUMBER = (
    rf"(?<![\w.,/:§#-])(?:[$€£]\s?)?(?:\d+(?:[.,]\d+)*|\b(?:{_one_of(NUMBER_WORDS)})"
    rf"(?:-(?:one|two|three|four|five|six|seven|eight|nine))?(?=\W|hundert|tausend))"
    rf"(?:[ -]?(?:{_one_of(_SCALES)})\b)?"
)
_LONG = [unit for unit in UNITS if len(unit) > 2]
_UNIT = rf"(?:[\s-]?(?:(?:{_one_of(_LONG)})[sn]?|{_one_of(UNITS)})(?![\w²³/]))?"
_PER = r"(?:\s?/\s?|\s(?:per|pro)\s)(?P<per>second|minute|hour|day|week|month|year|Sekunde|Minute|Stunde|Tag|Woche|Monat|Jahr)\b"
_AMOUNT = re.compile(
    rf"""
    (?P<least>\b(?:at\ least|no\ (?:less|fewer)\ than|more\ than|over|above|(?!rather|other)\w+er\ than|mindestens|wenigstens|mehr\ als
      |über|ab)\s)?
    (?P<most>\b(?:at\ most|up\ to|no\ more\ than|not\ more\ than|less\ than|fewer\ than|under|below|höchstens|maximal|bis\ zu|weniger\ als
      |unter)\s)?
    (?P<hedge>\b(?:about|almost|approximately|around|circa|ca\.?|nearly|roughly|some|etwa|fast|gut|knapp|nahezu|rund|ungefähr)\s|[~≈]\s?)?
    (?P<span>(?P<between>\b(?:between|from|zwischen|von)\s)?)
    (?P<low>{_NUMBER})(?P<first>{_UNIT})
    (?:(?P<pm>\s?±\s?(?P<error>\d+(?:[.,]\d+)?))|(?:\s?[–-]\s?|\s(?:to|and|bis|und)\s)(?P<high>{_NUMBER}))?
    (?P<unit>{_UNIT})(?:{_PER})?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_VERSION = re.compile(r"\d\.\d+\.\d{1,2}(?!\d)")
_HALF = re.compile(
    r"\b(?:half(?= of\b)|(?:die )?Hälfte(?= (?:der|des|aller|von)\b))", re.IGNORECASE
)
_CLOCK = re.compile(
    r"(?<![\w.,:])(?P<hour>[01]?\d|2[0-4])(?:(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap]\.?m\b\.?|Uhr\b)|:(?P<only>[0-5]\d))(?![:\d])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """What is said of an amount: from ``low`` to ``high``, in the basic unit of its dimension."""

    start: int
    end: int
    low: float
    high: float
    dimension: str
    """``length``, ``time``, ``clock``; empty for a bare number."""
    unit: str = ""
    step: float = 0.0
    """What one more in the last digit that is written would add."""
    hedged: bool = False
    bound: str = ""
    """``least`` or ``most``, where only a bound is given."""
    at: int = 0
    """Where the first digit stands: ``start`` is that of ``at least`` or ``about``."""

    @property
    def is_point(self) -> bool:
        return self.low == self.high and not self.bound


def amounts(text: str, lang: str, taken: list[tuple[int, int]]) -> Iterator[Amount]:
    """The amounts of a sentence in their order, apart from the spans that are ``taken`` by dates."""
    last = 0
    found = sorted(
        [*_CLOCK.finditer(text), *_AMOUNT.finditer(text), *_HALF.finditer(text)],
        key=lambda match: (match.start(), -match.end()),
    )
    clocks = [match.span() for match in found if match.re is _CLOCK]
    for match in found:
        start, end = match.span()
        if match.re is _AMOUNT:
            if any(low < end and match.start("low") < high for low, high in (*clocks, *taken)):
                continue
            if _part_of_code(text, match.start("low"), end):
                continue
        if start < last or any(low < end and start < high for low, high in taken):
            continue
        last = end
        if match.re is _CLOCK:
            yield _clock(match)
        elif match.re is _HALF:
            yield Amount(start, end, 50.0, 50.0, "share", "%", 1.0, False, "", start)
        else:
            yield _amount(match, lang)


def _part_of_code(text: str, start: int, end: int) -> bool:
    """``A5-0323``, ``3/2000``, ``v2``, ``1.2.3``, ``3. Size``, ``am 3. Tag``: no amount."""
    before, after = text[max(0, start - 1) : start], text[end : end + 2]
    if re.match(r"\.(?:\s+\S|\d)", text[end : end + 8]) or _VERSION.search(text, start, end):
        return True
    return before in tuple("-/_#§.") or bool(re.match(r"[\w/_#]|[-–:]\w", after))


def _clock(match: re.Match[str]) -> Amount:
    minutes = 60.0 * int(match["hour"]) + int(match["minute"] or match["only"] or 0)
    if (match["half"] or "").lower().startswith("p") and minutes < 720:
        minutes += 720
    return Amount(*match.span(), minutes, minutes, "clock", "", 1.0, at=match.start())


def _amount(match: re.Match[str], lang: str) -> Amount:
    first, unit = (_unit(match[name]) for name in ("first", "unit"))
    sign = next((sign for sign in "$€£" if match["low"].startswith(sign)), "")
    low, step = _value(match["low"], lang)
    high = low if not match["high"] else _value(match["high"], lang)[0]
    dimension, factor = UNITS.get(unit or first or sign, ("", 1.0))
    own = UNITS[first][1] if first and unit and UNITS[first][0] == dimension else factor
    low, high, step = low * own, high * factor, step * factor
    if match["error"]:
        error = read(match["error"], lang) * factor
        low, high = low - error, high + error
    if match["per"] and dimension:
        per = UNITS[match["per"].lower()][1]
        dimension, low, high, step = f"{dimension}/time", low / per, high / per, step / per
    bound = "least" if match["least"] else "most" if match["most"] else ""
    return Amount(
        *match.span(),
        min(low, high),
        max(low, high),
        dimension,
        unit or first or sign,
        step,
        bool(match["hedge"]),
        bound,
        match.start("low"),
    )


def _unit(written: str | None) -> str:
    unit = (written or "").strip().strip("-").lower()
    if unit in UNITS or not unit:
        return unit
    return unit[:-1] if unit[:-1] in UNITS else ""


def _value(written: str, lang: str) -> tuple[float, float]:
    """The number, and the weight of its last digit."""
    text = written.strip("$€£ ").lower()
    scale = next((name for name in _SCALES if text.endswith(name)), "")
    factor = _SCALES.get(scale, 1.0)
    digits = text.removesuffix(scale).strip(" -")
    if not digits[:1].isdigit():
        ten, _, one = digits.partition("-")
        return (
            NUMBER_WORDS.get(ten, 0.0) + NUMBER_WORDS.get(one, float(one == "one"))
        ) * factor, factor
    value = read(digits, lang)
    shown = repr(value).rstrip("0").rstrip(".") if value == int(value) else digits
    decimals = re.search(r"[.,](\d+)\Z", digits) if value != int(value) or "." in shown else None
    return value * factor, factor * (10.0 ** -len(decimals[1]) if decimals else 1.0)


def agree(a: Amount, b: Amount, *, is_rule: bool) -> bool | None:
    """Whether both can be true; None where they cannot be compared. ``is_rule``: the sentence sets a limit."""
    if a.dimension != b.dimension:
        return None
    if a.bound and a.bound == b.bound:
        # At least 40 came, and at least 50 came; but a password has one smallest length.
        return not is_rule or _near(a, b)
    if a.bound or b.bound:
        bound, other = (a, b) if a.bound else (b, a)
        return other.high >= bound.low if bound.bound == "least" else other.low <= bound.high
    if a.is_point and b.is_point:
        return _near(a, b)
    return a.low <= b.high and b.low <= a.high


def _near(a: Amount, b: Amount) -> bool:
    """Whether two points are the same number, more or less exactly told."""
    x, y = a.low, b.low
    apart, size = abs(x - y), max(abs(x), abs(y))
    if apart <= 1e-6 * size:
        return True
    if a.dimension == "clock":
        return False
    if a.unit != b.unit:
        return apart <= MAX_CONVERSION_ERROR * size
    if a.step != b.step and apart <= 0.5001 * max(a.step, b.step):
        return True
    if (a.hedged or b.hedged) and apart <= MAX_HEDGED_ROUNDING * size:
        return True
    return (
        size >= MIN_ROUND_NUMBER and apart <= MAX_ROUNDING * size and _is_round(x) != _is_round(y)
    )


def _is_round(value: float) -> bool:
    return value == int(value) and int(value) % 100 == 0
