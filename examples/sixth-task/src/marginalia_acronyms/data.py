"""One JSON object a line: id, text, acronym, and (not in an item) whether the text explains it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia import FormatError, Report, Split
from marginalia_acronyms.score import accuracy


@dataclass(frozen=True)
class Use:
    text: str
    acronym: str


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            yield {key: row[key] for key in ("id", "text", "acronym", "explained")}
        except (ValueError, TypeError, KeyError) as error:
            expected = "a JSON object with id, text, acronym and explained was expected"
            raise FormatError(expected, path=path, line=number) from error


def load(name: str, folder: Path) -> Split:
    path = folder / "acronyms" / f"{name}.jsonl"
    rows = list(read_rows(path))
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
    """Gold is a file of the data; a submission is what ``write_submission`` made, or its folder."""
    path = pred / "acronyms.json" if pred.is_dir() else pred
    truth = {row["id"]: row["explained"] for row in read_rows(gold)}
    try:
        answers = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise FormatError(
            "one JSON object of {id: true or false} was expected", path=path
        ) from error
    if not isinstance(answers, dict) or truth.keys() != answers.keys():
        raise FormatError("the ids differ from those of gold", path=path)
    return Report(scores={"accuracy": accuracy(truth, answers)})


def published() -> dict[str, Any]:
    return {"boards": []}
