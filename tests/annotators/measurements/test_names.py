"""Names of properties that can be joined."""

from __future__ import annotations

import pytest

from marginalia import Document, extract_measurements
from marginalia.annotators.measurements.names import property_name


@pytest.mark.parametrize(
    ("property", "name"),
    [
        ("The mean body temperatures of the calves", "body temperature"),
        ("Temp.", "temperature"),
        ("P-values", "p"),
        ("RR (95% CI)", "risk ratio"),
        ("maximum length", "length"),
        ("number of eggs", "number of egg"),
        ("Mass", "mass"),
        ("bias", "bias"),
        ("mean", "mean"),
        ("F1-score", "f1"),
        (None, None),
        ("(%)", None),
    ],
)
def test_names_leave_out_what_differs_between_papers(
    property: str | None, name: str | None
) -> None:
    assert property_name(property) == name


@pytest.mark.parametrize(
    ("text", "implied", "statement"),
    [
        ("The medium had 1 mM HEPES.", "concentration", "concentration (HEPES) of medium: 1 mM"),
        ("Cells were kept at 4 °C.", "temperature", "temperature (kept) of Cells: 4 °C (277.15 K)"),
        ("The temperature of the oven was 4 °C.", None, "temperature of oven: 4 °C (277.15 K)"),
        ("The wall is 4 m high.", None, "high of wall: 4 m"),
    ],
)
def test_what_the_unit_says_is_measured(text: str, implied: str | None, statement: str) -> None:
    (row,) = extract_measurements(
        Document(id="d", text=text), system="rules", min_confidence=0
    ).rows
    assert row["property_implied"] == implied
    assert row["statement"] == statement
