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
PART_SECONDS = 20.0
"""A batch of long documents is committed piece by piece: less is lost by an interruption, and somebody sees it go on."""

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
        """Wait for one at least; what is left of its batch is for whoever is free."""
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
