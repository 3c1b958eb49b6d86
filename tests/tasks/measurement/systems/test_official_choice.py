"""Entity and property by their expected official score: what is given, how wide, and when nothing is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marginalia import FormatError
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.match import match
from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.measurement.systems.annotation_sets import to_annotation_sets
from marginalia.tasks.measurement.systems.conditions import CONDITION
from marginalia.tasks.measurement.systems.conditions import FEATURES as CONDITION_FEATURES
from marginalia.tasks.measurement.systems.official_choice import (
    ENTITY,
    PROPERTY,
    JointChoice,
    choose_together,
)
from marginalia.tasks.measurement.systems.span_chances import (
    FEATURES,
    FILE,
    SPANS,
    WEIGHT_NAMES,
    Evidence,
    gather,
    read_weights,
    span_chances,
)
from marginalia.tasks.measurement.systems.train import chances as training
from marginalia.tasks.measurement.systems.window_reading import Answer, WindowReading

WORDS = np.array([[k, k] for k in range(20)])
PLAIN = {role: dict.fromkeys(WEIGHT_NAMES, 0.0) | {"start": 1.0} for role in (ENTITY, PROPERTY)}
"""The chance of a span is the exponential of its first feature, over those of all."""


def evidence(chances: dict[tuple[int, int], float], none: float) -> Evidence:
    """Under ``PLAIN`` these chances, with "elsewhere" as probable as "none" as far as both are equal."""
    spans = np.array(list(chances), dtype=np.int64).reshape(-1, 2)
    features = np.zeros((len(spans), len(FEATURES)))
    features[:, 0] = np.log([*chances.values()]) - np.log(none / 2)
    return Evidence(spans, features, np.zeros(2))


def choice(
    entity: dict[tuple[int, int], float], property: dict[tuple[int, int], float]
) -> JointChoice:
    none = {role: 1 - sum(c.values()) for role, c in ((ENTITY, entity), (PROPERTY, property))}
    found = {ENTITY: evidence(entity, none[ENTITY]), PROPERTY: evidence(property, none[PROPERTY])}
    return choose_together(found, WORDS, PLAIN)


def test_what_is_sure_is_given_and_what_is_not_is_left_out() -> None:
    sure = choice({(3, 4): 0.95}, {(7, 7): 0.9})
    assert (sure.gives_entity, sure.gives_property) == (True, True)
    assert sure.entities[0].score == pytest.approx(0.95, abs=1e-6)
    only = choice({(3, 4): 0.95}, {(7, 7): 0.1})
    assert (only.gives_entity, only.gives_property) == (True, False)
    neither = choice({(3, 4): 0.2, (9, 9): 0.1}, {(7, 7): 0.1})
    assert (neither.gives_entity, neither.gives_property) == (False, False)
    assert len(neither.entities) == 2  # still candidates
    nothing = choose_together({}, WORDS, PLAIN)
    assert nothing == JointChoice([], [], gives_entity=False, gives_property=False)


def test_a_span_wide_enough_for_both_readings_since_a_relation_counts_when_spans_touch() -> None:
    """3:4 is likelier than 8:8; 3:8 meets both, and with it the relation matches either way."""
    found = choice({(3, 4): 0.5, (8, 8): 0.35, (3, 8): 0.05}, {(12, 12): 0.01})
    assert (found.entities[0].first, found.entities[0].last) == (3, 8)


@given(st.integers(0, 10_000))
def test_the_choice_has_the_highest_expected_official_score_of_all(seed: int) -> None:
    """Against the official program itself, on all pairs of one-word spans: no overlap but whole or none."""
    random = np.random.default_rng(seed)
    text = "q a b c d e f"
    at = {place: (2 * place, 2 * place + 1) for place in range(1, 7)}
    chances = {
        role: dict(zip(places, random.dirichlet(np.full(4, 0.5))[:3], strict=True))
        for role, places in ((ENTITY, (1, 2, 3)), (PROPERTY, (4, 5, 6)))
    }
    # The entity is always there, so that the two are independent.
    total = sum(chances[ENTITY].values())
    chances[ENTITY] = {place: max(c / total, 1e-4) * 0.9999 for place, c in chances[ENTITY].items()}

    def annotated(entity: int | None, property: int | None) -> tuple[Span, ...]:
        spans = ((ENTITY, entity), (PROPERTY, property))
        context = tuple(RoleSpan(role, *at[p], 1.0) for role, p in spans if p is not None)
        return to_annotation_sets(text, [Quantity(0, 1, None, (), 1.0, context, context)])

    def worth(entity: int | None, property: int | None) -> float:
        """Value over .5 a row, expected over what gold may be."""
        found = 0.0
        given = annotated(entity, property)
        for true_entity, p in chances[ENTITY].items():
            none = 1 - sum(chances[PROPERTY].values())
            for true_property, q in ((None, none), *chances[PROPERTY].items()):
                tallies = match(annotated(true_entity, true_property), given).classes.values()
                found += p * q * sum(tally.overlap - 0.5 * tally.rows for tally in tallies)
        return found

    chosen = choice(
        {(k, k): c for k, c in chances[ENTITY].items()},
        {(k, k): c for k, c in chances[PROPERTY].items()},
    )
    entity = chosen.entities[0].first if chosen.gives_entity else None
    property = chosen.properties[0].first if chosen.gives_property else None
    pairs = [(e, p) for e in (None, 1, 2, 3) for p in (None, 4, 5, 6)]
    best = max(worth(e, p) for e, p in pairs)
    assert worth(entity, property) == pytest.approx(best, abs=0.01)


def window(sentences: list[int]) -> Any:
    size = len(sentences) + 1
    offsets = np.array([(0, 0), *((2 * k, 2 * k + 1) for k in range(size - 2)), (0, 0)])

    def cover(start: int, end: int) -> tuple[int, int] | None:
        inside = np.flatnonzero((offsets[:, 0] < end) & (offsets[:, 1] > start))
        return (int(inside[0]), int(inside[-1])) if len(inside) else None

    return SimpleNamespace(offsets=offsets, sentences=np.array([*sentences, 0]), cover=cover)


def reading(size: int, places: list[int], sentences: list[int], seed: int = 0) -> WindowReading:
    random = np.random.default_rng(seed)
    quantities = [Quantity(2 * (p - 1), 2 * (p - 1) + 1, None, (), 1.0) for p in places]
    ends = [random.dirichlet(np.full(size + 1, 0.3), size=4).T for _ in places]
    tags = [random.dirichlet(np.full(5, 0.5), size=size + 1) for _ in places]
    answers = [Answer(tag, end, 1.0, np.ones(4)) for tag, end in zip(tags, ends, strict=True)]
    words = np.array([[k, k] for k in range(size)])
    own = [(p, p) for p in places]
    return WindowReading(window(sentences), words, quantities, own, answers)


def test_neighbours_count_only_within_the_sentence() -> None:
    one = gather(reading(12, [3, 6], [0] + [1] * 11))
    apart = gather(reading(12, [3, 6], [0] + [1] * 4 + [2] * 7))
    near = [FEATURES.index("near_entity"), FEATURES.index("near_property")]
    rest = [k for k in range(len(FEATURES)) if k not in near]
    for together, alone in zip(one, apart, strict=True):
        for role in (ENTITY, PROPERTY):
            assert together[role].features[:, near].any()
            assert not alone[role].features[:, near].any()
            assert (together[role].features[:, rest] == alone[role].features[:, rest]).all()


def test_what_the_rules_see_is_weighed_too_where_the_network_would_not_look() -> None:
    plain = reading(100, [3], [0] + [1] * 99)
    ruled = RoleSpan(PROPERTY, 2 * 79, 2 * 95 + 1, 0.5)
    told = replace(plain, quantities=[replace(plain.quantities[0], context=(ruled,))])
    before, after = (gather(one)[0][PROPERTY] for one in (plain, told))
    assert len(before.spans) <= SPANS
    assert [80, 96] in after.spans.tolist() and [80, 96] not in before.spans.tolist()
    at = after.spans.tolist().index([80, 96])
    assert after.features[at, FEATURES.index("rule_property")] == 1.0


@given(st.integers(0, 10_000))
def test_chances_are_probabilities(seed: int) -> None:
    weights = read_weights(Path("nowhere"), "official")
    for own in gather(reading(15, [2, 5, 11], [0] + [1] * 14, seed)):
        for role, found in own.items():
            chances = span_chances(found, weights[role])
            assert (chances >= 0).all() and chances.sum() <= 1 + 1e-6


def test_the_fit_finds_what_speaks_for_a_span() -> None:
    """The true span is where the rules see it; the network's ends are noise."""
    random = np.random.default_rng(0)
    examples = []
    for _ in range(300):
        features = random.normal(size=(5, len(FEATURES)))
        features[:, 3] = np.eye(5)[random.integers(5)]
        spans = np.array([[k, k] for k in range(5)])
        there = bool(random.random() < 0.7)
        none = np.array([random.normal(0.0 if there else 3.0), 0.0])
        truth = features[:, 3] * there
        examples.append(training.JudgedSpans(Evidence(spans, features, none), truth, there))
    weights = training.fit(examples)
    assert tuple(weights) == WEIGHT_NAMES
    assert weights["rule_entity"] > 2 > abs(weights["start"]) * 4
    assert weights["none_start"] > 0.3
    met = [span_chances(e.evidence, weights) @ e.overlap for e in examples if e.exists]
    absent = [span_chances(e.evidence, weights).sum() for e in examples if not e.exists]
    assert np.mean(met) > 0.5 > np.mean(absent)


def test_a_weights_folder_may_have_its_own_and_they_must_be_whole(tmp_path: Path) -> None:
    shipped = read_weights(tmp_path, "margin")
    assert {role: set(own) for role, own in shipped.items()} == {
        ENTITY: set(WEIGHT_NAMES),
        PROPERTY: set(WEIGHT_NAMES),
        CONDITION: {*CONDITION_FEATURES, "constant"},
    }
    (tmp_path / FILE).write_text(json.dumps({"official": PLAIN, "margin": PLAIN}))
    assert read_weights(tmp_path, "official") == PLAIN
    with pytest.raises(FormatError, match="the weights of Qualifier are not all there"):
        read_weights(tmp_path, "margin")
    (tmp_path / FILE).write_text(json.dumps({"official": {**PLAIN, PROPERTY: {"start": 1}}}))
    with pytest.raises(FormatError, match="the weights of MeasuredProperty are not all there"):
        read_weights(tmp_path, "official")
