"""Who uses a library: named tokens, settings of their own, the words they know."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.web.store.database import Database, now

May = Literal["read", "write"]
MAX_WORDS = 20_000
MAX_WORD_CHARACTERS = 100
_TOKEN = re.compile(r"[A-Za-z0-9_\-.~]{8,200}")
_NAME = re.compile(r"[\w.\-@ ]{1,60}")


@dataclass(frozen=True, slots=True)
class Person:
    """Whoever sends a request."""

    name: str
    may: May
    all: bool = False
    """Whether documents of others are shown too: to whoever sits at this machine."""

    def sees(self, owner: str, shared: bool) -> bool:
        return self.all or shared or owner == self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """What is kept of a token; the token itself is told once and never kept."""

    name: str
    may: str
    added: str
    revoked: str | None


def check_token(token: str) -> str:
    """The token, if it can travel in an address, a header and a cookie as it is."""
    if not _TOKEN.fullmatch(token):
        raise FormatError("a token has 8 to 200 letters, digits or signs of _-.~ and nothing else")
    return token


def digest(token: str) -> str:
    """Tokens are random and long: one pass of SHA-256 cannot be searched through."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class People:
    def __init__(self, db: Database) -> None:
        self.db = db

    def add_token(self, name: str, may: May) -> str:
        """A new token of this name; what this returns is not kept anywhere."""
        if not _NAME.fullmatch(name) or not name.strip():
            raise FormatError(
                f"{name[:80]!r} is no name: 1 to 60 letters, digits, spaces or signs of .-_@"
            )
        if self.db.row("SELECT 1 FROM tokens WHERE name = ? AND revoked IS NULL", (name,)):
            raise FormatError(f"{name!r} has a token already: revoke that one first")
        token = secrets.token_urlsafe(24)
        with self.db.change() as db:
            db.execute("DELETE FROM tokens WHERE name = ?", (name,))
            db.execute(
                "INSERT INTO tokens (name, sha256, may, added) VALUES (?, ?, ?, ?)",
                (name, digest(token), may, now()),
            )
        return token

    def revoke_token(self, name: str) -> None:
        with self.db.change() as db:
            done = db.execute(
                "UPDATE tokens SET revoked = ? WHERE name = ? AND revoked IS NULL", (now(), name)
            )
            if not done.rowcount:
                raise UnknownNameError(
                    "token", name, [one.name for one in self.tokens() if not one.revoked]
                )

    def tokens(self) -> list[Token]:
        rows = self.db.rows("SELECT name, may, added, revoked FROM tokens ORDER BY name")
        return [Token(**dict(row)) for row in rows]

    def find(self, token: str) -> Person | None:
        """Who has this token."""
        row = self.db.row(
            "SELECT name, may FROM tokens WHERE sha256 = ? AND revoked IS NULL", (digest(token),)
        )
        return Person(row["name"], row["may"]) if row else None

    def settings(self, who: str) -> dict[str, Any]:
        rows = self.db.rows("SELECT name, value FROM settings WHERE who = ?", (who,))
        found = {}
        for row in rows:
            with suppress(ValueError):  # of a library that somebody else wrote
                found[row["name"]] = json.loads(row["value"])
        return found

    def set(self, who: str, name: str, value: Any) -> None:
        with self.db.change() as db:
            if value is None:
                db.execute("DELETE FROM settings WHERE who = ? AND name = ?", (who, name))
            else:
                db.execute(
                    "INSERT OR REPLACE INTO settings VALUES (?, ?, ?)",
                    (who, name, json.dumps(value)),
                )

    def words(self, who: str) -> list[str]:
        """The words that somebody knows, in small letters."""
        return [
            row["word"]
            for row in self.db.rows("SELECT word FROM words WHERE who = ? ORDER BY word", (who,))
        ]

    def add_word(self, who: str, word: str) -> None:
        word = " ".join(word.casefold().split())
        if not word or len(word) > MAX_WORD_CHARACTERS:
            raise FormatError(f"a word has 1 to {MAX_WORD_CHARACTERS} characters")
        if len(self.words(who)) >= MAX_WORDS:
            raise FormatError(f"the list holds {MAX_WORDS:,} words, the limit")
        with self.db.change() as db:
            db.execute(
                "INSERT OR IGNORE INTO words (who, word, added) VALUES (?, ?, ?)",
                (who, word, now()),
            )

    def drop_word(self, who: str, word: str) -> None:
        with self.db.change() as db:
            db.execute("DELETE FROM words WHERE who = ? AND word = ?", (who, word.casefold()))
