"""Dates that no calendar has, days of the week that do not fit, years in the wrong order, and ages that do not fit the years."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Iterator
from functools import cache

from marginalia.annotators.statistics.manuscript import SUBJECT, Finding, Manuscript
from marginalia.lang import language
from marginalia.quantities.dates import find_dates, months, weekdays

FIRST_YEAR = 1924
"""From here on all of Europe counted by the Gregorian calendar."""
MAX_BETWEEN = 4
"""Characters between the name of a day and its date."""


@cache
def _years(lang: str) -> re.Pattern[str]:
    known = language(lang)
    spans = known.pattern(SUBJECT, "from_year")
    to, before = (known.pattern(SUBJECT, name) for name in ("to_year", "before_our_era"))
    return re.compile(
        rf"\b(?:{spans})\s(?P<first>1[5-9]\d\d|20\d\d)\s(?:{to})\s(?P<last>1[5-9]\d\d|20\d\d)(?![\d–-]|\s?(?:{before}))",
        re.I,
    )


@cache
def _life(lang: str) -> re.Pattern[str]:
    known = language(lang)
    born, died, aged = (known.pattern(SUBJECT, name) for name in ("born", "died", "aged"))
    year = r"(?:1[5-9]\d\d|20\d\d)"
    return re.compile(
        rf"(?:{born})\s(?P<born>{year})\b[^.;()]{{1,80}}?(?:{died})\s(?:[^.;(),\d]{{0,30}}\s)?(?P<died>{year})\b"
        rf"(?:,?\s(?:{aged})\s(?P<age>\d{{1,3}})\b)?",
        re.I,
    )


def find(source: Manuscript) -> Iterator[Finding]:
    yield from _find_dates(source)
    for match in source.matches(_years(source.lang)):
        if int(match["first"]) > int(match["last"]):
            values = {"low": match["first"], "high": match["last"]}
            yield Finding("date", *match.span(), source.say("range", **values))
    for match in source.matches(_life(source.lang)):
        born, died = int(match["born"]), int(match["died"])
        years = died - born
        if years < 0:
            yield Finding("date", *match.span(), source.say("died_before", born=born, died=died))
        elif match["age"] and int(match["age"]) not in (years, years - 1):
            values = {"age": match["age"], "born": born, "died": died, "years": years}
            yield Finding("date", *match.span(), source.say("age", **values))


def _find_dates(source: Manuscript) -> Iterator[Finding]:
    text, days = source.text, weekdays(source.lang)
    named = re.compile(
        rf"\b({'|'.join(map(re.escape, days))})[,.]?\s(?:{source.pattern('the')})?\Z"
    )
    known = months(source.lang, short=False)
    words = re.compile("|".join(map(re.escape, known)))
    for date in find_dates(text, source.lang):
        if date.day is None or date.month is None or source.silent.touch(date.start, date.end):
            continue
        quote = text[date.start : date.end]
        if not words.search(quote):
            continue  # 30.02 and 2/30 may be anything
        longest = 29 if date.month == 2 else calendar.monthrange(2000, date.month)[1]
        if date.first is not None and date.first > 0:
            longest = calendar.monthrange(date.first, date.month)[1]
        if date.day > longest:
            yield Finding("date", date.start, date.end, source.say("no_such_day", days=longest))
            continue
        before = named.search(text, max(0, date.start - 24), date.start)
        if before and date.first is not None and date.first >= FIRST_YEAR:
            real = datetime.date(date.first, date.month, date.day).weekday()
            if days[before[1]] != real:
                name = next(name for name, number in days.items() if number == real)
                yield Finding("date", before.start(1), date.end, source.say("weekday", day=name))
