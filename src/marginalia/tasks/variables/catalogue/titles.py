"""The titles of surveys, as their variables tell them.

A source either names the study of a variable or has one text, which begins with it: then the title is what all variables
of a survey begin with. A survey whose title is known can be found in a paper that names it.
"""

from __future__ import annotations

from collections.abc import Iterable

from marginalia.tasks.variables.catalogue.parts import common_start
from marginalia.tasks.variables.official.vocabulary import Variable


class Titles:
    """Takes variables one by one, of an archive of any size."""

    def __init__(self, variables: Iterable[Variable] = ()) -> None:
        self.named: dict[str, str] = {}
        self.ends: dict[str, tuple[str, str]] = {}
        self.add(variables)

    def add(self, variables: Iterable[Variable]) -> None:
        for one in variables:
            if study := one.fields.get("study", "").strip():
                self.named[one.survey] = study
            elif not any(value.strip() for value in one.fields.values()):
                low, high = self.ends.get(one.survey, (one.text, one.text))
                self.ends[one.survey] = min(low, one.text), max(high, one.text)

    def of(self, survey: str) -> str:
        """The title, or nothing."""
        return self.named.get(survey) or common_start(*self.ends.get(survey, ("", ""))).strip()
