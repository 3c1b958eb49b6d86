"""Teams and their tokens: a token is shown once, and only its hash is kept."""

from __future__ import annotations

import hashlib
import re
import secrets
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from marginalia.bench.host import ledger
from marginalia.bench.host.database import Database, Rows
from marginalia.bench.host.errors import RefusedError
from marginalia.core.errors import FormatError

NAME = re.compile(r"[^\W_][\w .+()-]{0,59}")


@dataclass(frozen=True, slots=True)
class Team:
    id: int
    name: str
    is_organiser: bool


def add_team(
    database: Database,
    name: str,
    now: datetime,
    *,
    is_organiser: bool = False,
    limit: int | None = None,
) -> str:
    """Register a team; its token, which cannot be had again."""
    name = check_name(name)
    token = secrets.token_urlsafe(32)
    with database.write() as rows:
        if rows.one("SELECT id FROM teams WHERE folded = ?", (fold(name),)):
            raise RefusedError(f"there is a team {name!r} already", 409)
        count = int(rows.value("SELECT count(*) FROM teams"))
        if limit is not None and count >= limit:
            raise RefusedError(f"{count:,} teams are registered, the limit", 429)
        rows.run(
            "INSERT INTO teams (id, name, folded, token, organiser, created) VALUES (?, ?, ?, ?, ?, ?)",
            (count + 1, name, fold(name), hashed(token), int(is_organiser), now.isoformat()),
        )
        what = "organiser registered" if is_organiser else "team registered"
        ledger.append(rows, now.isoformat(), name, what, {"team": count + 1})
    return token


def renew_token(database: Database, name: str, now: datetime) -> str:
    """A new token for a team that lost its own, which is no longer taken."""
    token = secrets.token_urlsafe(32)
    with database.write() as rows:
        changed = rows.run(
            "UPDATE teams SET token = ? WHERE folded = ?", (hashed(token), fold(name))
        )
        if not changed:
            raise FormatError(f"there is no team {name[:60]!r}")
        ledger.append(rows, now.isoformat(), name, "token renewed", {})
    return token


def find_team(rows: Rows, token: str) -> Team | None:
    """The team of a token. What is looked up is a hash, so the time it takes tells nothing of the token."""
    row = rows.one("SELECT id, name, organiser FROM teams WHERE token = ?", (hashed(token),))
    return None if row is None else Team(int(row[0]), str(row[1]), bool(row[2]))


def check_name(name: str) -> str:
    """The name as it is kept; what could be markup or look like another name is refused."""
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not NAME.fullmatch(name):
        raise FormatError(
            "a team's name has 1 to 60 letters, digits, spaces and . + - _ ( ), and begins with a letter or digit"
        )
    return name


def fold(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def hashed(token: str) -> str:
    """SHA-256 is enough here: a token has 256 random bits, which nobody guesses."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
