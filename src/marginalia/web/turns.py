"""Whose turn it is to use the models: one at a time, short requests first, and nobody for ever last."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from typing import TypeVar

from marginalia.core.long_work import pausing

T = TypeVar("T")
MAX_QUICK_IN_A_ROW = 8
"""After so many short ones a long one that waits has its turn."""
MAX_PAUSED = 8
"""Works of ``run`` that may stand still for shorter ones at a time: each holds a thread meanwhile."""


class Turns:
    """A turn is one batch of work. Whoever has more takes their turns between those of others.

    Threads wait in ``turn``, coroutines in ``run``: those cost no thread while they wait. Within a turn that is not
    ``quick``, the work lets short ones go first wherever it pauses (``core.long_work``).
    """

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._taken = False
        self._quick: deque[Future[None]] = deque()
        self._long: deque[Future[None]] = deque()
        self._in_a_row = 0
        self._paused = threading.Semaphore(MAX_PAUSED)
        self._pool = ThreadPoolExecutor(MAX_PAUSED + 2, thread_name_prefix="turn")

    @contextmanager
    def turn(self, *, quick: bool = False) -> Iterator[None]:
        self._ask(quick).result()
        try:
            with nullcontext() if quick else pausing(self._give_way):
                yield
        finally:
            self._pass_on()

    async def run(self, work: Callable[[], T], *, quick: bool = False) -> T:
        """What the work gives, done in a thread when its turn has come. It may be given up: the turn ends with the work."""
        asked = self._ask(quick)
        try:
            await asyncio.wrap_future(asked)
        except asyncio.CancelledError:
            if not asked.cancelled() and not asked.cancel():
                self._pass_on()  # the turn came just as it was given up
            raise

        def held() -> T:
            try:
                with nullcontext() if quick else pausing(self._pause_in_pool):
                    return work()
            finally:
                self._pass_on()

        # Shielded: a work that is cancelled before its thread begins would never pass the turn on.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._pool, held))

    @property
    def waiting(self) -> int:
        with self._mutex:
            return len(self._quick) + len(self._long)

    def _pause_in_pool(self) -> None:
        # One more that stands still could take the last thread, which those in front need.
        if self._paused.acquire(blocking=False):
            try:
                self._give_way()
            finally:
                self._paused.release()

    def _give_way(self) -> None:
        """Let short ones go first; the work goes on when its turn comes again."""
        with self._mutex:
            if not self._quick:
                return
            again: Future[None] = Future()
            self._long.append(again)
        self._pass_on()
        again.result()

    def _ask(self, quick: bool) -> Future[None]:
        asked: Future[None] = Future()
        with self._mutex:
            if not self._taken:
                self._taken = True
                asked.set_result(None)
            else:
                (self._quick if quick else self._long).append(asked)
        return asked

    def _pass_on(self) -> None:
        while True:
            with self._mutex:
                following = self._following()
                if following is None:
                    self._taken = False
                    return
            if following.set_running_or_notify_cancel():
                following.set_result(None)
                return

    def _following(self) -> Future[None] | None:
        if self._quick and (not self._long or self._in_a_row < MAX_QUICK_IN_A_ROW):
            self._in_a_row += 1
            return self._quick.popleft()
        self._in_a_row = 0
        return self._long.popleft() if self._long else None
