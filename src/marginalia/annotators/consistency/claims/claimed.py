"""Whether the part in which two sentences differ is what they claim, or says which thing they speak of.

``Table 3 shows …`` and ``After 3 days …`` say which and when; ``… lasts 3 hours`` claims.
"""

from __future__ import annotations

import re

from marginalia.annotators.consistency.claims.amounts import Amount
from marginalia.annotators.consistency.claims.clauses import (
    is_attribute,
    is_order,
    is_subordinate,
    main_verb,
)
from marginalia.annotators.consistency.claims.reading import Claim, Span

SETS_LIMIT = re.compile(
    r"\b(?:must|may|should|shall|can|limit\w*|default\w*|minimum|maximum|requires?|required|allowed|muss|müssen|darf|dürfen|soll\w*)\b",
    re.IGNORECASE,
)
# "Table 3", "group 2", "day 5": the number is a name.
_LABELS = frozenset(
    "algorithm appendix chapter class condition day eq equation example experiment fig figure film grade group hole "
    "hypothesis item layer lemma level line model month no nr number page part participant patient phase point "
    "question round row sample scenario season section series set sheet site stage step study subject table theorem "
    "trial type unit version volume wave week abbildung abb abschnitt aufgabe beispiel frage gruppe kapitel modell "
    "monat nummer phase probe punkt schritt seite spalte stufe tabelle tab tag teil welle woche zeile zimmer raum room "
    "issue error bus route article artikel note act rule clause paragraph".split()
)
# What happens once, so that it has one date.
_EVENT = re.compile(
    r"\b(?:began|begins?|begun|starts|started|ends|ended|opened|opens|founded|established|signed|born|died|due|deadline"
    r"|expires?|expired|launched|released|published|completed|finished|built|elected|takes? place|took place|adopted|ratified"
    r"|introduced|inaugurated|discovered|invented|created|formed|abolished|enacted|destroyed|scheduled"
    r"|beginnt|begann|startet|startete|endet|endete|gegründet|eröffnet|unterzeichnet|geboren|starb|gestorben|fällig|veröffentlicht"
    r"|fertiggestellt|gebaut|erbaut|gewählt|findet|fand|verabschiedet|eingeführt|entdeckt|erfunden|abgeschlossen|zerstört)\b"
)
_MEETING = re.compile(r"\b(?:takes? place|took place|due|deadline|scheduled|findet|fällig)\b")
_OPENING = re.compile(
    r"\W*(?:after|at|before|by|during|for|from|in|on|since|until|with|within|under|over|between"
    r"|nach|bei|vor|während|für|von|in|im|am|an|seit|bis|mit|innerhalb|unter|zwischen)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(?:after|at|before|by|during|for|from|in|on|with|within|under|above|of|nach|bei|vor|mit|ab|im|am|aus)\s+(?:an?\s+|the\s+)?\Z",
    re.I,
)
_TOTAL = re.compile(r"\W*(?:a total of|in total|in all|altogether|insgesamt|of\b|von den)", re.I)
_AS = re.compile(r"\b(?:as|so|wie)\s+\Z", re.I)
_DEFINITE = re.compile(r"\b(?:the|these|those|this|our|die|der|den|das|diese\w?)\s+\Z", re.I)
# "§ 3", "(4)", "206–231–3195": a bare number that is part of a code.
_CODE_BEFORE, _CODE_AFTER = re.compile(r"(?:§|[(#/]|\d[)–-])\s?\Z"), re.compile(r"\)|\s?[–-]\s?\d")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[.\s#(]*\Z")
VAGUE_SUBJECT = re.compile(
    r"\W*(?:some|other|another|one|many|few|several|certain|most|a\s(?!total)|an\s|einige|manche|viele|ein\s|eine\s)",
    re.I,
)


def is_claimed(claim: Claim, span: Span | None, kind: str, is_copy: bool = False) -> bool:
    """Whether what differs is what the sentence says of its subject, not what it says which subject it means by.

    ``is_copy``: all else is said in the same words, and in many.
    """
    if span is None:
        return True
    text = claim.text
    if kind == "date":
        amount = next((a for a in claim.amounts if (a.start, a.end) == span), None)
        if amount is not None:
            return not _sets_scene(claim, amount)
        date = next(d for d in claim.dates if (d.start, d.end) == span)
        return (_EVENT if date.value[3] is None else _MEETING).search(text) is not None
    if kind == "number":
        amount = next(a for a in claim.amounts if (a.start, a.end) == span)
        return not (
            _is_label(claim, amount) or _sets_scene(claim, amount) or _past_and_vague(claim)
        )
    if (VAGUE_SUBJECT.match(text) and not is_copy) or is_subordinate(claim, span):
        return False
    if kind == "opposite":
        # "not by hand" and "not automatically" may both be true; "as long as possible" is a phrase.
        if claim.negations or _AS.search(text[: span[0]]):
            return False
        verb = main_verb(claim)
        return (
            verb is not None
            and span[0] >= verb
            and not is_attribute(claim, span)
            and not is_order(claim, span)
        )
    return True


def _past_and_vague(claim: Claim) -> bool:
    """``A patient lost 12 kg``: another one may have lost more."""
    return bool(VAGUE_SUBJECT.match(claim.text)) and not SETS_LIMIT.search(claim.text)


def _is_label(claim: Claim, amount: Amount) -> bool:
    """Whether the number says which one: ``Table 3``, ``the 3 mm rods``, ``Room 204 has …``."""
    before = claim.text[: amount.start]
    if amount.unit == "" and (
        _CODE_BEFORE.search(before) or _CODE_AFTER.match(claim.text, amount.end)
    ):
        return True
    last = _WORD_BEFORE.search(before)
    if amount.unit == "" and last and last[1].lower() in _LABELS:
        return True
    verb = main_verb(claim)
    if verb is None or amount.start > verb:
        return False
    if _DEFINITE.search(before):
        return True
    alone = amount.unit == "" and amount.at == amount.start and last is not None
    return alone and not _TOTAL.match(claim.text) and not _PREPOSITION.search(before)


def _sets_scene(claim: Claim, amount: Amount) -> bool:
    """``After 3 days the film …``, ``The model with 3 layers …``: the number says when or which, not how much."""
    verb = main_verb(claim)
    if verb is None:
        return _OPENING.match(claim.text[: amount.start]) is not None and not _TOTAL.match(
            claim.text
        )
    before = claim.text[: amount.start]
    if amount.start >= verb or _TOTAL.match(claim.text):
        return False
    return _PREPOSITION.search(before) is not None or _OPENING.match(before) is not None
