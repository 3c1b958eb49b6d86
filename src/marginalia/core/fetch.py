"""Bringing the public files of a task into the data folder. Nothing else reaches the network."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.derived import Derived, derive
from marginalia.core.download import FailedError, Mirror, StoppedError
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.registry import as_benchmark
from marginalia.core.sources import Source, SourceFile, read_sources

DEFAULT_MIRROR = "https://raw.githubusercontent.com"
MIRROR_VARIABLE = "MARGINALIA_MIRROR"
NOT_TRIED = "not tried, as the server does not answer"

Wanted = list[tuple[Source, SourceFile]]


@dataclass(frozen=True, slots=True)
class Step:
    """How far a fetch has come."""

    files: int
    all_files: int
    bytes: int
    all_bytes: int


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a fetch changed, and what it could not."""

    task: str
    files: tuple[str, ...]
    bytes: int
    derived: Derived
    to_import: tuple[str, ...]
    """Files that are still missing and that no public address holds."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def fetch_data(
    task: str | Benchmark,
    *,
    data: str | Path | None = None,
    base: str = DEFAULT_MIRROR,
    force: bool = False,
    progress: Callable[[Step], None] | None = None,
) -> Fetched:
    """Download the public data of a task into the data folder; the only function that reaches the network.

    ``data`` is that folder, else MARGINALIA_DATA names it. Files that are there and right are left alone, each
    new one is verified by its SHA-256. ``base`` is another server with the same layout; ``force`` overwrites
    computed files that somebody else made.
    """
    folder = data_folder(data, must_exist=False)
    return fetch(as_benchmark(task), folder, base=base, force=force, progress=progress)


def fetch(
    task: Benchmark,
    folder: Path,
    *,
    base: str = DEFAULT_MIRROR,
    progress: Callable[[Step], None] | None = None,
    workers: int = 4,
    force: bool = False,
    tries: int = 4,
    pause: float = 1.0,
) -> Fetched:
    """Download each missing or wrong file, then compute the derived ones.

    A file takes its place only when its size and SHA-256 are right. A failed file does not keep the
    others from being fetched; all failures are reported at the end. ``progress`` is called by one
    thread at a time. An interrupt leaves the verified files and the parts of the others, from which
    the next fetch goes on.
    """
    mirror = Mirror(base, tries=tries, pause=pause)
    sources = read_sources(task)
    if folder.exists() and not folder.is_dir():
        raise FormatError("this is a file, a folder was expected", path=folder)
    wanted = [(s, file) for s in sources for file in s.files if file.fault(folder / file.path)]
    failures = _download(mirror, wanted, folder, _Count(wanted, progress), workers)
    derived = Derived()
    try:
        derived = derive(task, folder, force=force)
    except MissingError:
        if not failures:
            raise
    if failures:
        raise MissingError(_explain(task, mirror, failures, len(wanted)))
    tables = [table for source in sources for table in source.tables if not table.derived]
    return Fetched(
        task=task.name,
        files=tuple(file.path for _, file in wanted),
        bytes=sum(file.bytes for _, file in wanted),
        derived=derived,
        to_import=tuple(table.path for table in tables if not (folder / table.path).exists()),
    )


class _Count:
    """Adds up what the downloads report."""

    def __init__(self, wanted: Wanted, progress: Callable[[Step], None] | None) -> None:
        self.progress, self.lock = progress, threading.Lock()
        self.have = {file.path: 0 for _, file in wanted}
        self.size = {file.path: file.bytes for _, file in wanted}
        self.all_bytes = sum(self.size.values())
        self.bytes = self.files = 0

    def update(self, path: str, have: int, *, done: bool = False) -> None:
        if self.progress is None:
            return
        with self.lock:
            self.bytes += have - self.have[path]
            self.have[path] = have
            self.files += done
            self.progress(Step(self.files, len(self.have), self.bytes, self.all_bytes))


def _download(
    mirror: Mirror, wanted: Wanted, folder: Path, count: _Count, workers: int
) -> dict[str, str]:
    """Path -> reason of each file that could not be had, those that were tried first."""
    reasons: dict[str, str] = {}

    def one(source: Source, file: SourceFile) -> None:
        try:
            mirror.download(source, file, folder, lambda have: count.update(file.path, have))
            count.update(file.path, file.bytes, done=True)
        except (FailedError, StoppedError):
            raise
        except BaseException:  # of ``progress``: no other file may be begun
            mirror.stop.set()
            raise

    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures: dict[Future[None], str] = {
            pool.submit(one, source, file): file.path for source, file in wanted
        }
        try:
            for future in as_completed(futures):
                try:
                    future.result()
                except FailedError as error:
                    reasons[futures[future]] = str(error)
                except StoppedError:
                    reasons[futures[future]] = NOT_TRIED
        except BaseException:
            mirror.stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    failed = [file.path for _, file in wanted if file.path in reasons]
    return {path: reasons[path] for path in sorted(failed, key=lambda p: reasons[p] == NOT_TRIED)}


def _explain(task: Benchmark, mirror: Mirror, failures: dict[str, str], wanted: int) -> str:
    shown = [f"{path} ({reason})" for path, reason in list(failures.items())[:5]]
    if len(failures) > len(shown):
        shown.append(f"and {len(failures) - len(shown)} more")
    return (
        f"{len(failures)} of {wanted} files of {task.name} could not be fetched from {mirror.base}: "
        f"{'; '.join(shown)}. "
        f"`fetch_data({task.name!r})` goes on from here, `base=` names another server, and "
        f"`import_data({task.name!r}, folder)` takes files that were downloaded by other means."
    )
