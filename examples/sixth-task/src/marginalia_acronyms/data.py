"""One JSON object a line: id, text, acronym, and (not in an item) whether the text explains it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia import FormatError, Report, Split
from marginalia_acronyms.score import accuracy


@dataclass(frozen=True)
class Use:
    text: str
    acronym: str


def load(name: str, folder: Path) -> Split:
    path = folder / "acronyms" / f"{name}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return Split(
        name=name,
        items={row["id"]: Use(row["text"], row["acronym"]) for row in rows},
        gold={row["id"]: row["explained"] for row in rows},
        group={row["id"]: row["id"] for row in rows},
        files=(path,),
    )


def write_submission(split: Split, pred: Mapping[str, bool]) -> dict[str, str]:
    return {"acronyms.json": json.dumps({id: pred[id] for id in split.items}, indent=1) + "\n"}


def score_files(gold: Path, pred: Path, text: Path | None = None) -> Report:
    """Two JSON files of {id: true or false}."""
    truth, answers = (json.loads(path.read_text(encoding="utf-8")) for path in (gold, pred))
    if truth.keys() != answers.keys():
        raise FormatError("the ids differ from those of gold", path=pred)
    return Report(scores={"accuracy": accuracy(truth, answers)})


def published() -> dict[str, Any]:
    return {"boards": []}
