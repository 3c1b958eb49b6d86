"""Files that were downloaded by hand: found in a folder, verified, and taken over all or none."""

from __future__ import annotations

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import unfinished
from marginalia.core.registry import as_benchmark
from marginalia.core.sources import Derived, Source, SourceFile, TableFile, derive, read_sources

MAX_FILES = 200_000


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import changed."""

    task: str
    files: tuple[str, ...]
    """Files that were copied."""
    already: int
    """Files of the folder that the data folder had."""
    missing: tuple[str, ...]
    """Public and import-only files that the data folder still lacks."""
    derived: Derived

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def import_data(
    task: str | Benchmark, origin: str | Path, *, data: str | Path | None = None
) -> Imported:
    """Take the data of a task from a folder that was downloaded by other means, verified before it is copied."""
    folder = data_folder(data, must_exist=False)
    return import_folder(as_benchmark(task), Path(origin).expanduser(), folder)


def import_folder(task: Benchmark, origin: Path, folder: Path) -> Imported:
    """Verify every file of the task found in ``origin``, then copy all or none into ``folder``.

    ``origin`` is laid out like the data folder, or is a checkout of a source repository, or just
    holds the files by their names. A file in its place or under its own name with other content is
    an error.
    """
    if not origin.is_dir():
        raise MissingError(f"{origin} is not a folder; name the folder that was downloaded.")
    if folder.exists() and not folder.is_dir():
        raise FormatError("this is a file, a folder was expected", path=folder)
    sources = read_sources(task)
    places = _Search(origin, sources).found()
    if not places:
        raise MissingError(
            f"{origin} holds none of the files of {task.name}: expected the layout of the data folder "
            f"or a checkout of {' or '.join(source.repository for source in sources)}."
        )
    new = {path: place for path, place in places.items() if not _same(place, folder / path)}
    _copy(new, _files_by_path(sources), folder)
    try:
        derived = derive(task, folder)
    except MissingError:  # only a complete set of inputs can be derived from
        derived = Derived()
    expected = [file.path for s in sources for file in s.files]
    expected += [table.path for s in sources for table in s.tables if not table.derived]
    return Imported(
        task=task.name,
        files=tuple(new),
        already=len(places) - len(new),
        missing=tuple(path for path in expected if not (folder / path).exists()),
        derived=derived,
    )


class _Search:
    """Looks for the files of the sources in a folder of downloads."""

    def __init__(self, origin: Path, sources: tuple[Source, ...]) -> None:
        self.origin, self.sources = origin, sources
        self.by_name: dict[str, list[Path]] = defaultdict(list)
        for number, path in enumerate(_walk(origin)):
            if number >= MAX_FILES:
                raise FormatError(
                    f"the folder holds more than {MAX_FILES:,} files; name the downloaded one alone",
                    path=origin,
                )
            self.by_name[path.name].append(path)
        self.bearers = Counter(
            name for s in sources for file in s.all_files for name in _names(file)
        )

    def found(self) -> dict[str, Path]:
        """Path in the data folder -> where the file is."""
        found = {}
        for source in self.sources:
            for file in source.files:
                if place := self._public(source, file):
                    found[file.path] = place
            for table in source.tables:
                if place := self._table(table):
                    found[table.path] = place
        return found

    def _public(self, source: Source, file: SourceFile) -> Path | None:
        named = [place for name in sorted(_names(file)) for place in self.by_name[name]]
        own = [place for place in named if self._lies_at(place, file.path, file.upstream)]
        for place in (*own, *named):
            if not file.fault(place):
                return place
        # A name that several files bear proves nothing: the file may be another of them.
        alone = [place for place in named if self.bearers[place.name] == 1]
        for place in (*own, *alone):
            raise FormatError(
                f"{file.fault(place)}; this is not {file.upstream} of {source.repository} at commit "
                f"{source.commit[:12]}, nothing was imported",
                path=place,
            )
        return None

    def _table(self, table: TableFile) -> Path | None:
        named = self.by_name[Path(table.path).name]
        places = [place for place in named if self._lies_at(place, table.path)]
        if not places and not table.derived:  # upstream files may bear the name of a derived one
            places = named
        if not places:
            return None
        for other in places[1:]:
            if not _same(places[0], other):
                raise FormatError(f"{other} has the same name but other content", path=places[0])
        table.check(places[0])
        return places[0]

    def _lies_at(self, place: Path, *paths: str) -> bool:
        """Whether it lies at one of the paths; an unpacked archive has one more folder around it."""
        parts = place.relative_to(self.origin).parts
        return any("/".join(inner) in paths for inner in (parts, parts[1:]))


def _names(file: SourceFile | TableFile) -> set[str]:
    paths = [file.path] if isinstance(file, TableFile) else [file.path, file.upstream]
    return {Path(path).name for path in paths}


def _walk(origin: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(origin):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            yield Path(folder) / name


def _same(place: Path, other: Path) -> bool:
    return (
        other.is_file()
        and place.stat().st_size == other.stat().st_size
        and place.read_bytes() == other.read_bytes()
    )


def _files_by_path(sources: tuple[Source, ...]) -> dict[str, SourceFile]:
    return {file.path: file for source in sources for file in source.files}


def _copy(new: dict[str, Path], files: dict[str, SourceFile], folder: Path) -> None:
    """Copy all beside their places and verify the copies, then move them in."""
    for path in new:
        if (folder / path).is_dir():
            raise FormatError("this is a folder, a file was expected", path=folder / path)
    if not new:
        return
    with unfinished(folder) as half:
        for number, (path, place) in enumerate(new.items()):
            shutil.copyfile(place, half / str(number))
            fault = files[path].fault(half / str(number)) if path in files else ""
            if fault:
                raise FormatError(f"{fault}; the file changed while it was read", path=place)
        for number, path in enumerate(new):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (half / str(number)).replace(folder / path)
