"""Measurement records: property of entity is quantity under qualifiers, with the span of each part.

A record is made from the official spans of one set, whatever system found them. The quantity is parsed to
numbers, its unit normalised, and its property linked to a QUDT quantity kind; the spans do not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from marginalia.annotators.measurements.context import MeasuredContext, Part, part_of
from marginalia.nlp.prose import SpanSet
from marginalia.quantities.currencies import SIGNS
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.quantities.statistics import Statistics, read_statistics
from marginalia.quantities.surroundings import recurrence, with_surroundings
from marginalia.quantities.units.defined import (
    NO_UNITS,
    DefinedUnits,
)
from marginalia.quantities.units.kinds import Kind, contradicts, find_kind
from marginalia.quantities.units.measure import read_measure
from marginalia.quantities.units.unit import Si, Unit, in_unit, to_si
from marginalia.quantities.units.unit_disambiguation import READING_WINDOW
from marginalia.quantities.values import Value, parse_value
from marginalia.tasks.measurement.official.spans import Span, Spans, by_set

_COUNTED = re.compile(
    r"(?!(?i:times|fold|mal|fach|orders? of magnitude|Größenordnung(?:en)?|euros?|dollars?|cents?)\b)"
    r"[^\W\d_][a-zäöüß]{3,}(?:[ -][^\W\d_]{2,})*"
)
"""A unit that is nothing but words: "passages", "study sites". "5 times" is a ratio, "5 euros" a price."""
_CHANGE = (
    r"increases?|decreases?|rises?|drops?|falls?|reductions?|declines?|warming|cooling|differences?"
    r"|\w*(?:anstieg|erhöhung|zunahme|abnahme|rückgang|erwärmung|abkühlung|differenz|unterschied)"
)
# Words before a temperature: "warming by 2 °C" is a difference, "cooling to 2 °C" is none.
_BY = re.compile(
    rf"(?:(?<!followed\s)(?<!given\s)\bby|\bum|\b(?:{_CHANGE})\s(?:in\s(?:\w+\s){{1,4}})?(?:of|von))"
    r"\s(?:an?\s)?\Z",
    re.I,
)
_CHANGED = re.compile(
    rf"\b(?:changes?|{_CHANGE})\s(?:in|of|der|des|im)\s[^.;,\d]{{2,40}}\s(?:was|is|were|are|be|of|betrug|beträgt|war|ist|von)\s(?:about\s|etwa\s)?\Z",
    re.I,
)
_APART = re.compile(
    r"differen[cz]|unterschied|\bwarming|\bcooling|erwärmung|abkühlung|[Δ∆]\s?T", re.I
)
_AT = re.compile(r"\b(?:to|at|from|between|below|above|auf|bei|zwischen|unter|über)\s\Z", re.I)
_UNIT_GOES_ON = re.compile(r"(?<=[^\W\d_])(?:[-−–⁻]\s?[1-9¹²³]|⁻)|(?<=\w)/\s?[^\W\d_]")
"""Behind a quantity: "35 Ω" of "35 Ω-1cm2", "24 dB" of "24 dB/oct"."""
BEFORE_WINDOW = 60
"""Characters before a quantity whose words may tell a difference, or a year from a count."""
AFTER_WINDOW = 60
"""Characters after a quantity in which the unit that it shares with another one is looked for."""
_OVER = re.compile(r"\A(?:over|über)(?=\s)")
_DEGREES = re.compile(r"°|º|˚|[Dd]egree|[Gg]rad\b|[CF]\Z")
_DASHED = re.compile(r"[-–]\s\d")
_NAMED = re.compile(
    r"(?<![^\W\d_])(?!(?:at|to|of|from|by|is|was|were|between|and|or|than|below|above|about|bei|auf|von|bis|und)\s)[^\W\d_]{2,}\s\Z"
)
"""A dash with blanks around it behind a word is no minus."""
_OLD = re.compile(r"[\s-](?:old|of age|alt)\b")
_YEAR = re.compile(r"\d{4}")
_NOUN = re.compile(r"\s(?!(?:was|is|has|as|this|its|versus|years|across)\b)[a-z]{2,}s\b")
_IN = re.compile(
    r"\b(?:in|since|from|of|by|until|during|to|and|before|after|for|the)\s\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One record. ``count`` tells counted things from measures; a date is ``value.kind == "date"``."""

    set: int
    quantity: Part
    value: Value
    unit: Unit | None
    unit_part: Part | None
    si: Si | None
    """The value in SI units, where there is a unit."""
    modifiers: tuple[str, ...]
    count: bool
    entity: Part | None
    property: Part | None
    qualifiers: tuple[Part, ...]
    kind: Kind | None
    entity_confidence: float | None = None
    """How sure it is that the entity is right, where the system says so; the same of the other two."""
    property_confidence: float | None = None
    qualifier_confidence: float | None = None
    alternatives: tuple[RoleSpan, ...] = ()
    """Other candidates for entity, property and qualifier, the best first. Never in the official output."""
    unit_text: str | None = None
    """The unit as written; of a price with what it is paid for: ``$ per kg``."""
    unit_confidence: float | None = None
    """That the unit is what was meant: low where its symbol has several readings."""
    currency: str | None = None
    """ISO 4217 code of money: ``USD``, ``EUR/kg``."""
    doubt: str | None = None
    """Why a unit has no SI value: it has several readings, and the words around do not settle which."""
    statistics: Statistics | None = None
    """What is said of the value right behind it: deviation, interval, p-value, number of cases."""
    per: str | None = None
    """How often it recurs, as written: ``täglich``, ``a week``."""
    purpose: str | None = None
    """Why it stands in a paper, where the system says so: ``result``, ``setup``, ``criterion``, ``background``."""
    caption: Part | None = None
    """What the table that it stands in is about."""
    confidence: float | None = None
    """That it is worth a row, where the system says so."""

    def says_nothing(self) -> bool:
        """Whether it is a bare number that nobody could use: no unit, nothing that it is of, no count of things."""
        known = self.unit or self.unit_part or self.currency or self.statistics or self.count
        context = self.property or self.entity or self.qualifiers
        return self.value.kind == "number" and not (known or context)


def records(
    text: str,
    spans: Spans,
    *,
    language: str = "en",
    contexts: Mapping[int, Quantity] | None = None,
    alternatives: bool = True,
    min_confidence: float | None = None,
    defined: DefinedUnits = NO_UNITS,
) -> list[Measurement]:
    """A record for each quantity, in the order of the sets; a set without a quantity has none.

    ``contexts`` has the quantity of a set with its candidates: then its entity, property and qualifiers are the best of them
    that reach ``min_confidence``, or else those that the system gives, and the others are its ``alternatives``, if those
    are asked for. Without them they are the official spans. ``defined`` are units of the user.
    """
    judged = contexts or {}
    made = [
        _record(
            text,
            quantity,
            MeasuredContext.of(text, own, judged.get(number), min_confidence),
            judged.get(number),
            language,
            alternatives,
            defined,
        )
        for number, members in by_set(spans).items()
        for quantity, own in _quantities(members)
    ]
    # What is said of an estimate is part of its record: "0.81 (95 % CI 0.70 to 0.94)" is one result.
    said = SpanSet.merge((r.quantity.end, r.statistics.end) for r in made if r.statistics)
    return [r for r in made if not said.hold(r.quantity.start)]


def _quantities(spans: list[Span]) -> Iterator[tuple[Span, list[Span]]]:
    """Each quantity of a set with what belongs to it; where there is only one, that is all of the set."""
    quantities = [span for span in spans if span.type == "Quantity"]
    rest = [span for span in spans if span.type != "Quantity"]
    for quantity in quantities:
        own = rest
        if len(quantities) > 1:
            own, ids = [], {quantity.id}
            # Property before entity before qualifier: each leads to one of those before it.
            for span in sorted(rest, key=lambda span: _ORDER[span.type]):
                if ids & set(span.other.values()):
                    own.append(span)
                    ids.add(span.id)
        yield quantity, own


_ORDER = {"MeasuredProperty": 0, "MeasuredEntity": 1, "Qualifier": 2}


def _meant(text: str, quantity: Span) -> str:
    """The quote with words of two meanings as they are meant here: as many characters, so that offsets stay."""
    if _OLD.match(
        text, quantity.end
    ):  # "over five years" says how long, "over five years old" how old
        return _OVER.sub(lambda over: ">".rjust(len(over.group())), quantity.text)
    plates = _DASHED.match(quantity.text) and not _DEGREES.search(quantity.text)
    if plates and _NAMED.search(text, max(0, quantity.start - 12), quantity.start):
        return " " + quantity.text[1:]  # "thickness of plates - 0.5 mm"
    return quantity.text


def _record(
    text: str,
    quantity: Span,
    context: MeasuredContext,
    judged: Quantity | None,
    language: str,
    alternatives: bool,
    defined: DefinedUnits,
) -> Measurement:
    quantity, place = _with_defined_unit(text, quantity, defined)
    if place:
        context = context.outside(*place)
    statistics = read_statistics(text, quantity.start, quantity.end, language)
    if statistics:  # "95 % CI" says how sure the value is, and is no condition
        context = context.outside(quantity.end, statistics.end)
    behind = statistics.unit if statistics and not quantity.unit else None
    measure = read_measure(
        _meant(text, quantity),
        text[slice(*behind)] if behind else quantity.unit,
        before=text[max(0, quantity.start - READING_WINDOW) : quantity.start],
        after=text[quantity.end : quantity.end + READING_WINDOW],
        language=language,
        defined=defined.units,
    )
    if measure.unit and quantity.unit and (doubt := defined.doubt(quantity.unit)):
        measure = replace(measure, unit=None, doubt=doubt)
    value, unit = measure.value, measure.unit
    things = _things(text, quantity) if value.kind == "date" else None
    if things is not None:
        value = parse_value(text[quantity.start : things], language=language)
    if value.kind != "date":
        value = with_surroundings(value, text, quantity.start, quantity.end, language)
    entity, property, sure = context.entity, context.property, context.confidence
    unit_part, kind, si, doubt, disagrees = None, None, None, measure.doubt, False
    if measure.money:  # a sign may stand before the quantity
        named = find_unit_part(text, quantity)
        apart = measure.unit_text in tuple(SIGNS) and measure.unit_text != quantity.text[:1]
        unit_part = (
            part_of(text, quantity.start - 1, quantity.start) if apart or not named else named
        )
    elif value.kind == "date":  # the s of "1990s" is no second
        unit = None
    else:
        unit_part = part_of(text, *behind) if behind else find_unit_part(text, quantity)
        disagrees = property is not None and contradicts(property.quote, unit)
        if property and disagrees:
            doubt = f"{property.quote} is not measured in {measure.unit_text}"
        kind = find_kind(property.quote if property else None, unit)
    if unit is not None and value.kind != "none":
        own = defined.units
        difference = bool(unit.offset) and _is_difference(text, quantity, property)
        si = to_si(
            value,
            unit,
            quote=quantity.text,
            language=language,
            difference=difference,
            defined=own,
        )
        value = in_unit(value, unit, quote=quantity.text, language=language, defined=own)
    if disagrees:
        si = None
    elif si and _UNIT_GOES_ON.match(text, quantity.end):
        si, doubt = None, "the unit goes on, and what follows is not known"
    if doubt is None and statistics and not statistics.holds(value.low):
        doubt = "the interval does not hold the value"
    return Measurement(
        set=quantity.set,
        quantity=part_of(text, quantity.start, quantity.end),
        value=value,
        unit=unit,
        unit_part=unit_part,
        unit_text=measure.unit_text if unit_part or unit else None,
        unit_confidence=measure.confidence if unit or measure.money else None,
        currency=measure.currency,
        statistics=statistics,
        per=None
        if value.kind == "date"
        else recurrence(text, quantity.start, quantity.end, language),
        doubt=doubt if value.kind != "date" else None,
        si=si,
        modifiers=quantity.mods,
        count=things is not None
        or "IsCount" in quantity.mods
        or (not measure.money and _is_count(value, unit, unit_part)),
        entity=entity,
        property=property,
        qualifiers=context.qualifiers,
        kind=kind,
        entity_confidence=sure.get("MeasuredEntity"),
        property_confidence=sure.get("MeasuredProperty") if property else None,
        qualifier_confidence=sure.get("Qualifier"),
        alternatives=context.others if alternatives else (),
        purpose=judged.purpose if judged else None,
        confidence=judged.score if judged else None,
    )


def _with_defined_unit(
    text: str, quantity: Span, defined: DefinedUnits
) -> tuple[Span, tuple[int, int] | None]:
    """The quantity up to the end of the user's unit in or right behind it, and where that stands."""
    place = defined.find(text, quantity.start, quantity.end, quantity.unit)
    name = text[slice(*place)] if place else quantity.unit
    if name is None or name not in defined.units:
        return quantity, None
    end = max(quantity.end, place[1]) if place else quantity.end
    mods = [mod for mod in quantity.mods if mod != "IsCount"]
    mods += ["IsCount"] if defined.counts(name) else []
    other = {**quantity.other, "unit": name, "mods": mods}
    return replace(quantity, end=end, text=text[quantity.start : end], other=other), place


def find_unit_part(text: str, quantity: Span) -> Part | None:
    """The span of the unit: its last occurrence in the quantity, or else the next one after it.

    The unit of "5" in "5 to some 10 m" is not the m of "some".
    """
    if not quantity.unit:
        return None
    start = text.rfind(quantity.unit, quantity.start, quantity.end)
    if start >= 0:
        return part_of(text, start, start + len(quantity.unit))
    whole = re.compile(rf"(?<![^\W\d_]){re.escape(quantity.unit)}(?![^\W_])")
    match = whole.search(text, quantity.end, quantity.end + AFTER_WINDOW)
    return part_of(text, *match.span()) if match else None


def _is_difference(text: str, quantity: Span, property: Part | None) -> bool:
    """Whether a temperature is a difference, so that the conversion has no offset."""
    before = text[max(0, quantity.start - BEFORE_WINDOW) : quantity.start]
    if _BY.search(before):  # but in "Anstieg von 5 °C auf 10 °C" there are two temperatures
        return not (before.endswith("von ") and text.startswith(" auf ", quantity.end))
    if _CHANGED.search(before):
        return True
    named = property is not None and _APART.search(property.quote) is not None
    return named and _AT.search(before) is None


def _is_count(value: Value, unit: Unit | None, part: Part | None) -> bool:
    """Whole numbers of something that is no unit: "12 passages"."""
    if unit is not None or part is None or _COUNTED.fullmatch(part.quote) is None:
        return False
    numbers = [number.value for number in value.numbers]
    return bool(numbers) and all(number == number.to_integral_value() for number in numbers)


def _things(text: str, quantity: Span) -> int | None:
    """The end of the plural noun after a number that looks like a year: "1900 patients", not "in 1900 patients"."""
    if not _YEAR.fullmatch(quantity.text) or _IN.search(
        text, max(0, quantity.start - BEFORE_WINDOW), quantity.start
    ):
        return None
    noun = _NOUN.match(text, quantity.end)
    return noun.end() if noun else None
