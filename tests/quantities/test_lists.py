"""Numbers of a list: one quantity, or each by itself with the unit that they share."""

from __future__ import annotations

import pytest

from marginalia.quantities.finder import find_quantities


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("5, 10 and 15 mg of it", [("5", "mg"), ("10", "mg"), ("15 mg", "mg")]),
        ("of 550, 1100, 1650Hz", [("550", "Hz"), ("1100", "Hz"), ("1650Hz", "Hz")]),
        ("delays of 25 vs 75ms", [("25", "ms"), ("75ms", "ms")]),
        ("0.8–2.9 and 1.8–2.9%", [("0.8–2.9", "%"), ("1.8–2.9%", "%")]),
        ("93 Å, 78 Å and 85 Å", [("93 Å", "Å"), ("78 Å", "Å"), ("85 Å", "Å")]),
        ("In 2004 and 5 mg", [("2004", None), ("5 mg", "mg")]),
    ],
)
def test_each_number_of_a_list_has_the_unit_of_the_last(
    text: str, found: list[tuple[str, str | None]]
) -> None:
    quantities = find_quantities(text, lists=False)
    assert found == [
        (text[q.start : q.end], text[slice(*q.unit)] if q.unit else None) for q in quantities
    ]


def test_a_list_is_one_quantity_unless_asked_otherwise() -> None:
    text = "5, 10 and 15 mg of it"
    assert [text[q.start : q.end] for q in find_quantities(text)] == ["5, 10 and 15 mg"]
