"""The queue: submissions are claimed for a time, scored, and their result is kept once.

The queue is the table of submissions without a result. Who is killed while scoring leaves a claim that runs out;
another worker, or the same after a restart, then takes the submission again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime

from marginalia.bench.host.database import Database
from marginalia.bench.host.errors import OutOfOrderError
from marginalia.bench.host.process import START_SECONDS, JudgeProcess
from marginalia.bench.host.settings import Competition
from marginalia.bench.host.submissions import finish
from marginalia.core.errors import MarginaliaError

MAX_ATTEMPTS = 3
"""A submission that has brought the server down so often is given up."""
IDLE_SECONDS = 2.0
"""How long until the queue is looked at again without being told, for claims of others that run out."""
LEASE_MARGIN = 10.0


class Worker:
    """Scores what is queued, in a thread of the server."""

    def __init__(
        self,
        database: Database,
        competition: Competition,
        judge: JudgeProcess,
        clock: Callable[[], datetime],
    ) -> None:
        self.database, self.competition, self.judge = database, competition, judge
        self.clock = clock
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="queue")

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        """End soon; what was begun is taken up again after the next start."""
        self._stopped.set()
        self._wake.set()
        self.judge.close()
        if self._thread.is_alive():
            self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._stopped.is_set():
            done = False
            # The database may be away for a while: the next round tries again.
            with suppress(MarginaliaError):
                done = self.score_next()
            if not done:
                self._wake.wait(IDLE_SECONDS)
                self._wake.clear()
        self.database.close()

    def score_next(self) -> bool:
        """Score one submission; False if none waits."""
        claimed = self.claim()
        if claimed is None:
            return False
        id, phase, file, content, attempts = claimed
        if attempts > MAX_ATTEMPTS:
            finish(self.database, id, self.clock(), problem="scoring broke down three times")
            return True
        begun = time.perf_counter()
        scores, problem = None, None
        try:
            scores = self.judge.score(phase, file, content)
        except OutOfOrderError:
            raise
        except MarginaliaError as error:
            if self._stopped.is_set():
                return True  # the judge was ended with the server: no fault of the submission
            problem = str(error)
        finish(
            self.database,
            id,
            self.clock(),
            scores=scores,
            problem=problem,
            seconds=time.perf_counter() - begun,
        )
        return True

    def claim(self) -> tuple[int, str, str, bytes, int] | None:
        """The oldest submission that has no result and nobody is at; for the time that scoring may take."""
        now = time.time()
        lease = self.competition.limits.seconds + START_SECONDS + LEASE_MARGIN
        with self.database.write() as rows:
            row = rows.one(
                "SELECT s.id, s.phase, s.file, s.content, s.attempts FROM submissions s "
                "WHERE s.leased_until < ? AND NOT EXISTS (SELECT 1 FROM results r WHERE r.submission = s.id) "
                "ORDER BY s.id LIMIT 1",
                (now,),
            )
            if row is None:
                return None
            id, phase, file, content, attempts = row
            rows.run(
                "UPDATE submissions SET leased_until = ?, attempts = ? WHERE id = ?",
                (now + lease, int(attempts) + 1, id),
            )
        return int(id), str(phase), str(file), bytes(content), int(attempts) + 1

    def release(self) -> None:
        """Take over what a server before this one had claimed and not finished.

        For a database that only one server uses; with several, claims run out by themselves.
        """
        with self.database.write() as rows:
            rows.run("UPDATE submissions SET leased_until = 0 WHERE leased_until > 0")
