"""The titles of surveys, as their variables tell them.

A source either names the study of a variable or has one text, which begins with it: then the title is what all variables
of a survey begin with. A survey whose title is known can be found in a paper that names it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from marginalia.tasks.variables.catalogue.parts import clean, common_start, split
from marginalia.tasks.variables.official.vocabulary import Variable

MIN_TITLE_CHARACTERS = 8


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

    def tell_apart(self, variable: Variable) -> Variable:
        """A variable of one text with its study, label and question apart, where its text begins with a title.

        A title has a year or a number; what all questions of a small survey begin with is none.
        """
        if any(value.strip() for value in variable.fields.values()):
            return variable
        title = common_start(*self.ends.get(variable.survey, ("", "")))
        if len(title) < MIN_TITLE_CHARACTERS or not any(sign.isdigit() for sign in title):
            return variable
        parts = split(variable.text[len(title) :])
        # Without question numbers and the like, so that a label can be typed and a question read.
        fields = {"study": title.strip(), **{name: clean(text) for name, text in parts.items()}}
        return replace(variable, fields={name: text for name, text in fields.items() if text})
