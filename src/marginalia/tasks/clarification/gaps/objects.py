"""Verbs whose object is missing: ``Hold for ten seconds``, ``before serving``, ``let dry``, ``cut the sides``.

As in CLAIRE, where an implicit reference is a phrase that a later version put after a verb or, with ``of``,
after a noun.
"""

from __future__ import annotations

from collections.abc import Iterator

from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.lexicon import (
    MUCH,
    base_form,
    is_phrasal,
    is_verb,
    needs_object,
    singular,
)
from marginalia.tasks.clarification.gaps.orders import MAX_ORDERS_IN_A_ROW, ORDER, form_of
from marginalia.tasks.clarification.gaps.phrases import (
    DETERMINERS,
    PRONOUNS,
    TIMES,
    Words,
    phrase_at,
)

PATTERN = "IMPLICIT REFERENCE"

LET = 0.9
"""``Let dry``: what?"""
WITH_RESULT = 0.85
"""``Wipe dry``: the adjective says what the object becomes."""
RELATIONAL = 0.5
"""``the sides`` without saying of what."""

_ABOUT = frozenset("about around approximately roughly nearly almost over up".split())
_CLAUSE = frozenset("that how whether what which where why who if".split())
_IDIOMS = frozenset({"to taste", "to serve", "to start", "to begin", "to finish", "to follow"})
_PLUS = {
    "add": "up", "allow": "for", "apply": "for to", "brush": "up past", "call": "for on in",
    "check": "in out for with on", "click": "on through", "cool": "off down",
    "cut": "into through across down back", "dispose": "of", "draw": "on from", "dress": "for in up",
    "fill": "up", "hold": "on onto still back off", "knock": "on", "log": "in out on", "open": "up",
    "press": "on against down", "pull": "on at up over into", "push": "on against through off",
    "refer": "to", "roll": "over up around out", "rub": "against", "set": "off out about",
    "settle": "in for down", "sign": "up in out for", "spread": "out", "stick": "to with",
    "stretch": "out", "take": "into off part place to over", "tap": "on",
    "turn": "to around into left right", "warm": "up", "wash": "up",
}  # fmt: skip
"""With these words after them the verbs need no object: hold on, press against the wall."""
_STIRRED = frozenset("add beat blend fold mix pour rub stir whisk work".split())
"""Stir in the vanilla: what follows ``in`` is their object."""
_QUOTES = "\"'“”‘’«»„<["
_PARTS = frozenset(
    "side top bottom end edge middle center centre back front beginning start surface inside outside "
    "corner tip rest".split()
)


def missing_objects(words: Words) -> Iterator[tuple[int, int, float, str]]:
    """For each verb without its object: its first word, the word after it, a score, and the preposition that is missing."""
    for i, word in enumerate(words):
        form = form_of(words, i)
        if form:
            yield from _after_verb(words, i, form)
        elif word.tag in NOUNS and singular(word.lower) in _PARTS and _relational(words, i):
            yield i, i + 1, RELATIONAL, "of"


def _after_verb(words: Words, i: int, form: float) -> Iterator[tuple[int, int, float, str]]:
    verb = base_form(words[i].lower)
    if i and f"{words[i - 1].lower} {verb}" in _IDIOMS:
        return
    if verb == "let" and form == ORDER:
        if _let(words, i + 1):
            yield i, i + 1, LET, ""
        return
    after, need = i + 1, needs_object(verb)
    if after < len(words) and words[after].joined:
        particle = words[after].lower
        if particle in _PLUS.get(verb, "").split():
            return
        if verb in ("right", "left", "double"):
            return  # right click
        if verb in _STIRRED and particle == "in":
            return
        if words[after].tag in ("ADP", "ADV", "PART") and is_phrasal(verb, particle):
            need = max(needs_object(f"{verb} {particle}"), 0.0 if need < 0.5 else need * 0.8)
            after += 1
    if need < 0.4:
        return
    found = follows(words, after)
    # "want to", "choose to": there the clause is what is wanted.
    if found == "nothing" or (found == "purpose" and need == MUCH):
        yield i, after, form * need, ""
    elif found == "result":
        yield i, after, form * need * WITH_RESULT, ""


def _let(words: Words, i: int) -> bool:
    """``let dry``, ``let rest``; but not ``let water run``, ``let go``."""
    if i >= len(words) or not words[i].joined or not is_verb(words[i].lower):
        return False
    if words[i].lower in ("go", "know"):
        return False
    after = words[i + 1] if i + 1 < len(words) and words[i + 1].joined else None
    # The tagger takes "rest" for a noun.
    ends = after is None or after.tag in ("ADP", "ADV", "SCONJ", "CCONJ")
    return words[i].tag not in NOUNS or ends


def follows(words: Words, i: int, deep: int = 0) -> str:
    """What follows a verb: an ``object``, a ``clause``, a ``result`` (wipe dry), or ``nothing`` of these.

    ``Wash and dry the jars``: a verb that stands next to another one shares its object.
    """
    j = i
    while j < len(words) and words[j].joined and words[j].tag == "ADV" and words[j].lower != "how":
        j += 1
    if j >= len(words):
        return "nothing"
    word = words[j]
    if not word.joined:
        if any(mark in word.gap for mark in _QUOTES):
            return "object"  # click "Save"
        return _shared(words, j, deep) if j == i and "," in word.gap else "nothing"
    if word.tag == "CCONJ":
        return _shared(words, j + 1, deep) if j == i else "nothing"
    if word.lower in _CLAUSE and word.tag in ("SCONJ", "PRON", "DET", "ADV"):
        return "nothing" if word.lower == "if" else "clause"
    following = words[j + 1] if j + 1 < len(words) else None
    if word.lower in _ABOUT and following is not None and following.tag == "NUM":
        return "object"
    if word.text[0].isupper() and word.lower != "i":
        return "object"  # click Continue
    if (
        word.lower in DETERMINERS
        or word.lower in PRONOUNS
        or word.lower == "such"
        or word.tag in ("DET", "PRON")
    ):
        return "object"
    if word.tag in NOUNS:
        return "object"
    phrase = phrase_at(words, j)
    if phrase is not None and phrase.head is not None:
        head = singular(words[phrase.head].lower)
        return "nothing" if head in TIMES and word.tag == "NUM" else "object"
    if word.tag == "NUM":
        return "object"
    if word.tag == "ADJ":
        return "result"
    if word.tag == "VERB" and word.lower.endswith(("ing", "ed")):
        return "clause"
    return "purpose" if word.lower == "to" and word.tag == "PART" else "nothing"


def _shared(words: Words, j: int, deep: int) -> str:
    """What a verb next to this one has as its object; ``then`` parts them."""
    while j < len(words) and words[j].tag in ("CCONJ", "ADV"):
        if words[j].lower == "then":
            return "nothing"
        j += 1
    if j < len(words) and is_verb(words[j].lower) and words[j].tag not in ("PRON", "DET", "ADP"):
        after = j + 1
        if after < len(words) and is_phrasal(words[j].lower, words[after].lower):
            after += 1
        found = follows(words, after, deep + 1) if deep < MAX_ORDERS_IN_A_ROW else "nothing"
        return found if found in ("object", "clause") else "nothing"
    return "nothing"


def _relational(words: Words, i: int) -> bool:
    """``the sides`` where neither ``of`` nor another noun says of what."""
    phrase = next(
        (p for j in (i - 1, i - 2) if j >= 0 and (p := phrase_at(words, j)) and p.head == i), None
    )
    if phrase is None or words[phrase.first].lower != "the" or phrase.after - phrase.first > 3:
        return False
    if any(w.tag in NOUNS for w in words[phrase.first : i]):
        return False
    following = words[i + 1] if i + 1 < len(words) else None
    if following is not None and following.joined:
        if following.lower in ("of", "to", "that", "which", "where", "for", "with"):
            return False
        if following.tag in ("PRON", "DET", "NOUN"):
            return False
    if following is not None and following.tag == "CCONJ":
        return False  # the length and width of ...
    before = words[phrase.first - 1].lower if phrase.first else ""
    # "a pat on the back"
    return before not in ("in", "at", "for", "past") and (before, words[i].lower) != ("on", "back")
