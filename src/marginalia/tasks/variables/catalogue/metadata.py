"""Variables in JSON: the organisers' ``variable_metadata.json``, and what looks like it.

``{survey: {variable id: metadata}}``; also a list of metadata, one object per line, or one survey alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_json, read_lines
from marginalia.tasks.variables.catalogue.tables import gather, plain_variable, roles
from marginalia.tasks.variables.official.vocabulary import (
    NO_ID,
    NO_TEXT,
    Notes,
    Variable,
    make_variable,
)

Record = tuple[str, str, Mapping[str, Any], int | None]
"""Survey, id, metadata and line, the first two as the file's structure gives them."""


def read_metadata(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    return _variables(path, _records(read_json(path), path), notes, columns or {})


def read_metadata_lines(
    path: Path, notes: Notes, columns: Mapping[str, str] | None = None
) -> Iterator[Variable]:
    """The same with one object per line."""
    records = (
        ("", "", _object(parse_json(text, path, line), path, line), line)
        for line, text in read_lines(path)
        if text.strip()
    )
    return _variables(path, records, notes, columns or {})


def _records(data: Any, path: Path) -> Iterator[Record]:
    if isinstance(data, list):
        for one in data:
            yield "", "", _object(one, path), None
        return
    for key, value in _object(data, path).items():
        value = _object(value, path)
        # A survey's values are variables, that is objects; those of a variable are texts and lists.
        if value and all(isinstance(inner, Mapping) for inner in value.values()):
            for id, inner in value.items():
                yield key, id, inner, None
        elif value:
            yield "", key, value, None


def _variables(
    path: Path, records: Iterable[Record], notes: Notes, columns: Mapping[str, str]
) -> Iterator[Variable]:
    known: dict[tuple[str, ...], dict[str, str]] = {}
    number = 0
    for number, (survey, id, data, line) in enumerate(records, 1):
        names = tuple(map(str, data))
        if names not in known:
            known[names] = roles(names, columns, path, line)
        cells = gather({str(key): _text(value) for key, value in data.items()}, known[names])
        survey = survey or cells.get("survey") or path.stem
        id = id or cells.get("id") or cells.get("name") or ""
        if not id:
            notes[NO_ID] += 1
            id = f"variable-{number}"
        if not any(cells.get(name) for name in ("label", "question", "text")):
            notes[NO_TEXT] += 1
        yield plain_variable(id, survey, cells) or make_variable(id, survey, cells)
    if not number:
        raise FormatError("the JSON holds no variables", path=path)


def _object(value: Any, path: Path, line: int | None = None) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise FormatError(
            f"a {type(value).__name__} where the metadata of a variable, or of a survey's "
            "variables, was expected",
            path=path,
            line=line,
        )
    return value


def _text(value: Any) -> str:
    """A list as its parts with semicolons between them; an object, such as value labels, likewise."""
    if isinstance(value, Mapping):
        return ";".join(_text(inner) for inner in value.values())
    if isinstance(value, list):
        return ";".join(_text(inner) for inner in value)
    return "" if value is None else str(value)
