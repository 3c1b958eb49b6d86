"""Submissions: taken once, scored once, withdrawn but never deleted."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from marginalia.bench.host import ledger
from marginalia.bench.host.database import Database, Rows
from marginalia.bench.host.errors import RefusedError
from marginalia.bench.host.settings import Competition, Phase
from marginalia.bench.host.teams import Team
from marginalia.core.errors import FormatError

FILE_NAME = re.compile(r"\w[\w .+()-]{0,119}")
MAX_DESCRIPTION = 200
MAX_REQUEST = 100
_SELECT = """
SELECT s.id, s.team, t.name, s.phase, s.file, s.description, s.sha256, s.received, s.late, s.withdrawn,
       r.scores, r.problem, r.finished
FROM submissions s JOIN teams t ON t.id = s.team LEFT JOIN results r ON r.submission = s.id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A submission as the database has it; ``scores`` hold all figures, also the private ones."""

    id: int
    team: int
    team_name: str
    phase: str
    file: str
    description: str
    sha256: str
    received: str
    is_late: bool
    withdrawn: str | None
    scores: Mapping[str, Any] | None
    problem: str | None
    finished: str | None

    @property
    def state(self) -> str:
        if self.withdrawn:
            return "withdrawn"
        if self.finished is None:
            return "queued"
        return "failed" if self.problem else "scored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """What a team sends."""

    file: str
    content: bytes
    request: str
    """A key of the sender's: sent again with the same key, it is the same submission."""
    description: str = ""

    def check(self) -> None:
        if not FILE_NAME.fullmatch(self.file):
            raise FormatError(
                "a file's name has up to 120 letters, digits, spaces and . + - _ ( ), and no folder"
            )
        if len(self.description) > MAX_DESCRIPTION or not self.description.isprintable():
            raise FormatError(f"the description is one line of up to {MAX_DESCRIPTION} characters")
        if not 0 < len(self.request) <= MAX_REQUEST or not self.request.isprintable():
            raise FormatError(f"the key of the request has 1 to {MAX_REQUEST} characters")
        if not self.content:
            raise FormatError("the file is empty")


def refuse_if_not_taken(
    rows: Rows, competition: Competition, team: Team, phase: Phase, now: datetime
) -> None:
    """Raise if the team may not hand in anything for this phase now."""
    state = phase.state(now)
    if state == "waiting":
        raise RefusedError(f"the phase {phase.name} opens at {phase.opens.isoformat()}")
    if state == "closed":
        at = phase.closes.isoformat() if phase.closes else ""
        raise RefusedError(f"the phase {phase.name} closed at {at}")
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    count = "SELECT count(*) FROM submissions WHERE team = ? AND phase = ?"
    today = int(rows.value(f"{count} AND received >= ?", (team.id, phase.name, day.isoformat())))
    limits = competition.limits
    if today >= limits.per_day:
        again = (day + timedelta(days=1)).isoformat()
        raise RefusedError(
            f"{today} submissions today, the limit of a team; the next is taken from {again} on",
            429,
        )
    if int(rows.value(count, (team.id, phase.name))) >= limits.per_phase:
        raise RefusedError(
            f"{limits.per_phase} submissions in this phase, the limit of a team", 429
        )


def find_request(rows: Rows, team: Team, request: str) -> int | None:
    """The submission that this request has made already."""
    found = rows.value(
        "SELECT id FROM submissions WHERE team = ? AND request = ?", (team.id, request)
    )
    return None if found is None else int(found)


def enter(
    database: Database,
    competition: Competition,
    team: Team,
    phase: Phase,
    upload: Upload,
    now: datetime,
) -> int:
    """Take a submission that was checked. From here on it is never lost; its number."""
    digest = hashlib.sha256(upload.content).hexdigest()
    with database.write() as rows:
        known = find_request(rows, team, upload.request)
        if known is not None:
            return known
        refuse_if_not_taken(rows, competition, team, phase, now)
        is_late = phase.state(now) == "late"
        id = int(rows.value("SELECT coalesce(max(id), 0) + 1 FROM submissions"))
        rows.run(
            "INSERT INTO submissions (id, team, phase, request, file, description, sha256, content, "
            "received, late, leased_until, attempts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)",
            (
                id,
                team.id,
                phase.name,
                upload.request,
                upload.file,
                upload.description,
                digest,
                upload.content,
                now.isoformat(),
                int(is_late),
            ),
        )
        detail = {"submission": id, "phase": phase.name, "sha256": digest, "late": is_late}
        ledger.append(rows, now.isoformat(), team.name, "submission received", detail)
    return id


def finish(
    database: Database,
    id: int,
    now: datetime,
    *,
    scores: Mapping[str, Any] | None = None,
    problem: str | None = None,
    seconds: float = 0.0,
) -> bool:
    """Keep the result of a submission; False if it has one already, which stays."""
    text = None if scores is None else json.dumps(scores, ensure_ascii=False, sort_keys=True)
    with database.write() as rows:
        kept = rows.run(
            "INSERT INTO results (submission, scores, problem, finished, seconds) "
            "VALUES (?, ?, ?, ?, ?) ON CONFLICT (submission) DO NOTHING",
            (id, text, problem, now.isoformat(), seconds),
        )
        if kept != 1:
            return False
        # The ledger is public: it binds the figures without telling those that are still private.
        detail = {"submission": id, "result": ledger.result_hash(text, problem)}
        what = "submission scored" if problem is None else "submission failed"
        ledger.append(rows, now.isoformat(), "server", what, detail)
    return True


def withdraw(database: Database, id: int, team: Team, reason: str, now: datetime) -> None:
    """Mark a submission as withdrawn: it stays on the board, without a place."""
    reason = " ".join(reason.split())
    if len(reason) > MAX_DESCRIPTION or not reason.isprintable():
        raise FormatError(f"the reason is one line of up to {MAX_DESCRIPTION} characters")
    with database.write() as rows:
        find(rows, id, team)
        changed = rows.run(
            "UPDATE submissions SET withdrawn = ? WHERE id = ? AND withdrawn IS NULL",
            (reason or "withdrawn", id),
        )
        if not changed:
            raise RefusedError(f"submission {id} is withdrawn already", 409)
        detail = {"submission": id, "reason": reason}
        ledger.append(rows, now.isoformat(), team.name, "submission withdrawn", detail)


def find(rows: Rows, id: int, team: Team) -> Entered:
    """A submission that this team may see. That of another team is as one that is not there."""
    found = listed(rows, "WHERE s.id = ?", (id,))
    if not found or (found[0].team != team.id and not team.is_organiser):
        raise RefusedError(f"your team has no submission {id}", 404)
    return found[0]


def content(rows: Rows, id: int) -> bytes:
    return bytes(rows.value("SELECT content FROM submissions WHERE id = ?", (id,)))


def of_team(rows: Rows, team: Team) -> list[Entered]:
    """What a team has handed in, the newest first; an organiser sees all."""
    if team.is_organiser:
        return listed(rows, "ORDER BY s.id DESC")
    return listed(rows, "WHERE s.team = ? ORDER BY s.id DESC", (team.id,))


def of_phase(rows: Rows, phase: str) -> list[Entered]:
    return listed(rows, "WHERE s.phase = ? ORDER BY s.id", (phase,))


def listed(rows: Rows, where: str, values: Sequence[Any] = ()) -> list[Entered]:
    """``where`` is a clause of ours; what comes from outside is in ``values``."""
    return [
        Entered(
            id=int(id),
            team=int(team),
            team_name=name,
            phase=phase,
            file=file,
            description=description,
            sha256=sha256,
            received=received,
            is_late=bool(late),
            withdrawn=withdrawn,
            scores=None if scores is None else json.loads(scores),
            problem=problem,
            finished=finished,
        )
        for (
            id, team, name, phase, file, description, sha256, received, late, withdrawn,
            scores, problem, finished,
        ) in rows.all(_SELECT + where, values)
    ]  # fmt: skip
