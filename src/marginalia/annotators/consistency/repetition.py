"""Which repeated sentences a writer would want to know of: no lead-ins, page furniture, licences or talk."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher

from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words

MIN_WORDS = 10
"""Shorter sentences are said again because there is one way to say them: ``See the table below.``"""
MIN_FUNCTION_WORDS = 0.15
"""Share of small words; less is a list, a name, or neither English nor German."""
MIN_CAPITALS = 0.6
"""Share of letters that are capitals, from which on it is a heading."""
MIN_WORDS_ALONE = 18
"""A single sentence shorter than this that recurs elsewhere is a rule that holds for several things."""
MIN_WORDS_COPIED = 60
"""Words of neighbouring sentences that recur together, from which on a passage was copied."""
MAX_COPIES = 4
"""What stands there more often is meant to: a header, a form, a refrain."""
MAX_REPEATED = 4
"""Sentences of a document that recur word for word; with more of them it is a form, a set of rules, a notice."""
MIN_REPEATED_SHARE = 0.3
"""Of all its sentences, from which on so many repetitions are a passage that was copied."""
MIN_SHARED_STEMS = 0.85
"""Share of the content words of the longer sentence that the shorter must have too."""

_END = re.compile(r"[.!?…][\"'”’“‘»«›‹)\]\d¹²³⁰⁴-⁹,\[]*\Z")
_FURNITURE = re.compile(
    r"\b(?:copyright|licen[cs]ed?|licen[cs]es|warrant\w*|liab\w*|rights reserved|cookies?|subscrib\w*|newsletter|sign up|log in|click here"
    r"|privacy|terms of|disclaimer|advertisement|lorem ipsum|docket|pursuant|hereby|herein\w*|project gutenberg|ebook"
    r"|lizenz\w*|haftung\w*|datenschutz\w*|urheberrecht\w*|impressum)\b|©|https?://|www\.",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\A\W*(?:see|siehe|vgl|cf)\b|\b(?:appendix|section|chapter|page|anhang|abschnitt|kapitel|seite)\s+[A-Z\d]",
    re.IGNORECASE,
)
# "(a) For the manner …": a clause of rules. "This variant is …": of another one each time. "Should be avoided": no subject.
_UNNAMED = re.compile(
    r"\A\W*(?:(?:\(?[a-zA-Z\d]{1,2}[.)])\s|(?:this|these|that|those|it|they|based|note|please note|warning|hinweis|achtung|diese\w?|dies|das ist|es|sollte\w?|kann|muss|ist|wird)\b)"
    r"|\b(?:dieser|diesem) (?:Art|Fall|Variante|Weise)\b|[~{}\\=]",
    re.IGNORECASE,
)
# "-f, --inactive", FIRST_UID, /etc/login.defs, shadow(5): what reference pages say of each option in turn.
# Lines that are moved in belong to an entry of such a page.
_CODE = re.compile(r"\S\s{2,}\S|(?<![\w-])--?[a-zA-Z]|\w_\w|(?<!\w)/\w+/|\w\(\d?\)")
# "The spectrum shows …": of this compound here, of another one there.
_DEFINITE = re.compile(r"\A\W*(?:the|der|die|das|den|dem)\b", re.IGNORECASE)
_ASKING = frozenset("how if whether why when unless wenn ob wie falls".split())
_BOUNDS = frozenset(
    "all any both each every most some few only no not never none without cannot except "
    "alle allen aller alles jede jeder jedes jeden beide einige manche meisten nur kein keine keinen nicht nie ohne außer".split()
)
_TALK = re.compile(r"\A\W*[\"“”„«»‘']|[\"“”«»]\s*\Z")


def is_worth_repeating(text: str) -> bool:
    """Whether a reader would wonder to see this sentence twice."""
    said = lower_words(text)
    if len(said) < MIN_WORDS or not _END.search(text):
        return False
    if any(noise.search(text) for noise in (_FURNITURE, _POINTER, _UNNAMED, _TALK, _CODE)):
        return False
    letters = [letter for letter in text if letter.isalpha()]
    if sum(letter.isupper() for letter in letters) >= MIN_CAPITALS * len(letters):
        return False
    return sum(word in FUNCTION_WORDS for word in said) >= MIN_FUNCTION_WORDS * len(said)


def depends_on_place(text: str) -> bool:
    """Whether it speaks of something that its surroundings name, and may speak of something else elsewhere."""
    return _DEFINITE.match(text) is not None


def repeats(left: str, right: str) -> bool:
    """Whether hardly anything is said on one side alone, and no word stands in another's place.

    ``There are two ways to run it under Windows`` and ``… under macOS`` are near to any encoder.
    """
    asked = [_ASKING.intersection(lower_words(text)) for text in (left, right)]
    if ("?" in left) != ("?" in right) or asked[0] != asked[1]:
        return False
    sides = [[stem(word) for word in lower_words(text)] for text in (left, right)]
    a, b = (
        {
            part
            for part, word in zip(side, lower_words(text), strict=True)
            if word not in FUNCTION_WORDS
        }
        for side, text in zip(sides, (left, right), strict=True)
    )
    if len(a & b) < MIN_SHARED_STEMS * max(1, len(a), len(b)):
        return False
    if min(map(len, sides)) < MIN_WORDS_ALONE or _bounds(left) != _bounds(right):
        return False
    matcher = SequenceMatcher(None, sides[0], sides[1], autojunk=False)
    # The same words in another order say who does what to whom.
    if matcher.ratio() < MIN_SHARED_STEMS:
        return False
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    # "… match it, and fails if it does not" and "… does not match it, and fails if it does"
    spoken = [lower_words(text) for text in (left, right)]
    if any(_BOUNDS & {*spoken[0][i:j], *spoken[1][k:m]} for _, i, j, k, m in changes):
        return False
    return not any(
        kind == "replace" and a & set(sides[0][i:j]) - b and b & set(sides[1][k:m]) - a
        for kind, i, j, k, m in changes
    )


def _bounds(text: str) -> Counter[str]:
    """What bounds a claim: negations, words for how many, and what is written in capitals (TMPDIR, TEMP)."""
    written = re.findall(r"[\w'’]+", text)
    said = Counter(word for word in map(str.lower, written) if word in _BOUNDS)
    said.update(word for word in set(written) if len(word) > 1 and word.isupper())
    said["n't"] = sum(word.lower().endswith(("n't", "n’t")) for word in written)
    return said
