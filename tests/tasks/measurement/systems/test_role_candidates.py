"""Candidates for what a quantity measures: edges, overlaps, and where the rules come first."""

from __future__ import annotations

import pytest

from marginalia.quantities.quantity import RoleSpan
from marginalia.tasks.measurement.systems.contexts import RULE_SCORE
from marginalia.tasks.measurement.systems.role_candidates import (
    Candidates,
    add_from_rules,
    keep_apart,
    trim,
    without_edges,
)

ENTITY, PROPERTY, QUALIFIER = "MeasuredEntity", "MeasuredProperty", "Qualifier"


def candidates(*spans: RoleSpan) -> Candidates:
    return {role: [s for s in spans if s.role == role] for role in (ENTITY, PROPERTY, QUALIFIER)}


@pytest.mark.parametrize(
    ("span", "bare"),
    [
        ("The pressure of the", "pressure"),
        ("(the film),", "film"),
        ("The", ""),
        ("dry films kept in air", "dry films kept in air"),
        ("δ13C", "δ13C"),
    ],
)
def test_function_words_at_the_edges_are_cut(span: str, bare: str) -> None:
    text = f"x {span} y"
    start, end = without_edges(text, 2, 2 + len(span))
    assert text[start:end] == bare


def test_a_candidate_without_a_content_word_is_none() -> None:
    found = candidates(RoleSpan(ENTITY, 0, 8, 0.9), RoleSpan(ENTITY, 9, 12, 0.1))
    trim("the film of a", found)
    assert found[ENTITY] == [RoleSpan(ENTITY, 4, 8, 0.9)]


def test_a_property_of_the_rules_comes_first_unless_the_network_means_the_same_words() -> None:
    near, far = RoleSpan(PROPERTY, 10, 20, 0.9), RoleSpan(PROPERTY, 40, 52, 0.6)
    touching = candidates(near)
    add_from_rules(touching, [RoleSpan(PROPERTY, 18, 30, RULE_SCORE)])
    assert touching[PROPERTY] == [near]
    elsewhere = candidates(near, far)
    ruled = RoleSpan(PROPERTY, 40, 52, RULE_SCORE)
    add_from_rules(elsewhere, [RoleSpan(ENTITY, 0, 5, RULE_SCORE), ruled])
    assert elsewhere[PROPERTY] == [ruled, near], "and is not listed twice"
    assert elsewhere[ENTITY] == [], "the network always has an entity"
    unsure = candidates(RoleSpan(PROPERTY, 10, 20, 0.1))
    add_from_rules(unsure, [RoleSpan(PROPERTY, 12, 30, RULE_SCORE)])
    assert unsure[PROPERTY][0] == RoleSpan(PROPERTY, 12, 30, RULE_SCORE)


def test_a_qualifier_of_the_rules_only_fills_a_gap() -> None:
    ruled, own = RoleSpan(QUALIFIER, 60, 70, RULE_SCORE), RoleSpan(QUALIFIER, 1, 3, 0.9)
    empty, filled = candidates(), candidates(own)
    add_from_rules(empty, [ruled])
    add_from_rules(filled, [ruled])
    assert empty[QUALIFIER] == [ruled] and filled[QUALIFIER] == [own]


def test_entity_and_qualifier_leave_the_property_alone() -> None:
    property = RoleSpan(PROPERTY, 10, 20, 0.9)
    inside, beside = RoleSpan(ENTITY, 15, 30, 0.8), RoleSpan(ENTITY, 20, 30, 0.3)
    found = candidates(property, inside, beside, RoleSpan(QUALIFIER, 25, 40, 0.9))
    keep_apart(found)
    assert found == candidates(property, beside)
    doubtful = candidates(RoleSpan(PROPERTY, 10, 20, 0.1), inside)
    keep_apart(doubtful)
    assert doubtful[ENTITY] == [inside], "a property below its threshold takes no place"
