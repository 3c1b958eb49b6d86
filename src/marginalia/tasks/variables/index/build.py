"""Sources become a catalogue in a folder, once. What is half done is in ``unfinished`` and moved when it is complete."""

from __future__ import annotations

import shutil
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.core.files import read_json
from marginalia.tasks.variables.catalogue.formats import (
    EMPTY,
    content,
    read_files,
    source_files,
    unique_ids,
)
from marginalia.tasks.variables.catalogue.groups import Titles, group_hash
from marginalia.tasks.variables.index import vectors as encoding
from marginalia.tasks.variables.index.catalogue_index import CatalogueIndex, open_index
from marginalia.tasks.variables.index.engine import Writer, decode, encode
from marginalia.tasks.variables.index.folder import (
    MANIFEST,
    SURVEYS,
    UNFINISHED,
    VECTORS,
    VERSION,
    WORDS,
    is_manifest,
    only_builder,
    read_manifest,
    write_manifest,
    writing,
)
from marginalia.tasks.variables.index.search import OpenCatalogue
from marginalia.tasks.variables.official.vocabulary import Notes, Variable

KINDS = ("auto", "dense", "none")
"""Vectors of the encoder: up to MAX_ENCODED_GROUPS, always, never."""
MAX_ENCODED_GROUPS = 10_000
"""Groups that are encoded by default: some minutes. Each costs about 20 ms of a processor."""
Progress = Callable[[str, int, int], None]
"""progress(what, done, total)"""


class Spool:
    """Written once, then read group by group."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.starts = array("q", [0])
        self.rows: list[tuple[str, str, int]] = []
        self.groups = array("Q")
        self.titles = Titles()
        self.joined: list[int] = []
        """Variables of one text: what is title, label and question is known when all of their survey are read."""

    def fill(self, variables: Iterable[Variable]) -> Iterator[int]:
        """Write the variables down, and say every now and then how many."""
        with self.path.open("wb") as file:
            for number, variable in enumerate(variables, 1):
                data = encode([variable])
                file.write(data)
                self.starts.append(self.starts[-1] + len(data))
                self.rows.append((variable.id, variable.survey, content(variable)))
                self.groups.append(group_hash(variable))
                self.titles.add([variable])
                if not variable.fields:
                    self.joined.append(number - 1)
                if not number % 1000:
                    yield number
        yield len(self.rows)

    def members(self, notes: Notes) -> Iterator[tuple[Variable, ...]]:
        """The groups as they first occur, each with its variables under their unique ids."""
        ids = unique_ids(self.rows, notes)
        together: dict[int, list[int]] = {}
        with self.path.open("rb") as file:
            for place in self.joined:
                self.groups[place] = group_hash(self._read(file, place))
            for place, group in enumerate(self.groups):
                if ids[place] is not None:
                    together.setdefault(group, []).append(place)
            for places in together.values():
                found = ((place, self._read(file, place)) for place in places)
                yield tuple(replace(one, id=ids[place] or one.id) for place, one in found)

    def _read(self, file: BinaryIO, place: int) -> Variable:
        file.seek(self.starts[place])
        (one,) = decode(file.read(self.starts[place + 1] - self.starts[place]))
        return self.titles.tell_apart(one)


def count_surveys(members: Iterable[Variable], into: Counter[str]) -> list[str]:
    """Count the variables of each survey, and name those of this group."""
    names = [one.survey for one in members]
    into.update(names)
    return list(dict.fromkeys(names))


def build_catalogue(
    sources: Iterable[str | Path],
    out: str | Path,
    *,
    vectors: str = "auto",
    columns: Mapping[str, str] | None = None,
    again: bool = False,
    progress: Progress | None = None,
) -> OpenCatalogue:
    """Read descriptions of survey variables into one catalogue, a folder, and open it.

    ``sources`` are files and folders, as ``open_catalogue`` takes them. ``vectors`` of the encoder find a variable
    by its meaning, also in another language: ``auto`` makes them for up to 10,000 different questions, ``dense`` for
    any number (some minutes for every 10,000), ``none`` never. An interrupted build is started again; vectors go on
    where they stopped. ``again`` builds over a catalogue of other sources.
    """
    return OpenCatalogue(
        build(sources, out, vectors=vectors, columns=columns, again=again, progress=progress)
    )


def build(
    sources: Iterable[str | Path],
    out: str | Path,
    *,
    vectors: str = "auto",
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
    again: bool = False,
) -> CatalogueIndex:
    """The index of all the variables in the sources, written to the folder ``out`` and opened.

    A finished one of the same sources is taken as it is, with vectors added if they are asked for.
    """
    if vectors not in KINDS:
        raise UnknownNameError("kind of vectors", vectors, KINDS)
    tell = progress or (lambda *_: None)
    files = source_files(sources)
    folder = Path(out)
    plan = _plan(files, columns or {})
    if folder.exists() and not folder.is_dir():
        raise FormatError("this is a file; name a folder for the catalogue", path=folder)
    with only_builder(folder):
        if not _finished(folder, plan, again):
            _make(folder, files, plan, columns or {}, tell)
        index = open_index(folder)
        wanted = vectors == "dense" or (vectors == "auto" and index.groups <= MAX_ENCODED_GROUPS)
        if wanted and not index.width:
            _encode(folder, index, tell)
            index = open_index(folder)
    return index


def _plan(files: Sequence[Path], columns: Mapping[str, str]) -> dict[str, Any]:
    """What a build depends on; files are distinguished by name, size and time, since hashing takes as long as reading."""
    return {
        "version": VERSION,
        "sources": [
            {"path": str(path), "bytes": path.stat().st_size, "changed": path.stat().st_mtime_ns}
            for path in files
        ],
        "columns": dict(columns),
    }


def _finished(folder: Path, plan: Mapping[str, Any], again: bool) -> bool:
    """Whether the folder holds the catalogue of this plan; whatever else it holds is not written over."""
    if (folder / MANIFEST).exists():
        if not is_manifest(read_json(folder / MANIFEST)):
            raise FormatError("this is not the manifest of a catalogue", path=folder / MANIFEST)
        if again:
            return False
        if read_manifest(folder).get("plan") == plan:
            return True
        raise FormatError(
            "this folder holds a catalogue of other sources, or they have changed; name "
            "another folder, or build over it with `again=True`",
            path=folder,
        )
    others = [path for path in folder.iterdir() if not path.name.startswith(".")]
    if others and not (folder / UNFINISHED).is_dir():
        raise FormatError("this folder is not empty and not a catalogue", path=folder)
    return False


def _make(
    folder: Path,
    files: Sequence[Path],
    plan: Mapping[str, Any],
    columns: Mapping[str, str],
    tell: Progress,
) -> None:
    work = folder / UNFINISHED
    try:
        with writing(folder):
            shutil.rmtree(work, ignore_errors=True)
            (work / WORDS).mkdir(parents=True)
        manifest = {**_index(work, files, columns, tell), "version": VERSION, "plan": plan}
        with writing(folder):
            for name in (MANIFEST, VECTORS, SURVEYS):
                (folder / name).unlink(missing_ok=True)
            shutil.rmtree(folder / WORDS, ignore_errors=True)
            for name in (WORDS, SURVEYS):
                (work / name).replace(folder / name)
            write_manifest(folder, manifest)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _index(
    work: Path, files: Sequence[Path], columns: Mapping[str, str], tell: Progress
) -> dict[str, Any]:
    notes: Notes = Counter()
    spool = Spool(work / "variables")
    count = 0
    with writing(work):
        for count in spool.fill(read_files(files, notes, columns)):
            tell("reading", count, 0)
    if not count:
        raise FormatError(EMPTY, path=files[0])
    surveys: Counter[str] = Counter()
    pairs: list[tuple[int, int]] = []
    places: dict[str, int] = {}
    number = -1
    with writing(work):
        writer = Writer(work / WORDS)
        try:
            for number, members in enumerate(spool.members(notes)):
                writer.add(number, members)
                names = count_surveys(members, surveys)
                pairs += [(number, places.setdefault(name, len(places))) for name in names]
                if not number % 1000:
                    tell("indexing", number, 0)
            writer.finish()
        except BaseException:
            writer.abandon()
            raise
        np.save(work / SURVEYS, np.array(pairs, dtype=np.int32).reshape(-1, 2))
    return {
        "variables": sum(surveys.values()),
        "groups": number + 1,
        "width": 0,
        "surveys": {name: surveys[name] for name in places},
        "titles": {name: spool.titles.of(name) for name in places},
        "notes": dict(notes),
    }


def _encode(folder: Path, index: CatalogueIndex, tell: Progress) -> None:
    """Vectors of all groups; the manifest names them when they are whole."""
    texts = [encoding.encoded_text(index.members(group)[0]) for group in range(index.groups)]
    width = len(encoding.encode([""])[0])
    with writing(folder):
        for done in encoding.write_vectors(folder / VECTORS, texts, width):
            tell("encoder", done, len(texts))
        write_manifest(folder, {**index.manifest, "width": width})
