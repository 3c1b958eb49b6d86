"""The settings of a rating campaign, from ``annotation.toml``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from marginalia.bench.rating.gold import read_known
from marginalia.core.building import Builder
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import read_toml
from marginalia.core.rating import Question
from marginalia.core.registry import BUILDERS

FILE = "annotation.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """What is rated, by how many, and what a rater must know. The defaults are those of STS 2013."""

    title: str
    task: str
    items: str
    """A file or folder of items, from the folder of the settings."""
    gold: str = ""
    """Gold questions: a table of id and rating, or JSON lines with id and answer; their items are among ``items``."""
    ratings: int = 5
    per_rater: int = 20
    gold_every: int = 5
    qualify: int = 4
    """Gold questions after which a rater is judged."""
    min_accuracy: float = 0.667
    tolerance: float = 1.0
    """How far from a known rating an answer may be."""
    min_overlap: float = 0.5
    """How much of the known spans or choices an answer must have (F1)."""
    seed: int = 0
    folder: Path = Path()

    @property
    def builder(self) -> Builder:
        return BUILDERS.get(self.task)

    @property
    def items_path(self) -> Path:
        return self.folder / self.items

    def questions(self) -> dict[str, Question]:
        """All questions by id, those with known answers among them."""
        ask = self.builder.questions
        if ask is None:
            raise MissingError(f"The task {self.task} has no questions for raters.")
        if not self.items_path.exists():
            raise MissingError(f"{self.items_path}: there is no such file or folder")
        found: dict[str, Question] = {}
        for question in ask(self.items_path):
            if question.id in found:
                raise FormatError(f"the id {question.id!r} is given twice", path=self.items_path)
            found[question.id] = question
        if not found:
            raise FormatError("there is nothing to rate in it", path=self.items_path)
        return found

    def answers(self) -> dict[str, Any]:
        """The known answers of the gold questions."""
        return read_known(self.folder / self.gold) if self.gold else {}


def read_campaign(folder: str | Path) -> Campaign:
    path = Path(folder) / FILE
    table: dict[str, Any] = read_toml(path)
    kinds = {each.name: each.type for each in fields(Campaign) if each.name != "folder"}
    for key, value in table.items():
        if key not in kinds:
            raise FormatError(
                f"the setting {key!r} is not known; known: {', '.join(kinds)}", path=path
            )
        wanted: tuple[type, ...] = {"str": (str,), "int": (int,), "float": (int, float)}[
            str(kinds[key])
        ]
        if isinstance(value, bool) or not isinstance(value, wanted):
            raise FormatError(f"{key} = {value!r:.40} is no {kinds[key]}", path=path)
    for key in ("title", "task", "items"):
        if key not in table:
            raise FormatError(f"the setting {key!r} is missing", path=path)
    return Campaign(folder=Path(folder), **table)
