"""Names of properties that can be joined across papers: "Mean body temperatures of the calves" is ``body temperature``.

Articles and words for which number it is ("mean", "maximum") go, what has the property goes, the plural becomes the singular, and symbols and
synonyms become one name (``lang/*/tables.toml``).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from marginalia import lang
from marginalia.core.resources import read_resource
from marginalia.quantities.units.kinds import UNIT_ONLY_SCORE

if TYPE_CHECKING:
    from marginalia.annotators.measurements.records import Measurement

_WORD = re.compile(r"[^\W_]+(?:[-'’./][^\W_]+)*\.?|²|%")
_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_PLURAL = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("ses", "se"), ("s", ""))
_SINGULAR = re.compile(r"(?:ss|us|is|as)\Z")
MAX_LENGTH = 80
"""Characters of a property; a longer one is a clause."""


def property_name(property: str | None) -> str | None:
    """The name to join by, in lower case; None where nothing is left."""
    if not property or len(property) > MAX_LENGTH:
        return None
    words = [word.lower() for word in _WORD.findall(_BRACKETS.sub("", property))]
    whole = " ".join(words)
    if whole in _synonyms():
        return _synonyms()[whole]
    behind = lang.words_of_all("units", "behind_property")
    end = next((n for n, word in enumerate(words) if n and word in behind), len(words))
    if words[:1] and words[0] in lang.words_of_all("tables", "counts"):  # "number of eggs"
        end = len(words)
    left_out = lang.words_of_all("tables", "says_which")
    kept = [word for word in words[:end] if word not in left_out] or words[:end]
    if not kept:
        return None
    name = " ".join([*kept[:-1], _singular(kept[-1])])
    return _synonyms().get(name, name)


def implied_property(record: Measurement) -> str | None:
    """What the unit alone says is measured, where the property is not given or names nothing that can be measured: a
    ``temperature`` for "incubated: 37 °C". By what annotators wrote for units of that dimension (``benchmarks/contexts.py implied``).
    """
    says = record.property and not (record.kind and record.kind.score <= UNIT_ONLY_SCORE)
    return None if record.unit is None or says else _implied().get(record.unit.dimension)


@cache
def _implied() -> dict[str, str]:
    found: dict[str, str] = read_resource(__package__, "implied.json")
    return found


def _singular(word: str) -> str:
    if len(word) < 4 or _SINGULAR.search(word):
        return word
    for end, instead in _PLURAL:
        if word.endswith(end):
            return word.removesuffix(end) + instead
    return word


@cache
def _synonyms() -> dict[str, str]:
    """What a property is also called -> its name."""
    found: dict[str, str] = {}
    for code in lang.known_languages():
        for name, listed in lang.language(code).table("tables", "names").items():
            found |= {one.replace("_", " "): name.lower() for one in listed.split()}
    return found
