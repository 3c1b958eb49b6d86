"""What the words around a quantity say of its value: that it is a bound, that it is rough, how often it recurs.

The shared task's spans end before such words, so that a value read from the span alone would be exact: "must not
exceed 45 °C", "45 °C nicht übersteigen", "ab 6 Jahren". Read the wrong way round, "no larger than 20 MB" would be more
than that. The spans stay as they are; only the value of the record changes.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from marginalia.tasks.measurement.quantities.values import Value

SURROUNDINGS = 60
"""Characters before and behind a quantity that are looked at."""
_UP = (
    r"more|greater|higher|larger|longer|older|bigger|taller|wider|deeper|faster|heavier|warmer|hotter|thicker|later|farther|further|stronger|louder"
    r"|mehr|größer|höher|länger|älter|breiter|tiefer|schneller|schwerer|wärmer|heißer|dicker|später|weiter|stärker|lauter"
)
_DOWN = (
    r"less|fewer|lower|smaller|shorter|younger|narrower|slower|lighter|colder|cooler|thinner|earlier|sooner|closer|nearer|quieter"
    r"|weniger|kleiner|niedriger|geringer|kürzer|jünger|schmaler|langsamer|leichter|kälter|dünner|früher|näher|leiser"
)
_COMPARED = r"(?:than|as|als)(?:\sor\sequal\sto)?"
_NOT = r"(?:\bnot?|n['’]t|\bnever|\bnicht|\bkaum|\bnie)"
_OVER = r"exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|go(?:es)?\s(?:above|over|beyond)|übersteigt|überschreitet"
_LINK = r"(?:\s(?:of|to|the|an?|von|alle|nach|every|after|around|about|etwa|rund|circa|ca\.))*\s?"


class _Cue(NamedTuple):
    role: str
    pattern: re.Pattern[str]


def _before(role: str, words: str) -> _Cue:
    return _Cue(role, re.compile(rf"(?:{words}){_LINK}\Z", re.IGNORECASE))


def _behind(role: str, words: str) -> _Cue:
    return _Cue(role, re.compile(rf"(?:{words})(?!\w|\s?\d)", re.IGNORECASE))


_BEFORE = (
    _before("most", rf"{_NOT}\s(?:(?:be|to|ever)\s)?(?:{_OVER}|(?:{_UP})\s{_COMPARED}|over|above|beyond|über)"),
    _before("least", rf"{_NOT}\s(?:be\s)?(?:(?:{_DOWN})\s{_COMPARED}|under|below|unter)"),
    _before("most", r"\bup\s?(?:to|until|till)|\bat\s(?:the\s)?(?:very\s)?most|\b(?:limited|capped)\sto|\b(?:a\s)?max(?:imum|\.)?(?:\sof)?"
            r"|\bno\slater\sthan|\bhöchstens|\bmaximal|\bspätestens|\blängstens|\ballenfalls|\bbinnen|\binnerhalb|\bbis(?:\szu)?"),
    _before("least", r"\bat\s(?:the\s)?(?:very\s)?least|(?<!\d)(?<!\d\s)\b(?:a\s)?min(?:imum|\.)(?:\sof)?|\bstart(?:s|ing)?\s(?:at|from)|\bno\searlier\sthan"
            r"|\bmindestens|\bmind\.|\bwenigstens|\bzumindest|\bfrühestens|(?<!auf\sund\s)\bab"),
    _before("more", rf"\b(?:{_OVER})|\b(?:{_UP})\s(?:than|als)|\bin\sexcess\sof|\bupwards\sof"),
    _before("less", rf"\b(?:{_DOWN})\s(?:than|als)|\bshort\sof|\bnot\s(?:quite|yet)|\bnoch\snicht"),
)  # fmt: skip
_BEHIND = (
    _behind("most", r"\s(?:nicht|niemals|nie|keinesfalls|auf\skeinen\sFall)\s(?:mehr\s)?(?:über(?:schr|stei|stie)\w+|hinausgeh\w+)|\s(?:\w+\s)?(?:not|n['’]t|never)\s(?:to\s)?(?:be\s)?(?:exceeded|surpassed)"
            r"|,?\s(?:at\s(?:the\s)?most|max(?:imum|\.)?|tops|maximal|höchstens)|\s(?:or|and)\s(?:under|younger|smaller|below|down)"),
    _behind("least", r"\snicht\sunterschr\w+|,?\s(?:at\s(?:the\s)?least|min(?:imum|\.)|mindestens)|\+"
            r"|\s(?:or|and)\s(?:up|upwards?|over|above|beyond|older|taller|heavier|onwards?)|\s(?:oder|und)\s(?:größer|darüber|aufwärts|schwerer)"),
    _behind("more", r"\süber(?:schr|stei|stie)\w+|\s(?:is|are|was|were|be|been)\sexceeded"),
    _behind("less", r"\sunterschr\w+"),
)  # fmt: skip
_ROUGHLY = re.compile(r"\b(?:gut|an\sdie|um\sdie|some|just\sunder|not\squite)\s\Z", re.IGNORECASE)
_UNTIL = re.compile(r"(?:until|till|bis)\s", re.IGNORECASE)
_OWN = re.compile(rf"(?:{_UP}|{_DOWN})\s{_COMPARED}\s|(?:over|above|beyond|über|under|below|unter)\s|exceeding\s", re.IGNORECASE)  # fmt: skip
_NEGATED = re.compile(rf"{_NOT}\s\Z", re.IGNORECASE)

_TIME = r"second|minute|hour|day|night|week|month|quarter|year"
_ZEIT = r"Tag|Nacht|Woche|Monat|Quartal|Jahr|Stunde|Minute|Sekunde"
_OFTEN = (
    r"hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually"
    r"|stündlich|täglich|wöchentlich|monatlich|vierteljährlich|jährlich"
)
_RECURS = re.compile(
    rf"\s(?P<how>(?:(?:once|twice|(?:three|four)\stimes)\s)?(?:an?|each|every|per)\s(?:{_TIME})(?!\w|-)"
    rf"|(?:(?:once|twice)\s)?(?:{_OFTEN})(?!\w)"
    rf"|(?:am|im|pro|je|in\sder)\s(?:{_ZEIT})(?!\w|\s(?:\d|der|des|nach|vor|zuvor|danach|darauf|davor)))"
)
_RECURRING = re.compile(rf"(?<!\w)(?P<how>(?i:{_OFTEN}))\s(?:\S{{2,12}}\s)?\Z")


def with_surroundings(value: Value, text: str, start: int, end: int) -> Value:
    """The value as the words around ``text[start:end]`` make it; one that is no single number stays."""
    plain = value.kind in ("number", "bound") and sum(not n.tolerance for n in value.numbers) == 1
    if not plain:
        return value
    before = text[max(0, start - SURROUNDINGS) : start].replace("\u00a0", " ")
    if value.kind == "bound":
        return _turned(value) if _NEGATED.search(before) and _OWN.match(text, start) else value
    if _ROUGHLY.search(before):
        value = replace(value, approximate=True)
    behind = text[end : end + SURROUNDINGS].replace("\u00a0", " ")
    role = next((cue.role for cue in _BEFORE if cue.pattern.search(before)), None)
    role = role or next((cue.role for cue in _BEHIND if cue.pattern.match(behind)), None)
    role = role or ("most" if _UNTIL.match(text, start) else None)
    return _bounded(value, role) if role else value


def recurrence(text: str, start: int, end: int) -> str | None:
    """How often the quantity recurs, as written: "5 mg **täglich**", "three days **a week**"."""
    if match := _RECURS.match(text, end):
        return match["how"]
    match = _RECURRING.search(text, max(0, start - SURROUNDINGS), start)
    return match["how"] if match else None


def _bounded(value: Value, role: str) -> Value:
    open_ = role in ("more", "less")
    if role in ("most", "less"):
        return replace(value, kind="bound", low=None, high_open=open_)
    return replace(value, kind="bound", high=None, low_open=open_)


def _turned(value: Value) -> Value:
    """``no larger than 20`` is 20 or less."""
    if value.high is None and value.low_open:
        return replace(value, low=None, high=value.low, low_open=False)
    if value.low is None and value.high_open:
        return replace(value, high=None, low=value.high, high_open=False)
    return value
