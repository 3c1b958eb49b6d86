"""What was decided about the notes of a document: a log that only grows, and what holds by it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from marginalia.core.decisions import Decision
from marginalia.core.errors import FormatError
from marginalia.web.store.database import Database, now

CLEARED = "cleared"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """One line of the log."""

    seq: int
    batch: str
    target: str
    action: str
    data: dict[str, Any]
    who: str
    at: str


class DecisionLog:
    def __init__(self, db: Database) -> None:
        self.db = db

    def add(
        self, document: str, decisions: Iterable[Decision], *, who: str, words: Iterable[str] = ()
    ) -> str:
        """Decisions of one gesture, and words that are known from now on; returns the name of the batch."""
        rows = [(one.id, one.verdict, json.dumps(one.to_dict())) for one in decisions]
        return self._append(document, rows, who, words)

    def clear(self, document: str, targets: Iterable[str], *, who: str) -> str:
        """Leave these undecided again."""
        return self._append(document, [(target, CLEARED, "{}") for target in targets], who, ())

    def undo(self, document: str, *, who: str, redo: bool = False) -> str | None:
        """Take back the last gesture of this person that holds, or bring back the last one undone."""
        mine = [one for one in self.entries(document) if one.who == who]
        undone = _undone(mine)
        gestures = list(
            dict.fromkeys(one.batch for one in mine if one.action not in ("undo", "redo"))
        )
        if redo:
            after = [one for one in reversed(mine) if one.action in ("undo", "redo")]
            # What was undone last comes back first.
            choices = [one.target for one in after if one.action == "undo" and one.target in undone]
        else:
            choices = [batch for batch in reversed(gestures) if batch not in undone]
        if not choices:
            return None
        batch = choices[0]
        with self.db.change() as db:
            db.execute(
                "INSERT INTO decisions (document, batch, target, action, data, who, at) VALUES (?, ?, ?, ?, '{}', ?, ?)",
                (document, secrets.token_urlsafe(6), batch, "redo" if redo else "undo", who, now()),
            )
            if redo:
                words = {w for one in mine if one.batch == batch for w in one.data.get("words", [])}
                _add_words(db, who, words, batch)
            else:
                db.execute("DELETE FROM words WHERE who = ? AND batch = ?", (who, batch))
        return batch

    def entries(self, document: str) -> list[LogEntry]:
        """The whole log of a document: the audit."""
        rows = self.db.rows(
            "SELECT seq, batch, target, action, data, who, at FROM decisions WHERE document = ? ORDER BY seq",
            (document,),
        )
        return [LogEntry(**{**dict(row), "data": json.loads(row["data"])}) for row in rows]

    def current(self, document: str) -> list[Decision]:
        """What holds: of each decision what was said last and not undone."""
        entries = self.entries(document)
        undone = _undone(entries)
        latest: dict[str, Decision] = {}
        for one in entries:
            if one.action in ("undo", "redo") or one.batch in undone:
                continue
            if one.action == CLEARED:
                latest.pop(one.target, None)
                continue
            try:
                latest[one.target] = Decision.from_dict(one.data["decision"])
            except (KeyError, FormatError):  # of a library that somebody else wrote
                continue
        return list(latest.values())

    def counts(self) -> dict[str, int]:
        """Document -> how many entries its log has."""
        rows = self.db.rows("SELECT document, count(*) AS n FROM decisions GROUP BY document")
        return {row["document"]: row["n"] for row in rows}

    def decided(self) -> dict[str, int]:
        """Document -> how many of its notes are decided."""
        return {document: len(self.current(document)) for document in self.counts()}

    def _append(
        self, document: str, rows: list[tuple[str, str, str]], who: str, words: Iterable[str]
    ) -> str:
        batch, time, words = secrets.token_urlsafe(6), now(), sorted(set(words))
        with self.db.change() as db:
            db.executemany(
                "INSERT INTO decisions (document, batch, target, action, data, who, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        document,
                        batch,
                        target,
                        action,
                        _data(data, words if not place else []),
                        who,
                        time,
                    )
                    for place, (target, action, data) in enumerate(rows)
                ],
            )
            _add_words(db, who, words, batch)
        return batch


def _data(decision: str, words: list[str]) -> str:
    return json.dumps({"decision": json.loads(decision), **({"words": words} if words else {})})


def _add_words(db: Any, who: str, words: Iterable[str], batch: str) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO words (who, word, batch, added) VALUES (?, ?, ?, ?)",
        [(who, word, batch, now()) for word in words],
    )


def _undone(entries: Iterable[LogEntry]) -> set[str]:
    """The batches that are undone and were not done again."""
    undone: set[str] = set()
    for one in entries:
        if one.action == "undo":
            undone.add(one.target)
        elif one.action == "redo":
            undone.discard(one.target)
    return undone
