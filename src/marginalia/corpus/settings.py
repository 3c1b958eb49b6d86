"""What decides the rows of a document, and the key that stands for all of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from marginalia import __version__
from marginalia.core.distributions import find_weights
from marginalia.core.errors import FormatError
from marginalia.core.files import file_sha256
from marginalia.core.own_weights import named_weights, own_digest
from marginalia.core.registry import BENCHMARKS, get_annotator
from marginalia.core.resolution import system_for_documents
from marginalia.reader.annotate import choose_annotators
from marginalia.reader.skipped_regions import check_kinds

DOCUMENT_SECONDS = 900.0
"""How long one document may take, models loaded: a book of a thousand pages with all notes takes about half of it."""
WORKER_BYTES = 4 * 2**30
"""Memory that a worker may ask for beyond what it has when it starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The notes of a corpus and how they are made. Time and memory are limits: they do not change a row."""

    notes: tuple[str, ...] = ()
    """Kinds of notes; empty for all."""
    systems: Mapping[str, str] = field(default_factory=dict)
    """Kind of note -> the system that makes it, where that is not the one of the reader."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Options of the notes, such as ``catalogue``."""
    include: tuple[str, ...] = ()
    lang: str | None = None
    vectors: bool = True
    """Whether passages have vectors."""
    llm: str = ""
    """The language model that the annotators ask as well, by the name that ``llm models`` lists; none if empty."""
    llm_max_tokens: int | None = None
    """Tokens that each worker may send and get."""
    weights: tuple[str, ...] = ()
    """Folders of weights that a user trained, for the workers."""
    seconds: float = DOCUMENT_SECONDS
    memory: int = WORKER_BYTES

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Settings:
        lists = {name: tuple(data[name]) for name in ("notes", "include", "weights")}
        return cls(**{**data, **lists})

    def check(self) -> Settings:
        """The settings with their notes named; what no document could be annotated with is an error now."""
        if self.llm:
            from marginalia.reader.llm import find_model

            find_model(self.llm)
        annotators = choose_annotators(self.notes or None)
        check_kinds(self.include)
        known = {name for annotator in annotators for name in annotator.options}
        for name in self.options:
            if name not in known:
                raise FormatError(f"none of these notes knows the option '{name}'")
        for name, system in self.systems.items():
            annotator = get_annotator(name)
            if name not in {annotator.name for annotator in annotators}:
                raise FormatError(f"a system for {name} was named, but no {name} notes are made")
            if annotator.extract is None:
                raise FormatError(f"the notes of {name} have one system only: leave out {system!r}")
            for task in annotator.uses:
                if task in BENCHMARKS.names():
                    system_for_documents(BENCHMARKS.get(task), system)
        weights = tuple(str(own.folder) for own in named_weights())
        names = tuple(annotator.name for annotator in annotators)
        return replace(self, notes=names, weights=weights)

    def facts(self) -> dict[str, Any]:
        """All that decides the rows, as JSON data: versions and weights too, and what is in the files that are named."""
        facts = self.to_dict()
        del facts["seconds"], facts["memory"], facts["llm_max_tokens"]
        if not self.llm:  # a corpus that was made without a model stays what it is
            del facts["llm"]
        facts["options"] = {name: _content(value) for name, value in sorted(self.options.items())}
        facts["version"] = __version__
        used = sorted({task for name in self.notes for task in get_annotator(name).uses})
        facts["weights"] = {task: _weights(task) for task in used}
        return json.loads(json.dumps(facts))  # type: ignore[no-any-return]


def key_of(facts: Mapping[str, Any]) -> str:
    """A short name for settings: the same for the same rows, on any machine."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def document_key(name: str, content: str, settings: str, attempt: int) -> str:
    """Stands for the rows of one document: its name, the hash of its content, the key of the settings, and which attempt it was.

    An attempt that was not committed does not count, so that the same one is made again.
    """
    facts = "\0".join((name, content, settings, str(attempt)))
    return hashlib.sha256(facts.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _content(value: str) -> str:
    """An option that names a file means what is in it, wherever it lies."""
    path = Path(value)
    return f"sha256:{file_sha256(path)}" if path.is_file() else value


def _weights(task: str) -> str:
    """The hashes in the manifest of a task's weights, as one; empty where it has none."""
    if own := own_digest(task):
        return own
    folder = find_weights(task)
    manifest = None if folder is None else folder / "manifest.json"
    return file_sha256(manifest) if manifest is not None and manifest.is_file() else ""
