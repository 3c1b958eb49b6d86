"""What variables share: the same question in another wave, year or survey, and the titles of their surveys.

Such variables differ in year, wave and question number only. They form a group, share its score and
are shown as one.

A source either names the study of a variable or has one text, which begins with it: then the title is what all variables
of a survey begin with. A survey whose title is known can be found in a paper that names it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import replace

from marginalia.tasks.variables.catalogue.parts import clean, common_start, split
from marginalia.tasks.variables.official.vocabulary import Variable

_YEAR = re.compile(r"\b(?:1[89]|20)\d\d(?:\s*[-–/]\s*(?:(?:1[89]|20)?\d\d))?\b")
_WAVE = re.compile(
    r"\b(?:wave|welle|round|runde|time ?point|messzeitpunkt|panel ?welle)\s*(?:\d+|[ivx]+)\b"
    r"|\b\d+\.\s*(?:welle|wave|runde)\b|\b[wt]\d{1,2}\b",
    re.IGNORECASE,
)
# "F.I-28(a)", "Q3g", "V17:" and "12a." at the start of a label or question.
_NUMBER = re.compile(
    r"^\W*(?:(?:[fqvs]|frage|question|item|var)\s?\.?\s?)?(?:[ivx]+-)?\d+\w?(?:\(\w+\)|[-_.]\w{1,3}\b)*[\s.:)]+",
    re.IGNORECASE,
)
_OTHER = re.compile(r"[\W_]+")
MIN_TITLE_CHARACTERS = 8


def group_key(variable: Variable) -> str:
    """Label, question and items in small letters, without what changes from wave to wave.

    The label belongs to it: the items of a battery share their question.
    """
    fields = variable.fields
    parts = [fields.get(name, "") for name in ("label", "question", "subquestion")]
    if not any(parts):
        parts = [variable.text]
    key = "|".join(_normal(part) for part in parts)
    # Nothing but numbers: a variable like no other.
    return key if key.strip("|") else f"{variable.survey}:{variable.id}"


def group_hash(variable: Variable) -> int:
    """The key as a number of 64 bits: two keys of a million share one in one catalogue of 30 million."""
    return hash64(group_key(variable))


def hash64(text: str) -> int:
    """A number that stays the same from one process to the next, unlike ``hash``."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _normal(text: str) -> str:
    text = _NUMBER.sub("", text)
    text = _WAVE.sub(" ", _YEAR.sub(" ", text))
    return _OTHER.sub(" ", text).strip().lower()


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
