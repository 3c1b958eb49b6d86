"""Where the documents are: a folder, a glob, files of many documents, or an address that fsspec knows."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import Any

from marginalia.core.errors import FormatError, MarginaliaError, MissingError, missing_package
from marginalia.corpus.containers import container_of
from marginalia.reader.formats.signature import parsed_suffixes
from marginalia.reader.read import readable_name, walk_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A document that is not read yet."""

    name: str
    """Its id: the name of its source and its place there. It stays the same wherever the source lies."""
    source: str
    """The source it is of; what is missing from one is gone."""
    path: str
    """The file or address to read; in a container, the one that holds it."""
    stamp: str
    """What changes when the document does, as far as can be seen without reading it."""
    record: bool = False
    """Whether it is a JSON record with a ``text``, from JSON lines or Parquet."""
    data: bytes | None = None
    """Its bytes, where they had to be read to list it."""
    known: str = ""
    """The hash of what is annotated already under this name."""
    attempt: int = 1
    """How often it was annotated, this time included: it changed, or failed before."""

    def to_dict(self) -> dict[str, Any]:
        """All but the data."""
        return {
            "name": self.name,
            "source": self.source,
            "path": self.path,
            "stamp": self.stamp,
            "record": self.record,
            "known": self.known,
            "attempt": self.attempt,
        }


def list_items(sources: Iterable[str]) -> Iterator[Item]:
    """The documents of all sources, source by source, in an order of their own."""
    for name, source in _names(sources).items():
        yield from _unique(_items(source, name))


def _names(sources: Iterable[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for source in sources:
        name = source_name(source)
        if names.setdefault(name, source) != source:
            raise FormatError(
                f"two sources are called {name!r}, {names[name]} and {source}: name the folder that holds both"
            )
    return names


def check_sources(sources: Sequence[str]) -> None:
    """Raise for a source that is not there, cannot be opened or has no document, before anything is written."""
    if not sources:
        raise FormatError("no source was named")
    _names(sources)
    for source in sources:
        if container_of(source) is None and "://" in source:
            with _reached(source):
                _listed(source)
        elif next(_items(source, ""), None) is None:
            raise FormatError("there is no document in it", path=source)


def count_items(sources: Iterable[str]) -> int | None:
    """How many there are; None where only reading everything would tell."""
    total = 0
    for source in sources:
        container = container_of(source)
        found = _count_files(source) if container is None else container.count(source)
        if found is None:
            return None
        total += found
    return total


def source_name(source: str) -> str:
    """The last part of a path; of a glob, its last part without a wildcard."""
    parts = list(PurePosixPath(source.partition("://")[2] or Path(source).as_posix()).parts)
    plain = [part for part in parts if not glob.has_magic(part)]
    if plain and plain[-1] not in ("/", ".", ".."):
        return readable_name(plain[-1])
    return readable_name(Path(source).resolve().name) if plain == parts else "files"


@cache
def spellings(source: str) -> frozenset[str]:
    """The ways to write a source that mean the same: ``papers/``, ``./papers``, and where it lies from the root on."""
    if "://" in source:
        return frozenset([source.rstrip("/")])
    return frozenset([os.path.normpath(source), os.path.abspath(source)])  # noqa: PTH100 - links are not followed


def read_item(item: Item) -> bytes:
    """The bytes of a document that lies in a file of its own."""
    if "://" in item.path:
        with _fsspec().open(item.path, "rb") as file:
            return bytes(file.read())
    from marginalia.reader.read import read_bytes

    return read_bytes(Path(item.path))


def _items(source: str, name: str) -> Iterator[Item]:
    if "://" in source:
        with _reached(source):
            yield from _members(source, name) if container_of(source) else _remote(source, name)
    elif container_of(source):
        yield from _members(source, name)
    else:
        for path, place in _files(source):
            stat = path.stat()
            stamp = f"{stat.st_size}-{stat.st_mtime_ns}"
            own = readable_name(f"{name}/{place}" if place else name)
            yield Item(name=own, source=source, path=str(path), stamp=stamp)


def _members(source: str, name: str) -> Iterator[Item]:
    """The documents in a file of many."""
    container = container_of(source)
    assert container is not None  # noqa: S101 - for the type checker
    try:
        for member, data in container.members(_opener(source)):
            stamp = hashlib.sha256(data).hexdigest()[:32]
            yield Item(
                name=f"{name}/{readable_name(member)}",
                source=source,
                path=source,
                stamp=stamp,
                record=container.records,
                data=data,
            )
    except FormatError as error:
        raise error.at(source) from error


@contextmanager
def _reached(source: str) -> Iterator[None]:
    """Each file system of fsspec has errors of its own: whatever goes wrong there is reported in one sentence."""
    try:
        yield
    except MarginaliaError:
        raise
    except ImportError as error:
        raise MissingError(f"{source}: {_sentence(error)}") from error
    except Exception as error:
        raise MissingError(f"{source}: it cannot be reached: {_sentence(error)}") from error


def _sentence(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _files(source: str) -> Iterator[tuple[Path, str]]:
    """Each file and its place in the source."""
    path = Path(source)
    found: Iterator[tuple[Path, str]]
    if path.is_dir():
        found = ((file, file.relative_to(path).as_posix()) for file in walk_folder(path))
    elif path.exists():
        found = iter([(path, "")])
    elif glob.has_magic(source):
        root = Path(*_plain_parts(path))
        matches = (Path(match) for match in sorted(glob.glob(source, recursive=True)))  # noqa: PTH207 - absolute ones too
        found = (
            (file, file.relative_to(root).as_posix() if root.parts else file.as_posix())
            for file in matches
            if file.is_file() and file.suffix.lower() in parsed_suffixes()
        )
    else:
        raise MissingError(f"{source}: there is no such file or folder")
    first = next(found, None)
    if first is None:
        raise FormatError(f"no file ends in {', '.join(parsed_suffixes())}", path=source)
    return chain([first], found)


def _plain_parts(path: Path) -> list[str]:
    parts: list[str] = []
    for part in path.parts:
        if glob.has_magic(part):
            break
        parts.append(part)
    return parts


def _listed(source: str) -> tuple[Any, str]:
    """The file system and the place on it."""
    files, root = _fsspec().core.url_to_fs(source)
    if not glob.has_magic(root) and not files.exists(root):
        raise MissingError(f"{source}: there is no such file or folder")
    return files, root


def _remote(source: str, name: str) -> Iterator[Item]:
    """What lies below an address, or at it."""
    files, root = _listed(source)
    single = files.isfile(root)
    listed = (
        files.glob(root, detail=True) if glob.has_magic(root) else files.find(root, detail=True)
    )
    for path, facts in sorted(listed.items()):
        if facts.get("type") == "directory":
            continue
        if single or PurePosixPath(path).suffix.lower() in parsed_suffixes():
            marks = (
                facts.get(mark)
                for mark in ("ETag", "etag", "mtime", "LastModified", "created", "size")
            )
            place = (
                path.removeprefix(root).lstrip("/")
                if not glob.has_magic(root)
                else PurePosixPath(path).name
            )
            yield Item(
                name=f"{name}/{place}" if place else name,
                source=source,
                path=files.unstrip_protocol(path),
                stamp="-".join(str(mark) for mark in marks if mark is not None),
            )


def _opener(source: str) -> Callable[[], Any]:
    """How to open a container for reading."""
    if "://" in source:
        return lambda: _fsspec().open(source, "rb").open()
    path = Path(source)
    if not path.exists():
        raise MissingError(f"{source}: there is no such file or folder")
    return lambda: path.open("rb")


def _count_files(source: str) -> int:
    if "://" in source:
        with _reached(source):
            return sum(1 for _ in _remote(source, ""))
    return sum(1 for _ in _files(source))


def _unique(items: Iterator[Item]) -> Iterator[Item]:
    """Names that come twice in one source, such as ids of JSON lines, are numbered."""
    from dataclasses import replace

    taken: set[str] = set()
    for item in items:
        name = item.name
        if name in taken:
            name = next(name for n in count(2) if (name := f"{item.name}-{n}") not in taken)
            item = replace(item, name=name)
        taken.add(name)
        yield item


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError as error:
        raise missing_package("An address", "fsspec", "corpus") from error
    return fsspec
