"""What was given to ``marginalia similar``: a sentence, a document or a record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import parse_json, read_json, read_lines
from marginalia.reader.formats.signature import parsed_suffixes
from marginalia.reader.read import STDIN

RECORD = (".json", ".jsonl")


def kind_of(thing: str) -> str:
    """``record``, ``document`` or ``sentence``. What is named like a file must be one."""
    if thing.lstrip().startswith("{"):
        return "record"
    if thing == STDIN:
        return "document"
    if is_file(thing):
        return "record" if Path(thing).suffix.lower() in RECORD else "document"
    if len(thing.split()) == 1:
        if _is_folder(thing):
            raise FormatError("this is a folder: search it with --corpus", path=thing)
        if Path(thing).suffix.lower() in {*RECORD, *parsed_suffixes()}:
            raise MissingError(f"{thing}: there is no such file")
    return "sentence"


def is_file(thing: str) -> bool:
    """Whether there is a file of that name; a long sentence cannot even be one."""
    try:
        return Path(thing).is_file()
    except (OSError, ValueError):
        return False


def _is_folder(thing: str) -> bool:
    try:
        return Path(thing).is_dir()
    except (OSError, ValueError):
        return False


def record_of(thing: str, what: str) -> Any:
    """The JSON data in a file, or the words themselves as JSON."""
    if not is_file(thing):
        return parse_json(thing, Path(what))
    path = Path(thing)
    if path.suffix.lower() == ".json":
        return read_json(path)
    rows = [(line, text) for line, text in read_lines(path) if text.strip()]
    if len(rows) != 1:
        raise FormatError(f"one record was expected, but there are {len(rows)}", path=path)
    [(line, text)] = rows
    return parse_json(text, path, line)
