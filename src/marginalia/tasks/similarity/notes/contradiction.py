"""When two sentences contradict each other: they say the same but for one number, date or negation.

Careful rather than eager. Sentences about different things (other names, other groups, other years,
before and after) often differ in a number alone, and then both may be true.
"""

from __future__ import annotations

import re

from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.similarity.systems.alignment import Alignment, Word, align
from marginalia.tasks.similarity.systems.differences import Difference, differences
from marginalia.tasks.similarity.systems.numerals import ORDINAL_WORDS

MIN_SHARED_WORDS = 3
"""Content words that both sentences must have in common."""
KINDS = frozenset({"number", "date", "negation"})

# What may be said on one side only without changing what the sentence is about.
_FILLERS = frozenset(
    stem(word)
    for word in (
        "about accordingly almost already altogether amount approximately around average being circa comprise "
        "consist contain ensure equal exactly finally found further give given however indeed just mean measured nearly "
        "note now overall reach report respectively result roughly show shown still study therefore thus total "
        "totally value yield account together have there say said state stated see seen"
    ).split()
) | frozenset(
    stem(word, "de")
    for word in (
        "also betragen beträgt betrug circa daher damit dabei etwa fast gesamt immer insgesamt jedoch knapp lag "
        "liegt nahezu rund somit ungefähr zudem zeigt ergab ergibt dieser studie untersuchung ca"
    ).split()
)
# "Table 3", "group 2", "day 5": the number is a name.
_LABELS = frozenset(
    "algorithm appendix chapter class condition day eq equation example experiment fig figure film grade group hole "
    "hypothesis item layer lemma level line model month no nr number page part participant patient phase point "
    "question round row sample scenario season section series set sheet site stage step study subject table theorem "
    "trial type unit version volume wave week abbildung abb abschnitt aufgabe beispiel frage gruppe kapitel modell "
    "monat nummer phase probe punkt schritt seite spalte stufe tabelle tab tag teil welle woche zeile".split()
)
# "After 3 days the film ...", "In 2019 the share ...": the number says when, not how much.
_OPENING = re.compile(
    r"\W*(?!in total\b|in all\b)(?:after|at|before|by|during|for|from|in|on|since|until|with|within|under|over|between"
    r"|nach|bei|vor|während|für|von|in|im|am|an|seit|bis|mit|innerhalb|unter|zwischen)\b[^,;:]{0,40}\Z",
    re.IGNORECASE,
)
_CODE = re.compile(r"[A-Z]|[A-Za-z]*\d\w*|[A-Z]+\d*")
# "A5-0323", "5 / 2000", "2.06 p.m.": neither an amount nor alone.
_PART_OF_CODE = re.compile(r"[\w/][-–/]\Z|/ \Z")
_CODE_GOES_ON = re.compile(r"[-–]\w|\s?/|:\d|h\d")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"[.,](?=\d{3}(?!\d))")
_HEDGE = re.compile(
    r"\b(?:about|almost|approximately|around|circa|ca|less than|more than|nearly|over|roughly|some|under|up to"
    r"|bis zu|etwa|fast|gut|knapp|mehr als|nahezu|rund|über|ungefähr|unter|weniger als)\.?\s*\Z",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|\.)", re.IGNORECASE)


def contradiction(left: str, right: str) -> Difference | None:
    """What two sentences disagree about, where all else that they say is the same; else None."""
    if not _like(left, right):
        return None
    alignment = align(left, right)
    found = differences(left, right, alignment=alignment)
    if len(found) != 1 or found[0].kind not in KINDS:
        return None
    [one] = found
    shared = [link for link in alignment.links if alignment.left[link.left].content]
    if len(shared) < MIN_SHARED_WORDS or _differ_otherwise(alignment, one):
        return None
    if one.kind == "negation":
        return None if _numbered(left, one.left) or _numbered(right, one.right) else one
    assert one.left and one.right  # noqa: S101 - only a negation stands on one side alone
    if _names_something(left, one.left) or _names_something(right, one.right):
        return None
    hedged = _HEDGE.search(left[: one.left[0]]) or _HEDGE.search(right[: one.right[0]])
    quotes = left[slice(*one.left)], right[slice(*one.right)]
    return None if _is_rounded(*quotes, hedged is not None) else one


def _like(left: str, right: str) -> bool:
    """Whether they share half of their words, which is quickly seen; aligning them takes longer."""
    a, b = set(lower_words(left)), set(lower_words(right))
    return 2 * len(a & b) >= min(len(a), len(b))


def _differ_otherwise(alignment: Alignment, one: Difference) -> bool:
    """Whether a side has words of its own that could say it is about something else."""
    sides = ((alignment.only_left, one.left), (alignment.only_right, one.right))
    return any(
        _tells(word) and not (span and word.start < span[1] and span[0] < word.end)
        for alone, span in sides
        for word in alone
    )


def _tells(word: Word) -> bool:
    if _CODE.fullmatch(word.text) and word.text not in ("A", "I"):
        return True
    if not word.content:
        return False
    return not {stem(word.text), stem(word.text, "de")} & _FILLERS


def _names_something(text: str, span: tuple[int, int]) -> bool:
    """Whether the number says which one or when: ``Table 3``, ``the second``, ``After 3 days ...``."""
    quote, before = text[slice(*span)], text[: span[0]]
    last = re.search(r"([^\W\d_]+)[.\s#(]*\Z", before)
    if last and last.group(1).lower() in _LABELS:
        return True
    if _PART_OF_CODE.search(before) or _CODE_GOES_ON.match(text, span[1]):
        return True
    if quote.lower() in ORDINAL_WORDS or _ORDINAL.fullmatch(quote):
        return True
    return _OPENING.match(before) is not None


def _numbered(text: str, span: tuple[int, int] | None) -> bool:
    """Whether the word that seems to deny is short for number: ``Question No 6``."""
    return span is not None and re.match(r"\.?\s*\d", text[span[1] :]) is not None


def _is_rounded(left: str, right: str, hedged: bool) -> bool:
    """Whether one number is the other with fewer digits: 0.54 and 0.5, 1,249 and 1,200, 42 and about 40."""
    first, second = (_DIGITS.search(quote) for quote in (left, right))
    if not first or not second:
        return False
    # In English and German alike: a comma or point before three digits parts thousands here.
    plain = [_THOUSANDS.sub("", m.group()).replace(",", ".") for m in (first, second)]
    short, long = sorted(plain, key=lambda digits: (len(digits.rstrip("0.")), digits))
    if short.count(".") > 1 or long.count(".") > 1:
        return False
    values = [float(digits) for digits in (short, long)]
    if "." in short or "." in long:
        return round(values[1], len(short.partition(".")[2])) == values[0]
    zeros = len(short) - len(short.rstrip("0"))
    return zeros >= (1 if hedged else 2) and round(values[1], -zeros) == values[0]
