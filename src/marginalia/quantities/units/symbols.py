"""Symbols and words of units, from ``symbols.json``, with and without prefixes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from marginalia import lang
from marginalia.core.resources import read_resource

PREFIXES = {
    "T": "tera", "G": "giga", "M": "mega", "k": "kilo", "h": "hecto", "d": "deci", "c": "centi",
    "m": "milli", "μ": "micro", "n": "nano", "p": "pico", "f": "femto", "a": "atto", "P": "peta", "E": "exa",
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
def _rows() -> list[tuple[Symbol, str, str]]:
    return [
        (Symbol(pint, ucum, qudt), prefixes, written)
        for pint, ucum, qudt, prefixes, written in _table()["units"]
    ]


@cache
def symbols() -> dict[str, Known]:
    """Symbols with and without prefixes; one without wins: ``min`` is no milli-inch."""
    found: dict[str, Known] = {}
    for symbol, prefixes, written in _rows():
        for name in written.split():
            for prefix in prefixes:
                found.setdefault(prefix + name, (symbol, prefix))
    for name, (prefixes, longer) in _table()["expand"].items():
        short = Symbol("", "", "", longer)
        found.update((prefix + name, (short, prefix)) for prefix in prefixes)
        found[name] = (short, "")
    for symbol, _, written in _rows():
        found.update((name, (symbol, "")) for name in written.split())
    micro = {f"u{name[1:]}": known for name, known in found.items() if known[1] == "μ"}
    return micro | found


@cache
def ucum_codes() -> dict[str, Known]:
    """UCUM codes with and without prefixes; one without wins, and of two units with one code the first."""
    found: dict[str, Known] = {}
    for symbol, _, _ in _rows():
        if symbol.ucum:
            found.setdefault(symbol.ucum, (symbol, ""))
    for symbol, prefixes, _ in _rows():
        for prefix in prefixes if symbol.ucum else "":
            found.setdefault(("u" if prefix == "μ" else prefix) + symbol.ucum, (symbol, prefix))
    return found


@cache
def spoken_words(language: lang.Language) -> dict[str, Known]:
    """The words for units of a language, with and without prefixes."""
    found: dict[str, Known] = {}
    names = language.table("units", "names")
    spoken_prefixes = {
        word: sign
        for known in (language, lang.language(lang.DEFAULT))
        for word, sign in known.table("units", "prefixes").items()
    }
    for symbol, prefixes, _ in _rows():
        for word in names.get(symbol.pint, "").split():
            found[word] = (symbol, "")
            for spoken, sign in spoken_prefixes.items():
                if sign in prefixes:
                    found.setdefault(spoken + word, (symbol, sign))
    return found


def phrases(language: str) -> dict[str, str]:
    """Names of units in several words, and what they are read as."""
    return _phrases(lang.language(language))


@cache
def _phrases(language: lang.Language) -> dict[str, str]:
    listed = dict(_table()["phrases"])
    for known in (lang.language(lang.DEFAULT), language):
        listed |= known.table("units", "phrases")
    return {squeezed(phrase): text for phrase, text in listed.items()}


def replace_phrases(text: str, language: str) -> str:
    """Those of several words inside a longer unit: ``degrees Celsius per minute``."""
    if " " not in text:
        return text
    inside = _inside(lang.language(language))
    return inside.sub(lambda match: phrases(language)[squeezed(match.group())], text)


@cache
def _inside(language: lang.Language) -> re.Pattern[str]:
    known = _phrases(language)
    long = sorted((phrase for phrase in known if " " in phrase), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, long))})(?!\w)", re.I)
