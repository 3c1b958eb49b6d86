"""Gold as the official program takes it, or as it lies in the data folder.

The official files are JSON objects by uuid: ``true.json`` has the form of a detection submission,
``qrels.json`` that of a disambiguation submission, so both are read by the same functions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import read_json
from marginalia.tasks.variables.official.data import KINDS, read_label, read_rows

GOLD = {"detection": "true.json", "disambiguation": "qrels.json"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The gold of one or both sub-tasks, with the language and document of each sentence."""

    langs: Mapping[str, str]
    docs: Mapping[str, str]
    labels: Mapping[str, Any] | None = None
    qrels: Mapping[str, Mapping[str, float]] | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    table: bool = False
    """Whether it comes from the data's own TSV, which may have more documents than were predicted."""


def read_gold(path: Path) -> Reference:
    """Gold from the official JSON files or from a TSV file of the data."""
    names = [path.name] if path.is_file() else [n for n in GOLD.values() if (path / n).is_file()]
    folder = path.parent if path.is_file() else path
    if any(name in GOLD.values() for name in names):
        types = folder / "uuid_types.json"
        return Reference(
            langs=_read_texts(folder / "uuid_langs.json"),
            docs=_read_texts(folder / "uuid_docs.json"),
            labels=read_labels(folder / "true.json") if "true.json" in names else None,
            qrels=read_run(folder / "qrels.json") if "qrels.json" in names else None,
            kinds=_read_texts(types, KINDS) if types.is_file() else {},
        )
    if path.is_dir():
        tables = [path / n for n in ("train.tsv", "val.tsv") if (path / n).is_file()]
        if not tables:
            raise FormatError("the folder has neither true.json nor qrels.json", path=path)
        return _read_tables(tables)
    return _read_tables([path])


def _read_tables(paths: list[Path]) -> Reference:
    langs, docs, gold = {}, {}, {}
    for path in paths:
        for line, row in read_rows(path, "is_variable", "variable"):
            id = row["uuid"]
            langs[id], docs[id], gold[id] = row["lang"], row["doc_id"], read_label(row, path, line)
    return Reference(
        langs=langs,
        docs=docs,
        labels={id: label.is_variable for id, label in gold.items()},
        qrels={id: dict.fromkeys(g.variables, 1.0) for id, g in gold.items() if g.variables},
        kinds={id: label.kind for id, label in gold.items()},
        table=True,
    )


def read_labels(path: Path) -> dict[str, Any]:
    """``{uuid: label}``"""
    labels = read_object(path)
    for id, label in labels.items():
        if not isinstance(label, (int, float, str)):
            raise FormatError(f"the label of {id!r} is {label!r:.40}, not 0 or 1", path=path)
    return labels


def read_run(path: Path) -> dict[str, dict[str, float]]:
    """``{uuid: {variable: score}}``; qrels have the same form."""
    run = read_object(path)
    for id, row in run.items():
        if not isinstance(row, dict):
            raise FormatError(f"{id!r} has {row!r:.40}, not {{variable: score}}", path=path)
        for variable, value in row.items():
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not math.isfinite(value):
                raise FormatError(
                    f"the score of {variable!r} for {id!r} is {value!r:.40}, not a finite number",
                    path=path,
                )
    return run


def _read_texts(path: Path, known: tuple[str, ...] = ()) -> dict[str, str]:
    texts = read_object(path)
    for id, value in texts.items():
        if not isinstance(value, str) or (known and value not in known):
            expected = f"one of {', '.join(known)}" if known else "a string"
            raise FormatError(f"the value of {id!r} is {value!r:.40}, not {expected}", path=path)
    return texts


def read_object(path: Path) -> dict[str, Any]:
    data = read_json(path)
    if not isinstance(data, dict) or not data:
        raise FormatError("expected a JSON object by uuid with at least one entry", path=path)
    return data
