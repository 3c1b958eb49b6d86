"""People, places, dates and verbs of a catalogue record, by simple rules for English.

The organisers' baseline for TYPED used a statistical recogniser; these rules need no model. They read
capitals, a short gazetteer, the nouns that places end with, and word endings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from marginalia.nlp.tokens import words

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
    found = []
    for match in words(text):
        word = match.group().lower()
        if word in _IRREGULAR:
            found.append(_IRREGULAR[word])
        elif len(word) > 4 and word not in _NOT_VERBS:
            stem = re.sub(r"(?:ed|ing)$", "", word)
            if stem != word:
                found.append(re.sub(r"(.)\1$", r"\1", stem).removesuffix("e"))
    return found


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
