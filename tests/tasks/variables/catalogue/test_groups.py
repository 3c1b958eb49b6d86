"""The same question again: what makes one group, and what does not."""

from __future__ import annotations

import pytest

from marginalia.tasks.variables.catalogue.groups import group_hash, group_key
from marginalia.tasks.variables.official.vocabulary import Variable, make_variable


def variable(label: str = "", question: str = "", **fields: str) -> Variable:
    return make_variable("v", "S", {"label": label, "question": question, **fields})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (variable("Trust 2004", "Do you trust?"), variable("Trust 2008", "Do you trust?")),
        (variable("Q3g Important: to feel"), variable("V17 Important: to feel")),
        (variable("Job satisfaction (wave 2)"), variable("Job satisfaction (Wave 10)")),
        (variable("Arbeit, 2. Welle"), variable("Arbeit, 3. Welle")),
        (variable("F.I-28(a) Links"), variable("F12 Links")),
        (variable("A", answers="Yes;No"), variable("A", answers="Yes;No;Refused")),
        (variable("A", study="ISSP 2003"), variable("A", study="ALLBUS")),
        (variable("HEALTH status"), variable("Health: status")),
    ],
)
def test_one_group(one: Variable, other: Variable) -> None:
    assert group_key(one) == group_key(other) and group_hash(one) == group_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (variable("Trust: courts", "How much?"), variable("Trust: police", "How much?")),
        (variable("Trust", "How much?"), variable("Trust", "How often?")),
        (variable("Q", subquestion="a"), variable("Q", subquestion="b")),
        (variable("12 hours"), variable("")),
        (variable("Income over 1500"), variable("Income over 3000")),
    ],
)
def test_two_groups(one: Variable, other: Variable) -> None:
    assert group_key(one) != group_key(other)


def test_without_words_a_variable_is_alone() -> None:
    keys = {group_key(Variable(id=id, survey="S", text="2004", raw="2004")) for id in "ab"}
    assert len(keys) == 2
