"""People, places, dates and verbs of a catalogue record, by simple rules for English; intervals of years; and whether two
names are of the same person or body.

The organisers' baseline for TYPED used a statistical recogniser; these rules need no model. They read
capitals, a short gazetteer, the nouns that places end with, and word endings.

``1889``, ``c. 1889``, ``1890s``, ``1853-1854``, ``between 1840 and 1850``, ``early 19th century``,
``1st-2nd century``, ``24 July 1812``, ``19. Jahrhundert``, ``um 1900``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from marginalia.nlp.tokens import words

Interval = tuple[float, float]
"""First and last year"""

CIRCA_YEARS = 5
"""Years by which ``c.`` widens an interval to both sides."""
_PARTS = {
    "early": (0.0, 0.34), "frühes": (0.0, 0.34), "first half": (0.0, 0.5), "mid": (0.33, 0.67),
    "middle": (0.33, 0.67), "late": (0.66, 1.0), "spätes": (0.66, 1.0), "second half": (0.5, 1.0),
}  # fmt: skip
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th|\.)?"
_CENTURY = re.compile(
    rf"(?:\b({'|'.join(_PARTS)})[ -])?(?:of the )?\b{_ORDINAL}(?:\s?(?:-|–|to|bis)\s?{_ORDINAL})?"
    r"[ -](?:centur(?:y|ies)|c\.|jahrhunderts?|jh\.?)",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"(?P<about>\b(?:c\.|ca\.?|circa|about|around|um)\s?)?"
    r"(?<![\d.])(?P<first>\d{3,4})(?P<decade>0?s\b)?"
    r"(?:\s?(?:-|–|to|and|bis|und)\s?(?P<last>\d{2,4})(?!\d))?(?!\d)",
    re.IGNORECASE,
)
MIN_NAME_RATIO = 0.6
"""Names less alike than this, letter by letter, have nothing to do with each other."""
INITIAL_SCORE = 0.95
_PLACES = frozenset(
    "africa america asia australia austria belgium berkshire birmingham bristol britain cambridge canada "
    "china cornwall cumbria derby derbyshire devon dorset dublin durham edinburgh egypt england essex europe "
    "france germany glasgow greece hampshire india ireland italy japan kent lancashire leeds leicester lincoln "
    "lisbon liverpool london madrid manchester newcastle norfolk northumberland norway norwich nottingham oxford "
    "paris poland portugal rome russia scotland sheffield somerset spain suffolk surrey sussex sweden thames "
    "turkey venice vienna wales york yorkshire".split()
)
_PLACE_NOUNS = frozenset(
    "abbey avenue bay bridge canal castle cathedral church cottage county court farm fort gallery gate green hall "
    "harbour hill house island lake lane library mill mountain museum palace park place port priory quay river "
    "road school square station street temple tower town valley village wood".split()
)
TITLES = frozenset(
    "bishop captain colonel count countess dr duchess duke earl emperor general king lady lord major miss mr mrs "
    "ms pope prince princess prof professor queen saint sir st".split()
)
_PLACE_BEFORE = frozenset("at from in near to through towards".split())
_PARTICLES = frozenset("da de del della den der di du la le of the van von".split())
_ARTICLES = frozenset("a an the".split())
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_DATE = re.compile(
    r"\b(?P<century>\d{1,2})(?:st|nd|rd|th)[ -]centur(?:y|ies)\b"
    r"|\b(?P<year>1\d{3}|20\d{2})(?P<decade>s?)(?!\d)"
    rf"|\b(?P<month>{'|'.join(_MONTHS)})\b"
)
_NOT_VERBS = frozenset(
    "anything bed being building ceiling drawing during engraving etching evening everything farthing feed hundred "
    "indeed king lettering morning need nothing offspring painting red ring sacred seed shed shilling something "
    "speed spring sterling string thing united wedding wing writing".split()
)
_IRREGULAR = {
    form: lemma
    for lemma, forms in {
        "bear": "bore borne born",
        "become": "became become becomes",
        "begin": "began begun begins begin",
        "build": "built builds build",
        "buy": "bought buys buy",
        "carry": "carries carry carried",
        "come": "came comes come",
        "depict": "depicts depict",
        "die": "died dies dying die",
        "draw": "drew drawn draws draw",
        "drive": "drove driven drives drive",
        "fall": "fell fallen falls fall",
        "fight": "fought fights fight",
        "find": "found finds find",
        "give": "gave given gives give",
        "go": "went gone goes go",
        "hold": "held holds hold",
        "lead": "led leads lead",
        "leave": "left leaves leave",
        "lose": "lost loses lose",
        "make": "made makes make",
        "marry": "married marries marry",
        "meet": "met meets meet",
        "ride": "rode ridden rides ride",
        "run": "ran runs run",
        "see": "saw seen sees see",
        "sell": "sold sells sell",
        "show": "shown shows show",
        "sing": "sang sung sings sing",
        "sit": "sat sits sit sitting",
        "stand": "stood stands stand",
        "take": "took taken takes take",
        "wear": "wore worn wears wear",
        "win": "won wins win winning",
        "write": "wrote written writes write",
    }.items()
    for form in forms.split()
}


def intervals(text: str, *, short: bool = False) -> list[Interval]:
    """The intervals a text names. With ``short``, numbers of three digits are years too, as in a date field."""
    found = list(_centuries(text))
    rest = _CENTURY.sub(" ", text)
    rest = re.sub(r"\b\d{1,2}[./]\d{1,2}[./](?=\d{4}\b)", " ", rest)
    rest = re.sub(r"(?<=\d{4})-\d{2}(?:-\d{2})?\b(?!\d)", _day, rest)
    return found + list(_years(rest, short))


def _day(match: re.Match[str]) -> str:
    """A month and day after a year are no second year, two digits from 13 are: ``1853-54``."""
    month = match.group()[1:]
    return match.group() if len(month) == 2 and int(month) > 12 else " "


def _centuries(text: str) -> Iterator[Interval]:
    for match in _CENTURY.finditer(text):
        part, first, last = match.groups()
        start, end = 100.0 * (int(first) - 1) + 1, 100.0 * int(last or first)
        low, high = _PARTS.get((part or "").lower(), (0.0, 1.0))
        yield start + low * (end - start), start + high * (end - start)


def _years(text: str, short: bool) -> Iterator[Interval]:
    for match in _YEARS.finditer(text):
        first, last = match["first"], match["last"]
        if not (short or 1000 <= int(first) < 2100):
            continue
        start = float(first)
        end = start + 9 if match["decade"] else start
        if last:  # 1853-54
            whole = (
                float(first[: len(first) - len(last)] + last)
                if len(last) < len(first)
                else float(last)
            )
            end = max(end, whole)
        wider = CIRCA_YEARS if match["about"] else 0
        yield start - wider, end + wider


def apart(a: Interval, b: Interval) -> float:
    """The years that lie between a year of one interval and one of the other, on average."""
    steps = [step / 4 for step in range(5)]
    years = [[low + step * (high - low) for step in steps] for low, high in (a, b)]
    return sum(abs(x - y) for x in years[0] for y in years[1]) / 25


def names_of(field: str) -> list[str]:
    """The names in a field, in small letters and in the order of speech: ``Penfold, Clara`` is clara penfold."""
    names = []
    for part in re.split(r"\s*;\s*|\n", field):
        name = re.sub(r"\([^)]*\)|\b\d{3,4}\b|[-–?]\s*$", " ", part)
        last, comma, first = name.partition(",")
        name = f"{first} {last}" if comma else name
        name = " ".join(re.findall(r"[^\W\d_]+", name.lower().replace("&", " and ")))
        if name:
            names.append(name)
    return names


def alike(a: str, b: str) -> float:
    """From 0 for two names to 1 for one; ``c penfold`` may be clara penfold."""
    from rapidfuzz import fuzz

    if a == b:
        return 1.0
    one, other = a.split(), b.split()
    if one[-1] == other[-1] and one[0][0] == other[0][0] and 1 in (len(one[0]), len(other[0])):
        return INITIAL_SCORE
    ratio = float(fuzz.token_sort_ratio(a, b)) / 100
    return max(0.0, (ratio - MIN_NAME_RATIO) / (1 - MIN_NAME_RATIO))


def matched(a: Sequence[str], b: Sequence[str]) -> float:
    """How well the names of either side are found on the other, on average; 0 where a side has none."""
    if not a or not b:
        return 0.0
    there = sum(max(alike(x, y) for y in b) for x in a) / len(a)
    back = sum(max(alike(x, y) for x in a) for y in b) / len(b)
    return (there + back) / 2


def shares(a: Sequence[str], b: Sequence[str]) -> float:
    """The best match of any two."""
    return max((alike(x, y) for x in a for y in b), default=0.0)


def dates(text: str) -> list[str]:
    """Years, decades, centuries and months: ``1889``, ``1890s``, ``century 19``, ``may``."""
    found = []
    for match in _DATE.finditer(text):
        if match["century"]:
            found.append(f"century {int(match['century'])}")
        else:
            found.append((match["year"] or match["month"]).lower() + (match["decade"] or ""))
    return found


def named(text: str, kind: str) -> list[str]:
    """The names of a kind, ``person`` or ``place``, each as one text in small letters."""
    return [" ".join(name) for found, name in _names(text) if found == kind and name]


def people(text: str) -> list[str]:
    """The words of the names that look like a person's."""
    return [word for kind, name in _names(text) if kind == "person" for word in name]


def places(text: str) -> list[str]:
    """The words of the names that look like a place's."""
    return [word for kind, name in _names(text) if kind == "place" for word in name]


def verbs(text: str) -> list[str]:
    """The verbs, cut to a stem: forms in -ed and -ing, and the irregular ones that records use."""
    lemmas = []
    for match in words(text):
        word = match.group().lower()
        if word in _IRREGULAR:
            lemmas.append(_IRREGULAR[word])
        elif len(word) > 4 and word not in _NOT_VERBS:
            stem = re.sub(r"(?:ed|ing)$", "", word)
            if stem != word:
                lemmas.append(re.sub(r"(.)\1$", r"\1", stem).removesuffix("e"))
    return lemmas


def _names(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each run of capitalised words with its kind, ``person`` or ``place``; other names are left out."""
    run: list[str] = []
    before, end = "", 0
    for match in words(text):
        word = match.group()
        if run and text[end : match.start()] not in (" ", ". ", "."):
            yield from _kind(run, before)
            run, before = [], ""
        if (word[0].isupper() and word not in _MONTHS) or (run and word in _PARTICLES):
            run.append(word)
        else:
            yield from _kind(run, before)
            run, before = [], word
        end = match.end()
    yield from _kind(run, before)


def _kind(run: list[str], before: str) -> Iterator[tuple[str, list[str]]]:
    """A name by its words and the word before it. A lone capital is a name only where that says so."""
    name = [word.lower().removesuffix("'s").removesuffix("’s") for word in run]
    while name and name[0] in _ARTICLES:
        name = name[1:]
    while name and name[-1] in _PARTICLES:
        name = name[:-1]
    if not name:
        return
    proper = [word for word in name if word not in TITLES and word not in _PARTICLES]
    if name[-1] in _PLACE_NOUNS or any(word in _PLACES for word in name):
        yield "place", proper
    elif name[0] in TITLES or before == "by":
        yield "person", proper
    elif before in _PLACE_BEFORE:
        yield "place", proper
    elif len(name) > 1:
        yield "person", proper
