"""Orders and other verbs of what readers shall do: ``Hold it``, ``do not hold it``, ``before holding it``."""

from __future__ import annotations

from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.lexicon import base_form, is_verb, needs_object
from marginalia.tasks.clarification.gaps.phrases import DETERMINERS, Words

ORDER, MODAL, GERUND, PURPOSE = 1.0, 0.85, 0.8, 0.6
"""How sure one can be that a verb of this form has lost its object."""
MIN_VERB_SHARE = 0.5
MAX_ORDERS_IN_A_ROW = 20
"""Orders in a row; a text that has more is no prose."""

_THEN = frozenset("then next now first finally please and or but".split())

_MODALS = frozenset("should must can could may might will would shall".split())
_PERSONS = frozenset("i you we they he she people everyone anyone".split())
_BEFORE_GERUND = frozenset("before after when while by without".split())
_RELATIVE = frozenset(
    "that which who whom whose what whatever whichever how where why than as".split()
)
_OPENERS = frozenset(
    "if when once after before as while until because to unless since whenever".split()
)


def starts_clause(words: Words, i: int) -> bool:
    """Whether an order may begin here: at the start, after a colon, after "then" or "and", after an adverb."""
    while i > 0:
        before = words[i - 1]
        if any(mark in words[i].gap for mark in ",:;–—.!?") or before.lower in _THEN:
            return True
        if before.tag != "ADV":
            return False
        i -= 1
    return True


def is_order(words: Words, i: int, deep: int = 0) -> bool:
    """Whether the word is an imperative: a base form where an order may begin."""
    word = words[i]
    if len(words) < 2 or not is_verb(word.lower) or not starts_clause(words, i):
        return False  # a single word is a heading
    if word.tag == "VERB":
        return i == 0 or _follows_order(words, i, deep + 1)
    following = words[i + 1] if i + 1 < len(words) else None
    # The tagger takes "Scrub with a brush" and "and chop." for nouns.
    if i == 0 and word.tag != "ADV":
        opens = ("ADP", "ADV", "SCONJ", "DET", "PRON")
        return needs_object(word.lower) >= MIN_VERB_SHARE and (
            following is None or not following.joined or following.tag in opens
        )
    if word.tag in ("NOUN", "PROPN", "ADJ") and i and words[i - 1].lower in ("and", "then"):
        verb = next((j for j in range(i - 1, -1, -1) if words[j].tag == "VERB"), None)
        verb_before = verb is not None and is_order(words, verb, deep + 1)
        ends = following is None or not following.joined or following.tag in ("ADP", "ADV", "SCONJ")
        return verb_before and ends and not _nouns_joined(words, i)
    return False


def _nouns_joined(words: Words, i: int) -> bool:
    """Whether a noun without determiner stands before "and": salt and press."""
    return (
        i > 1
        and words[i - 1].lower == "and"
        and words[i - 2].tag in NOUNS
        and not (i > 2 and words[i - 3].lower in DETERMINERS)
    )


def _follows_order(words: Words, i: int, deep: int) -> bool:
    """Whether the verb before is an order too, or stands in a clause of its own: "If it sticks, stir".

    "She will wash and dry it" has a subject; so has "they cut, fold and sew".
    """
    if deep > MAX_ORDERS_IN_A_ROW:
        return False
    mark = False
    for j in range(i - 1, -1, -1):
        mark = mark or bool(words[j + 1].gap.strip())
        if words[j].tag in ("VERB", "AUX") and not words[j].lower.endswith("ing"):
            if any(sign in words[j + 1].gap for sign in ".!?;:") or is_order(words, j, deep):
                return True
            return mark and (words[0].tag in ("SCONJ", "ADP") or words[0].lower in _OPENERS)
    return True


def form_of(words: Words, i: int) -> float:
    """How the verb stands there; 0 where it is no verb, or where its object may stand before it."""
    word = words[i]
    before = words[i - 1] if i else None
    if is_order(words, i):
        return ORDER
    if word.tag != "VERB" or before is None:
        return 0.0
    if word.lower.endswith("ing") and base_form(word.lower) != word.lower:
        if before.lower in _BEFORE_GERUND and word.joined:
            return GERUND
        return 0.0
    if not is_verb(word.lower) or base_form(word.lower) != word.lower:
        return 0.0
    if before.lower == "let":
        return 0.0  # the verb let itself has no object: see ``objects``
    start = _clause(words, i)
    clause = [w.lower for w in words[max(0, start - 1) : i]]
    if _RELATIVE.intersection(clause) or _extracted(words, start, i):
        return 0.0
    if before.lower in ("don't", "never"):
        return ORDER
    if before.lower == "not":
        governor = words[i - 2].lower if i > 1 else ""
        person = i > 2 and words[i - 3].lower in _PERSONS
        return ORDER if governor == "do" else MODAL if governor in _MODALS and person else 0.0
    if before.lower in _MODALS:
        if i < 2 or words[i - 2].lower not in _PERSONS:
            return 0.0  # "the pests should scatter"
        if words[i].lower == "add" and i + 1 < len(words) and words[i + 1].lower == "to":
            return 0.0
        return MODAL
    if before.lower == "to" and before.tag == "PART":
        # "easy to hold", "a cloth to wipe": the object stands before.
        governed = i > 1 and words[i - 2].tag not in ("ADJ", *NOUNS, "PRON", "ADV", "NUM")
        return PURPOSE if governed else 0.0
    return 0.0


def _clause(words: Words, i: int) -> int:
    """Where the clause of a word begins: after the last mark or conjunction."""
    while i > 0:
        if words[i].gap.strip() or words[i - 1].tag in ("SCONJ", "CCONJ"):
            return i
        i -= 1
    return 0


def _extracted(words: Words, start: int, i: int) -> bool:
    """``the cloth you use``, ``the size you want to add``: the object stands before its clause."""
    return any(
        words[j].lower in ("i", "you", "we", "they", "he", "she", "it")
        and words[j].joined
        and words[j - 1].tag in (*NOUNS, "PRON")
        for j in range(max(1, start), i)
    )
