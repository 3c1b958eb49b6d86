"""When two sentences contradict each other: they say the same but for one thing, and that is what they claim.

Careful rather than eager. Sentences about different things (other names, other groups, other years, before
and after) often differ in a number alone, and then both may be true.
"""

from __future__ import annotations

import re

from marginalia.annotators.consistency.claims.amounts import agree
from marginalia.annotators.consistency.claims.claimed import SETS_LIMIT, VAGUE_SUBJECT, is_claimed
from marginalia.annotators.consistency.claims.modality import conflict
from marginalia.annotators.consistency.claims.opposites import are_opposites
from marginalia.annotators.consistency.claims.reading import Claim, Span, read_claim
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words, words
from marginalia.tasks.similarity.systems.differences import Difference
from marginalia.tasks.similarity.systems.numerals import same

MIN_CONTENT_WORDS, MIN_KEY_WORDS = 3, 2
"""Words that say something which both sentences must have, the one that differs included; and without it and fillers."""
MIN_SHARED_WORDS = 0.6
"""Share of all words, small ones too, that both must have."""
MIN_COPY_WORDS, MIN_COPIED = 7, 0.85
"""Stems of a long sentence, and the share of its words from which on another one is its copy."""
MAX_AMOUNTS = 4
"""A sentence with more amounts is a row of a table or a formula."""

_PRONOUN = re.compile(
    r"\W*(?:it|they|he|she|this|that|these|those|here|such|which|er|dies\w*|jene\w*|hier|dort|dabei|dazu|sollte\w?|kann|muss|wird)\b(?!\s+[^\W\d_]+s?\s(?:is|are|was|were)\b)",
    re.I,
)
# "[A History of Salt, p. 202]": where something was read.
_SOURCE = re.compile(r"\b(?:pp?|S|vol|Bd|ch|Kap)\.\s?\d[\d\s,–-]*\W*\Z|\bop\.\s?cit\b", re.I)
_TALK = re.compile(r"[?!…\"“”„«»]|\.\.\.|\bI\b")


def contradiction(left: str, right: str) -> Difference | None:
    """What two sentences disagree about, where all else that they say is the same; else None."""
    return compare(read_claim(left), read_claim(right))


def compare(left: Claim, right: Claim) -> Difference | None:
    """The same for sentences that have been taken apart."""
    if left.lang != right.lang or min(left.size, right.size) < MIN_KEY_WORDS:
        return None
    shared = _shared(left, right)
    # Nobody writes a long sentence again, word for word but one, of something else.
    is_copy = min(left.size, right.size) >= MIN_COPY_WORDS and shared >= MIN_COPIED
    if shared < MIN_SHARED_WORDS or not (_states(left, is_copy) and _states(right, is_copy)):
        return None
    if left.key != right.key:
        return _names(left, right)
    found = [
        *_amounts(left, right),
        *_dates(left, right),
        *_denials(left, right),
        *_opposites(left, right),
    ]
    one = found[0] if len(found) == 1 else None
    if one is None or (one.kind == "negation" and left.size < MIN_CONTENT_WORDS):
        return None
    sides = ((left, one.left), (right, one.right))
    return one if all(is_claimed(claim, span, one.kind, is_copy) for claim, span in sides) else None


def _states(claim: Claim, is_copy: bool) -> bool:
    """Whether the sentence states something of something that is named: no question, no cry, no talk, no source."""
    if claim.content < MIN_CONTENT_WORDS - 1 or _TALK.search(claim.text):
        return False
    if _SOURCE.search(claim.text):
        return False
    return is_copy or (len(claim.amounts) <= MAX_AMOUNTS and _PRONOUN.match(claim.text) is None)


def _shared(left: Claim, right: Claim) -> float:
    """The share of all words, small ones too, that both have: a bag of stems alone says little of a short sentence."""
    a, b = (set(lower_words(claim.text)) for claim in (left, right))
    return len(a & b) / max(1, min(len(a), len(b)))


def _amounts(left: Claim, right: Claim) -> list[Difference | None]:
    """The amounts that cannot both be true; a None where one has no partner."""
    is_rule = bool(SETS_LIMIT.search(left.text) and SETS_LIMIT.search(right.text))
    mine, theirs = list(left.amounts), list(right.amounts)
    for one in list(mine):
        partner = next(
            (two for two in theirs if agree(one, two, is_rule=is_rule) and two.low == one.low), None
        )
        if partner is not None:
            mine.remove(one)
            theirs.remove(partner)
    if len(mine) != len(theirs):
        return [None]
    found: list[Difference | None] = []
    for one, other in zip(mine, theirs, strict=True):
        both = agree(one, other, is_rule=is_rule)
        if both is None:
            return [None]
        if not both:
            kind = "date" if one.dimension == "clock" else "number"
            found.append(Difference(kind, (one.start, one.end), (other.start, other.end)))
    return found


def _dates(left: Claim, right: Claim) -> list[Difference | None]:
    mine, theirs = list(left.dates), list(right.dates)
    if len(mine) != len(theirs):
        return [None]
    found: list[Difference | None] = []
    for one, other in zip(mine, theirs, strict=True):
        both = same(one, other)
        if both is None:
            return [None]
        if not both:
            found.append(Difference("date", (one.start, one.end), (other.start, other.end)))
    return found


def _denials(left: Claim, right: Claim) -> list[Difference | None]:
    """A duty against a permission to leave it, or a negation on one side alone."""
    one, other = left.modality, right.modality
    found: list[Difference | None] = []
    if one and other and one.kind != other.kind:
        if not conflict(one, other):
            return [None]
        found.append(Difference("modal", one.said, other.said))
    elif (one is None) != (other is None):
        return [None]
    counts = len(left.negations), len(right.negations)
    if counts[0] != counts[1]:
        if sorted(counts) != [0, 1]:
            return [None]
        spans = [(claim.negations or (None,))[0] for claim in (left, right)]
        found.append(Difference("negation", *spans))
    return found


def _opposites(left: Claim, right: Claim) -> list[Difference | None]:
    found: list[Difference | None] = []
    theirs = list(right.opposites)
    for group, word, span in left.opposites:
        rivals = [one for one in theirs if one[0] == group]
        if not rivals:
            # "known" has no family of its own, only "unknown" shows that there is one.
            if not are_in(right, word, group):
                return [None]
            found.append(Difference("opposite", span, _place(right, group)))
            continue
        partner = next(
            (one for one in rivals if stem(one[1], left.lang) == stem(word, left.lang)), rivals[0]
        )
        theirs.remove(partner)
        if stem(partner[1], left.lang) != stem(word, left.lang):
            if not are_opposites(word, partner[1], left.lang):
                return [None]
            found.append(Difference("opposite", span, partner[2]))
    for group, word, span in theirs:
        if not are_in(left, word, group):
            return [None]
        found.append(Difference("opposite", _place(left, group), span))
    return found


def are_in(claim: Claim, word: str, group: str) -> bool:
    """Whether the sentence has the positive of a word with ``un``."""
    span = _place(claim, group)
    return span is not None and are_opposites(word, claim.text[slice(*span)].lower(), claim.lang)


def _place(claim: Claim, group: str) -> Span | None:
    return next(
        (
            match.span()
            for match in words(claim.text)
            if stem(match.group().lower(), claim.lang) == group
        ),
        None,
    )


def _names(left: Claim, right: Claim) -> Difference | None:
    """Another name in a role that only one can have."""
    if left.name is None or right.name is None or left.named_key != right.named_key:
        return None
    found = [*_amounts(left, right), *_dates(left, right), *_denials(left, right)]
    names = [claim.text[slice(*claim.name)] for claim in (left, right) if claim.name]
    parts = [
        set(re.findall(r"\w{2,}", name)) - {"of", "de", "van", "von", "der", "the"}
        for name in names
    ]
    same_head = names[0].rpartition(" ")[0] == names[1].rpartition(" ")[0] != ""
    if (
        found
        or (parts[0] & parts[1] and not same_head)
        or VAGUE_SUBJECT.match(left.text)
        or _initials(*names)
    ):
        return None
    return Difference("name", left.name, right.name)


def _initials(one: str, other: str) -> bool:
    """Whether one is short for the other: ``UN`` and ``United Nations``."""
    short, long = sorted((one, other), key=len)
    return short.replace(".", "") == "".join(word[0] for word in long.split() if word[0].isupper())
