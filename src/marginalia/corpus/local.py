"""A pool of processes on this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from queue import SimpleQueue

from marginalia.corpus.settings import Settings
from marginalia.corpus.sources import Item
from marginalia.corpus.supervisor import Part, Worker

AHEAD = 2
"""Batches listed for each worker: one at work, one waiting. More would only take memory."""


def run_local(
    batches: Iterable[Sequence[Item]], settings: Settings, key: str, workers: int
) -> Iterator[Part]:
    """The parts as they are finished. A thread waits for each worker; all the work is in the processes."""
    idle: SimpleQueue[Worker] = SimpleQueue()
    pool = [Worker(settings, key) for _ in range(workers)]
    for worker in pool:
        idle.put(worker)

    def annotate(batch: Sequence[Item]) -> Part:
        worker = idle.get()
        try:
            return worker.annotate(batch)
        finally:
            idle.put(worker)

    threads = ThreadPoolExecutor(workers)
    pending: set[Future[Part]] = set()
    try:
        for batch in batches:
            pending.add(threads.submit(annotate, batch))
            if len(pending) >= AHEAD * workers:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (one.result() for one in done)
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            yield from (one.result() for one in done)
    finally:
        for one in pending:
            one.cancel()
        for worker in pool:
            worker.close()
        threads.shutdown(cancel_futures=True)
