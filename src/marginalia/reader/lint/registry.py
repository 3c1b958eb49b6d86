"""All rules of lint, by their codes. The findings of the tasks' notes stand beside them, on the tasks' cards."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from marginalia.reader.lint.rule import Rule

_FAMILIES = (
    "terms",
    "variety",
    "names",
    "abbreviations",
    "numbers",
    "doubled",
    "articles",
    "misspellings",
    "phrases",
    "sentences",
    "marks",
    "placeholders",
    "own_words",
)


@cache
def all_rules() -> dict[str, Rule]:
    """Code -> rule, family by family."""
    found = {}
    for name in _FAMILIES:
        for rule in import_module(f"{__package__}.{name}").rules():
            found[rule.code] = rule
    return found


def find_rule(code: str) -> Rule | None:
    return all_rules().get(code)
