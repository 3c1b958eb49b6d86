"""Weights that a user trained: MARGINALIA_WEIGHTS or ``use_weights`` names their folders, and systems take them in place of the shipped ones.

Such a folder has a manifest that says for which task and systems the weights are, and the SHA-256 of each file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import parse_json, read_text

WEIGHTS_VARIABLE = "MARGINALIA_WEIGHTS"
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class OwnWeights:
    """A folder of weights, the systems it serves, and the splits that they have learned from."""

    folder: Path
    task: str
    systems: tuple[str, ...]
    """The one that was trained first, then those that its weights serve too."""
    trained_on: tuple[str, ...]
    digest: str
    """SHA-256 of the manifest, and so of all files."""
    documents: bool = True
    """Whether the system can make notes; where it cannot, documents are read as without these weights."""


def own_weights(task: str, system: str | None = None) -> OwnWeights | None:
    """The weights that were named for a task and, where it is given, serve this system."""
    candidates = [own for own in named_weights() if own.task == task]
    if len(candidates) > 1:
        folders = " and ".join(str(own.folder) for own in candidates)
        raise FormatError(f"two folders have weights of {task}: {folders}; name one of them")
    own = candidates[0] if candidates else None
    return own if own and (system is None or system in own.systems) else None


def own_folder(task: str, system: str) -> Path | None:
    """The folder of those weights."""
    own = own_weights(task, system)
    return None if own is None else own.folder


def own_digest(task: str) -> str:
    """What stands for the weights that were named for a task; empty where none were."""
    own = own_weights(task)
    return "" if own is None else own.digest


def named_weights() -> list[OwnWeights]:
    """All the weights that were named here, else those that MARGINALIA_WEIGHTS names, which may be several folders as in PATH."""
    if _chosen is not None:
        return [read_own(folder) for folder in _chosen]
    value = os.environ.get(WEIGHTS_VARIABLE, "")
    return [read_own(Path(part).expanduser()) for part in value.split(os.pathsep) if part]


def read_own(folder: Path) -> OwnWeights:
    """What the manifest of such a folder says."""
    path = folder / MANIFEST
    if not path.is_file():
        raise MissingError(
            f"The folder of weights {folder} has no {MANIFEST}: name a folder that a training has finished."
        )
    return _read(folder.resolve(), read_text(path))


@cache
def _read(folder: Path, text: str) -> OwnWeights:
    path = folder / MANIFEST
    data = parse_json(text, path)
    task, systems, splits = (
        data.get(key) if isinstance(data, dict) else None
        for key in ("task", "systems", "trained_on")
    )
    if not isinstance(task, str) or not _are_names(systems) or not _are_names(splits):
        raise FormatError(
            "these are not weights that a training wrote: the manifest names no task and systems",
            path=path,
        )
    digest = hashlib.sha256(text.encode()).hexdigest()
    documents = data.get("documents", True) is True
    return OwnWeights(folder, task, tuple(systems or ()), tuple(splits or ()), digest, documents)


def _are_names(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


_chosen: list[Path] | None = None
"""The folders that this process was given; None where the environment decides."""


def use_weights(folders: Iterable[str | Path], task: str | None = None) -> None:
    """From now on take the weights in these folders; with ``task``, they must be of that task.

    A process that this one starts is given the folders of ``named_weights`` by its own protocol.
    """
    global _chosen
    chosen = [read_own(Path(folder).expanduser()) for folder in folders]
    for own in chosen:
        if task is not None and own.task != task:
            raise FormatError(f"these weights are of {own.task}, not of {task}", path=own.folder)
    _chosen = [own.folder for own in chosen]


@contextmanager
def using_weights(*folders: Path) -> Iterator[None]:
    """The same for a while."""
    global _chosen
    before = _chosen
    use_weights(folders)
    try:
        yield
    finally:
        _chosen = before
