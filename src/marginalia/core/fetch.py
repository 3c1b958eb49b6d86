"""The public files of a task are downloaded into the data folder, verified before they take their place. Nothing else reaches
the network.
"""

from __future__ import annotations

import http.client
import ipaddress
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from marginalia.core.benchmark import Benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError, MarginaliaError, MissingError
from marginalia.core.registry import as_benchmark
from marginalia.core.sources import Derived, Source, SourceFile, derive, read_sources

CHUNK_BYTES = 2**16
MAX_WAIT = 60.0  # seconds; a server that asks for more patience is asked again later
TRANSIENT_CODES = {408, 425, 429, 500, 502, 503, 504}
"""HTTP codes of troubles that pass."""


DEFAULT_MIRROR = "https://raw.githubusercontent.com"
NOT_TRIED = "not tried, as the server does not answer"

Wanted = list[tuple[Source, SourceFile]]


class FailedError(Exception):
    """This file cannot be had now; the message is the reason."""


class StoppedError(Exception):
    """All downloads were asked to stop."""


class _AgainError(Exception):
    """This try failed, another may not."""

    def __init__(self, reason: str, *, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


class Mirror:
    """An address that serves ``{base}/{repository}/{commit}/{upstream path}``.

    ``pause`` is the first wait between two tries, in seconds; it doubles each time. Once ``stop``
    is set, each download ends at its next chunk.
    """

    def __init__(
        self, base: str, *, tries: int = 4, pause: float = 1.0, timeout: float = 30.0
    ) -> None:
        self.base = check_address(base).rstrip("/")
        self.tries, self.pause, self.timeout = tries, pause, timeout
        self.stop = threading.Event()
        self.answered = False
        """Whether the server ever said anything; if it never does, there is no use in going on."""
        proxies: dict[str, str] | None = {} if is_loopback(base) else None
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler(proxies), _CheckedRedirects()
        )

    def address(self, source: Source, file: SourceFile) -> str:
        return f"{self.base}/{source.repository}/{source.commit}/{quote(file.upstream)}"

    def download(
        self, source: Source, file: SourceFile, folder: Path, progress: Callable[[int], None]
    ) -> None:
        """Bring the file into the folder. ``progress`` hears how many bytes are there."""
        target = folder / file.path
        part = target.with_name(target.name + ".part")
        reason = ""
        for attempt in range(self.tries):
            if self.stop.is_set():
                raise StoppedError
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                self._receive(self.address(source, file), file, part, progress)
                part.replace(target)
                return
            except _AgainError as error:
                reason, wait = str(error), max(self.pause * 2**attempt, error.wait)
            except (OSError, http.client.HTTPException) as error:
                reason, wait = _why(error), self.pause * 2**attempt
            finally:
                part.unlink(missing_ok=True)
            if attempt + 1 < self.tries:
                self.stop.wait(min(wait, MAX_WAIT))
        if not self.answered:
            self.stop.set()
        raise FailedError(reason)

    def _receive(
        self, address: str, file: SourceFile, part: Path, progress: Callable[[int], None]
    ) -> None:
        """Fill the part, with no more than one byte beyond the size of the file, and verify it."""
        have = 0
        with self._open(address) as answer:
            length = answer.headers["Content-Length"]
            if length and length != str(file.bytes):
                raise FailedError(f"the server has {length} bytes where {file.bytes} were expected")
            with part.open("wb") as out:
                while data := answer.read(min(CHUNK_BYTES, file.bytes + 1 - have)):
                    if self.stop.is_set():
                        raise StoppedError
                    out.write(data)
                    have += len(data)
                    progress(min(have, file.bytes))
        if have < file.bytes:
            raise _AgainError(f"the connection ended after {have:,} of {file.bytes:,} bytes")
        if fault := file.fault(part):
            raise FailedError(fault)

    def _open(self, address: str) -> Any:
        request = urllib.request.Request(address, headers={"User-Agent": "marginalia"})  # noqa: S310 - address is checked
        try:
            answer = self._opener.open(request, timeout=self.timeout)
        except urllib.error.HTTPError as error:
            self.answered = True
            error.close()
            reason = f"HTTP {error.code}"
            if error.code not in TRANSIENT_CODES:
                raise FailedError(reason) from error
            after = error.headers["Retry-After"] or ""
            raise _AgainError(reason, wait=float(after) if after.isdigit() else 0.0) from error
        except MarginaliaError as error:
            raise FailedError(str(error)) from error
        self.answered = True
        return answer


class _CheckedRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        check_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def check_address(address: str) -> str:
    """The address, if it is https, or http on this machine."""
    try:
        scheme, host = urlsplit(address).scheme, urlsplit(address).hostname
    except ValueError:
        scheme, host = "", None
    if not host or any(character.isspace() for character in address):
        raise FormatError(f"{address!r} is not an address of a server")
    if scheme != "https" and not (scheme == "http" and is_loopback(address)):
        raise FormatError(
            f"data are fetched by https only (by http only from this machine), not from {address!r}"
        )
    return address


def is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _why(error: Exception) -> str:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    return str(cause) or type(cause).__name__


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
    computed files that are not ours.
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
    thread at a time. An interrupt leaves the verified files, and the next fetch goes on with the others.
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
