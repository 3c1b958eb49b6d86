"""What a project says about its notes: ``.marginalia.toml``, or ``[tool.marginalia]`` in ``pyproject.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from marginalia.core.document import Document
from marginalia.core.errors import FormatError
from marginalia.core.files import read_toml
from marginalia.reader.view.findings import SEVERITIES

FILE_NAME = ".marginalia.toml"
KEYS: Mapping[str, type] = {
    "notes": list,
    "for": str,
    "profiles": dict,
    "field": str,
    "catalogue": str,
    "units": dict,
    "select": list,
    "ignore": list,
    "severity": dict,
    "least": str,
    "max": int,
    "genre": str,
    "vocabularies": list,
    "styles": str,
    "baseline": str,
    "sentence-words": int,
    "llm": dict,
}
"""The settings with what they hold."""


def find_settings(start: Path) -> dict[str, Any]:
    """The settings for a file or folder: the nearest ones, upwards from where it is."""
    folder = start.resolve()
    for place in (folder, *folder.parents) if folder.is_dir() else folder.parents:
        own, project = place / FILE_NAME, place / "pyproject.toml"
        if own.is_file():
            return read_settings(own)
        if project.is_file():
            tool = read_toml(project).get("tool", {})
            if "marginalia" in tool:
                return _checked(tool["marginalia"], project)
    return {}


def find_units(doc: Document) -> dict[str, str]:
    """The option ``units`` for notes and records: the settings file of the document's project, if it defines some."""
    settings = find_settings(Path(doc.meta.get("path") or Path.cwd()))
    return {"units": settings["units"]} if "units" in settings else {}


def read_settings(path: Path) -> dict[str, Any]:
    return _checked(read_toml(path), path)


def _checked(settings: Any, path: Path) -> dict[str, Any]:
    if not isinstance(settings, dict):
        raise FormatError("'tool.marginalia' is not a table", path=path)
    for name, value in settings.items():
        if name not in KEYS:
            raise FormatError(
                f"the setting {name!r} is unknown; known are {', '.join(KEYS)}", path=path
            )
        kind = KEYS[name]
        inner = value.values() if kind is dict and isinstance(value, dict) else value
        fits = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
        if fits and kind in (list, dict):
            member = {"profiles": dict, "llm": object}.get(name, str)
            fits = all(isinstance(one, member) for one in inner)
        if not fits:
            what = {list: "a list of texts", dict: "a table of texts", int: "a whole number"}
            raise FormatError(f"the setting {name!r} must be {what.get(kind, 'a text')}", path=path)
    for severity in (*settings.get("severity", {}).values(), settings.get("least", SEVERITIES[0])):
        if severity not in SEVERITIES:
            raise FormatError(
                f"the severity {severity!r} is none of {', '.join(SEVERITIES)}", path=path
            )
    for name in ("max", "sentence-words"):
        if settings.get(name, 0) < 0:
            raise FormatError(f"the setting {name!r} must not be negative", path=path)
    for name in ("catalogue", "styles", "baseline"):  # a path in a settings file is seen from there
        if name in settings:
            settings = {**settings, name: str(path.parent / settings[name])}
    if "vocabularies" in settings:
        settings = {"styles": str(path.parent / "styles"), **settings}
    if (
        "units" in settings
    ):  # the notes read them from the file, which is named in what is wrong with one
        settings = {**settings, "units": str(path)}
    return dict(settings)
