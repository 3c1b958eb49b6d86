"""Gold questions: their known answers, and whether a rater's is right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marginalia.bench.build.quality import read_answers
from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines


def read_known(path: Path) -> dict[str, Any]:
    """Answers by id: a table of id and rating for scales, JSON lines with ``id`` and ``answer`` for any question."""
    if path.suffix.lower() != ".jsonl":
        return dict(read_answers(path))
    found: dict[str, Any] = {}
    for line, id, answer in _rows(path):
        if id in found:
            raise FormatError(f"the id {id!r:.40} is given twice", path=path, line=line)
        found[id] = answer
    return found


def _rows(path: Path) -> Iterator[tuple[int, str, Any]]:
    for line, text in read_lines(path):
        if not text.strip():
            continue
        row = parse_json(text, path, line)
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or "answer" not in row:
            raise FormatError('{"id": …, "answer": …} was expected', path=path, line=line)
        yield line, row["id"], row["answer"]


def overlap(answer: list[Any], known: list[Any]) -> float:
    """F1 of the choices or spans given: 1 for the same ones, 0 for none in common."""
    if not answer and not known:
        return 1.0
    left = list(known)
    for each in answer:
        same = next((other for other in left if _is_same(each, other)), None)
        if same is not None:
            left.remove(same)
    return 2 * (len(known) - len(left)) / (len(answer) + len(known))


def _is_same(one: Any, other: Any) -> bool:
    """Two choices that are equal, or two spans of one type that share at least half of what either covers."""
    if not isinstance(one, dict):
        return bool(one == other)
    shared = min(one["end"], other["end"]) - max(one["start"], other["start"])
    covered = max(one["end"], other["end"]) - min(one["start"], other["start"])
    return bool(one["type"] == other["type"] and 2 * shared >= covered)
