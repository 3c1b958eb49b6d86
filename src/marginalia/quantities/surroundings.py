"""What the words around a quantity say of its value: that it is a bound, that it is rough, how often it recurs.

The shared task's spans end before such words, so that a value read from the span alone would be exact: "must not
exceed 45 °C", "45 °C nicht übersteigen", "ab 6 Jahren". Read the wrong way round, "no larger than 20 MB" would be more
than that. The spans stay as they are; only the value of the record changes.
"""

from __future__ import annotations

import re
from dataclasses import replace

from marginalia.quantities.values import Value

SURROUNDINGS = 60
"""Characters before and behind a quantity that are looked at."""
_UP = {
    "en": "more|greater|higher|larger|longer|older|bigger|taller|wider|deeper|faster|heavier|warmer|hotter|thicker|later|farther|further|"
    "stronger|louder",
    "de": "mehr|größer|höher|länger|älter|breiter|tiefer|schneller|schwerer|wärmer|heißer|dicker|später|weiter|stärker|lauter",
}
_DOWN = {
    "en": "less|fewer|lower|smaller|shorter|younger|narrower|slower|lighter|colder|cooler|thinner|earlier|sooner|closer|nearer|quieter",
    "de": "weniger|kleiner|niedriger|geringer|kürzer|jünger|schmaler|langsamer|leichter|kälter|dünner|früher|näher|leiser",
}
_THAN = {"en": r"(?:than|as)(?:\sor\sequal\sto)?", "de": r"als"}
_NOT = {"en": r"(?:\bnot?|n['’]t|\bnever)", "de": r"\b(?:nicht|kaum|nie|niemals)"}
_OVER = {
    "en": r"exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|go(?:es)?\s(?:above|over|beyond)",
    "de": r"übersteigt|überschreitet",
}
_ABOVE = {"en": "over|above|beyond|exceeding", "de": "über|oberhalb"}
_BELOW = {"en": "under|below|beneath", "de": "unter|unterhalb"}
_LINK = {
    "en": r"(?:\s(?:of|to|an?|every|after|about|around|approximately))*\s?",
    "de": r"(?:\s(?:von|alle|nach|etwa|rund|circa|ca\.|zu))*\s?",
}
_EXCEEDS = r"über(?:schr|stei|stie)\w+"

_BEFORE = {
    "en": {
        "most": r"\bup\s?(?:to|until|till)|\bat\s(?:the\s)?(?:very\s)?most|\bcapped\s(?:at|to)|\blimit(?:ed|ing|s?\s(?:the|its|it|them|this|your|our|their|an?))\s(?:\w+\s){0,3}to"
        r"|\bmax(?:imum|\.)?(?:\s(?:is|of))?|\bno\slater\sthan|\bas\s(?:late|far)\sas|\bwithin(?:\sthe)?(?:\s(?:next|first|last|past|coming|following))?",
        "least": r"\bat\s(?:the\s)?(?:very\s)?least|(?<!\d)(?<!\d\s)\bmin(?:imum|\.)(?:\s(?:is|of))?|\bno\searlier\sthan",
        "more": r"\bin\sexcess\sof|\bupwards\sof|(?<!averaged\s)(?<!average\s)(?<!averaging\s)(?<!mean\s)(?<!summed\s)(?<!sum\s)\bover",
        "less": r"\bshort\sof|\bnot\s(?:quite|yet)",
    },
    "de": {
        "most": r"\bmaximale[nmrs]?\s[A-ZÄÖÜ]\w+|\bhöchstens|\bmax(?:imal|imum|\.)|\bspätestens|\blängstens|\ballenfalls|\bbinnen|\binnerhalb(?:\s(?:von|der|des))?(?:\s(?:nächsten|letzten|ersten))?|\bbis(?:\szu)?",
        "least": r"\bminimale[nmrs]?\s[A-ZÄÖÜ]\w+|\bmindestens|\bmind\.|\bminimum|\bwenigstens|\bzumindest|\bfrühe?stens|(?<!und\s)\bab",
        "more": r"\bjenseits",
        "less": r"\bnoch\snicht",
    },
}  # fmt: skip
_BEHIND = {
    "en": {
        "most": r"\s(?:\w+\s)?(?:not|n['’]t|never)\s(?:to\s)?(?:be\s)?(?:exceeded|surpassed)|\sat\s(?:the\s)?most|\s(?:or|and)\s(?:under|younger|smaller|below|down)"
        r"|\s(?:max(?:imum|\.)?|tops)(?=\s*(?:[,;:.)]|\Z))",
        "least": r"\s\(or\smore\)|\sat\s(?:the\s)?least|\+|\s(?:or|and)\s(?:up|upwards?|over|above|beyond|older|taller|heavier|onwards?)"
        r"|\s(?:minimum|min\.)(?=\s*(?:[,;:.)]|\Z))",
        "more": r"\s(?:is|are|was|were|be|been)\sexceeded",
    },
    "de": {
        "most": rf"\s(?:nicht|niemals|nie|keinesfalls|auf\skeinen\sFall)\s(?:mehr\s)?{_EXCEEDS}|\s(?:maximal|höchstens)(?=\s*(?:[,;:.)]|\Z))",
        "least": r"\s\(oder\smehr\)|\snicht\sunterschr\w+|\s(?:mindestens|aufwärts)(?=\s*(?:[,;:.)]|\Z))|\s(?:oder|und)\s(?:größer|darüber|aufwärts|schwerer)",
        "more": rf"\s{_EXCEEDS}",
        "less": r"\sunterschr\w+",
    },
}  # fmt: skip


def _compiled(language: str) -> list[tuple[str, re.Pattern[str]]]:
    """Role and pattern of what stands before a quantity; what is denied comes first."""
    up, down, than, no = (words[language] for words in (_UP, _DOWN, _THAN, _NOT))
    over = _OVER[language]
    listed = [
        ("most", rf"{no}\s(?:(?:be|to|ever)\s)?(?:{over}|(?:{up})\s{than}|{_ABOVE[language]})"),
        ("least", rf"{no}\s(?:be\s)?(?:(?:{down})\s{than}|{_BELOW[language]})"),
        *_BEFORE[language].items(),
        ("more", rf"\b(?:{over}|(?:{up})\s{than})"),
        ("less", rf"\b(?:{down})\s{than}"),
    ]
    return [(role, _pattern(rf"(?:{words}){_LINK[language]}\Z")) for role, words in listed]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_AMOUNT = r"(?P<amount>[\d.,]+[\s-]?(?P<unit>[^\s\d]+))"
_NO_VERB = r"(?!(?:is|are|was|were|has|have|had|will|can|may|must|should|ist|sind|war|waren|wird|werden|hat|haben|kann|können|muss|müssen|and|or|und|oder)\b)"
_BEFORE_CUES = {language: _compiled(language) for language in _BEFORE}
_BEHIND_CUES = {
    language: [(role, _pattern(rf"(?:{words})(?!\w|\s?\d)")) for role, words in cues.items()]
    for language, cues in _BEHIND.items()
}
_OWN = {
    language: _pattern(rf"(?:(?:{_UP[language]}|{_DOWN[language]})\s{_THAN[language]}|{_ABOVE[language]}|{_BELOW[language]})\s")
    for language in _UP
}  # fmt: skip
_DENIED = {
    language: _pattern(rf"{no}\s(?:(?:be|take|last|get|become)\s)?\Z")
    for language, no in _NOT.items()
}
_ROUGHLY = {
    "en": _pattern(r"(?:\bsome\s|\bjust\sunder\s|\bnot\squite\s|[~∼≈˜]\s?)\Z"),
    "de": _pattern(r"(?:\bgut\s|\b(?:an|um)\sdie\s|[~∼≈˜]\s?)\Z"),
}
_SHARED = {
    language: [
        (role, _pattern(rf"(?:{words})\s(?:about\s|etwa\s)?{_AMOUNT}(?P<words>(?:\s{_NO_VERB}[^\W\d_][\w-]*){{0,6}}),?\s(?:{ands})\s\Z"))
        for role, words in cues.items()
    ]
    for language, ands, cues in (
        ("en", "and|or", {"least": r"\bat\sleast|\ba?\s?minimum\sof|\bno\sless\sthan", "most": r"\bat\smost|\bup\sto|\ba?\s?maximum\sof|\bno\smore\sthan"}),
        ("de", "und|sowie|oder|bzw\\.", {"least": r"\bmindestens|\bwenigstens|\bmind\.|\bminimal", "most": r"\bhöchstens|\bmaximal|\bmax\.|\bbis\szu"}),
    )
}  # fmt: skip
"""A bound of the quantity before that holds for this one too: "at least 2 GB of memory and 10 GB of disk"."""
_WHAT = _pattern(r"\b(?:what|how)\s\Z")
"""Before "about": no approximation."""
_TURNS = _pattern(r"\b(?:spin|turn|rotat|revolv|travel|walk|wrap|go|move)\w*\s\Z")
"""Before "around": no approximation."""
_AROUND = _pattern(r"around\s")
_AT_OR = _pattern(r"\b(?:at|equal\sto|gleich)\s(?:or|and|oder)\s\Z")
_UNTIL = _pattern(r"(?:until|till|bis)\s")
_AGO = re.compile(r"\s(?:ago|später|zuvor)\b")

_TIME = r"second|minute|hour|day|night|week|month|quarter|year"
_ZEIT = r"Tag|Nacht|Woche|Monat|Quartal|Jahr|Stunde|Minute|Sekunde"
_OFTEN = (
    r"hourly|daily|nightly|weekly|monthly|quarterly|yearly|annually"
    r"|stündlich|täglich|wöchentlich|monatlich|vierteljährlich|jährlich"
)
_RECURS = re.compile(
    rf"\s(?P<how>(?:(?:once|twice|(?:three|four)\stimes)\s)?(?:an?|each|every|per)\s(?:{_TIME})(?!\w|-|\s(?:earlier|ago|later|before|after|prior|old|or\stwo)\b)"
    rf"|(?:(?:once|twice)\s)?(?:{_OFTEN})(?!\w)"
    rf"|(?:am|im|pro|je|in\sder)\s(?:{_ZEIT})(?!\w|\s(?:\d|der|des|nach|vor|zuvor|danach|darauf|davor)))"
)
_RECURRING = re.compile(rf"(?<!\w)(?P<how>(?i:{_OFTEN}))\s(?:\S{{2,12}}\s)?\Z")


def with_surroundings(value: Value, text: str, start: int, end: int, language: str = "en") -> Value:
    """The value as the words around ``text[start:end]`` make it; one that is no single number stays."""
    plain = value.kind in ("number", "bound") and sum(not n.tolerance for n in value.numbers) == 1
    if not plain:
        return value
    language = "de" if language == "de" else "en"
    around = text[max(0, start - 2 * SURROUNDINGS) : start].replace("\u00a0", " ")
    before = around[-SURROUNDINGS:]
    if value.kind == "bound":
        if _AT_OR.search(before):
            return replace(value, low_open=False, high_open=False)
        denied = _DENIED[language].search(before) and _OWN[language].match(text, start)
        return _turned(value) if denied else value
    turns = _AROUND.match(text, start) and _TURNS.search(before)
    if value.approximate and (turns or _WHAT.search(before)):
        value = replace(value, approximate=False)
    if _ROUGHLY[language].search(before):
        value = replace(value, approximate=True)
    behind = text[end : end + SURROUNDINGS].replace("\u00a0", " ")
    role = next((role for role, cue in _BEFORE_CUES[language] if cue.search(before)), None)
    role = role or next((role for role, cue in _BEHIND_CUES[language] if cue.match(behind)), None)
    role = role or next(
        (
            role
            for role, cue in _SHARED[language]
            if (shared := cue.search(around))
            and (not shared["words"] or text[start:end].endswith(shared["unit"]))
        ),
        None,
    )
    if _UNTIL.match(text, start) and not _AGO.match(behind):
        role = role or "most"
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
