"""Numbers and units of LaTeX's siunitx package as text: ``\\SI{1e3}{\\kilo\\metre\\per\\second}`` is 1 × 10³ km/s."""

from __future__ import annotations

import re
from typing import Any

from marginalia.reader.parse.content import shifted

ARGUMENTS = {
    "SI": "[{[{",
    "SIrange": "[{{{",
    "ang": "[{",
    "num": "[{",
    "numrange": "[{{",
    "qty": "[{{",
    "qtyrange": "[{{{",
    "si": "[{",
    "unit": "[{",
}
"""The macros and their arguments: ``{`` is one that must be there, ``[`` an optional one."""

_PREFIXES = {
    "femto": "f", "pico": "p", "nano": "n", "micro": "µ", "milli": "m", "centi": "c", "deci": "d", "hecto": "h",
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T",
}  # fmt: skip
_UNITS = {
    "ampere": "A", "angstrom": "Å", "bar": "bar", "becquerel": "Bq", "bit": "bit", "byte": "B", "candela": "cd",
    "celsius": "°C", "coulomb": "C", "dalton": "Da", "day": "d", "decibel": "dB", "degree": "°", "degreeCelsius": "°C",
    "electronvolt": "eV", "farad": "F", "gram": "g", "gray": "Gy", "henry": "H", "hertz": "Hz", "hour": "h",
    "joule": "J", "kelvin": "K", "kilogram": "kg", "liter": "L", "litre": "L", "lumen": "lm", "lux": "lx", "meter": "m",
    "metre": "m", "minute": "min", "mole": "mol", "newton": "N", "ohm": "Ω", "pascal": "Pa", "percent": "%",
    "second": "s", "siemens": "S", "sievert": "Sv", "tesla": "T", "tonne": "t", "um": "µm", "us": "µs", "ug": "µg",
    "volt": "V", "watt": "W", "weber": "Wb",
}  # fmt: skip
_POWERS = {"squared": "²", "cubed": "³"}
_BEFORE = {"square": "²", "cubic": "³"}
_MACRO = re.compile(r"\\([A-Za-z]+|.)|\^\{?([+-]?\d+)\}?|([^\\^{}]+)")
_EXPONENT = re.compile(r"^(.*?)[eEdD]([+-]?\d+)$")


def text_of(name: str, arguments: list[Any]) -> str:
    """The text of one of the macros. Arguments are their LaTeX source, None where an optional one is missing."""
    needed = [
        one or "" for one, kind in zip(arguments, ARGUMENTS[name], strict=False) if kind == "{"
    ]
    if name in ("si", "unit"):
        return unit(needed[0])
    if name == "ang":
        parts = zip(needed[0].split(";"), "°′″", strict=False)
        return "".join(f"{part.strip()}{sign}" for part, sign in parts if part.strip())
    is_range = name.endswith("range")
    count = 2 if is_range else 1
    amount = "–".join(number(one) for one in needed[:count])
    measure = unit(needed[count]) if len(needed) > count else ""
    return f"{amount}{'' if measure in ('°', '′', '″') else ' '}{measure}".strip()


def number(source: str) -> str:
    text = source.replace(r"\pm", "±").replace("+-", "±").replace(r"\times", "×").replace("~", " ")
    text = " ".join(text.strip("{} ").split())
    found = _EXPONENT.match(text)
    if found is None:
        return text
    power = "10" + shifted(found.group(2).removeprefix("+"), "sup")
    return f"{found.group(1).strip()} × {power}" if found.group(1).strip() else power


def unit(source: str) -> str:
    """The symbols of a unit, with a stroke before what is divided by."""
    parts: list[str] = []
    prefix, power, divide = "", "", ""
    for name, exponent, plain in _MACRO.findall(source):
        if exponent:
            parts[-1:] = [(parts[-1] if parts else "") + shifted(exponent, "sup")]
        elif plain:
            text = plain.replace("~", " ").replace(".", " ").strip()
            if text:
                parts.append(divide + text)
                divide = ""
        elif name in _PREFIXES:
            prefix = _PREFIXES[name]
        elif name in _BEFORE:
            power = _BEFORE[name]
        elif name == "per":
            divide = "/"
        elif name in _POWERS:
            parts[-1:] = [(parts[-1] if parts else "") + _POWERS[name]]
        elif name == "tothe":
            continue  # its argument comes as plain text
        elif name.isalpha():
            parts.append(f"{divide}{prefix}{_UNITS.get(name, name)}{power}")
            prefix, power, divide = "", "", ""
    return " ".join(parts).replace(" /", "/")
