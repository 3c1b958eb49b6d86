"""CompLex 2.0: its files and items.

Source: MMU-TDMLab/CompLex, CC BY 4.0. A double quote is an ordinary character in the TSV files:
reading them with CSV quoting loses rows without an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import require_data
from marginalia.core.errors import FormatError
from marginalia.core.resources import read_resource
from marginalia.core.table import parse_float, read_table

FOLDER = "complex-lcp"
"""The folder of this data set below the data folder."""
OFFICIAL = {"train": "train", "dev": "trial", "test": "test"}
KINDS = {"words": "single", "multi": "multi"}
"""Our name of each part -> its name in the official file names."""


@dataclass(frozen=True, slots=True)
class Target:
    """A word or multi-word expression in its sentence."""

    corpus: str
    sentence: str
    token: str
    kind: str
    """``words`` or ``multi``: which of the two files it comes from."""
    start: int | None = None
    """Where the token begins in the sentence, if that is known."""

    def span(self) -> tuple[int, int] | None:
        """The offsets of the token: as a whole word, else ignoring case, else anywhere; None if nowhere."""
        if self.start is not None:
            return self.start, self.start + len(self.token)
        whole = rf"(?<!\w){re.escape(self.token)}(?!\w)"
        for pattern, flags in (
            (whole, 0),
            (whole, re.IGNORECASE),
            (re.escape(self.token), re.IGNORECASE),
        ):
            if self.token and (match := re.search(pattern, self.sentence, flags)):
                return match.span()
        return None


def load(name: str, folder: Path) -> Split:
    """The split ``train``, ``dev`` or ``test``, words first."""
    official_name = OFFICIAL[name]
    items: dict[str, Target] = {}
    gold: dict[str, float] = {}
    files = []
    for kind, part in KINDS.items():
        path = folder / FOLDER / official_name / f"lcp_{part}_{official_name}.tsv"
        labels = folder / FOLDER / "test-labels" / path.name
        if name == "test" and labels.exists():
            path = labels
        files.append(require_data(path, "complexity"))
        for id, item, complexity in read_targets(path, kind):
            items[id] = item
            if complexity is not None:
                gold[id] = complexity
    return Split(
        name=name,
        items=items,
        gold=gold if len(gold) == len(items) else None,
        group={id: item.token.lower() for id, item in items.items()},
        files=tuple(files),
    )


def read_targets(path: Path, kind: str) -> Iterable[tuple[str, Target, float | None]]:
    """The rows of one CompLex file: id, item, and complexity where the file has it."""
    seen: set[str] = set()
    for line, row in read_table(path, ("id", "sentence", "token")):
        id = row["id"]
        if id in seen:
            raise FormatError(f"the id {id} is given twice", path=path, line=line)
        seen.add(id)
        corpus = row.get("corpus", row.get("subcorpus", ""))
        label = row.get("complexity")
        complexity = None if label is None else parse_float(label, "complexity", path, line)
        yield id, Target(corpus, row["sentence"], row["token"], kind), complexity


def sources() -> Any:
    return read_resource("marginalia.tasks.complexity", "sources.json")


def published() -> Any:
    return read_resource("marginalia.tasks.complexity", "published.json")
