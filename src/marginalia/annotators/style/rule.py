"""A rule of lint: what it looks for and whether it knows what to write instead. What is said of it, and the examples that show it,
are in ``style.toml`` of the languages that it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from marginalia.lang import DEFAULT, known_languages, language

if TYPE_CHECKING:
    from marginalia.annotators.style.draft import Draft

PAGE = "https://github.com/marginalia-reader/marginalia/blob/main/docs/reference/lint-rules.md"
"""Where the rules are described."""


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


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. Its code is ``family.name``; how severe it is stands on the card of the annotator."""

    code: str
    check: Callable[[Draft], Iterable[Issue]]
    fixes: bool = False

    @property
    def summary(self) -> str:
        return self._said(DEFAULT)["summary"]

    @property
    def reason(self) -> str:
        """Why a writer wants to know, and what the rule leaves alone."""
        return self._said(DEFAULT)["reason"]

    @property
    def examples(self) -> tuple[Example, ...]:
        data = {code: self._said(code) for code in known_languages()}
        return tuple(
            Example(code, one["bad"], one["good"]) for code, one in data.items() if "bad" in one
        )

    @property
    def languages(self) -> tuple[str, ...]:
        """Those that it is made for; empty for all."""
        return tuple(example.lang for example in self.examples)

    @property
    def help(self) -> str:
        """Its place in the documentation, under a heading of its code."""
        return f"{PAGE}#{self.code.replace('.', '').lower()}"

    def _said(self, code: str) -> dict[str, str]:
        return dict(language(code).table("style", "rules").get(self.code, {}))
