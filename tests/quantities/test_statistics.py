"""A statistical result is one record."""

from __future__ import annotations

from decimal import Decimal

import pytest

from marginalia import Document, extract_measurements
from marginalia.quantities.statistics import Statistics, read_statistics


def said(text: str, estimate: str) -> Statistics | None:
    start = text.index(estimate)
    return read_statistics(text, start, start + len(estimate))


@pytest.mark.parametrize(
    "text",
    [
        "The hazard ratio was 0.81 (95% CI 0.70 to 0.94, p = .004).",
        "Hazard ratio 0.81, 95 % CI 0.70–0.94; P = 0.004",
        "hazard ratio: 0.81 [95% confidence interval: 0.70, 0.94], p-value = 0.004",
    ],
)
def test_interval_and_p_value_belong_to_the_estimate(text: str) -> None:
    found = said(text, "0.81")
    assert found and found.name and found.name.lower() == "hazard ratio"
    assert (found.low, found.high, found.level) == (Decimal("0.70"), Decimal("0.94"), 95)
    assert (found.interval_kind, found.p) == ("CI", "= 0.004")


def test_deviation_spread_and_cases() -> None:
    found = said("12.3 (SD 2.1, n = 1,035) years", "12.3")
    assert found and (found.deviation, found.deviation_kind, found.n) == (
        Decimal("2.1"),
        "SD",
        1035,
    )
    assert found.unit == (25, 30)
    found = said("a median of 5 (IQR 3-9) days", "5")
    assert found and (found.low, found.high, found.interval_kind) == (3, 9, "IQR")
    found = said("4.5 kg (standard error 0.3)", "4.5 kg")
    assert found and (found.deviation, found.deviation_kind) == (Decimal("0.3"), "SE")


@pytest.mark.parametrize("text", ["0.81 (see Table 3)", "0.81 and p = 0.04", "0.81", "0.81 (0.70)"])
def test_what_says_nothing_of_the_estimate_is_left_alone(text: str) -> None:
    assert said(text, "0.81") is None


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Values are means ± SD.", "SD"),
        ("Shown are mean ± s.e.m.", "SE"),
        ("", None),
        ("± SD or ± SEM", None),
    ],
)
def test_what_plus_or_minus_stands_for_may_be_said_once(said: str, kind: str | None) -> None:
    doc = Document(id="d", text=f"The length was 12 ± 3 mm. {said}", meta={"lang": "en"})
    rows = extract_measurements(doc, system="rules").rows
    assert (rows[0]["uncertainty"], rows[0]["uncertainty_kind"]) == (3, kind)


def test_a_result_is_one_row_with_its_columns() -> None:
    doc = Document(id="d", text="The hazard ratio was 0.81 (95% CI 0.70 to 0.94, p = .004).")
    (row,) = extract_measurements(doc, system="rules").rows
    assert (row["low"], row["interval_low"], row["interval_high"], row["p"]) == (0.81, 0.7, 0.94, "= 0.004")  # fmt: skip
    doc = Document(id="d", text="Their age was 12.5 (SD 2.5) years.")
    (row,) = extract_measurements(doc, system="rules").rows
    assert (row["uncertainty"], row["uncertainty_kind"], row["ucum"]) == (2.5, "SD", "a")
    assert row["si_uncertainty"] == 2.5 * 365.25 * 86400
