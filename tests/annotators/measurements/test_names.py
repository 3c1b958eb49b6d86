"""Names of properties that can be joined."""

from __future__ import annotations

import pytest

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
