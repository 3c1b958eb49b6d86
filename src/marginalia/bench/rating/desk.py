"""Where raters work: each has a sheet of questions, answers are kept at once, and a session goes on where it stopped."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.bench.build.assignment import Sheet, assign
from marginalia.bench.build.quality import is_near
from marginalia.bench.host.database import Database, Rows
from marginalia.bench.host.errors import RefusedError
from marginalia.bench.host.site import utc_now
from marginalia.bench.host.teams import check_name, fold, hashed
from marginalia.bench.rating.gold import overlap
from marginalia.bench.rating.settings import read_campaign
from marginalia.core.errors import FormatError
from marginalia.core.rating import Question

SQLITE_FILE = "annotation.sqlite"
TABLES = (
    "CREATE TABLE IF NOT EXISTS raters (sheet INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, "
    "token TEXT NOT NULL UNIQUE, began TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS answers (sheet INTEGER NOT NULL REFERENCES raters (sheet), question TEXT NOT NULL, "
    "answer TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (sheet, question))",
)


@dataclass(frozen=True, slots=True)
class Session:
    sheet: int
    name: str


class Desk:
    """A campaign that runs: who has which sheet, and what was answered."""

    def __init__(self, folder: str | Path) -> None:
        self.campaign = read_campaign(folder)
        self.questions: Mapping[str, Question] = self.campaign.questions()
        self.gold = self._known_answers()
        self.sheets: list[Sheet] = assign(
            [id for id in self.questions if id not in self.gold],
            list(self.gold),
            ratings=self.campaign.ratings,
            per_rater=self.campaign.per_rater,
            gold_every=self.campaign.gold_every,
            seed=self.campaign.seed,
        )
        self.database = Database(Path(folder) / SQLITE_FILE)
        with self.database.write() as rows:
            for table in TABLES:
                rows.run(table)

    def _known_answers(self) -> dict[str, Any]:
        known = self.campaign.answers()
        for id, answer in known.items():
            if id not in self.questions:
                raise FormatError(f"the gold question {id!r} is not among the items")
            try:
                known[id] = self.questions[id].check(answer)
            except FormatError as error:
                raise FormatError(f"the answer of the gold question {id!r}: {error}") from error
        return known

    def stop(self) -> None:
        """Nothing is under way between two requests: every answer was kept when it came."""

    def begin(self, name: str) -> str:
        """A sheet for a new rater; the token with which the session goes on."""
        name = check_name(name)
        token = secrets.token_urlsafe(24)
        with self.database.write() as rows:
            if rows.one("SELECT 1 FROM raters WHERE folded = ?", (fold(name),)):
                raise RefusedError(
                    f"{name!r} has begun already: go on with the link that was shown then", 409
                )
            taken = int(rows.value("SELECT count(*) FROM raters"))
            if taken >= len(self.sheets):
                raise RefusedError("every item has its raters: thank you, nothing is left", 409)
            rows.run(
                "INSERT INTO raters (sheet, name, folded, token, began) VALUES (?, ?, ?, ?, ?)",
                (taken, name, fold(name), hashed(token), utc_now().isoformat()),
            )
        return token

    def session(self, token: str) -> dict[str, Any]:
        """What the page shows: how far the rater is, and the question that comes next."""
        with self.database.read() as rows:
            rater = self._rater(rows, token)
            given = _given(rows, rater)
        sheet = self.sheets[rater.sheet]
        left = [id for id in sheet.ids if id not in given]
        stopped = self.is_stopped(sheet, given)
        following = None if stopped or not left else self.questions[left[0]].to_dict()
        return {
            "title": self.campaign.title,
            "name": rater.name,
            "done": len(given),
            "of": len(sheet.ids),
            "state": "stopped" if stopped else "done" if not left else "open",
            "question": following,
            "last": next((id for id in reversed(sheet.ids) if id in given), None),
        }

    def question(self, token: str, id: str) -> dict[str, Any]:
        """A question of the rater's sheet with the answer given to it, to be looked at again."""
        with self.database.read() as rows:
            rater = self._rater(rows, token)
            given = _given(rows, rater)
        if id not in self.sheets[rater.sheet].ids:
            raise RefusedError("this question is not on your sheet", 404)
        return {**self.questions[id].to_dict(), "answer": given.get(id), "answered": id in given}

    def answer(self, token: str, id: str, answer: Any) -> dict[str, Any]:
        """Keep an answer, or put another in its place; the session after it.

        That of a gold question can be changed like any other: a refusal would tell which they are.
        """
        with self.database.write() as rows:
            rater = self._rater(rows, token)
            sheet = self.sheets[rater.sheet]
            if id not in sheet.ids:
                raise RefusedError("this question is not on your sheet", 404)
            given = _given(rows, rater)
            if self.is_stopped(sheet, given):
                raise RefusedError("this session has ended")
            checked = json.dumps(self.questions[id].check(answer))
            rows.run("DELETE FROM answers WHERE sheet = ? AND question = ?", (rater.sheet, id))
            rows.run(
                "INSERT INTO answers (sheet, question, answer, at) VALUES (?, ?, ?, ?)",
                (rater.sheet, id, checked, utc_now().isoformat()),
            )
        return self.session(token)

    def is_stopped(self, sheet: Sheet, given: Mapping[str, Any]) -> bool:
        """Whether too many gold questions were answered wrongly (STS 2013, section 3.2)."""
        asked = [id for id in sheet.gold if id in given]
        if len(asked) < min(self.campaign.qualify, len(sheet.gold)) or not asked:
            return False
        right = sum(self._is_right(id, given[id]) for id in asked)
        return right / len(asked) < self.campaign.min_accuracy

    def _is_right(self, id: str, answer: Any) -> bool:
        if self.questions[id].kind == "scale":
            return is_near(answer, self.gold[id], self.campaign.tolerance)
        return overlap(answer, self.gold[id]) >= self.campaign.min_overlap

    def _rater(self, rows: Rows, token: str) -> Session:
        row = rows.one("SELECT sheet, name FROM raters WHERE token = ?", (hashed(token),))
        if row is None:
            raise RefusedError("this link belongs to no session", 401)
        return Session(int(row[0]), str(row[1]))

    def given_answers(self, *, with_stopped: bool = False) -> dict[str, dict[str, Any]]:
        """Answers by rater and question; by default without raters who were stopped."""
        with self.database.read() as rows:
            raters = [
                Session(int(n), str(name)) for n, name in rows.all("SELECT sheet, name FROM raters")
            ]
            found = {rater: _given(rows, rater) for rater in sorted(raters, key=lambda r: r.sheet)}
        return {
            rater.name: given
            for rater, given in found.items()
            if given and (with_stopped or not self.is_stopped(self.sheets[rater.sheet], given))
        }


def _given(rows: Rows, rater: Session) -> dict[str, Any]:
    found = rows.all(
        "SELECT question, answer FROM answers WHERE sheet = ? ORDER BY at", (rater.sheet,)
    )
    return {question: json.loads(answer) for question, answer in found}
