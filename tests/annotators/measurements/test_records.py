"""Records from official spans: what belongs together, what is counted, where each part stands."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia.annotators.measurements.context import Part
from marginalia.annotators.measurements.records import find_unit_part, records
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.spans import MODIFIERS, Span, Spans
from tests.tasks.measurement.invented import TEXTS, gold


def quantity(text: str, quote: str, **other) -> Span:
    start = text.index(quote)
    return Span(1, "Quantity", start, start + len(quote), "T1-1", quote, other)


def test_a_record_has_all_parts_of_its_set() -> None:
    brine, point, count = records(TEXTS["S01-1"], gold()["S01-1"])
    assert brine.entity == Part(34, 39, "brine") and brine.property is None
    assert point.quantity.quote == "about 104 °C"
    assert point.property and point.property.quote == "boiling point"
    assert point.entity and point.entity.quote == "the brine"
    assert [part.quote for part in point.qualifiers] == ["At 20 °C"]
    assert point.modifiers == ("IsApproximate",) and point.value.approximate
    assert (point.value.low, point.value.high) == (Decimal(104), Decimal(104))
    assert point.unit and point.unit.ucum == "Cel"
    assert point.unit_part and point.unit_part.quote == "°C" and point.unit_part.start == 58
    assert point.kind and "Temperature" in point.kind.label
    assert count.count and not brine.count and not point.count


def test_both_bounds_and_the_tolerance_are_kept() -> None:
    depth, coast = records(TEXTS["S02-7"], gold()["S02-7"])
    assert (depth.value.low, depth.value.uncertainty) == (Decimal("31.5"), Decimal("0.2"))
    assert (coast.value.low, coast.value.high) == (3, 9)
    assert coast.entity is None and coast.property is None
    assert records(TEXTS["S01-2"], gold()["S01-2"]) == []


def test_several_quantities_in_a_set_have_their_own_context() -> None:
    text = "The rod is 3 m long and weighs 2 kg when dry."
    spans = (
        Span(1, "Quantity", 11, 14, "T1-1", "3 m", {"unit": "m"}),
        Span(1, "Quantity", 31, 35, "T2-1", "2 kg", {"unit": "kg"}),
        Span(1, "Qualifier", 36, 44, "T6-1", "when dry", {"Qualifies": "T4-1"}),
        Span(1, "MeasuredEntity", 0, 7, "T5-1", "The rod", {"HasProperty": "T3-1"}),
        Span(1, "MeasuredProperty", 15, 19, "T3-1", "long", {"HasQuantity": "T1-1"}),
        Span(1, "MeasuredProperty", 24, 30, "T4-1", "weighs", {"HasQuantity": "T2-1"}),
    )
    rod, weight = records(text, spans)
    assert rod.entity and rod.entity.quote == "The rod" and rod.qualifiers == ()
    assert weight.entity is None and weight.qualifiers[0].quote == "when dry"
    assert rod.property and rod.property.quote == "long"


@pytest.mark.parametrize(
    ("quote", "other", "counted"),
    [
        ("12", {"mods": ["IsCount"]}, True),
        ("12 passages", {"unit": "passages"}, True),
        ("12 study sites", {"unit": "study sites"}, True),
        ("12 days", {"unit": "days"}, False),
        ("12 times", {"unit": "times"}, False),
        ("12 euros", {"unit": "euros"}, False),
        ("12 Dollar", {"unit": "Dollar"}, False),
        ("2 orders of magnitude", {"unit": "orders of magnitude"}, False),
        ("2 light-years", {"unit": "light-years"}, False),
        ("12 mmXy", {"unit": "mmXy"}, False),
        ("1.5 passages", {"unit": "passages"}, False),
        ("7.4", {}, False),
    ],
)
def test_what_is_counted(quote: str, other: dict, counted: bool) -> None:
    text = f"There were {quote} here."
    (record,) = records(text, (quantity(text, quote, **other),))
    assert record.count is counted


@pytest.mark.parametrize(
    ("quote", "unit", "numbers"),
    [
        ("3 m/s^2", "m/s^2", [3]),
        ("3 kg m - 2 s - 1", "kg m - 2 s - 1", [3]),
        ("3 photons cm^-2", "photons cm^-2", [3]),
        ("2 W (m K) - 1 to 5 W (m K) - 1", "W (m K) - 1", [2, 5]),
        ("2 m2 and 5 m2", "m2", [2, 5]),
        ("2000 m", "m", [2000]),
    ],
)
def test_the_exponents_of_a_unit_are_no_numbers(quote: str, unit: str, numbers: list[int]) -> None:
    (record,) = records(quote, (quantity(quote, quote, unit=unit),))
    assert [number.value for number in record.value.numbers] == numbers
    assert record.value.kind != "date"


@pytest.mark.parametrize(
    ("text", "quote", "property", "kelvin"),
    [
        ("It rose by 2 °C.", "2 °C", "", "2"),
        ("A warming of 1.5 °C was seen.", "1.5 °C", "warming", "1.5"),
        ("a rise in mean air temperature of 2 °C", "2 °C", "", "2"),
        ("The temperature difference was 5 °C.", "5 °C", "temperature difference", "5"),
        ("Die Temperatur stieg um 2 °C.", "2 °C", "", "2"),
        ("eine Temperaturdifferenz von 3 °C", "3 °C", "", "3"),
        ("ein Anstieg von 5 °C auf 9 °C", "5 °C", "", "278.15"),
        ("After cooling to 5 °C it set.", "5 °C", "cooling", "278.15"),
        ("followed by 5 °C", "5 °C", "", "278.15"),
        ("The temperature was 5 °C.", "5 °C", "temperature", "278.15"),
    ],
)
def test_a_difference_of_temperatures(text: str, quote: str, property: str, kelvin: str) -> None:
    spans = [quantity(text, quote, unit="°C")]
    if property:
        at = text.index(property)
        says = {"HasQuantity": "T1-1"}
        spans.append(Span(1, "MeasuredProperty", at, at + len(property), "T2-1", property, says))
    (record,) = records(text, tuple(spans))
    assert record.si and record.si.low == record.si.high == Decimal(kelvin)


def test_a_date_has_no_unit() -> None:
    text = "It was warm in the 1990s."
    (record,) = records(text, (quantity(text, "1990s", unit="s"),))
    assert record.value.kind == "date"
    assert record.unit is record.unit_part is record.kind is record.si is None


def test_an_amount_of_money_is_no_length() -> None:
    text = "It cost £2.1m."
    for quote, unit in (("£2.1m", "£"), ("2.1m", "m")):
        (record,) = records(text, (quantity(text, quote, unit=unit),))
        assert record.value.low == 2_100_000 and record.unit is record.si is record.kind is None
        assert record.unit_part and record.unit_part.quote == "£"
    (length,) = records("a 2.1m rod", (quantity("a 2.1m rod", "2.1m", unit="m"),))
    assert length.unit and length.value.low == Decimal("2.1")


def test_where_the_unit_stands() -> None:
    text = "m of 5 m and 6 m, each in m"
    assert find_unit_part(text, quantity(text, "5 m and 6 m", unit="m")) == Part(15, 16, "m")
    assert find_unit_part(text, quantity(text, "6", unit="m")) == Part(15, 16, "m")
    assert find_unit_part(text, quantity(text, "6", unit="km")) is None
    some = "5 to some 10 m"
    assert find_unit_part(some, quantity(some, "5", unit="m")) == Part(13, 14, "m")
    assert find_unit_part(text, quantity(text, "6")) is None


def test_alternatives_are_kept_best_first() -> None:
    entity, property = (
        RoleSpan("MeasuredEntity", 34, 39, 0.2),
        RoleSpan("MeasuredProperty", 13, 20, 0.4),
    )
    judged = {2: Quantity(0, 0, None, (), 0.9, (entity, property), purpose="result")}
    brine, point, _ = records(TEXTS["S01-1"], gold()["S01-1"], contexts=judged)
    assert point.alternatives == (property, entity)
    assert brine.alternatives == () and brine.entity is not None
    _, point, _ = records(TEXTS["S01-1"], gold()["S01-1"], contexts=judged, min_confidence=0.3)
    assert point.property == Part(13, 20, TEXTS["S01-1"][13:20]) and point.entity is None
    assert (point.property_confidence, point.alternatives) == (0.4, (entity,))
    assert (point.purpose, point.confidence, brine.purpose) == ("result", 0.9, None)


def test_a_row_says_so_where_its_property_has_another_dimension() -> None:
    text = "The temperature was kept for 30 min."
    spans = (
        Span(1, "Quantity", 29, 35, "T1-1", "30 min", {"unit": "min"}),
        Span(1, "MeasuredProperty", 4, 15, "T2-1", "temperature", {"HasQuantity": "T1-1"}),
    )
    (record,) = records(text, spans)
    assert record.property is not None and record.unit is not None and record.si is None
    assert record.doubt == "temperature is not measured in min"


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("hazard ratio 0.81 (95% CI 0.70 to 0.94)", None),
        ("hazard ratio 0.61 (95% CI 0.70 to 0.94)", "the interval does not hold the value"),
        ("hazard ratio 0.81 (95% CI 0.94 to 0.70)", "the interval does not hold the value"),
    ],
)
def test_an_interval_that_does_not_hold_its_estimate_is_flagged(
    text: str, doubt: str | None
) -> None:
    (record,) = records(text, (Span(1, "Quantity", 13, 17, "T1-1", text[13:17], {}),))
    assert record.statistics is not None and record.doubt == doubt


@pytest.mark.parametrize("text", ["35 Ω-1cm2mol-1", "24 dB/oct"])
def test_a_unit_that_goes_on_has_no_si_value(text: str) -> None:
    number, _, rest = text.partition(" ")
    unit = rest[:1] if rest.startswith("Ω") else "dB"
    quote = f"{number} {unit}"
    (record,) = records(text, (Span(1, "Quantity", 0, len(quote), "T1-1", quote, {"unit": unit}),))
    assert record.si is None and record.doubt == "the unit goes on, and what follows is not known"


@st.composite
def spans_of(draw) -> tuple[str, Spans]:
    """Any text with any spans on it, related or not."""
    text = draw(st.text("12 .,±–<~°C%kgm×10−³ab\n", min_size=1, max_size=40))
    spans = []
    for number in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        type = draw(
            st.sampled_from(["Quantity", "MeasuredEntity", "MeasuredProperty", "Qualifier"])
        )
        other: dict = {}
        if type == "Quantity":
            other = {"mods": draw(st.lists(st.sampled_from(MODIFIERS), max_size=2))}
            if draw(st.booleans()):
                other["unit"] = text[draw(st.integers(start, end - 1)) : end]
        spans.append(
            Span(draw(st.integers(1, 2)), type, start, end, f"T{number}", text[start:end], other)
        )
    return text, tuple(spans)


@given(spans_of())
def test_every_part_slices_back_and_every_quantity_has_a_record(case: tuple[str, Spans]) -> None:
    text, spans = case
    for lang in ("en", "de"):
        found = records(text, spans, language=lang)
        assert len(found) == sum(span.type == "Quantity" for span in spans)
        for record in found:
            parts = [record.quantity, record.unit_part, record.entity, record.property]
            for part in (*parts, *record.qualifiers):
                assert part is None or text[part.start : part.end] == part.quote
            for number in record.value.numbers:
                assert 0 <= number.start < number.end <= len(record.quantity.quote)


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("We enrolled 1900 patients.", "number", True),
        ("In 1900 patients were rare.", "date", False),
        ("The survey of 1900 was small.", "date", False),
        ("It ended 1900 as planned.", "date", False),
    ],
)
def test_a_number_of_things_is_no_year(text: str, kind: str, count: bool) -> None:
    [record] = records(text, (quantity(text, "1900"),))
    assert (record.value.kind, record.count) == (kind, count)
    assert text[record.quantity.start : record.quantity.end] == "1900"
