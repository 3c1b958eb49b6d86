"""Symbols and words of units, from ``symbols.json``, with and without prefixes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from marginalia.core.resources import read_resource

PREFIXES = {
    "T": "tera", "G": "giga", "M": "mega", "k": "kilo", "h": "hecto", "d": "deci", "c": "centi",
    "m": "milli", "μ": "micro", "n": "nano", "p": "pico", "f": "femto", "a": "atto", "P": "peta", "E": "exa",
}  # fmt: skip
_SPOKEN = {name: sign for sign, name in PREFIXES.items()} | {
    "mikro": "μ", "zenti": "c", "dezi": "d", "hekto": "h", "piko": "p",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Symbol:
    """A unit without prefix and the names it has elsewhere."""

    pint: str
    ucum: str
    qudt: str
    stands_for: str = ""
    """Of M, which has no names of its own: ``mol L-1``."""


Known = tuple[Symbol, str]
"""With its prefix."""


def squeezed(text: str) -> str:
    """The form in which phrases are looked up: ``Wt. %`` is ``wt%``."""
    text = text.casefold().replace(".", "").strip()
    return re.sub(r"\s*(?=[%(])|(?<=[%)])\s+|(?<=-)\s", "", text)


@cache
def _table() -> Any:
    return read_resource(__package__, "symbols.json")


@cache
def _rows() -> list[tuple[Symbol, str, str, dict[str, str]]]:
    return [
        (Symbol(pint, ucum, qudt), prefixes, written, {"en": english, "de": german})
        for pint, ucum, qudt, prefixes, written, english, german in _table()["units"]
    ]


@cache
def symbols() -> dict[str, Known]:
    """Symbols with and without prefixes; one without wins: ``min`` is no milli-inch."""
    found: dict[str, Known] = {}
    for symbol, prefixes, written, _ in _rows():
        for name in written.split():
            for prefix in prefixes:
                found.setdefault(prefix + name, (symbol, prefix))
    for name, (prefixes, longer) in _table()["expand"].items():
        short = Symbol("", "", "", longer)
        found.update((prefix + name, (short, prefix)) for prefix in prefixes)
        found[name] = (short, "")
    for symbol, _, written, _ in _rows():
        found.update((name, (symbol, "")) for name in written.split())
    micro = {f"u{name[1:]}": known for name, known in found.items() if known[1] == "μ"}
    return micro | found


@cache
def ucum_codes() -> dict[str, Known]:
    """UCUM codes with and without prefixes; one without wins, and of two units with one code the first."""
    found: dict[str, Known] = {}
    for symbol, _, _, _ in _rows():
        if symbol.ucum:
            found.setdefault(symbol.ucum, (symbol, ""))
    for symbol, prefixes, _, _ in _rows():
        for prefix in prefixes if symbol.ucum else "":
            found.setdefault(("u" if prefix == "μ" else prefix) + symbol.ucum, (symbol, prefix))
    return found


@cache
def spoken_words(language: str) -> dict[str, Known]:
    found: dict[str, Known] = {}
    for symbol, prefixes, _, words in _rows():
        for word in words[language].split():
            found[word] = (symbol, "")
            for spoken, sign in _SPOKEN.items():
                if sign in prefixes:
                    found.setdefault(spoken + word, (symbol, sign))
    return found


@cache
def phrases() -> dict[str, str]:
    return {squeezed(phrase): text for phrase, text in _table()["phrases"].items()}


def replace_phrases(text: str) -> str:
    """Those of several words inside a longer unit: ``degrees Celsius per minute``."""
    if " " not in text:
        return text
    return _inside().sub(lambda match: phrases()[squeezed(match.group())], text)


@cache
def _inside() -> re.Pattern[str]:
    long = sorted((phrase for phrase in phrases() if " " in phrase), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, long))})(?!\w)", re.I)
