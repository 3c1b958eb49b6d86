"""What a quantity measures, by light rules: entity, property and qualifier from the noun phrases around it.

Each rule is a position that annotators of the train split chose often enough. They are tried in order,
and the first that applies decides.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from marginalia.nlp.sentences import sentences
from marginalia.quantities.lexicon import BLANK
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.spans import ROLES
from marginalia.tasks.measurement.systems.noun_phrases import Phrase, find_phrases

Place = tuple[int, int]
RULE_SCORES = {"MeasuredEntity": 0.36, "MeasuredProperty": 0.59, "Qualifier": 0.55}
KNOWN_PROPERTY = 0.72
"""How often a span of the rules agrees with our own annotation (English, 1,175 properties and 3,200 entities), and how often a
property whose last word is in ``PROPERTIES``."""
PROPERTIES = frozenset(
    "temperature pressure length width height depth thickness diameter radius size area volume mass weight "
    "density concentration content level rate ratio speed velocity frequency energy power voltage current "
    "resistance resistivity conductivity capacity capacitance flux intensity wavelength age duration period "
    "interval lifetime distance altitude latitude longitude elevation slope angle range resolution precision "
    "accuracy sensitivity specificity prevalence incidence proportion percentage fraction probability score "
    "value number amount dose dosage efficiency yield growth increase decrease reduction rise change "
    "difference variation decline loss shift error uncertainty deviation mean average median maximum minimum "
    "limit threshold coefficient factor index modulus strength stress strain hardness toughness viscosity "
    "mobility porosity permeability saturation humidity salinity abundance magnitude amplitude redshift "
    "luminosity survival purity magnification response coverage transmittance potential gap spacing "
    "dimension increment bias step price cost income turnover gradient acceleration force torque load span "
    "lag delay exposure temperatur druck länge breite höhe tiefe dicke durchmesser größe fläche volumen "
    "masse gewicht dichte konzentration gehalt geschwindigkeit frequenz energie leistung spannung strom "
    "alter dauer abstand anteil wert zahl anzahl menge wirkungsgrad".split()
)
"""Words that name what is measured of a thing."""
DIMENSIONS = frozenset(
    "long wide thick deep high tall old heavy higher lower smaller larger faster slower lang breit dick tief "
    "hoch alt schwer".split()
)
"""Words that name it after a quantity: "4.8 m long cores"."""
PHRASES_PER_SIDE = 12
"""Noun phrases on either side of a quantity that are considered."""
MAX_CONTINUATION_GAP = 40
"""Characters from one quantity to the next that may measure the same: "80% and 81%"."""

_SYMBOL = re.compile(r"[^\W\d_]{1,2}\w?|[a-zη-ω][A-Z]\w{0,3}|[A-Z][a-z]{0,3}\d?")
_OF = re.compile(
    r"\)?\s(?:of|von|der|des)\s(?:(?:the|an?|these|those|all|its|their|our|dem|den)\s)?"
)
_OF_OR_IN = re.compile(
    r"\s(?:of|in|for|on|at|within|between|from|during|von|der|des|im)\s"
    r"(?:(?:the|an?|these|those|all|its|their|our|both|each)\s)*"
)
_INSIDE = re.compile(r"\)?\s(?:in|at|on)\s(?:(?:the|an?|both|all)\s)*")
_HAS = re.compile(r".*\b(?:with|containing|has|have|had|contains?|of|mit)\s(?:an?\s)?", re.DOTALL)
_SHARE = re.compile(r"(?:(?:wt|vol|mol|at)\.?)?\s?%|‰|pp[mb]|[nμµm]?M|.*/m?[lL]")
"""Units in which one substance is measured in another."""
_SAME = re.compile(r"\s?\)?,?\s?(?:and|or|vs\.?|versus|to|und|oder|/|–)?\s?\(?")
_GOES_ON = re.compile(r"(?:\b(?:and|or|und|oder)|,)\s\Z")
_MORE_THAN = re.compile(r"[a-z]{3,}er")
_VERB = re.compile(
    r"(?:.*\s)?(?P<verb>[a-z-]+(?:ed|ing)|taken|grown|kept|held|weighs?|lasts?|occurs?)(?:\s(?:up|down|out))?"
    r"(?:\s(?:at|for|by|to|in|from|within|after|over|on|until|with|approximately|about|the|an?|only|every|as"
    r"|between))*\s?",
    re.DOTALL,
)
_CONDITION = re.compile(
    r"\s(?P<place>(?:after|before|above|when|if|relative to|(?:more|less|[a-z]+er)(?:\s[a-z]+)? than)"
    r"(?:\s(?!(?:and|or|but|was|were|is|are|when|while|which|that|by|using|showed?|had|has)\b)[^\s,.;:()\[\]]+)"
    r"{1,7}|(?:post|pre)[a-z]{5,})"
)


class Context(NamedTuple):
    """Where the parts of a measurement stand, in the order of ``ROLES``; a property is that of the entity."""

    entity: Place | None = None
    property: Place | None = None
    qualifier: Place | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """A quantity and the noun phrases of its sentence, the nearest first."""

    text: str
    quantity: Quantity
    before: Sequence[Phrase]
    after: Sequence[Phrase]

    def gap_before(self, number: int = 0) -> str:
        """What stands between a phrase before the quantity and what follows that phrase."""
        end = self.before[number - 1].start if number else self.quantity.start
        return self.text[self.before[number].end : end]

    def gap_after(self, number: int = 0) -> str:
        start = self.after[number - 1].end if number else self.quantity.end
        return self.text[start : self.after[number].start]

    def words(self, phrase: Phrase) -> list[str]:
        return self.text[phrase.start : phrase.end].split(" ")

    def is_property(self, phrase: Phrase) -> bool:
        return is_property(self.text[phrase.head : phrase.end])

    def entity(self, first: int = 0) -> Place | None:
        """The nearest phrase before the quantity that names a thing, from the ``first`` on."""
        known = self.before[first:]
        things = (
            phrase
            for phrase in known
            if not self.is_property(phrase)
            and not _SYMBOL.fullmatch(self.text, phrase.start, phrase.end)
        )
        phrase = next(things, known[0] if known else None)
        return (phrase.start, phrase.end) if phrase else None


def is_property(word: str) -> bool:
    """Whether the word, or what it is the plural of, names a property."""
    low = word.lower()
    ends = (("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("en", ""), ("n", ""))
    return any(low.endswith(end) and low.removesuffix(end) + new in PROPERTIES for end, new in ends)


def add_contexts(text: str, quantities: Sequence[Quantity], language: str) -> list[Quantity]:
    """The same quantities, each with what it measures by the rules."""
    found: list[Quantity] = []
    bounds = list(sentences(text, language))
    sentence, phrases, starts = -1, [], []
    first = [start for start, _ in bounds]
    taken = [(quantity.start, quantity.end) for quantity in quantities]
    for number, quantity in enumerate(quantities):
        here = max(0, bisect_right(first, quantity.start) - 1)
        if here != sentence:
            sentence = here
            until = bisect_left(taken, (bounds[here][1], 0))
            phrases = find_phrases(text, *bounds[here], taken[max(0, number - 1) : until])
            starts = [phrase.start for phrase in phrases]
            last = None
        place = bisect_right(starts, quantity.start)
        around = Around(
            text,
            quantity,
            phrases[max(0, place - PHRASES_PER_SIDE) : place][::-1],
            phrases[place : place + PHRASES_PER_SIDE],
        )
        context = _follow(around) or _go_on(around, last) or _precede(around, last)
        qualifier = _CONDITION.match(text, quantity.end, bounds[here][1])
        if qualifier:
            context = context._replace(qualifier=qualifier.span("place"))
        roles = tuple(_scored(text, r, *p) for r, p in zip(ROLES, context, strict=True) if p)
        found.append(replace(quantity, context=roles, given=roles))
        last = quantity.end, context._replace(qualifier=None)
    return found


def _scored(text: str, role: str, start: int, end: int) -> RoleSpan:
    known = role == "MeasuredProperty" and is_property(text[start:end].split()[-1])
    return RoleSpan(role, start, end, KNOWN_PROPERTY if known else RULE_SCORES[role])


Last = tuple[int, Context] | None
"""Where the quantity before it in the sentence ended, and what that measures."""


def _follow(around: Around) -> Context | None:
    """What comes right after the quantity, or after "of"."""
    if not around.after:
        return None
    text, quantity, phrase = around.text, around.quantity, around.after[0]
    gap, whole = around.gap_after(), (phrase.start, phrase.end)
    if _OF.fullmatch(gap):
        owner = around.before[0] if around.before else None
        named = owner is not None and around.is_property(owner) and len(around.gap_before()) < 20
        return Context(whole, (owner.start, owner.end) if owner and named else None)
    if not re.fullmatch(rf"{BLANK}|-", gap):
        return None
    words = around.words(phrase)
    head = phrase.start, phrase.start + len(words[0])
    rest = head[1] + 1, phrase.end
    compared = _MORE_THAN.fullmatch(words[0]) and text.startswith(" than", phrase.end)
    if words[0].lower() in DIMENSIONS or (compared and len(words) == 1):
        return Context(rest if len(words) > 1 else around.entity(), head)
    if "IsCount" in quantity.modifiers:
        return Context(whole)
    beyond = around.after[1] if len(around.after) > 1 else None
    if around.is_property(phrase):
        if beyond and _OF_OR_IN.fullmatch(around.gap_after(1)):
            return Context((beyond.start, beyond.end), whole)
        return Context(around.entity(), whole)
    if len(words) > 1 and is_property(words[0]):
        return Context(rest, head)
    if quantity.unit and _SHARE.fullmatch(text, *quantity.unit):
        if beyond and _INSIDE.fullmatch(around.gap_after(1)):
            return Context((beyond.start, beyond.end), whole)
        if around.before and _HAS.fullmatch(around.gap_before()):
            return Context((around.before[0].start, around.before[0].end), whole)
    return Context(whole)


def _go_on(around: Around, last: Last) -> Context | None:
    """The same as the quantity just before it: "80% and 81%"."""
    if last is None or around.quantity.start - last[0] > MAX_CONTINUATION_GAP:
        return None
    return last[1] if _SAME.fullmatch(around.text, last[0], around.quantity.start) else None


def _precede(around: Around, last: Last) -> Context:
    """What comes before the quantity, or else any phrase."""
    text, start = around.text, around.quantity.start
    if not around.before:
        phrase = next(iter(around.after), None)
        return Context((phrase.start, phrase.end) if phrase else None)
    phrase, gap = around.before[0], around.gap_before()
    whole, head = (phrase.start, phrase.end), (phrase.head, phrase.end)
    rest = (phrase.start, phrase.head - 1) if phrase.head > phrase.start else None
    known = around.is_property(phrase)
    if gap.rstrip().endswith(tuple("=<>≈∼~≡")) or (len(gap) < 3 and text[start] in "<>≤≥=~∼≈"):
        if rest and not known and not _SYMBOL.fullmatch(text, *head):
            return Context(whole)
        thing = rest or around.entity(1)
        return Context(thing, head) if thing else Context(head)
    if known:
        thing = around.entity(1)
        return Context(rest, head) if rest and not thing else Context(thing, whole)
    if len(around.before) > 1 and around.is_property(around.before[1]):
        owner = around.before[1]
        if _OF_OR_IN.fullmatch(around.gap_before(1)):
            return Context(whole, (owner.start, owner.end))
    verb = _VERB.fullmatch(gap) if len(gap) < 60 else None
    if verb:
        return Context(whole, (phrase.end + verb.start("verb"), phrase.end + verb.end("verb")))
    thing = around.entity(1)
    if not gap.strip() and thing and not rest:
        return Context(thing, whole)
    if (
        last
        and start - last[0] < MAX_CONTINUATION_GAP
        and _GOES_ON.search(text, max(0, start - 6), start)
    ):
        return last[1]
    return Context(whole)
