"""Nouns that say too little: a bare one where a compound was meant, and one that stands for a part or aspect of its thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.lexicon import base_form, noun, singular
from marginalia.tasks.clarification.gaps.orders import is_order
from marginalia.tasks.clarification.gaps.phrases import (
    DEFINITE,
    Phrase,
    Words,
    is_genitive,
    phrases,
)

COMPOUND, METONYMY = "ADDED COMPOUND", "METONYMIC REFERENCE"

TWO_MEANT = 0.75
"""The text has named two kinds of the thing before."""
ONE_MEANT = 0.3
MIN_COMPOUND_NAMES = 30
"""A noun that ends so many names of things says little by itself."""
KIND, KIND_BY_COUNT = 0.53, 0.5

CONCRETE = frozenset("animal artifact body food object plant substance person".split())
_OPEN = frozenset("artifact communication possession location act".split())
"""Fields of nouns that are asked "which kind?"."""
# Nouns of instructions that come in kinds; of more of them WordNet knows many names.
_KINDS = frozenset(
    """account adapter address agent app application bag bar battery belt board bolt bottle bowl box bracket brush buffer
    bulb button cable cap card certificate charger clip cloth code company container cord course cover cream cup device
    disc dish dough drawer drill dye exam fee file filter form game gel glue gun hook hose icon inspector key kit knife
    label lamp lens licence license list lotion machine mask mat menu mix mixture mount name number oil option outlet pad page
    paint pan panel paper password paste pen permit pin pipe plan plate plug pole port pot powder processor program pump
    ring rod rope sample sauce screen screw settings sheet shop site skirt slot soap software soil solution spray stick
    stitch stone store strap string supplier syrup tab tablet tag tank tape test thread ticket tie tool towel tray tube
    vacuum valve website wheel wire wrap yarn""".split()
)
_ELABORATED = frozenset("between within around with for to about from".split())
_ASPECTS = {
    "measure": 0.8, "calculate": 0.8, "estimate": 0.75, "determine": 0.65, "adjust": 0.7, "increase": 0.75,
    "reduce": 0.7, "decrease": 0.75, "record": 0.65, "monitor": 0.6, "compare": 0.6, "check": 0.55, "test": 0.55,
    "lower": 0.55, "raise": 0.4, "note": 0.5, "assess": 0.6, "judge": 0.55, "control": 0.5, "regulate": 0.6,
    "examine": 0.5, "inspect": 0.5, "evaluate": 0.55, "write down": 0.55, "turn down": 0.62, "turn up": 0.62,
    "look at": 0.52, "ask for": 0.35, "verify": 0.5, "maintain": 0.4, "track": 0.5, "set": 0.35, "rate": 0.5,
}  # fmt: skip
"""Verbs that are about a part or aspect of a thing rather than the thing."""
_MOVES = frozenset({"lower", "raise", "turn down", "turn up"})
_MOVED = frozenset("body person animal".split())
GENITIVE = 0.75


@dataclass(frozen=True, slots=True)
class Loose:
    """A noun that says too little."""

    pattern: str
    phrase: Phrase
    head: int
    score: float


def loose_nouns(
    words: Words, kinds: Mapping[str, set[str]], said: Mapping[str, int]
) -> Iterator[Loose]:
    """Both kinds, in one sentence.

    ``kinds`` has the nouns that stood before each noun in the text so far, ``said`` how often each noun was
    said by itself.
    """
    for phrase in phrases(words):
        head = phrase.head
        if head is None or not _bare(words, phrase, head):
            continue
        score = _aspect(words, phrase, head)
        if score:
            yield Loose(METONYMY, phrase, head, score)
        score = _kind(words, phrase, head, kinds, said)
        if score:
            yield Loose(COMPOUND, phrase, head, score)
    for i in range(len(words)):
        if _dangling(words, i):
            yield Loose(METONYMY, Phrase(i, i + 1, None), i, GENITIVE)


def learn_kinds(words: Words, kinds: dict[str, set[str]], said: dict[str, int]) -> None:
    """Note which compounds and which bare nouns a sentence has."""
    for phrase in phrases(words):
        head = phrase.head
        if head is None:
            continue
        name = singular(words[head].lower)
        before = words[head - 1] if head > phrase.first else None
        if before is not None and before.tag in (*NOUNS, "ADJ") and not is_genitive(before):
            kinds.setdefault(name, set()).add(before.lower)
        else:
            said[name] = said.get(name, 0) + 1


def _bare(words: Words, phrase: Phrase, head: int) -> bool:
    """Whether a determiner and the noun are all there is: nothing before it nor after it tells more."""
    first = words[phrase.first]
    if first.lower not in DEFINITE | {"a", "an", "each", "every"}:
        return False
    inner = words[phrase.first + 1 : head]
    if any(w.lower not in ("first", "second", "third", "other", "new", "next") for w in inner):
        return False
    if not words[head].text.isalpha() or is_genitive(words[head]) or words[head].tag != "NOUN":
        return False
    following = words[head + 1] if head + 1 < len(words) and words[head + 1].joined else None
    if following is None:
        return True
    if following.lower in ("of", "that", "which", "who", "whose", "called", "named"):
        return False
    # "the code you got", "the cloth used for ..."
    if following.lower in ("you", "i", "we", "they", "it"):
        return False
    return not (following.tag == "VERB" and following.lower.endswith(("ed", "ing")))


def _kind(
    words: Words, phrase: Phrase, head: int, kinds: Mapping[str, set[str]], said: Mapping[str, int]
) -> float:
    name = singular(words[head].lower)
    named = kinds.get(name, set())
    definite = words[phrase.first].lower in DEFINITE
    if len(named) > 1 and definite:
        return TWO_MEANT
    if named:
        return ONE_MEANT
    known = noun(name)
    many = known.heads >= MIN_COMPOUND_NAMES and known.field in _OPEN
    if name not in _KINDS and not many:
        return 0.0
    following = words[head + 1] if head + 1 < len(words) and words[head + 1].joined else None
    if following is not None and following.lower in _ELABORATED:
        return 0.0
    score = KIND if name in _KINDS else KIND_BY_COUNT
    # What a reader shall use matters more than what is spoken of.
    score -= 0.0 if phrase.first and is_order(words, phrase.first - 1) else 0.09
    # A text that says "your file" or "a file" leaves the choice to the reader.
    score -= 0.0 if words[phrase.first].lower == "the" else 0.05
    # What was spoken of before is known by now.
    return score * (0.7 if said.get(name) else 1.0)


def _aspect(words: Words, phrase: Phrase, head: int) -> float:
    """Whether a verb before the phrase is about an aspect of a thing, and the noun is the thing."""
    verb = _verb(words, phrase.first)
    known = noun(singular(words[head].lower))
    if verb not in _ASPECTS or known.field not in CONCRETE:
        return 0.0
    if verb in _MOVES and known.field in _MOVED:
        return 0.0
    if words[phrase.first].lower in ("a", "an"):
        return 0.0
    return _ASPECTS[verb]


def _verb(words: Words, i: int) -> str:
    """The verb right before a phrase, with its particle or preposition."""
    if i and words[i].joined and words[i - 1].tag == "VERB":
        return base_form(words[i - 1].lower)
    if i > 1 and words[i].joined and words[i - 1].joined and words[i - 2].tag == "VERB":
        return f"{base_form(words[i - 2].lower)} {words[i - 1].lower}"
    return ""


def _dangling(words: Words, i: int) -> bool:
    """``at your aunt's and``: a genitive that nothing follows which it could be of."""
    word = words[i]
    if word.tag not in NOUNS or not is_genitive(word):
        return False
    before = next((words[j].lower for j in range(i - 1, -1, -1) if words[j].tag == "ADP"), "")
    if before not in ("at", "to", "from", "near", "by", "behind"):
        return False
    following = words[i + 1] if i + 1 < len(words) and words[i + 1].joined else None
    return following is None or following.tag in ("CCONJ", "ADP", "SCONJ")
