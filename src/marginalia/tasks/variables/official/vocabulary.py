"""The variables a sentence may be linked to.

``vocabulary_partial.tsv`` gives each variable one text (study title, label, question, items) joined by
blanks, with the ``<br/>`` mark-up of GESIS Search left in; the trial vocabulary has it in four fields.
What users have (DDI, JSON, tables, SPSS, Stata) is read by ``formats.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from marginalia.core.errors import FormatError
from marginalia.core.table import read_table

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
TRIAL_FIELDS = ("label", "topic", "question", "answer")
FIELDS = (
    "study", "label", "question", "subquestion", "items", "answers", "topic", "instructions", "notes"
)  # fmt: skip
"""What a source may tell of a variable, in the order of its text. A further field, ``name``, is no text."""

Notes = Counter[str]
"""What was odd in a source, as a sentence without its number -> how often."""
NO_ID = "variables have no id in their source and are numbered"
NO_TEXT = "variables have neither label nor question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """One variable of a survey."""

    id: str
    survey: str
    text: str
    """What is searched: all that is known of the variable, without mark-up."""
    raw: str
    """The same as it was found."""
    fields: Mapping[str, str] = field(default_factory=dict)
    """The parts of the text by name, where the source tells them apart."""
    codes: tuple[tuple[str, str], ...] = ()
    """The values that data can have, each with its label."""


class Catalogue:
    """Variables by id, in the order of their source.

    A catalogue equals only itself, so that an index built for it can be kept and found again.
    """

    def __init__(
        self, variables: Iterable[Variable] = (), notes: Mapping[str, int] | None = None
    ) -> None:
        self.notes: Mapping[str, int] = dict(notes or {})
        """What was odd in the source, and how often."""
        self._variables: dict[str, Variable] = {}
        for variable in variables:
            if variable.id in self._variables:
                raise FormatError(f"the variable {variable.id} is given twice")
            self._variables[variable.id] = variable
        self._parts: dict[frozenset[str], Catalogue] = {}

    def __len__(self) -> int:
        return len(self._variables)

    def __iter__(self) -> Iterator[Variable]:
        return iter(self._variables.values())

    def __contains__(self, id: object) -> bool:
        return id in self._variables

    def __getitem__(self, id: str) -> Variable:
        return self._variables[id]

    def __repr__(self) -> str:
        return f"Catalogue({len(self)} variables of {len(self.surveys)} surveys)"

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._variables)

    @property
    def surveys(self) -> frozenset[str]:
        return frozenset(variable.survey for variable in self)

    def within(self, surveys: Iterable[str]) -> Catalogue:
        """The variables of these surveys; the same object whenever the same surveys are asked for."""
        wanted = frozenset(surveys)
        if wanted not in self._parts:
            self._parts[wanted] = Catalogue(v for v in self if v.survey in wanted)
        return self._parts[wanted]


def read_vocabulary(path: Path) -> Catalogue:
    """The catalogue in ``vocabulary_partial.tsv``: variable_id, research_data, text."""
    rows = read_table(path, ("variable_id", "research_data", "text"), quoted=True)
    return _catalogue(
        path,
        (
            Variable(
                id=row["variable_id"],
                survey=row["research_data"],
                text=plain_text(row["text"]),
                raw=row["text"],
            )
            for _, row in rows
        ),
    )


def read_trial_vocabulary(path: Path) -> Catalogue:
    """The catalogue of the trial data: id, label, topic, question, answer."""
    rows = read_table(path, ("id", *TRIAL_FIELDS), quoted=True)
    return _catalogue(path, (_trial_variable(row) for _, row in rows))


def _trial_variable(row: Mapping[str, str]) -> Variable:
    fields = {name: row[name].strip() for name in TRIAL_FIELDS}
    raw = " ".join(value for value in fields.values() if value)
    return Variable(id=row["id"], survey="", text=plain_text(raw), raw=raw, fields=fields)


def _catalogue(path: Path, variables: Iterable[Variable]) -> Catalogue:
    try:
        return Catalogue(variables)
    except FormatError as error:
        raise error.at(path) from None


def make_variable(
    id: str, survey: str, fields: Mapping[str, str], codes: Iterable[tuple[str, str]] = ()
) -> Variable:
    """A variable whose source tells its fields apart; empty ones are left out."""
    known = {name: plain_text(fields[name]) for name in ("name", *FIELDS) if fields.get(name)}
    known = {name: value for name, value in known.items() if value}
    raw = " ".join(fields[name].strip() for name in FIELDS if known.get(name))
    said = tuple((plain_text(code), plain_text(label)) for code, label in codes)
    return Variable(id=id, survey=survey, text=plain_text(raw), raw=raw, fields=known, codes=said)


def plain_text(raw: str) -> str:
    """The text without line-break mark-up and with single blanks."""
    return " ".join((_BREAK.sub(" ", raw) if "<" in raw else raw).split())
