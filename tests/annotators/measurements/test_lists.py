"""Lists that are told off against each other."""

from __future__ import annotations

import pytest

from marginalia import Document, extract_measurements


def said(text: str) -> list[tuple[str, str | None, str | None, str | None]]:
    doc = Document(id="x", text=text, meta={"lang": "en"})
    rows = extract_measurements(doc, system="strict").rows
    return [(row["quantity"], row["entity"], row["property"], row["conditions"]) for row in rows]


def test_each_number_has_the_name_in_its_place() -> None:
    found = said(
        "The yields were 4.1, 5.2 and 6.0 t/ha for maize, wheat and spring barley, respectively."
    )
    assert [entity for _, entity, _, _ in found] == ["maize", "wheat", "spring barley"]
    assert len({property for _, _, property, _ in found}) == 1


def test_each_number_has_the_number_in_its_place() -> None:
    found = said(
        "The strengths were 26.2, 22.1 and 20.3 MPa for 30, 40 and 50 percent replacement, respectively."
    )
    conditions = [one for _, _, _, one in found[:3]]
    assert conditions == ["percent 30", "percent 40", "50 percent"]


def test_a_list_may_name_what_was_measured() -> None:
    found = said("Sensitivity and specificity were 85% and 92%, respectively.")
    names = [{entity, property} for _, entity, property, _ in found]
    assert "Sensitivity" in names[0] and "specificity" in names[1]


@pytest.mark.parametrize(
    "text",
    [
        "The yields of the plots were 4.1, 5.2 and 6.0 t/ha, respectively.",
        "Respectively, 5 kg.",
        "We respectively used 3 and 4 of A, B and C.",
    ],
)
def test_lists_of_other_lengths_are_left_alone(text: str) -> None:
    assert all(entity not in ("A", "B", "C") for _, entity, _, _ in said(text))
