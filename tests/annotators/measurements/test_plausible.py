"""What the words around a quantity speak against is not shown as its entity or property."""

from __future__ import annotations

import pytest

from marginalia.annotators.measurements.context import MeasuredContext, part_of
from marginalia.annotators.measurements.plausible import plausible
from marginalia.quantities.units.unit import read_unit
from marginalia.quantities.values import parse_value
from marginalia.tasks.measurement.official.spans import Span


def shown(text: str, quote: str, unit: str | None, entity: str = "", property: str = "") -> str:
    """What is left of the context, entity before property."""

    def part(quote: str):
        start = text.index(quote)
        return part_of(text, start, start + len(quote)) if quote else None

    start = text.index(quote)
    span = Span(
        1, "Quantity", start, start + len(quote), "T1-1", quote, {"unit": unit} if unit else {}
    )
    context = MeasuredContext(entity=part(entity), property=part(property), judged=True)
    left = plausible(context, text, span, parse_value(quote), read_unit(unit) if unit else None)
    return "; ".join(each.quote for each in (left.entity, left.property) if each)


@pytest.mark.parametrize(
    ("text", "quote", "unit", "entity", "property"),
    [
        ("The number of spots in 1 cm2 fell.", "1 cm2", "cm2", "spots", ""),
        ("Cells were treated with 5 mM glucose.", "5 mM", "mM", "Cells", ""),
        ("The wide format has an aspect ratio and covers 360 degrees.", "360 degrees", "degrees", "", "aspect ratio"),
        ("The length of the hall (times 1.22) is known.", "1.22", None, "", "length"),
        ("The aperture is 500 / 25 here.", "500", None, "aperture", ""),
        ("Survival of 7874 residents was good.", "7874 residents", "residents", "", "Survival"),
        ("Over the course of 5 hours it fell.", "5 hours", "hours", "course", ""),
        ("It needs the 15 regression or other analyses.", "15", None, "regression", ""),
        ("The weight is (1/5 + 4/15)/2 then.", "+ 4/15", None, "", "weight"),
        ("Each adds 1/(k + 3) to the sum.", "+ 3", None, "k", ""),
        ("There are lengths which appear 10 times here.", "10 times", "times", "", "lengths"),
        ("The toolbar contains seven icons.", "seven", None, "toolbar", ""),
        ("Each error is shown with 4 or so.", "4", None, "error", ""),
        ("The edges of areas are narrow (1 m) here.", "1 m", "m", "edges", ""),
        ("The opacity (50%) of the layer is set.", "50%", "%", "layer", ""),
        ("Their sizes are 1 to 10 kilofoos.", "1 to 10", None, "kilofoos", ""),
        ("The intake needs to be 9 mg a day.", "9 mg", "mg", "intake needs", ""),
        ("The patch number is now 90 here.", "90", None, "", "patch number"),
        ("It has E = h * v = 5 J here.", "5 J", "J", "v", ""),
        ("Take ten minutes chess a day.", "ten minutes", "minutes", "chess", ""),
    ],
)  # fmt: skip
def test_false_contexts_are_left_out(
    text: str, quote: str, unit: str | None, entity: str, property: str
) -> None:
    assert shown(text, quote, unit, entity, property) == ""


@pytest.mark.parametrize(
    ("text", "quote", "unit", "entity", "property"),
    [
        ("The glass was filled with 5 mL of water.", "5 mL", "mL", "water", ""),
        ("The film has a thickness of 5 nm.", "5 nm", "nm", "film", "thickness"),
        ("A sample of 7874 residents was drawn.", "7874 residents", "residents", "sample", ""),
        ("It had an aspect ratio of 3:2 then.", "3:2", None, "", "aspect ratio"),
        ("We ran a 28-day test on them.", "28-day", "day", "test", ""),
        ("The toolbars were seven.", "seven", None, "toolbars", ""),
        ("The concentration of glucose was 5 mg/L.", "5 mg/L", "mg/L", "glucose", "concentration"),
        ("The duration of the test was 12 min.", "12 min", "min", "test", "duration"),
        ("The average is 30 degrees here.", "30 degrees", "degrees", "", "average"),
        ("The temperature rose by + 3 K then.", "+ 3 K", "K", "", "temperature"),
        ("The White Sea is 340 m deep.", "340 m", "m", "White Sea", ""),
    ],
)
def test_what_is_tied_to_its_quantity_stays(
    text: str, quote: str, unit: str | None, entity: str, property: str
) -> None:
    wanted = "; ".join(filter(None, (entity, property)))
    assert shown(text, quote, unit, entity, property) == wanted


def test_one_thing_is_not_a_property_of_itself() -> None:
    assert shown("The oil was kept at 25 K there.", "25 K", "K", "oil", "oil") == "oil"
