"""Where the main verb of a sentence stands, and which words belong to a clause or phrase that only sets the scene.

English sentences are tagged by the shared encoder, which is why this comes last; in German capitals tell nouns.
"""

from __future__ import annotations

import re
from functools import lru_cache

from marginalia.annotators.consistency.claims.reading import Claim, Span
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.tagger import NOUNS, Tagged
from marginalia.nlp.tokens import words

_GERMAN_VERBS = frozenset(
    "ist sind war waren hat haben hatte hatten wird werden wurde wurden kann können muss müssen soll sollte darf dürfen "
    "gibt lag liegt beträgt betrug".split()
)
_RELATIVE = frozenset("who which that whom whose where".split())
_CONDITION = frozenset("if when whenever until unless whether while once provided as".split())
_GERMAN_CLAUSE = re.compile(
    r"(?:(?:\A|,)\s*(?:wenn|falls|ob|dass|weil|sofern|solange|bis|nachdem|während|als|sobald)|,\s*(?:\w+\s)?(?:die|der|das|den|dem|denen|deren|dessen|welche\w?))\b[^,]*\Z",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def tagged(text: str) -> tuple[Tagged, ...]:
    """The words of an English sentence with their parts of speech."""
    from marginalia.nlp.encoder import english
    from marginalia.nlp.tagger import english_tagger

    tagger = english_tagger()
    [tokens] = english().tokens([text], [tagger.layer])
    return tuple(tagger.tag(text, tokens))


def main_verb(claim: Claim) -> int | None:
    """Where the first verb of the main clause begins."""
    return _german_verb(claim.text) if claim.lang == "de" else _english_verb(claim.text)


@lru_cache(maxsize=256)
def _english_verb(text: str) -> int | None:
    found = tagged(text)
    skip = False  # the verbs of "films that were dried slowly"
    for place, word in enumerate(found):
        lower = word.word.lower()
        if (lower in _RELATIVE and place and found[place - 1].tag in NOUNS) or (
            lower in _CONDITION and (place == 0 or text[found[place - 1].end : word.start].strip())
        ):
            skip = True
        elif skip and "," in text[found[place - 1].end : word.start]:
            skip = False
        if word.tag not in ("VERB", "AUX") or (lower.endswith("ing") and word.tag == "VERB"):
            continue
        if not skip:
            return word.start
        # The clause has its verb when it has a full one, or one that no other follows: "who were dried", "who were ill".
        follows = found[place + 1].tag if place + 1 < len(found) else ""
        skip = word.tag == "AUX" and follows in ("VERB", "AUX", "ADV", "PART")
    return None


def _german_verb(text: str) -> int | None:
    found = list(words(text))
    for place, match in enumerate(found):
        word = match.group()
        if word in _GERMAN_VERBS:
            return match.start()
        if place == 0 or not word[0].islower() or word in FUNCTION_WORDS:
            continue
        after = found[place + 1].group() if place + 1 < len(found) else ""
        # An adjective stands before its noun; a verb after one, and before small words and numbers.
        if found[place - 1].group()[0].isupper() and not (
            after[:1].isupper() and word.endswith(("e", "en", "er", "es"))
        ):
            return match.start()
    return None


def is_subordinate(claim: Claim, span: Span) -> bool:
    """Whether the place is in a clause that says which or when: ``who did not smoke``, ``if it is on``."""
    if claim.lang == "de":
        return _GERMAN_CLAUSE.search(claim.text[: span[0]]) is not None
    before = [word for word in tagged(claim.text) if word.end <= span[0]]
    group = True  # still in the verbs that the place itself belongs to
    others = 0
    for place in range(len(before) - 1, -1, -1):
        word = before[place]
        lower = word.word.lower()
        if lower in _CONDITION and lower != "as":
            return True
        if lower in _RELATIVE and place and before[place - 1].tag in NOUNS and not others:
            return True
        if place + 1 < len(before) and "," in claim.text[word.end : before[place + 1].start]:
            return False
        if word.tag in ("VERB", "AUX"):
            others += word.tag == "VERB" or not group
        elif word.tag not in ("ADV", "PART"):
            group = False
    return False


def is_attribute(claim: Claim, span: Span) -> bool:
    """``the left valve``: the word says which; ``has a negative effect`` says how."""
    after = claim.text[span[1] :]
    if claim.lang == "de":
        return re.match(r"\s[A-ZÄÖÜ]", after) is not None
    found = tagged(claim.text)
    place = next((i for i, word in enumerate(found) if word.start == span[0]), None)
    if place is None or place + 1 >= len(found) or found[place].tag == "VERB":
        return False
    if (
        found[place + 1].tag not in NOUNS
        or claim.text[found[place].end : found[place + 1].start] != " "
    ):
        return False
    return not (place and found[place - 1].word.lower() in ("a", "an"))


def is_order(claim: Claim, span: Span) -> bool:
    """Whether the word is the order itself: ``Open the valve`` and ``Close the valve`` are two steps."""
    return not claim.text[: span[0]].strip(" \"'“‘(*-")
