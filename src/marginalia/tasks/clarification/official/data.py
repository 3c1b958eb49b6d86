"""CLAIRE: its items and data files; the files of labels and scores are in ``ratings``.

Source: acidAnn/claire, CC BY-NC-SA 3.0. A double quote is an ordinary character in the data files:
reading them with CSV quoting loses rows without an error. Ids start again in every split.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import require_data
from marginalia.core.errors import FormatError
from marginalia.core.resources import read_resource
from marginalia.core.table import read_table
from marginalia.tasks.clarification.official.ratings import read_gold

FOLDER = "claire"
GAP = "______"
PHENOMENA = {
    "IMPLICIT REFERENCE": "implicit reference",
    "FUSED HEAD": "fused head",
    "ADDED COMPOUND": "noun compound",
    "METONYMIC REFERENCE": "metonymy",
}
"""The resolved pattern as the data files name it -> the phenomenon as the paper names it."""
_RENAMED = {"ADDED NOUN": "ADDED COMPOUND"}  # the upstream README's name for it
COLUMNS = (
    "Id",
    "Resolved pattern",
    "Article title",
    "Section header",
    "Previous context",
    "Sentence",
    "Follow-up context",
    *(f"Filler{number}" for number in range(1, 6)),
)


@dataclass(frozen=True, slots=True)
class Item:
    """One filler of a gap, with the sentence, its context and the four other fillers."""

    pattern: str
    title: str
    header: str
    previous: str
    sentence: str
    """With the gap as six underscores."""
    followup: str
    filler: str
    others: tuple[str, ...]
    """The other fillers of the same gap, in the order of the file."""

    @property
    def phenomenon(self) -> str:
        return PHENOMENA.get(self.pattern, self.pattern.lower())

    @property
    def span(self) -> tuple[int, int]:
        """Where the filler lies in ``filled``."""
        gap = self.sentence.find(GAP)
        start = len(self._open) if gap < 0 else gap
        return start, start + len(self.filler)

    @property
    def filled(self) -> str:
        """The sentence with the filler in its first gap; without a gap the filler stands at its end."""
        if GAP not in self.sentence:
            return self._open + self.filler
        return self.sentence.replace(GAP, self.filler, 1)

    @property
    def _open(self) -> str:
        text = self.sentence.rstrip()
        return f"{text} " if text else ""


def sentence_of(id: str) -> str:
    """The id of the sentence that a filler belongs to."""
    return id.rpartition("_")[0]


def load(name: str, folder: Path) -> Split:
    """The split ``train``, ``dev`` or ``test``, as the organisers call them too."""
    base = folder / FOLDER
    data, labels, scores = (base / f"{name}_{part}.tsv" for part in ("data", "labels", "scores"))
    items = read_items(require_data(data, "clarification"))
    gold = None
    if name != "test" or (labels.exists() and scores.exists()):
        for path in (labels, scores):
            require_data(path, "clarification")
        gold = read_gold(labels, scores, items)
    return Split(
        name=name,
        items=items,
        gold=gold,
        group={id: sentence_of(id) for id in items},
        files=(data,) if gold is None else (data, labels, scores),
        together={id: item.title for id, item in items.items()},
    )


def read_items(path: Path) -> dict[str, Item]:
    """The items of a data file, five for each of its rows."""
    items: dict[str, Item] = {}
    for line, row in read_table(path, COLUMNS):
        id, pattern, title, header, previous, sentence, followup, *fillers = (
            row[column] for column in COLUMNS
        )
        if not (id.isascii() and id.isdigit()):
            raise FormatError(f"the Id {id[:40]!r} is not a whole number", path=path, line=line)
        if f"{id}_1" in items:
            raise FormatError(f"the Id {id} is given twice", path=path, line=line)
        pattern = _RENAMED.get(pattern, pattern)
        if pattern not in PHENOMENA:
            raise FormatError(
                f"there is no resolved pattern {pattern[:40]!r}; expected {', '.join(PHENOMENA)}",
                path=path,
                line=line,
            )
        for place, filler in enumerate(fillers):
            others = (*fillers[:place], *fillers[place + 1 :])
            items[f"{id}_{place + 1}"] = Item(
                pattern, title, header, previous, sentence, followup, filler, others
            )
    return items


def sources() -> Any:
    return read_resource("marginalia.tasks.clarification", "sources.json")


def published() -> Any:
    return read_resource("marginalia.tasks.clarification", "published.json")
