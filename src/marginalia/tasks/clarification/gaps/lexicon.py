"""Which verbs need an object, what nouns are and what stands before them: from WordNet 3.0, and by hand.

``build_lexicon`` says how the file was made. What WordNet has wrong for instructions, where a person is
told what to do, is put right here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from marginalia.core.resources import read_resource

PATH = Path(__file__).parent / "lexicon.json.gz"

PARTICLES = frozenset(
    "about apart aside away back down in off on out over through together up".split()
)
"""What makes another verb of a verb: turn off, pick up."""

# Verbs of instructions. With an object nearly always, whatever else they can mean:
_NEEDS = frozenset(
    """add adjust apply arrange assemble attach bake beat blend boil braid bring brush buckle cap carve centrifuge
    chill chop clamp clean coat combine connect cover crush cut delete dice dilute dip discard disconnect dissolve
    drain drill drizzle dry empty enter fasten fill filter fold fry garnish glue grate grease grind grill heat hold
    homogenize incubate insert install iron knead lift loosen lower marinate mash measure melt microwave mix moisten
    mount open paint paste peel place plug polish pour preheat press pull puree push put refrigerate remove repeat
    replace rinse roast roll rotate rub sand saute save scoop scrape screw scrub seal season secure select separate
    set sew shake shut sieve sift slice smear soak spray spread sprinkle squeeze stack sterilize stir strain stretch
    submerge tap tie tighten toast toss trim twist unfold unplug unscrew untie vortex warm wash weigh wet whip whisk
    wipe wrap wring""".split()
)
# Without one nearly always, or with one that is not missed:
_DOES_WITHOUT = (
    frozenset(
        """agree aim allow appear apologize apply answer argue arrive ask attend be become begin believe breathe browse call care
    change check choose climb come communicate compete complain concentrate continue cook count crawl cry dance decide
    depend differ do dress drink drive eat enjoy exercise exhale experiment explain explore fall feel fight finish fish
    focus follow forget form get go grow guess happen have hear help hike hope hunt improve inhale invest jump keep kneel
    knit know laugh lead lean learn leave lie listen live look make matter mean meditate meet mind move need notice
    occur offer order pack paint pass pause pay plan plant play practice practise pray prepare proceed promise protest
    quit read recover relate relax rely remain remember reply research respond rest ride rise run sail say scroll search
    see seem sell shine shop show sing sit ski sleep slow smile smoke speak spell stand start stay step stop study
    succeed suffer swim switch talk teach tell text think travel try turn type understand use visit vote wait wake walk
    watch wear win wonder work worry write zoom""".split()
    )
    - _NEEDS
)
LITTLE, MUCH = 0.1, 0.9


@dataclass(frozen=True, slots=True)
class Noun:
    """What is known of a noun."""

    field: str
    """Its lexicographer file in WordNet, such as ``artifact`` or ``attribute``."""
    heads: int
    """How many names of things end in it."""
    modifiers: tuple[str, ...]
    parts: tuple[str, ...]


UNKNOWN = Noun("", 0, (), ())


@cache
def lexicon() -> Mapping[str, Any]:
    return dict(read_resource(__package__, PATH.name))


def needs_object(verb: str) -> float:
    """The share of uses of a verb, in its base form, that need an object when a person does it."""
    if verb in _NEEDS:
        return MUCH
    if verb in _DOES_WITHOUT:
        return LITTLE
    return float(lexicon()["verbs"].get(verb, 0.0))


def is_verb(word: str) -> bool:
    """Whether the word is the base form of a verb."""
    return word in lexicon()["verbs"] or word in _NEEDS


def is_phrasal(verb: str, particle: str) -> bool:
    return f"{verb} {particle}" in lexicon()["verbs"]


def is_noun(word: str) -> bool:
    return word in lexicon()["nouns"]


def noun(word: str) -> Noun:
    """What is known of a noun in the singular."""
    row = lexicon()["nouns"].get(word)
    return UNKNOWN if row is None else Noun(row[0], row[1], tuple(row[2]), tuple(row[3]))


@lru_cache(maxsize=20_000)
def singular(word: str) -> str:
    """The singular of a noun, in small letters; the word itself where it has none that is known."""
    word = word.lower()
    data = lexicon()
    if word in data["noun_forms"]:
        return str(data["noun_forms"][word])
    for ending, instead in (("ies", "y"), ("s", ""), ("es", "")):
        if word.endswith(ending) and not word.endswith("ss"):
            stem = word.removesuffix(ending) + instead
            if stem in data["nouns"]:
                return stem
    return word


@cache
def _plurals() -> dict[str, str]:
    return {one: many for many, one in lexicon()["noun_forms"].items()}


def plural(word: str) -> str:
    """The plural of a noun in the singular."""
    if word in _plurals():
        return _plurals()[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


@lru_cache(maxsize=20_000)
def base_form(word: str) -> str:
    """The base form of a verb, in small letters; the word itself where none is known."""
    word = word.lower()
    data = lexicon()
    if is_verb(word):
        return word
    if word in data["verb_forms"]:
        return str(data["verb_forms"][word])
    for ending in ("ing", "ed", "es", "s"):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:
            continue
        choices = [stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem]
        if ending in ("ed", "es") and stem.endswith("i"):
            choices.append(f"{stem[:-1]}y")
        for choice in choices:
            if is_verb(choice):
                return choice
    return word
