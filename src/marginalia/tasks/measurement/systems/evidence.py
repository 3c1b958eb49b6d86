"""What speaks for a phrase as the entity, property or qualifier of a quantity: numbers for a calibrated confidence."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from marginalia.nlp.sentences import sentences
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.quantities.units.kinds import contradicts
from marginalia.quantities.units.unit import read_unit
from marginalia.tasks.measurement.systems.annotation_sets import ORDER
from marginalia.tasks.measurement.systems.clean_phrases import (
    Place,
    clean_condition,
    clean_phrase,
    overlaps,
)
from marginalia.tasks.measurement.systems.contexts import RULE_SCORE, add_contexts, is_property
from marginalia.tasks.measurement.systems.noun_phrases import Phrase, find_phrases

CANDIDATES_FROM_NETWORK = 2
"""Candidates of the network for each role that are looked at, beside the one of the rules."""
MAX_PREPOSITION = 16
"""Characters of a preposition with its article, between a property and what it is of."""
_LINK = re.compile(
    r"\)?\s?(?:\b(?:of|was|is|were|are|=|:|beträgt|betrug|von|lag|liegt)\b|[=:≈∼~(])[^,;.]{0,12}\Z"
)
_SYMBOL = re.compile(r"[^\W\d_]{1,2}\w?")

_OF = re.compile(
    r"\)?\s(?:of|von|der|des)\s(?:(?:the|an?|these|those|all|its|their|our|both|dem|den)\s)?"
)
_HAS = re.compile(r"(?:\s(?:has|had|have|having|hat|hatte)|['’]s)\s(?:(?:an?|the|einer?|einem)\s)?")
_ADJECTIVE = re.compile(
    r"[a-z]+(?:al|ous|ive|able|ible|ic|ar|ful|less|ward|ish|er|est|ian|ese|ent|ant)"
)
FEATURES = (
    "network", "rules", "both", "distance", "before", "parted", "counted_after", "measured_after", "of_after",
    "words", "cut", "property_word", "linked", "other_sentence", "symbol", "adjective", "unit", "count",
    "contradicts",
)  # fmt: skip
"""The numbers of a candidate, all between 0 and 1."""


@dataclass(frozen=True, slots=True)
class RoleCandidate:
    """A clean phrase in a role, and what speaks for it, in the order of ``FEATURES``."""

    role: str
    start: int
    end: int
    numbers: tuple[float, ...]
    tied: tuple[Place, ...] = ()
    """Of an entity: the properties that the sentence says to be its own."""
    measured: bool = False
    """Of an entity: whether it is the subject of a verb of measuring: "the flask weighed 5 kg"."""


_MEASURES = re.compile(
    r"\s(?:weighs?|weighed|measures?|measured|lasts?|lasted|costs?|holds?|held|contains?|contained|wiegt|wog|misst|maß|dauert|dauerte|kostet|kostete|enthält)\s"
    r"(?:[^;,\n]{0,30}\s(?:and|or|to|und|oder)\s)?(?:(?:about|only|just|nur|etwa)\s)?"
)
_CLAUSE = re.compile(
    r";\s|:\s(?=\w+\s)(?!(?i:about|approximately|ca|etwa|rund|up|at|from|between)\b)"
    r"|[,—–]\s(?i:but|yet|while|whereas|because|although|though|if|when|so|which|aber|sondern|während|wobei|wenn|weil|obwohl|denn)\s"
    r"|,\s(?i:compared|versus|vs\.?|up|down|gegenüber|verglichen)\s"
    r"|\s(?i:because|whereas|although|weil|obwohl)\s|,\s(?:and|und)\s(?:the|it|they|he|she|we|there|this|these|die|der|das|es|sie|er|wir)\s"
)
"""What begins another clause: a context from there is mostly false."""


def candidates(
    text: str, quantities: Sequence[Quantity], *, language: str = "en", network: bool = True
) -> list[list[RoleCandidate]]:
    """For each quantity the phrases that could be shown, of its own context and of the rules', each once."""
    ruled = add_contexts(text, quantities, language) if network else quantities
    bounds = list(sentences(text, language))
    begins = [start for start, _ in bounds]
    taken = [(quantity.start, quantity.end) for quantity in quantities]
    phrases: dict[int, list[Phrase]] = {}
    found = []
    for quantity, other in zip(quantities, ruled, strict=True):
        here = max(0, bisect_right(begins, quantity.start) - 1)
        if bounds and here not in phrases:
            low, high = (
                bisect_left(taken, (bounds[here][0], 0)),
                bisect_left(taken, (bounds[here][1], 0)),
            )
            phrases[here] = find_phrases(text, *bounds[here], taken[max(0, low - 1) : high])
        rules = {span.role: span for span in other.context}
        seen = _Seen(text, quantity, taken, begins, phrases.get(here, []), rules, language)
        found.append(list(seen.candidates(quantity.context if network else ())))
    return found


@dataclass(frozen=True, slots=True)
class _Seen:
    """A quantity with what stands around it."""

    text: str
    quantity: Quantity
    taken: Sequence[Place]
    begins: Sequence[int]
    phrases: Sequence[Phrase]
    """The noun phrases of the quantity's sentence."""
    rules: Mapping[str, RoleSpan]
    language: str

    def candidates(self, context: Sequence[RoleSpan]) -> Iterator[RoleCandidate]:
        properties: list[Place] = []
        for role in ORDER:
            rule = self.rules.get(role)
            network = [span for span in context if span.role == role and not _is_rule(span, rule)]
            spans = [*network[:CANDIDATES_FROM_NETWORK], *([rule] if rule else [])]
            if role == "MeasuredEntity":
                spans += self.owners(properties)
            done: set[Place] = set()
            for span in spans:
                place = self.clean(span)
                if place is None or place in done or self.in_other_clause(place):
                    continue
                done.add(place)
                tied = (p for p in properties if role == "MeasuredEntity" and self.tied(place, p))
                numbers = self.numbers(span, place, network, rule)
                measured = role == "MeasuredEntity" and self.is_measured(place)
                yield RoleCandidate(role, *place, numbers, tuple(tied), measured)
                if role == "MeasuredProperty":
                    properties.append(place)

    def in_other_clause(self, place: Place) -> bool:
        """Whether another clause begins between the phrase and the quantity."""
        start, end = place
        before = end <= self.quantity.start
        gap = (end, self.quantity.start) if before else (self.quantity.end, start)
        return _CLAUSE.search(self.text, *gap) is not None

    def is_measured(self, place: Place) -> bool:
        return _MEASURES.fullmatch(self.text, place[1], self.quantity.start) is not None

    def owners(self, properties: Sequence[Place]) -> Iterator[RoleSpan]:
        """What a property is of by its preposition: "density of the film"."""
        for _, end in properties:
            of = _OF.match(self.text, end, end + MAX_PREPOSITION)
            phrase = self.phrase_at(of.end()) if of else None
            if of and phrase and phrase.start == of.end():
                yield RoleSpan("MeasuredEntity", phrase.start, phrase.end, 0.0)

    def tied(self, entity: Place, property: Place) -> bool:
        """Whether the words between the two say so: "density of the film", "the film has a density"."""
        if property[1] <= entity[0]:
            return _OF.fullmatch(self.text, property[1], entity[0]) is not None
        between = entity[1] <= property[0] <= entity[1] + MAX_PREPOSITION
        return between and _HAS.fullmatch(self.text, entity[1], property[0]) is not None

    def clean(self, span: RoleSpan) -> Place | None:
        if span.role == "Qualifier":
            return clean_condition(self.text, span.start, span.end, taken=self.taken)
        # No half phrases: "wind" of "mean wind speed" is something else.
        first, last = self.phrase_at(span.start), self.phrase_at(max(span.start, span.end - 1))
        start = first.start if first else span.start
        end = last.end if last else span.end
        return clean_phrase(self.text, start, end, taken=self.taken, language=self.language)

    def phrase_at(self, place: int) -> Phrase | None:
        """The noun phrase of the sentence that has this character."""
        number = bisect_right(self.phrases, place, key=lambda phrase: phrase.start) - 1
        return self.phrases[number] if number >= 0 and place < self.phrases[number].end else None

    def numbers(
        self,
        span: RoleSpan,
        place: Place,
        network: Sequence[RoleSpan],
        rule: RoleSpan | None,
    ) -> tuple[float, ...]:
        start, end = place
        quantity = self.quantity
        quote = self.text[start:end]
        before = end <= quantity.start
        gap = (end, quantity.start) if before else (quantity.end, start)
        between = self.text[slice(*gap)]
        after = not before and len(between) <= 1
        sure = max((s.score for s in network if _meet(s, place)), default=0.0)
        agrees = rule is not None and _meet(rule, place)
        return tuple(
            float(number)
            for number in (
                min(1.0, sure),
                agrees,
                min(1.0, sure) * agrees,
                min(1.0, math.log1p(len(between)) / 6),
                before,
                bool(between) and overlaps(self.taken, *gap),
                after and not quantity.unit,
                after and bool(quantity.unit),
                not before and _OF.fullmatch(between) is not None,
                min(1.0, len(quote.split()) / 6),
                (span.start, span.end) != place,
                is_property(quote.split(" of ")[0].split()[-1]),
                before and len(between) < 40 and _LINK.search(between) is not None,
                bisect_right(self.begins, start) != bisect_right(self.begins, quantity.start),
                _SYMBOL.fullmatch(quote) is not None,
                _ADJECTIVE.fullmatch(quote) is not None,
                bool(quantity.unit),
                "IsCount" in quantity.modifiers,
                self.contradicts(quote),
            )
        )

    def contradicts(self, quote: str) -> bool:
        """Whether the phrase names a kind of quantity that this unit does not measure: a temperature of 5 min."""
        unit = self.quantity.unit
        return unit is not None and contradicts(
            quote.split(" of ")[0], read_unit(self.text[slice(*unit)], language=self.language)
        )


def _is_rule(span: RoleSpan, rule: RoleSpan | None) -> bool:
    """Whether a candidate among the network's is the one that the rules put there."""
    return rule is not None and span == rule and span.score == RULE_SCORE


def _meet(span: RoleSpan, place: Place) -> bool:
    return span.start < place[1] and place[0] < span.end
