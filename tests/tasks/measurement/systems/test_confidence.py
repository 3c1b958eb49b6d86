"""Confidence of what a quantity measures, and what is shown of it."""

from __future__ import annotations

import pytest

from marginalia.core.resources import read_resource
from marginalia.quantities.quantity import RoleSpan
from marginalia.tasks.measurement.official.data import Paragraph
from marginalia.tasks.measurement.systems.confidence import (
    PAIR_FEATURES,
    SHOWN_FROM,
    choose,
    confidence,
)
from marginalia.tasks.measurement.systems.evidence import FEATURES
from marginalia.tasks.measurement.systems.rules import Rules


def shown(text: str, language: str = "en") -> list[dict[str, str]]:
    """What the rules' judged candidates show of each quantity."""
    items = {"x": Paragraph("", "", text, language)}
    return [
        {role: text[span.start : span.end] for role, span in choose(judged, SHOWN_FROM).items()}
        for judged in Rules().contexts(items)["x"].values()
    ]


def test_the_models_know_every_feature_and_no_other() -> None:
    models = read_resource("marginalia.tasks.measurement", "systems/confidence.json")["models"]
    assert models.keys() == {"network", "rules"}
    for roles in models.values():
        assert roles["MeasuredProperty"].keys() == {"bias", *FEATURES}
        assert roles["MeasuredEntity"].keys() == {"bias", *FEATURES, *PAIR_FEATURES}


def test_the_best_of_a_role_is_shown_from_its_threshold_on() -> None:
    judged = [
        RoleSpan("MeasuredEntity", 0, 3, 0.7),
        RoleSpan("MeasuredEntity", 5, 9, 0.65),
        RoleSpan("MeasuredProperty", 10, 12, 0.59),
    ]
    assert choose(judged, SHOWN_FROM) == {"MeasuredEntity": judged[0]}
    assert choose(judged, dict.fromkeys(SHOWN_FROM, 0.0)).keys() == {"MeasuredEntity", "MeasuredProperty"}  # fmt: skip
    assert choose([], SHOWN_FROM) == {}


def test_the_logistic_function() -> None:
    model = {"bias": 0.0, "a": 2.0}
    assert confidence({"a": 0.0}, model) == 0.5
    both = confidence({"a": 1.0}, model) + confidence({"a": -1.0}, model)
    assert both == pytest.approx(1.0)


def test_plain_sentences() -> None:
    assert shown("We interviewed 48 farmers.") == [{"MeasuredEntity": "farmers"}]
    assert shown("The thickness of the coating was 35 nm.") == [
        {"MeasuredProperty": "thickness", "MeasuredEntity": "coating"}
    ]
    assert shown("Die Dicke der Schicht betrug 35 nm.", "de")[0].get("MeasuredProperty") == "Dicke"


def test_no_verb_is_what_was_measured() -> None:
    for text in ("Preheat the oven to 180 °C.", "Bake for 30 minutes.", "It was heated to 90 °C."):
        for found in shown(text):
            assert "MeasuredProperty" not in found
            assert found.get("MeasuredEntity") in (None, "oven")


@pytest.mark.parametrize(
    "text",
    [
        "The film of steel was bright, but the rest was 5 mm.",
        "The results of the film came late: it is quite thin, 5 mm.",
    ],
)
def test_nothing_comes_from_another_clause(text: str) -> None:
    (parts,) = shown(text)
    assert "film" not in " ".join(parts.values())
