"""Determiners, numbers and adjectives without their noun: ``change these``, ``beat three``, ``use the long``."""

from __future__ import annotations

from collections.abc import Iterator

from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.lexicon import base_form, needs_object, noun, singular
from marginalia.tasks.clarification.gaps.phrases import (
    DEFINITE,
    Words,
    is_genitive,
    looks_adjective,
)

PATTERN = "FUSED HEAD"

_ALONE = {
    "this": 0.5, "that": 0.35, "these": 0.62, "those": 0.5, "another": 0.6, "both": 0.5, "several": 0.5,
    "few": 0.5, "many": 0.35, "each": 0.4, "some": 0.35, "either": 0.45, "neither": 0.4,
}  # fmt: skip
"""How likely a reader asks "which?" after these words."""
_SUBJECTS = frozenset("some either neither many".split())
_PLURAL = frozenset("these those both several few some many".split())
_NUMBERS = frozenset("two three four five six seven eight nine ten eleven twelve".split())
_NUMBER = 0.6
_ADJECTIVE = 0.75
_AFTER = 0.55
"""``in miniature,``: an adjective after a preposition or a verb, and then a mark."""
_GENERIC = 0.4
"""``the elderly``: all of them are meant."""
_OFTEN = 0.7

_HEAT = frozenset("low medium high medium-high medium-low".split())
# What stands for a noun so often that it is clear.
_FIXED = frozenset(
    """following same other others right left best most least former latter above below next last first second third
    opposite public past present future inside outside middle whole original contrary worst better unknown ordinary
    impossible rest norm more less only internet web main english german french spanish like ex one ones bit lot little
    top bottom worth must pro upside deceased""".split()
)
_PEOPLE = frozenset("elderly poor rich sick young old dead blind deaf wounded homeless".split())
_ADVERBIAL = {
    "in": "short general full public private vain particular common advance place",
    "for": "free sure good certain short example",
    "at": "large best last first least most worst random",
    "of": "late",
    "by": "far",
    "from": "new old",
    "than": "usual normal",
    "until": "smooth golden brown tender soft dry crisp firm hot warm cool cold clear thick fluffy crispy full done "
    "ready stiff flat even light creamy",
    "when": "dry ready cool cold hot warm possible necessary full wet done",
    "while": "warm hot wet cold",
}
"""Adjectives that are whole after these words."""
_GOVERNS = frozenset(
    "in on at with for to of by from through into around over until when while than".split()
)
_RESULTS = frozenset(
    """dry clean flat open shut closed thin thick tight loose free smooth warm cool cold hot even straight together
    upright level clear full empty short long small fine high low still safe fresh wet soft firm steady secure""".split()
)
"""What something can be made: wipe dry, cut short."""
_OPENERS = frozenset({*DEFINITE, "a", "an", "these", "those", "another", "each", "every"})


def missing_heads(words: Words) -> Iterator[tuple[int, float, bool | None]]:
    """For each word that lacks its noun: its index, a score, and whether a plural is missing."""
    for i, word in enumerate(words):
        score, plural = 0.0, None
        if word.lower in _ALONE:
            score, plural = _pronoun(words, i), word.lower in _PLURAL
        elif word.lower in _NUMBERS:
            score, plural = _NUMBER if _number(words, i) else 0.0, True
        elif looks_adjective(word) or word.lower in _HEAT:
            score = _adjective(words, i)
        if score:
            yield i, score, plural


def _ends(words: Words, i: int) -> bool:
    """Whether the phrase of this word ends with it: no noun follows that could be its own."""
    if i + 1 >= len(words):
        return True
    following = words[i + 1]
    if not following.joined:
        if any(mark in following.gap for mark in "(/&"):
            return False  # "the red (PR) cable"
        # "a large, fluffy brush"
        more = following.tag == "ADV" or looks_adjective(following)
        return not (following.gap.strip() == "," and more and words[i].tag not in NOUNS)
    if following.tag in (*NOUNS, "ADJ", "NUM", "PRON", "DET", "X"):
        return False
    if following.lower in ("of", "one", "ones"):
        return False
    if following.tag == "CCONJ":
        # "the red and the blue wire" share their noun
        later = words[i + 2 : i + 5]
        return not (
            later
            and looks_adjective(later[0] if later[0].lower not in DEFINITE else later[-1])
            and any(w.tag in NOUNS and not looks_adjective(w) for w in later)
        )
    if following.tag == "VERB" and following.lower.endswith(("ing", "ed")):
        after = words[i + 2] if i + 2 < len(words) else None
        return after is None or after.tag not in NOUNS
    return True


def _pronoun(words: Words, i: int) -> float:
    """``this`` and the like, which the tagger calls pronouns where no noun follows."""
    word = words[i]
    if word.tag not in ("PRON", "DET", "ADJ") or not _ends(words, i):
        return 0.0
    before = words[i - 1] if i else None
    following = words[i + 1] if i + 1 < len(words) else None
    ends = following is None or not following.joined
    acts = following is not None and following.tag in ("AUX", "VERB")
    if before is not None and word.joined:
        if before.lower in ("like", "than", "as", "all", "just", "do", "done", "doing", "does"):
            return 0.0
        if word.lower in ("each", "both") and before.tag in ("NUM", "PRON", *NOUNS):
            return 0.0
    score = _ALONE[word.lower]
    if word.lower == "that":
        # Elsewhere it joins clauses.
        object_ = ends and before is not None and before.tag in ("VERB", "ADP")
        return score if object_ or (i == 0 and acts) else 0.0
    if word.lower in _SUBJECTS and acts and (i == 0 or not word.joined):
        score += 0.15  # "Some will ask for a key"
    if word.lower == "this" and i and word.joined:
        score -= 0.05
    if word.lower == "each" and (ends or (following is not None and following.tag != "ADP")):
        score += 0.1
    if word.lower in ("both", "either", "neither", "each") and i == 0 and not ends and not acts:
        return 0.0
    if (
        following is not None
        and following.joined
        and following.lower in ("is", "are", "was", "were")
    ):
        later = words[i + 2] if i + 2 < len(words) else None
        # "This is a ...", "these are the ...": the noun follows.
        if later is not None and later.tag in ("DET", "NOUN", "PRON", "SCONJ"):
            return score * 0.6
    return score


def _number(words: Words, i: int) -> bool:
    if not _ends(words, i) or i == 0 or not words[i].joined:
        return False
    following = words[i + 1] if i + 1 < len(words) and words[i + 1].joined else None
    if following is not None and (
        following.tag in ("ADV", "PART") or following.lower in ("or", "to")
    ):
        return False
    # "cut in two", "count to ten", "at five": numbers by themselves
    before = words[i - 1]
    return before.tag == "VERB" or before.lower in ("the", "these", "those", "other", "your")


def _adjective(words: Words, i: int) -> float:
    word = words[i]
    if i == 0 or not word.joined or word.lower in _FIXED or not _ends(words, i):
        return 0.0
    before = words[i - 1]
    following = words[i + 1] if i + 1 < len(words) and words[i + 1].joined else None
    if word.lower in _HEAT and before.lower in ("on", "over") and before.tag == "ADP":
        return _ADJECTIVE
    governs = following is not None and following.tag in ("ADP", "PART")
    if governs and word.lower.endswith(("ed", "ing")):
        return 0.0  # "the ones used for ..."
    j = i - 1
    while j > 0 and words[j].tag in ("ADV", "ADJ") and words[j].joined:
        j -= 1
    opener = words[j]
    if words[j + 1].lower in ("little", "bit", "lot") and j + 1 < i:
        return 0.0  # "a little fresh"
    if following is None and word.tag == "ADJ" and opener.tag in ("ADP", "VERB") and j == i - 1:
        return _loose(words, i)
    if opener.lower not in _OPENERS and not is_genitive(opener):
        return 0.0
    if word.lower == "own" and j and words[j - 1].lower in ("on", "of"):
        return 0.0
    if opener.lower == "her" and j and words[j - 1].tag == "VERB":
        return 0.0  # "make her happy"
    if word.tag in NOUNS and singular(word.lower) != word.lower:
        return 0.0
    if following is not None and following.tag == "VERB" and noun(following.lower).field:
        return 0.0  # "the front fold": the tagger is wrong
    if word.lower in _PEOPLE or (following is not None and following.tag == "AUX"):
        return _GENERIC
    return _ADJECTIVE


def _loose(words: Words, i: int) -> float:
    word, before = words[i], words[i - 1]
    if before.tag == "ADP" and before.lower not in _GOVERNS:
        return 0.0  # "come out alive"
    if before.tag == "ADP" or before.lower in _ADVERBIAL:
        whole = before.lower == "as" or word.lower in _ADVERBIAL.get(before.lower, "").split()
        return 0.0 if whole else _AFTER
    if word.lower in _RESULTS or word.lower.endswith(("ed", "en", "er")):
        return 0.0
    return _AFTER if needs_object(base_form(before.lower)) >= _OFTEN else 0.0
