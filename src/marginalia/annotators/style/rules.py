"""All rules of style, by their codes."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from marginalia.annotators.style.rule import Rule

_FAMILIES = (
    "terms.rules",
    "variety.rules",
    "names.rules",
    "abbreviations.rules",
    "numbers.rules",
    "doubled.rules",
    "articles.rules",
    "misspellings.rules",
    "phrases.rules",
    "sentences.rules",
    "marks.rules",
    "placeholders.rules",
    "own_words.rules",
)


@cache
def all_rules() -> dict[str, Rule]:
    """Code -> rule, family by family."""
    found = {}
    for name in _FAMILIES:
        module, _, function = name.partition(".")
        for rule in getattr(import_module(f"{__package__}.{module}"), function)():
            found[rule.code] = rule
    return found
