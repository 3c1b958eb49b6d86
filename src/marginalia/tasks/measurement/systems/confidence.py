"""How sure it is that a phrase is the entity, property or qualifier of a quantity: calibrated probabilities.

A logistic model for each role over the evidence of ``evidence.py``, fitted by ``benchmarks/contexts.py`` on
phrases that were judged by hand in documents that the network never saw. It is for what a reader is shown; the
official spans of a system are as they were.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache

from marginalia.core.resources import read_resource
from marginalia.quantities.quantity import Quantity, RoleSpan
from marginalia.tasks.measurement.official.spans import ROLES
from marginalia.tasks.measurement.systems.evidence import FEATURES, RoleCandidate, candidates

SHOWN_FROM: Mapping[str, float] = {
    "MeasuredEntity": 0.7,
    "MeasuredProperty": 0.6,
    "Qualifier": 0.6,
}
"""The least confidence of what is shown: on documents left out, four of five such contexts are right. Of entities
between .6 and .7 a judge kept 8 of 20."""
CONDITION_CONFIDENCE = {"rules": 0.75, "network": 0.03}
"""Of a qualifier, by who found it. Rules: 21 of 28 meet the official one in train and dev of MeasEval, and 2 of 2
judged ones are right; network: 5 of 182 judged ones."""
TIED, UNTIED = 0.9, 0.7
"""What becomes of an entity's confidence beside a property that is shown. "Density of the film" is as sure as the
property: after "of", "has" or "'s" 52 of 58 noun phrases meet the entity of an official property. An entity that no
words tie to it was right in 8 of 16 cases where its own confidence said 11."""
MEASURED = 0.75
"""The least confidence of the subject of a verb of measuring, which the fitted evidence does not know."""
PAIR_FEATURES = ("tied", "property")
"""What an entity has beside ``FEATURES``: whether the sentence ties it to the likeliest property, and else the
confidence of that property. Where something has a property, the thing is harder to find."""


@cache
def _models() -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """Source of the candidates (``network``, ``rules``) -> role -> weight of each feature."""
    found: Mapping[str, Mapping[str, Mapping[str, float]]] = read_resource(
        "marginalia.tasks.measurement", "systems/confidence.json"
    )["models"]
    return found


def judge(
    text: str, quantities: Sequence[Quantity], *, language: str = "en", network: bool = True
) -> list[list[RoleSpan]]:
    """For each quantity its candidates that are noun phrases, with their confidence; the best of a role first."""
    models = _models()["network" if network else "rules"]
    found = candidates(text, quantities, language=language, network=network)
    return [_judged(own, models) for own in found]


def choose(judged: Sequence[RoleSpan], least: Mapping[str, float]) -> dict[str, RoleSpan]:
    """Role -> what is shown in it: the best candidate, where it is sure enough."""
    best: dict[str, RoleSpan] = {}
    for span in judged:
        best.setdefault(span.role, span)
    return {role: span for role, span in best.items() if span.score >= least[role]}


def _judged(
    own: Sequence[RoleCandidate], models: Mapping[str, Mapping[str, float]]
) -> list[RoleSpan]:
    made: list[RoleSpan] = []
    best = best_property(own, models["MeasuredProperty"])
    for one in own:
        if one.role == "Qualifier":
            by = "rules" if one.numbers[FEATURES.index("rules")] else "network"
            score = CONDITION_CONFIDENCE[by]
        else:
            score = role_confidence(one, best, models[one.role])
            score = max(score, MEASURED) if one.measured else score
        made.append(RoleSpan(one.role, one.start, one.end, round(score, 4)))
    return sorted(made, key=lambda span: (ROLES.index(span.role), -span.score, span.start))


def best_property(
    own: Sequence[RoleCandidate], model: Mapping[str, float]
) -> tuple[RoleCandidate, float] | None:
    """The likeliest property of a quantity and its confidence."""
    scored = [
        (one, confidence(numbers_of(one, None), model))
        for one in own
        if one.role == "MeasuredProperty"
    ]
    return max(scored, key=lambda pair: pair[1], default=None)


def role_confidence(
    one: RoleCandidate, best: tuple[RoleCandidate, float] | None, model: Mapping[str, float]
) -> float:
    """The confidence of an entity or property, given the likeliest property of the quantity."""
    score = confidence(numbers_of(one, best), model)
    if one.role != "MeasuredEntity" or best is None:
        return score
    property, sure = best
    if sure < SHOWN_FROM["MeasuredProperty"]:
        return score
    if (property.start, property.end) in one.tied:
        return max(score, TIED * sure)
    within = property.start < one.end and one.start < property.end
    return score if within else UNTIED * score


def numbers_of(one: RoleCandidate, best: tuple[RoleCandidate, float] | None) -> dict[str, float]:
    """The features of a candidate by name; an entity has those of the pair with the likeliest property too."""
    numbers = dict(zip(FEATURES, one.numbers, strict=True))
    if one.role == "MeasuredEntity":
        tied = best is not None and (best[0].start, best[0].end) in one.tied
        numbers |= {"tied": float(tied), "property": best[1] if best and not tied else 0.0}
    return numbers


def confidence(numbers: Mapping[str, float], model: Mapping[str, float]) -> float:
    """1 / (1 + exp(-(bias + Σ weight · feature)))."""
    total = model["bias"] + sum(model[name] * number for name, number in numbers.items())
    return 1 / (1 + math.exp(-total))
