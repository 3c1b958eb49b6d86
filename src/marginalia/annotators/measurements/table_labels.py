"""What the heads and labels of a table say: a name, a unit, and whether it is what was measured.

Of all labels of a number one names the property: one with a unit before one whose words name a property or a
count, and these before an estimate of a statistical model ("RR", "p"). Which number it is ("Mean", "Max.") is a condition.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from marginalia.lang import compile_all, words_of_all
from marginalia.quantities.currencies import currency_code, is_money
from marginalia.quantities.units.unit import read_unit
from marginalia.quantities.units.unit_disambiguation import settle
from marginalia.tasks.measurement.systems.contexts import is_property
from marginalia.tasks.measurement.systems.noun_phrases import find_phrases

_UNIT = (
    re.compile(r"(?P<name>.*?)\s*[(\[](?:in\s)?(?P<unit>(?:[^()\[\]]|\([^()]*\)){1,30})[)\]]\W*"),
    re.compile(r"(?P<name>.+?),\s*(?:in\s)?(?P<unit>[^,]{1,24})"),
    re.compile(r"(?P<name>.+?)\s+in\s+(?P<unit>\S{1,20})"),
    re.compile(r"(?P<name>.+?)\s/\s(?P<unit>\S{1,20})"),
    re.compile(r"(?P<name>)(?P<unit>\S{1,20}(?:\s\S{1,10})?)"),
    re.compile(r"(?P<unit>%)\s(?:of\s)?(?P<name>.+)"),
)
"""How heads name a unit: ``Mass (kg)``, ``Temp., °C``, ``Länge in mm``, ``T / K``, ``mg/kg``, ``% female``."""
_WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_ʰ-˿](?=\W*\Z)|\d{4}|\w+[-+]\d+|[A-Z]@?\d")
_NO_UNIT = frozenset("a b c d e in no at as Min Max min max".split())
"""Alone in a head these are letters of footnotes, prepositions, or the least and the greatest."""
_F1 = re.compile(r"[A-Z]\d")
_MARKS = "*†‡§¶:"
_HOW = re.compile(
    r"(?i)[\s,]*(?:\b(?:mean|median|no\.|n))?\s*(?:[(\[±]\s?(?:%|SD|SEM?|IQR|range|9[059]\s?%\s?CI)[)\]]?)?\Z"
)
"""Behind a name: which number it is, as in "Age, mean (SD)"."""
_CAPTION_NUMBER = re.compile(r"\s*[^\W\d_]{3,12}\.?\s?[A-Z]?\d*(?:\.\d+)?[a-z]?\s?[.:|–—-]?\s*")
"""``Table 2:`` before the words of a caption."""
_SENTENCE_END = re.compile(r"(?<=[\w)\]]{3})\.(?=\s+[^\W\d_a-z]|\s*\Z)|\n")
MAX_CAPTION = 300
"""Characters of a caption that a row repeats."""
_OF = re.compile(r"\s(?:of|der|von)\s")

Span = tuple[int, int]


@cache
def said_by(name: str) -> re.Pattern[str]:
    """Whole labels of this kind, in all languages."""
    more = r"(?:\s?[±(\[,].*)?\W*" if name in ("location", "estimate") else r"\.?"
    return compile_all(rf"(?:<ALL>){more}", "tables", name, re.IGNORECASE)


@cache
def _counted() -> re.Pattern[str]:
    return compile_all(r"(?:<ALL>)", "tables", "counted", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Label:
    """What a head says: ``text[start:end]`` names a property or thing, ``text[slice(*unit)]`` its unit."""

    start: int
    end: int
    whole: Span
    """All of the cell."""
    unit: Span | None = None

    def measures(self, text: str) -> int:
        """How far it names a measure: by a unit, by its words, as an estimate, or not at all."""
        said = text[self.start : self.end]
        if self.unit is not None:
            return 3
        last = said.split("(")[0].split()
        if _counted().match(said) or (last and is_property(last[-1])):
            return 2
        return int(self.is_estimate(text))

    def is_estimate(self, text: str) -> bool:
        """Whether it is what a statistical model or test gives: "RR (95 % CI)", "p"."""
        return self.unit is None and said_by("estimate").fullmatch(text, *self.whole) is not None

    def is_location(self, text: str) -> bool:
        """Whether it says which number it is, and not of what: "Mean ± SD", "Max."."""
        return self.unit is None and said_by("location").fullmatch(text, *self.whole) is not None


def read_label(text: str, start: int, end: int, language: str = "en") -> Label | None:
    """Name and unit of a head; None where it names nothing."""
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    said = said.strip().rstrip(_MARKS)
    for pattern in _UNIT:
        match = pattern.fullmatch(said)
        if match and is_head_unit(match["unit"], match["name"], language):
            low, high = match.span("unit")
            first, last = match.span("name")
            name = bare(said[first:last].rstrip(" ,;:/"))
            named = start + first, start + first + len(name)
            return Label(*named, (start, start + len(said)), (start + low, start + high))
    whole = start, start + len(said)
    first_word = said.lstrip("(").split(" ")[0].lower()
    if first_word in words_of_all("tables", "prepositions"):
        return None  # "by changesets" says how something was counted, not what
    return Label(start, start + len(bare(said)), whole) if _WORD.search(said) else None


def bare(name: str) -> str:
    """The name without what it says of the number, unless there is nothing else."""
    return _HOW.sub("", name) or name


def is_head_unit(unit: str, name: str, language: str) -> bool:
    """Whether this is a unit beside this name: (h) beside a time, but no (a), which is a note."""
    if unit in _NO_UNIT and not (unit in ("d", "min") and name):
        return False
    if is_money(unit):
        return currency_code(unit) is not None
    if settle(unit, quote=f"5 {unit}", before=name, after="").unit is None:
        return False
    if not name and (
        (unit[1:].islower() and unit.isalpha() and len(unit) > 2) or _F1.fullmatch(unit)
    ):
        return False  # a column headed "stone", "turns" or "F1" has a name
    return read_unit(unit, language=language) is not None


def caption_subject(text: str, start: int, end: int) -> Span | None:
    """What a caption says its table is about: its first sentence, without the table's number."""
    number = _CAPTION_NUMBER.match(text, start, end)
    begin = number.end() if number and re.search(r"\d|:", number.group()) else start
    stop = _SENTENCE_END.search(text, begin, end)
    last = min(stop.start() if stop else end, begin + MAX_CAPTION)
    return (begin, last) if text[begin:last].strip() else None


def caption_property(text: str, start: int, end: int) -> Label | None:
    """The first phrase of a caption that names a property: "retrieval accuracy", "Number of questions"."""
    phrases = find_phrases(text, start, end, ())
    for number, phrase in enumerate(phrases):
        if not is_property(text[phrase.head : phrase.end]):
            continue
        last = phrase.end
        if _counted().match(text, phrase.start, end) and number + 1 < len(phrases):
            after = phrases[number + 1]
            last = after.end if _OF.fullmatch(text, phrase.end, after.start) else last
        return Label(phrase.start, last, (phrase.start, last))
    return None
