"""Which QUDT quantity kind a property is of: its words decide among the kinds whose dimension the unit has.

A kind whose dimension does not fit is never returned. Among the dimensionless, angles, information, acidity,
levels and plain numbers are kept apart. Without words that fit, the unit's commonest kind is returned with a
low score.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from marginalia import lang
from marginalia.core.resources import read_resource
from marginalia.quantities.units.unit import DIMENSIONLESS, QUDT, Unit, qudt_units

KIND = "http://qudt.org/vocab/quantitykind/"
UNIT_ONLY_SCORE = 0.2
"""The score of a kind that only the unit speaks for; words add up to 0.8 to it."""
SHARE_UNIT_SCORE = 0.4
"""The same where the unit says of what the share is: wt%, vol%, mol%."""
MIN_LABEL_SHARE = 0.6
"""The least share of a kind's label that the property must contain."""
NO_UNIT_FACTOR = 0.5
"""By which the score is multiplied where no unit confirms the words."""
MAX_PROPERTY_LENGTH = 300
"""Characters of a property that are considered."""

_WORD = re.compile(r"[^\W_]+(?:['’.\-‐‑][^\W_]+)*")
_SHARES = (
    (re.compile(r"wt|weight|mass|gew|\bw/w|\bma[.\s-]*%", re.I), "MassFraction"),
    (re.compile(r"vol|\bv/v|ppmv|ppbv|pptv", re.I), "VolumeFraction"),
    (re.compile(r"mol|\bat[.\s-]*%|atom", re.I), "MoleFraction"),
)
_BASES = {
    "radian ** 2": "solid angle", "radian": "angle", "bit": "information", "ph_level": "acidity",
    "decibel_level": "level", "magnitude_level": "",
}  # fmt: skip
"""Base units of the dimensionless that are no plain numbers."""
MIN_ENDING_LENGTH = 5
_WORD = re.compile(r"[^\W_]+(?:['’.‐‑-][^\W_]+)*")
_PLAIN = re.compile(r"(?:[A-Z]0)*[A-Z]1(?:[A-Z]0)*")
"""The dimension vector of one base quantity."""
_TIME_OR_TEMPERATURE = re.compile(r"(?:[A-Z]0)*[HT]1(?:[A-Z]0)*")


MAIN = {
    "A0E0L1I0M0H0T0D0": "Length", "A0E0L2I0M0H0T0D0": "Area", "A0E0L3I0M0H0T0D0": "Volume",
    "A0E0L0I0M1H0T0D0": "Mass", "A0E0L0I0M0H0T1D0": "Time", "A0E0L0I0M0H1T0D0": "Temperature",
    "A0E1L0I0M0H0T0D0": "ElectricCurrent", "A1E0L0I0M0H0T0D0": "AmountOfSubstance",
    "A0E0L0I1M0H0T0D0": "LuminousIntensity", "A0E0L1I0M0H0T-1D0": "Velocity",
    "A0E0L1I0M0H0T-2D0": "Acceleration", "A0E0L-3I0M1H0T0D0": "Density",
    "A0E0L-1I0M1H0T-2D0": "Pressure", "A0E0L2I0M1H0T-2D0": "Energy", "A0E0L2I0M1H0T-3D0": "Power",
    "A0E0L1I0M1H0T-2D0": "Force", "A0E0L0I0M0H0T-1D0": "Frequency", "A0E0L-1I0M0H0T0D0": "InverseLength",
    "A1E0L-3I0M0H0T0D0": "Concentration", "A0E0L0I0M1H0T-1D0": "MassFlowRate",
    "A0E0L3I0M0H0T-1D0": "VolumeFlowRate", "A0E1L0I0M0H0T1D0": "ElectricCharge",
    "A0E-1L2I0M1H0T-3D0": "Voltage", "A0E-2L2I0M1H0T-3D0": "Resistance",
    "A0E-1L0I0M1H0T-2D0": "MagneticFluxDensity", "A0E0L0I0M1H0T-3D0": "Irradiance",
    "A0E0L2I0M0H0T-2D0": "AbsorbedDose", "A0E0L-1I0M1H0T-1D0": "DynamicViscosity",
    "A0E0L0I0M1H0T-2D0": "SurfaceTension", "A-1E0L0I0M1H0T0D0": "MolarMass",
    "A-1E0L2I0M1H0T-2D0": "MolarEnergy", "A0E1L-2I0M0H0T0D0": "ElectricCurrentDensity",
    "A0E0L-2I0M1H0T0D0": "MassPerArea", "A0E0L3I0M-1H0T0D0": "SpecificVolume",
}  # fmt: skip
FAMILY_MAIN = {
    "number": "DimensionlessRatio", "angle": "Angle", "solid angle": "SolidAngle",
    "information": "InformationEntropy", "acidity": "Acidity", "level": "SoundPressureLevel",
}  # fmt: skip
"""What is meant where nothing else is said: by dimension, and of the dimensionless by family."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A QUDT quantity kind; ``score``, from 0 to 1, is the confidence that the property is of this kind."""

    iri: str
    label: str
    score: float


class Known(NamedTuple):
    name: str
    label: str
    units: int
    words: frozenset[str]
    spoken: frozenset[str]
    """Words that say it all, such as ``thick`` for Thickness."""


def find_kind(property: str | None, unit: Unit | None) -> Kind | None:
    """The kind that fits the unit and is nearest to the property's words.

    A quantity without a unit is a number: it has a kind only if the words say which.
    """
    dimension, family = (unit.dimension, _family(unit)) if unit else (DIMENSIONLESS, "number")
    found = _by_words((property or "")[:MAX_PROPERTY_LENGTH], dimension, family)
    share = _share(unit) if unit and family == "number" else None
    if found and not (share and found[0].name in ("DimensionlessRatio", share.name)):
        return _kind(found[0], found[1] * (1.0 if unit else NO_UNIT_FACTOR))
    if share:
        return _kind(share, max(SHARE_UNIT_SCORE, found[1] if found else 0.0))
    main = _main(unit, family) if unit else None
    return _kind(main, UNIT_ONLY_SCORE) if main else None


def contradicts(property: str, unit: Unit | None) -> bool:
    """Whether the property's head names a kind that this unit cannot measure: a temperature of 30 min.

    Shares and changes are given in percent of anything, so nothing contradicts the dimensionless. Plain
    kinds such as length are contradicted by any other unit, the others by times and temperatures only:
    "permeability" and "dose" have many meanings.
    """
    if unit is None or unit.dimension == DIMENSIONLESS:
        return False
    said = _said(property[:MAX_PROPERTY_LENGTH])
    dimensions = {
        row[1]
        for word, weight in said.items()
        if weight > 1 and word not in _every("of_many_kinds")
        for name, row in _table().items()
        if _by_name()[name].words == {word} or word in _by_name()[name].spoken
    }
    if not dimensions or unit.dimension in dimensions:
        return False
    # A yield or an efficiency may be a share, or so much of one thing for another.
    plain = all(_PLAIN.fullmatch(one) and one != DIMENSIONLESS for one in dimensions)
    return plain or bool(_TIME_OR_TEMPERATURE.fullmatch(unit.dimension))


def _kind(known: Known, score: float) -> Kind:
    return Kind(KIND + known.name, known.label, round(score, 4))


def _family(unit: Unit) -> str:
    """Of the dimensionless, what the number is of; empty for the others."""
    if unit.dimension != DIMENSIONLESS:
        return ""
    return next((family for base, family in _BASES.items() if base in unit.si), "number")


def _share(unit: Unit) -> Known | None:
    """Of wt%, the mass fraction."""
    kinds = (name for pattern, name in _SHARES if pattern.search(unit.text))
    return next((_by_name()[name] for name in kinds), None)


def _main(unit: Unit, family: str) -> Known | None:
    """What is measured in this unit if nothing is said."""
    own = qudt_units()[unit.qudt.removeprefix(QUDT)][3].split() if unit.qudt else []
    name = FAMILY_MAIN.get(family) or MAIN.get(unit.dimension)
    if name and not (name == "Frequency" and own and name not in own):  # mg/kg/day is none
        return _by_name()[name]
    fitting = _fitting(unit.dimension, family)
    preferred = [known for known in fitting if known.name in own] or fitting
    return min(preferred, key=_generic, default=None)


def _generic(known: Known) -> tuple[int, int, str]:
    """Kinds with many units and short labels come first."""
    return -known.units, len(known.label), known.name


@lru_cache(maxsize=20_000)
def _by_words(text: str, dimension: str, family: str) -> tuple[Known, float] | None:
    """The nearest kind with its score, if any is near enough."""
    said = _said(text)
    if not said:
        return None
    total = sum(said.values())
    weights, best = _weights(), None
    for known in _fitting(dimension, family):
        heard = known.words & said.keys()
        whole = sum(weights[word] for word in known.words)
        label = sum(weights[word] for word in heard) / whole if whole else 0.0
        if spoken := known.spoken & said.keys():
            label, heard = 1.0, heard | spoken
        if label < MIN_LABEL_SHARE:
            continue
        property = sum(said[word] for word in heard) / total
        score = 2 * label * property / (label + property)
        if best is None or (-score, _generic(known)) < (-best[1], _generic(best[0])):
            best = known, score
    return None if best is None else (best[0], UNIT_ONLY_SCORE + (1 - UNIT_ONLY_SCORE) * best[1])


def _said(text: str) -> dict[str, float]:
    """The property's words with weights: the head, which is the last one before ``of``, counts double."""
    words = [_lemma(word) for word in _WORD.findall(text.lower())]
    end = next(
        (i for i, word in enumerate(words) if i and word in _every("behind_property")), len(words)
    )
    telling = [
        word for word in words if word not in _every("says_nothing") and not word[0].isdigit()
    ]
    head = next((word for word in reversed(words[:end]) if word in telling), None)
    return {word: 2.0 if word == head else 1.0 for word in telling}


def _lemma(word: str) -> str:
    """The singular, or of a compound the known word it ends with: Oberflächentemperatur, gyroradius."""
    for end, instead in (("ies", "y"), ("ses", "s"), ("s", "")):
        if word.endswith(end) and word.removesuffix(end) + instead in _weights():
            return word.removesuffix(end) + instead
    if word in _weights() or len(word) < 8:
        return word
    ends = (word[i:] for i in range(2, len(word) - MIN_ENDING_LENGTH + 1))
    return next((end for end in ends if end in _weights()), word)


@cache
def _every(name: str) -> frozenset[str]:
    """The words of a list in all languages: which one a property is in is seldom known."""
    known = map(lang.language, lang.known_languages())
    return frozenset(word for language in known for word in language.words("units", name))


@cache
def _table() -> Any:
    return read_resource(__package__, "kinds.json")["kinds"]


@cache
def _by_name() -> dict[str, Known]:
    found = {}
    synonyms: dict[str, list[str]] = {}
    for language in map(lang.language, lang.known_languages()):
        for name, listed in language.table("units", "kinds").items():
            synonyms.setdefault(name, []).extend(listed.split())
    for name, (label, _, _, units, german) in _table().items():
        words = frozenset(_WORD.findall(label.lower())) - _every("says_nothing")
        spoken = {*synonyms.get(name, ()), german.lower()} - {""}
        found[name] = Known(name, label[:1].upper() + label[1:], units, words, frozenset(spoken))
    return found


@cache
def _fitting(dimension: str, family: str) -> tuple[Known, ...]:
    kinds = _table().items()
    return tuple(_by_name()[name] for name, row in kinds if (row[1], row[2]) == (dimension, family))


@cache
def _weights() -> dict[str, float]:
    """Rare words of labels say more than frequent ones."""
    kinds = _by_name().values()
    counts = Counter(word for known in kinds for word in known.words | known.spoken)
    return {word: math.log(1 + len(kinds) / count) for word, count in counts.items()}
