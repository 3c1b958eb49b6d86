"""A rule of lint: what it looks for, why, how it says so, and an example that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marginalia.annotators.style.draft import Draft

PAGE = "https://github.com/marginalia-reader/marginalia/blob/main/docs/reference/lint-rules.md"
"""Where the rules are described."""
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
"""What gives the rules of each family."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of the document's text and what should stand in its place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Issue:
    """What a rule has to say about a span of the document's text."""

    start: int
    end: int
    message: str
    edits: tuple[Edit, ...] = ()
    """What fixes it, where that is safe; also at other places than its own."""


@dataclass(frozen=True, slots=True)
class Example:
    """A text that the rule reports, and one that it does not."""

    lang: str
    bad: str
    good: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. Its code is ``family.name``; how severe it is stands on the card of the annotator."""

    code: str
    summary: str
    reason: str
    """Why a writer wants to know, and what the rule leaves alone."""
    check: Callable[[Draft], Iterable[Issue]]
    examples: tuple[Example, ...]
    fixes: bool = False

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(example.lang for example in self.examples))

    @property
    def help(self) -> str:
        """Its place in the documentation."""
        return f"{PAGE}#{anchor(self.code)}"


def anchor(code: str) -> str:
    """The fragment that a heading of this code has on a page of Markdown."""
    return code.replace(".", "").lower()


@cache
def all_rules() -> dict[str, Rule]:
    """All rules of style by their codes, family by family."""
    found = {}
    for name in _FAMILIES:
        module, _, function = name.partition(".")
        for rule in getattr(import_module(f"{__package__}.{module}"), function)():
            found[rule.code] = rule
    return found
