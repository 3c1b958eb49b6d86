"""The parts of a variable's text: study title, label, question, sub-question, items; and labels as one would say them.

Where the source distinguishes them they are taken as they are. The texts of GESIS Search are joined by
blanks; there the title is what all variables of a survey begin with, the question is what is said twice
(original and English), the label stands before it, often in capitals, and a code such as ``QA2_2 -`` opens
the sub-question, which the other items of the battery follow.

The labels of many surveys are in capitals, the German ones with AE for Ä. An encoder to which capitals matter
reads VERMOEGEN as a code, not as a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from marginalia.nlp.frequency import zipf
from marginalia.tasks.variables.official.vocabulary import Catalogue, Variable

MIN_CAPITAL_SHARE = 0.6
"""From this share of its letters on a text is in capitals."""
UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"))
_LETTERS = re.compile(r"[^\W\d_]+")
Parts = Mapping[str, str]
CORE = ("label", "question", "subquestion", "topic")
"""What says which variable it is; items and answers are shared by a battery."""
MAX_CORE_CHARACTERS = 600
"""Characters of the core that are read: some questions have pages of instructions."""
MIN_REPEATED_CHARACTERS = 20
"""So long is the shortest question that is recognised by being said twice."""
_SUB = re.compile(r"\b(?:Q|F|QA|QB|QC|QD|QE|D|V|P)[\w.]{0,8}\s+-\s+")
_SENTENCE = re.compile(
    r"(?<=[\w)\]?.])\s+(?=(?:[A-ZÄÖÜ][a-zäöü]+|I|ISSP \d)[^.?]{15,}[?.:])"
)  # where a question may begin after a label in small letters
_CODES = re.compile(
    r"ISSP \d{4} ?\([^)]*\)\s*[;:]?"  # sources of a cumulated file
    r"|^\(?[A-Z]{1,3}\.?\d{1,3}[a-z]?(?:[._]\d+)*\)?\s"  # QA9, Q13a
    r"|\((?:[QF]\.?\d+\w*)\)|\b[FSQ]\.\s?[IVX]*-?[A-Z0-9]+\w*(?:\(\d+\))?(?:\s|$)"  # F.46, S.I-C
    r"|\(Nicht vorlesen!*\)|\(SPONTANEOUS\)|\bnan\b|[<>{}]"
)


def spoken(text: str) -> str:
    """A text in capitals in small letters, with umlauts where they make a word; any other as it is."""
    letters = [sign for sign in text if sign.isalpha()]
    if sum(map(str.isupper, letters)) <= MIN_CAPITAL_SHARE * len(letters):
        return text
    return _LETTERS.sub(lambda match: with_umlauts(match.group()), text.lower())


@lru_cache(maxsize=50_000)
def with_umlauts(word: str) -> str:
    """``vermögen`` for ``vermoegen``; ``neue`` and ``value`` stay, since they are the commoner words."""
    changed = word
    for two, one in UMLAUTS:
        changed = changed.replace(two, one)
    if changed == word or zipf(changed, "de") <= zipf(word, "de"):
        return word
    return changed


@lru_cache(maxsize=64)
def parts_of(catalogue: Catalogue) -> Mapping[str, Parts]:
    """The parts of each variable, by id."""
    joined: dict[str, list[Variable]] = {}
    by_id: dict[str, Parts] = {}
    for variable in catalogue:
        fields = {name: value for name, value in variable.fields.items() if value.strip()}
        if fields:
            by_id[variable.id] = fields
        else:
            joined.setdefault(variable.survey, []).append(variable)
    for variables in joined.values():
        texts = [variable.text for variable in variables]
        title = common_start(min(texts), max(texts))
        for variable in variables:
            by_id[variable.id] = {"study": title.strip(), **split(variable.text[len(title) :])}
    return {id: by_id[id] for id in catalogue.ids}


def core(parts: Parts) -> str:
    """Label, question, sub-question and topic, without codes, as they would be said."""
    said = (spoken(clean(parts.get(name, ""))) for name in CORE)
    return " ".join(filter(None, said))[:MAX_CORE_CHARACTERS]


def label(parts: Parts) -> str:
    return clean(parts.get("label", ""))


def clean(text: str) -> str:
    """The text without question numbers and other codes."""
    return " ".join(_CODES.sub(" ", text).split())


def split(text: str) -> dict[str, str]:
    """Label, question, sub-question and items of a joined text, as far as they can be distinguished."""
    text = text.strip()
    twice = _said_twice(text)
    if twice:
        start, question, end = twice
        name, tail = text[:start].strip(), text[end:].strip()
    else:
        name, tail = _label(text), ""
        question = text[len(name) :].strip()
    if not tail and (mark := _SUB.search(question)):
        question, tail = question[: mark.start()].strip(), question[mark.start() :]
    fields = {"label": name, "question": question}
    mark = _SUB.match(tail)
    body = tail[mark.end() :] if mark else tail
    first, *others = body.split(";")
    if others and not mark:
        fields["items"] = body
    else:
        fields |= {"subquestion": first, "items": "; ".join(others)}
    return {name: value for name, value in fields.items() if value and value != "nan"}


def common_start(low: str, high: str) -> str:
    """What all texts between the first and the last begin with; a single text has no title that can be seen."""
    if low == high:
        return ""
    same = next((n for n, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
    return low[: low.rfind(" ", 0, same) + 1]


def _label(text: str) -> str:
    capitals = []
    for word in text.split():
        if sum(map(str.islower, word)) >= max(1, sum(map(str.isupper, word))):
            break
        capitals.append(word)
    name = " ".join(capitals)
    if len(name) >= 4 and text.startswith(name):
        return name
    mark = _SENTENCE.search(text)
    return text[: mark.start()] if mark and mark.start() < 120 else text[:80]


def _said_twice(text: str) -> tuple[int, str, int] | None:
    """The longest piece that follows upon itself: where it starts, the piece, and where the second ends."""
    places: dict[str, list[int]] = {}
    for start in _starts(text):
        if len(text) - start >= MIN_REPEATED_CHARACTERS:
            places.setdefault(text[start : start + MIN_REPEATED_CHARACTERS], []).append(start)
    best: tuple[int, str, int] | None = None
    for starts in places.values():
        for number, first in enumerate(starts):
            for second in starts[number + 1 :]:
                piece = text[first:second].strip()
                again = text.startswith(piece, second)
                if again and (best is None or len(piece) > len(best[1])):
                    best = first, piece, second + len(piece)
    return best


def _starts(text: str) -> Iterable[int]:
    return (0, *(match.end() for match in re.finditer(r"\s+", text)))
