"""Rating campaigns: settings from ``annotation.toml``, gold questions, sessions that go on where they stopped, exports."""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from marginalia.bench.building import Sheet, assign, is_near, read_answers
from marginalia.bench.host.database import Database, Rows
from marginalia.bench.host.errors import RefusedError
from marginalia.bench.host.site import utc_now
from marginalia.bench.host.teams import check_name, fold, hashed
from marginalia.core.building import Builder, Built
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import parse_json, read_lines, read_toml
from marginalia.core.rating import Question
from marginalia.core.registry import BUILDERS
from marginalia.core.table import format_table

FILE = "annotation.toml"
SQLITE_FILE = "annotation.sqlite"
TABLES = (
    "CREATE TABLE IF NOT EXISTS raters (sheet INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE, "
    "token TEXT NOT NULL UNIQUE, began TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS answers (sheet INTEGER NOT NULL REFERENCES raters (sheet), question TEXT NOT NULL, "
    "answer TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (sheet, question))",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """What is rated, by how many, and what a rater must know. The defaults are those of STS 2013."""

    title: str
    task: str
    items: str
    """A file or folder of items, from the folder of the settings."""
    gold: str = ""
    """Gold questions: a table of id and rating, or JSON lines with id and answer; their items are among ``items``."""
    ratings: int = 5
    per_rater: int = 20
    gold_every: int = 5
    qualify: int = 4
    """Gold questions after which a rater is judged."""
    min_accuracy: float = 0.667
    tolerance: float = 1.0
    """How far from a known rating an answer may be."""
    min_overlap: float = 0.5
    """How much of the known spans or choices an answer must have (F1)."""
    return_after: float = 24.0
    """Hours without an answer after which an unfinished sheet is given to someone else."""
    seed: int = 0
    folder: Path = Path()

    @property
    def builder(self) -> Builder:
        return BUILDERS.get(self.task)

    @property
    def items_path(self) -> Path:
        return self.folder / self.items

    def questions(self) -> dict[str, Question]:
        """All questions by id, those with known answers among them."""
        ask = self.builder.questions
        if ask is None:
            raise MissingError(f"The task {self.task} has no questions for raters.")
        if not self.items_path.exists():
            raise MissingError(f"{self.items_path}: there is no such file or folder")
        found: dict[str, Question] = {}
        for question in ask(self.items_path):
            if question.id in found:
                raise FormatError(f"the id {question.id!r} is given twice", path=self.items_path)
            found[question.id] = question
        if not found:
            raise FormatError("there is nothing to rate in it", path=self.items_path)
        return found

    def answers(self) -> dict[str, Any]:
        """The known answers of the gold questions."""
        return read_known(self.folder / self.gold) if self.gold else {}


def read_campaign(folder: str | Path) -> Campaign:
    path = Path(folder) / FILE
    table: dict[str, Any] = read_toml(path)
    kinds = {each.name: each.type for each in fields(Campaign) if each.name != "folder"}
    for key, value in table.items():
        if key not in kinds:
            raise FormatError(
                f"the setting {key!r} is not known; known: {', '.join(kinds)}", path=path
            )
        wanted: tuple[type, ...] = {"str": (str,), "int": (int,), "float": (int, float)}[
            str(kinds[key])
        ]
        if isinstance(value, bool) or not isinstance(value, wanted):
            raise FormatError(f"{key} = {value!r:.40} is no {kinds[key]}", path=path)
    for key in ("title", "task", "items"):
        if key not in table:
            raise FormatError(f"the setting {key!r} is missing", path=path)
    return Campaign(folder=Path(folder), **table)


def read_known(path: Path) -> dict[str, Any]:
    """Answers by id: a table of id and rating for scales, JSON lines with ``id`` and ``answer`` for any question."""
    if path.suffix.lower() != ".jsonl":
        return dict(read_answers(path))
    answers: dict[str, Any] = {}
    for line, id, answer in _rows(path):
        if id in answers:
            raise FormatError(f"the id {id!r:.40} is given twice", path=path, line=line)
        answers[id] = answer
    return answers


def _rows(path: Path) -> Iterator[tuple[int, str, Any]]:
    for line, text in read_lines(path):
        if not text.strip():
            continue
        row = parse_json(text, path, line)
        if not isinstance(row, dict) or not isinstance(row.get("id"), str) or "answer" not in row:
            raise FormatError('{"id": …, "answer": …} was expected', path=path, line=line)
        yield line, row["id"], row["answer"]


def overlap(answer: list[Any], known: list[Any]) -> float:
    """F1 of the choices or spans given: 1 for the same ones, 0 for none in common."""
    if not answer and not known:
        return 1.0
    left = list(known)
    for each in answer:
        same = next((other for other in left if _is_same(each, other)), None)
        if same is not None:
            left.remove(same)
    return 2 * (len(known) - len(left)) / (len(answer) + len(known))


def _is_same(one: Any, other: Any) -> bool:
    """Two choices that are equal, or two spans of one type that share at least half of what either covers."""
    if not isinstance(one, dict):
        return bool(one == other)
    shared = min(one["end"], other["end"]) - max(one["start"], other["start"])
    covered = max(one["end"], other["end"]) - min(one["start"], other["start"])
    return bool(one["type"] == other["type"] and 2 * shared >= covered)


def export(desk: Desk, *, with_gold: bool = False) -> Built:
    """What was answered. Answers to gold questions are left out unless asked for, as ``bench build ratings`` does."""
    answers = desk.given_answers(with_stopped=with_gold)
    if not with_gold:
        answers = {
            rater: {id: each for id, each in given.items() if id not in desk.gold}
            for rater, given in answers.items()
        }
    builder = desk.campaign.builder
    if builder.export_answers is not None:
        return builder.export_answers(desk.campaign.items_path, answers)
    rows: list[tuple[object, ...]] = [("id", "rater", "rating")]
    for rater, given in answers.items():
        rows += [(id, rater, "N/A" if v is None else f"{v:g}") for id, v in given.items()]
    figures = {
        "raters": len(answers),
        "ratings": len(rows) - 1,
        "sheets": len(desk.sheets),
        "stopped": len(desk.given_answers(with_stopped=True)) - len(desk.given_answers()),
    }
    return Built({"ratings.tsv": format_table(rows)}, figures)


@dataclass(frozen=True, slots=True)
class Session:
    sheet: int
    name: str


class Desk:
    """A campaign that runs: who has which sheet, and what was answered."""

    def __init__(self, folder: str | Path, *, clock: Callable[[], datetime] = utc_now) -> None:
        self.campaign = read_campaign(folder)
        self.clock = clock
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
            rows.run(
                "INSERT INTO raters (sheet, name, folded, token, began) VALUES (?, ?, ?, ?, ?)",
                (self._free(rows), name, fold(name), hashed(token), self.clock().isoformat()),
            )
        return token

    def _free(self, rows: Rows) -> int:
        """The number of a sheet that nobody has, else of one whose rater was stopped or left.

        A sheet that is given out again has its number plus that of all sheets, so that the answers of both are kept.
        """
        held: dict[int, bool] = {}
        given_out = rows.all("SELECT sheet, name, began FROM raters ORDER BY sheet")
        for number, name, began in given_out:
            own = int(number) % len(self.sheets)
            rater = Session(int(number), str(name))
            held[own] = held.get(own, False) or self._is_held(rows, rater, str(began))
        for own in range(len(self.sheets)):
            if own not in held:
                return own
        times = Counter(int(number) % len(self.sheets) for number, *_ in given_out)
        for own in sorted(held, key=lambda own: (times[own], own)):
            if not held[own]:
                return own + times[own] * len(self.sheets)
        finished = all(self._is_finished(rows, own) for own in held)
        raise RefusedError(
            "every item has its raters: thank you, nothing is left"
            if finished
            else "every sheet is being rated: one that is left unfinished can be had later",
            409,
        )

    def _is_held(self, rows: Rows, rater: Session, began: str) -> bool:
        """Whether a rater has finished the sheet or is still at it."""
        given = _given(rows, rater)
        sheet = self.sheet(rater)
        if self.is_stopped(sheet, given):
            return False
        last = rows.value("SELECT max(at) FROM answers WHERE sheet = ?", (rater.sheet,)) or began
        idle = self.clock() - datetime.fromisoformat(str(last))
        return len(given) == len(sheet.ids) or idle < timedelta(hours=self.campaign.return_after)

    def _is_finished(self, rows: Rows, own: int) -> bool:
        numbers = [int(number) for (number,) in rows.all("SELECT sheet FROM raters")]
        return any(
            len(_given(rows, Session(number, ""))) == len(self.sheets[own].ids)
            for number in numbers
            if number % len(self.sheets) == own
        )

    def sheet(self, rater: Session) -> Sheet:
        return self.sheets[rater.sheet % len(self.sheets)]

    def session(self, token: str) -> dict[str, Any]:
        """What the page shows: how far the rater is, and the question that comes next."""
        with self.database.read() as rows:
            rater = self._rater(rows, token)
            given = _given(rows, rater)
        sheet = self.sheet(rater)
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
        if id not in self.sheet(rater).ids:
            raise RefusedError("this question is not on your sheet", 404)
        return {**self.questions[id].to_dict(), "answer": given.get(id), "answered": id in given}

    def answer(self, token: str, id: str, answer: Any) -> dict[str, Any]:
        """Keep an answer, or put another in its place; the session after it.

        That of a gold question can be changed like any other: a refusal would tell which they are.
        """
        with self.database.write() as rows:
            rater = self._rater(rows, token)
            sheet = self.sheet(rater)
            if id not in sheet.ids:
                raise RefusedError("this question is not on your sheet", 404)
            given = _given(rows, rater)
            if self.is_stopped(sheet, given):
                raise RefusedError("this session has ended")
            checked = json.dumps(self.questions[id].check(answer))
            rows.run("DELETE FROM answers WHERE sheet = ? AND question = ?", (rater.sheet, id))
            rows.run(
                "INSERT INTO answers (sheet, question, answer, at) VALUES (?, ?, ?, ?)",
                (rater.sheet, id, checked, self.clock().isoformat()),
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
            if given and (with_stopped or not self.is_stopped(self.sheet(rater), given))
        }


def _given(rows: Rows, rater: Session) -> dict[str, Any]:
    found = rows.all(
        "SELECT question, answer FROM answers WHERE sheet = ? ORDER BY at", (rater.sheet,)
    )
    return {question: json.loads(answer) for question, answer in found}
