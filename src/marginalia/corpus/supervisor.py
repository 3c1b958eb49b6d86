"""Worker processes and a pool of them on this machine: documents in, a finished part out, whatever happens to a process.

A document that takes too long is an error. One that takes its worker with it is tried once more, alone in a fresh one, and then
is an error too. Both engines annotate through here.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import IO, Any, cast

from marginalia.core.errors import MissingError
from marginalia.core.long_work import module_command
from marginalia.corpus.settings import Settings, document_key
from marginalia.corpus.sources import Item
from marginalia.corpus.tables import from_ipc, make_table, to_parquet
from marginalia.corpus.worker import receive, send
from marginalia.reader.read import readable_name

START_SECONDS = 120.0
"""For a worker to import what it needs, and once more for the models, which its first document loads."""
MAX_STARTS = 5
"""Workers that end before they are ready, one after the other."""
_CHILD = "marginalia.corpus.worker"
_ONE_THREAD = dict.fromkeys(("MARGINALIA_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")

Answer = tuple[dict[str, Any], bytes]
AHEAD = 2
"""Batches listed for each worker: one at work, one waiting. More would only take memory."""
PART_SECONDS = 20.0
"""A batch of long documents is committed piece by piece: less is lost by an interruption, and progress is seen."""


@dataclass(slots=True)
class Part:
    """Documents that were annotated together, ready to be written."""

    documents: list[dict[str, Any]] = field(default_factory=list)
    """What is recorded of each: name, source, stamp, sha256, key, status, seconds, cpu, notes."""
    files: dict[str, bytes] = field(default_factory=dict)
    """Table -> a Parquet file."""
    rows: dict[str, int] = field(default_factory=dict)


class DiedError(Exception):
    """The worker has ended in the middle of a document."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.reason = kind, reason


class Worker:
    """A process that annotates, started when it is first needed and again after it died."""

    def __init__(self, settings: Settings, key: str) -> None:
        self.settings, self.key = settings, key
        self.process: subprocess.Popen[bytes] | None = None
        self.fresh = True

    def annotate(self, items: Sequence[Item]) -> Part:
        """A batch of documents: every one of them is in the part, with its rows or with the reason why not."""
        return self.annotate_for(items, math.inf)[0]

    def annotate_for(self, items: Sequence[Item], seconds: float) -> tuple[Part, Sequence[Item]]:
        """The same until so much time has passed: the part, and the documents that are left."""
        part = Part()
        found: dict[str, list[Any]] = {}
        begun = time.monotonic()
        for item in items:
            if part.documents and time.monotonic() - begun > seconds:
                break
            head, data = self._tried(item)
            place = 0
            for table, size in head.pop("tables", {}).items():
                found.setdefault(table, []).append(from_ipc(data[place : place + size]))
                place += size
            if head["status"] == "error":
                found.setdefault("errors", []).append(make_table("errors", [_error(item, head)]))
            part.documents.append(_record(item, head))
        for table, tables in found.items():
            part.rows[table] = sum(one.num_rows for one in tables)
            if part.rows[table]:
                part.files[table] = to_parquet(tables)
        return part, items[len(part.documents) :]

    def _tried(self, item: Item) -> Answer:
        try:
            return self.ask(item)
        except DiedError as error:
            if error.kind != "crash":
                return self._failed(item, error)
        try:
            return self.ask(
                item
            )  # in a fresh worker, alone: others cannot be blamed on it, nor it on others
        except DiedError as error:
            return self._failed(item, error)
        finally:
            self.close()

    def _failed(self, item: Item, error: DiedError) -> Answer:
        own = document_key(item.name, item.stamp, self.key, item.attempt)
        said = {"kind": error.kind, "reason": error.reason}
        return {"status": "error", "sha256": "", "key": own, **said}, b""

    def ask(self, item: Item) -> Answer:
        process = self._started()
        limit = self.settings.seconds + (START_SECONDS if self.fresh else 0)
        answer, late = self._wait(item, limit)
        if answer is not None:
            self.fresh = False
            return answer
        self.close()
        if late:
            raise DiedError("time", f"it took longer than the limit of {self.settings.seconds:g} s")
        raise DiedError("crash", f"it ended its worker twice ({_cause(process.returncode)})")

    def _wait(self, item: Item, seconds: float) -> tuple[Answer | None, bool]:
        """The answer, if one comes; else whether the time was up. A worker that is too late is killed."""
        process = self._started()
        late = threading.Event()

        def stop() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            head = {"item": item.to_dict(), "inline": item.data is not None}
            send(cast(IO[bytes], process.stdin), head, item.data or b"")
            return receive(cast(IO[bytes], process.stdout)), late.is_set()
        except OSError:  # it has ended before it took the document
            return None, late.is_set()
        finally:
            timer.cancel()

    def _started(self) -> subprocess.Popen[bytes]:
        """The process, ready for documents. That it ends before is no document's fault."""
        for _ in range(MAX_STARTS):
            if self.process is not None and self.process.poll() is None:
                return self.process
            self.close()
            self.process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
                module_command(_CHILD),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ONE_THREAD},
            )
            self.fresh = True
            timer = threading.Timer(START_SECONDS, self.process.kill)
            timer.start()
            try:
                settings = {"settings": self.settings.to_dict(), "key": self.key}
                send(cast(IO[bytes], self.process.stdin), settings)
                if receive(cast(IO[bytes], self.process.stdout)) is not None:
                    return self.process
            except OSError:
                continue
            finally:
                timer.cancel()
        raise MissingError(
            "No worker could be started: `python -m marginalia.corpus.worker` says why."
        )

    def close(self) -> None:
        """End the process, whatever it is doing."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    try:
                        stream.close()
                    except OSError:  # what it did not read can no longer be sent
                        continue
            self.process = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _cause(code: int) -> str:
    try:
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    except ValueError:
        return f"exit code {code}"


def _error(item: Item, head: dict[str, Any]) -> dict[str, Any]:
    own = {"document": item.name, "key": head["key"]}
    place = {"source": readable_name(item.source), "path": readable_name(item.path)}
    return {**own, **place, "kind": head["kind"], "reason": head["reason"]}


def _record(item: Item, head: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {
        name: head[name] for name in ("sha256", "key", "status", "kind", "notes") if name in head
    }
    spent: dict[str, Any] = {
        name: round(head[name], 4) for name in ("seconds", "cpu") if name in head
    }
    own = {"name": item.name, "source": item.source, "stamp": item.stamp, "attempt": item.attempt}
    return {**own, **kept, **spent}


def batches(items: Iterable[Item], size: int) -> Iterable[Sequence[Item]]:
    batch: list[Item] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


Done = tuple[Part, Sequence[Item]]


def run_local(
    batches: Iterable[Sequence[Item]], settings: Settings, key: str, workers: int
) -> Iterator[Part]:
    """The parts as they are finished. A thread waits for each worker; all the work is in the processes."""
    idle: SimpleQueue[Worker] = SimpleQueue()
    pool = [Worker(settings, key) for _ in range(workers)]
    for worker in pool:
        idle.put(worker)

    def annotate(batch: Sequence[Item]) -> Done:
        worker = idle.get()
        try:
            return worker.annotate_for(batch, PART_SECONDS)
        finally:
            idle.put(worker)

    threads = ThreadPoolExecutor(workers)
    pending: set[Future[Done]] = set()

    def finished() -> Iterator[Part]:
        """Wait for one at least; what is left of its batch is for the next idle worker."""
        for one in wait(pending, return_when=FIRST_COMPLETED).done:
            pending.remove(one)
            part, rest = one.result()
            if rest:
                pending.add(threads.submit(annotate, rest))
            yield part

    try:
        for batch in batches:
            pending.add(threads.submit(annotate, batch))
            while len(pending) >= AHEAD * workers:
                yield from finished()
        while pending:
            yield from finished()
    finally:
        for one in pending:
            one.cancel()
        for worker in pool:
            worker.close()
        threads.shutdown(cancel_futures=True)
