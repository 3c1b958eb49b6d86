"""The surveys that a paper itself names: by their number or DOI, by their title, by an acronym with years.

A catalogue knows its surveys by an id and a title. What a paper says of its data narrows the catalogue: a paper that
names "ISSP 2008" does not speak of Eurobarometer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

MIN_TITLE_CHARACTERS = 12
"""A shorter title must have a name and a number, or it is any words."""
MAX_GAP = 40
"""Characters between the name of a series and the year of a wave."""
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_STUDY_NUMBER = re.compile(r"\bZA[\s-]*(?:No\.?|Nr\.?|Study|Studie)?\s*(\d{3,4})\b", re.IGNORECASE)
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>()]+[^\s\"<>().,;:]")
_WAVE_NUMBER = re.compile(r"(?<![\d.])\d{1,3}\.\d{1,2}(?!\d|\.\d)")
"""Of a series that numbers its waves: Eurobarometer 71.1."""
_ACRONYM = re.compile(r"\b(?:[A-ZÄÖÜ]{3,}(?:-[A-Z]+)?|[A-Z][a-zäöü]*[A-Z][A-Za-z]*)\b")
_NAMES = {
    "eurobarometer": ("eurobarometer",),
    "politbarometer": ("politbarometer",),
    "issp": ("issp", "international social survey programme", "international social survey program"),
    "allbus": ("allbus", "german general social survey", "allgemeine bevölkerungsumfrage der sozialwissenschaften"),
    "evs": ("evs", "european values study", "european values survey"),
    "wvs": ("wvs", "world values survey"),
    "ess": ("ess", "european social survey"),
    "soep": ("soep", "socio-economic panel", "sozio-oekonomisches panel", "sozio-ökonomisches panel"),
    "cses": ("cses", "comparative study of electoral systems"),
    "gles": ("gles", "german longitudinal election study"),
    "piaac": ("piaac",),
    "share": ("share", "survey of health, ageing and retirement"),
    "wahlstudie": ("wahlstudie", "election study"),
}  # fmt: skip
"""Series by their short name, with what papers call them. Words of everyday language count in capitals only."""
_IN_CAPITALS = {"share", "ess", "evs"}
NOT_SERIES = {
    "USA",
    "DDR",
    "BRD",
    "EU",
    "SPD",
    "CDU",
    "CSU",
    "FDP",
    "CATI",
    "CAPI",
    "GESIS",
    "ICPSR",
    "ZUMA",
}
"""Acronyms of titles that name no survey."""


@dataclass(frozen=True, slots=True)
class NamedSurvey:
    """A survey of the catalogue that a text names, and how."""

    survey: str
    title: str
    by: str
    """``number``, ``doi``, ``title`` or ``series``."""
    quote: str

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def named_surveys(text: str, titles: Mapping[str, str]) -> list[NamedSurvey]:
    """The surveys among these (id -> title) that the text names, the surest way first."""
    text = " ".join(text.split())
    low = text.lower()
    numbers = {f"ZA{int(m[1]):04}": m[0] for m in _STUDY_NUMBER.finditer(text)}
    dois = {m[0].lower(): m[0] for m in _DOI.finditer(text)}
    named: dict[str, NamedSurvey] = {}
    mentions = _mentions(text, low)
    for survey, title in titles.items():
        made = _by_id(survey, title, text, numbers, dois) or _by_title(survey, title, low)
        made = made or _by_series(survey, title, mentions)
        if made:
            named[survey] = made
    order = ("number", "doi", "title", "series")
    sure = [one for one in named.values() if one.by != "series" or _says_which(one.quote)]
    # A series without a year or number names all its waves, but not where the text says which.
    if sure:
        kept = {name for one in sure for name in series(one.title)}
        loose = [
            one for one in named.values() if one not in sure and kept.isdisjoint(series(one.title))
        ]
        named = {one.survey: one for one in [*sure, *loose]}
    return sorted(named.values(), key=lambda one: order.index(one.by))


def _says_which(quote: str) -> bool:
    return bool(YEAR.search(quote) or _WAVE_NUMBER.search(quote))


def series(title: str) -> set[str]:
    """The series that a title belongs to, by its short name."""
    low = title.lower()
    known = {name for name, forms in _NAMES.items() if any(_word(form, low) for form in forms)}
    own = {m[0].lower() for m in _ACRONYM.finditer(title) if m[0] not in NOT_SERIES}
    return known | {one for one in own if len(one) > 3 and not title.isupper()}


def _by_id(
    survey: str, title: str, text: str, numbers: Mapping[str, str], dois: Mapping[str, str]
) -> NamedSurvey | None:
    number = _STUDY_NUMBER.search(survey)
    if number and f"ZA{int(number[1]):04}" in numbers:
        return NamedSurvey(survey, title, "number", numbers[f"ZA{int(number[1]):04}"])
    if survey.lower() in dois:
        return NamedSurvey(survey, title, "doi", dois[survey.lower()])
    has_both = any(c.isdigit() for c in survey) and any(c.isalpha() for c in survey)
    if len(survey) >= 4 and has_both and _word(survey, text):
        return NamedSurvey(survey, title, "number", survey)
    return None


def _by_title(survey: str, title: str, low: str) -> NamedSurvey | None:
    plain = " ".join(title.lower().split())
    if len(plain) >= MIN_TITLE_CHARACTERS and " " in plain and _word(plain, low):
        return NamedSurvey(survey, title, "title", title)
    return None


def _by_series(
    survey: str, title: str, mentions: Mapping[str, list[tuple[str, set[str]]]]
) -> NamedSurvey | None:
    """The series is named, with this wave's year or number, or without any."""
    marks = {*YEAR.findall(title), *_WAVE_NUMBER.findall(title)}
    bare = None
    for name in sorted(series(title)):
        for quote, said in mentions.get(name, ()):
            if marks & said:
                return NamedSurvey(survey, title, "series", quote)
            if not said or not marks:
                bare = bare or NamedSurvey(survey, title, "series", quote.split(" ")[0])
    return bare


class _Mentions(dict[str, list[tuple[str, set[str]]]]):
    """Short name -> each place that names it: what it says, and the years and wave numbers near it."""

    def __init__(self, text: str, low: str) -> None:
        super().__init__()
        self.text, self.low = text, low

    def __missing__(self, name: str) -> list[tuple[str, set[str]]]:
        return []

    def get(self, name: str, default: Any = ()) -> Any:
        if name not in self:
            self[name] = list(self._find(name))
        return self[name]

    def _find(self, name: str) -> Iterable[tuple[str, set[str]]]:
        for form in _NAMES.get(name, (name,)):
            strict = name in _IN_CAPITALS and form == name
            where = self.text if strict else self.low
            asked = form.upper() if strict else form
            for match in re.finditer(rf"(?<!\w){re.escape(asked)}s?(?!\w)", where):
                after = self.text[match.end() : match.end() + MAX_GAP]
                near = self.text[max(0, match.start() - 8) : match.end()] + after
                said = {*YEAR.findall(near), *_WAVE_NUMBER.findall(after)}
                last = max((after.find(one) + len(one) for one in said if one in after), default=0)
                yield self.text[match.start() : match.end()] + after[:last], said


def _mentions(text: str, low: str) -> _Mentions:
    return _Mentions(text, low)


def _word(asked: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(asked)}(?!\w)", text) is not None
