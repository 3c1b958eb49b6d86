"""A competition that runs: its database, its judges and its queue, for the web application and the commands.

The queue is the table of submissions without a result. A worker that is killed while scoring leaves a claim that runs out;
another worker, or the same after a restart, then takes the submission again.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from marginalia import __version__
from marginalia.bench.host import ledger, submissions
from marginalia.bench.host.database import PREFIXES, Database, create_tables
from marginalia.bench.host.errors import OutOfOrderError, RefusedError
from marginalia.bench.host.judge import START_SECONDS, JudgeProcess
from marginalia.bench.host.leaderboard import figures_of, leaderboard
from marginalia.bench.host.settings import FILE, Competition, read_competition
from marginalia.bench.host.submissions import Entered, Upload, finish
from marginalia.bench.host.teams import Team, add_team, find_team
from marginalia.core.errors import MarginaliaError

MAX_ATTEMPTS = 3
"""A submission that has brought the server down so often is given up."""
IDLE_SECONDS = 2.0
"""How long until the queue is looked at again without a signal, for claims of others that run out."""
LEASE_MARGIN = 10.0
URL_VARIABLE = "DATABASE_URL"
SQLITE_FILE = "competition.sqlite"
LOG_ENTRIES = 200


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
        """The oldest submission that has no result and is not claimed; for the time that scoring may take."""
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


def open_database(folder: str | Path) -> Database:
    """The database of ``DATABASE_URL`` where that names PostgreSQL, else an SQLite file in the folder."""
    url = os.environ.get(URL_VARIABLE, "")
    database = Database(url if url.startswith(PREFIXES) else Path(folder) / SQLITE_FILE)
    create_tables(database)
    return database


def utc_now() -> datetime:
    return datetime.now(UTC)


class Site:
    """What teams and organisers can do. Each call is complete in itself and safe from any thread."""

    def __init__(self, folder: str | Path, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.competition: Competition = read_competition(folder)
        self.database = open_database(folder)
        self.clock = clock
        self.checker = JudgeProcess(self.competition)
        self.worker = Worker(self.database, self.competition, JudgeProcess(self.competition), clock)

    def start(self) -> None:
        """Begin to score; what an earlier server left unfinished comes first."""
        settings = (self.competition.folder / FILE).read_bytes()
        detail = {"version": __version__, "settings": hashlib.sha256(settings).hexdigest()}
        with self.database.write() as rows:
            ledger.append(rows, self.clock().isoformat(), "server", "server started", detail)
        self.worker.release()
        self.worker.start()

    def stop(self) -> None:
        self.worker.stop()
        self.checker.close()

    def about(self) -> dict[str, Any]:
        """What is public."""
        competition, now = self.competition, self.clock()
        with self.database.read() as rows:
            head = ledger.head(rows)
            count = int(rows.value("SELECT count(*) FROM ledger"))
        return {
            "title": competition.title,
            "description": competition.description,
            "task": competition.task,
            "shared_task": competition.card.shared_task,
            "registration": competition.registration,
            "figures": list(competition.figures),
            "limits": {
                "per_day": competition.limits.per_day,
                "per_phase": competition.limits.per_phase,
                "upload_mb": competition.limits.upload_mb,
            },
            "current": competition.current(now).name,
            "phases": [
                {
                    "name": phase.name,
                    "split": phase.split,
                    "opens": phase.opens.isoformat(),
                    "closes": phase.closes and phase.closes.isoformat(),
                    "state": phase.state(now),
                    "public": phase.public,
                    "counts": phase.counts,
                }
                for phase in competition.phases
            ],
            "head": head,
            "entries": count,
        }

    def register(self, name: str) -> str:
        """A new team's token, where anyone may register."""
        if self.competition.registration != "open":
            raise RefusedError("teams are registered by the organisers: ask them for a token")
        return add_team(self.database, name, self.clock(), limit=self.competition.limits.teams)

    def team(self, token: str) -> Team:
        with self.database.read() as rows:
            team = find_team(rows, token) if token else None
        if team is None:
            raise RefusedError("this token belongs to no team", 401)
        return team

    def submit(self, team: Team, phase_name: str, upload: Upload) -> dict[str, Any]:
        """Check a submission and take it; what does not fit is reported by line and does not count."""
        phase = self.competition.phase(phase_name)
        upload.check()
        with self.database.read() as rows:
            id = submissions.find_request(rows, team, upload.request)
            if id is None:
                submissions.refuse_if_not_taken(rows, self.competition, team, phase, self.clock())
        if id is None:
            self.checker.check(phase.name, upload.file, upload.content)
            id = submissions.enter(
                self.database, self.competition, team, phase, upload, self.clock()
            )
            self.worker.wake()
        return self.submission(team, id)

    def submission(self, team: Team, id: int) -> dict[str, Any]:
        with self.database.read() as rows:
            return self._told(submissions.find(rows, id, team), team)

    def submissions(self, team: Team) -> list[dict[str, Any]]:
        with self.database.read() as rows:
            return [self._told(each, team) for each in submissions.of_team(rows, team)]

    def file(self, team: Team, id: int) -> tuple[str, bytes]:
        """The name and the bytes of a submission of this team."""
        with self.database.read() as rows:
            found = submissions.find(rows, id, team)
            return found.file, submissions.content(rows, id)

    def withdraw(self, team: Team, id: int, reason: str) -> dict[str, Any]:
        submissions.withdraw(self.database, id, team, reason, self.clock())
        return self.submission(team, id)

    def board(
        self, phase_name: str, *, figure: str = "", reveal: bool = False
    ) -> list[dict[str, Any]]:
        """The leaderboard of a phase, ranked by the figure; ``reveal`` shows the final figures before its end."""
        phase = self.competition.phase(phase_name)
        with self.database.read() as rows:
            entered = submissions.of_phase(rows, phase.name)
        found = leaderboard(
            self.competition, phase, entered, self.clock(), figure=figure, reveal=reveal
        )
        return [row.to_dict() for row in found]

    def log(self, after: int = 0) -> list[dict[str, Any]]:
        with self.database.read() as rows:
            found = ledger.entries(rows, after=after, limit=LOG_ENTRIES)
        return [entry.to_dict() for entry in found]

    def _told(self, each: Entered, team: Team) -> dict[str, Any]:
        """A submission as its team sees it: final figures only when the phase is over, or to the organisers."""
        phase = self.competition.phase(each.phase)
        reveal = team.is_organiser or phase.is_over(self.clock())
        part = "final" if reveal else "public"
        shown = (each.scores or {}).get(part) or {}
        return {
            "id": each.id,
            "team": each.team_name,
            "phase": each.phase,
            "file": each.file,
            "description": each.description,
            "sha256": each.sha256,
            "received": each.received,
            "late": each.is_late,
            "state": each.state,
            "withdrawn": each.withdrawn,
            "problem": each.problem,
            "figures": figures_of(each.scores, part, self.competition.figures),
            "scores": shown.get("scores"),
            "warnings": shown.get("warnings", []),
        }
