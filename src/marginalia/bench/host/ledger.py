"""The audit log: each entry holds the hash of the one before, so none can be changed, added or taken out unseen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.bench.host.database import Rows

BEGINNING = "0" * 64
_COLUMNS = "number, at, who, what, detail, previous, hash"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. ``detail`` is JSON text."""

    number: int
    at: str
    who: str
    what: str
    detail: str
    previous: str
    hash: str

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "detail": json.loads(self.detail)}


def append(rows: Rows, at: str, who: str, what: str, detail: Mapping[str, Any]) -> str:
    """Add an entry in a transaction that writes; its hash."""
    last = rows.one("SELECT number, hash FROM ledger ORDER BY number DESC LIMIT 1")
    number, previous = (1, BEGINNING) if last is None else (int(last[0]) + 1, str(last[1]))
    text = json.dumps(dict(detail), ensure_ascii=False, sort_keys=True)
    hash = _hash(number, at, who, what, text, previous)
    rows.run(
        f"INSERT INTO ledger ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        (number, at, who, what, text, previous, hash),
    )
    return hash


def entries(rows: Rows, *, after: int = 0, limit: int | None = None) -> list[Entry]:
    cut = "" if limit is None else f" LIMIT {limit:d}"
    found = rows.all(
        f"SELECT {_COLUMNS} FROM ledger WHERE number > ? ORDER BY number{cut}",  # noqa: S608
        (after,),
    )
    return [Entry(int(number), *map(str, rest)) for number, *rest in found]


def head(rows: Rows) -> str:
    """The hash of the last entry: who keeps it can show later what came before."""
    return str(rows.value("SELECT hash FROM ledger ORDER BY number DESC LIMIT 1") or BEGINNING)


def faults(chain: Iterable[Entry]) -> list[str]:
    """What does not fit in the chain, one sentence each; empty for a sound one."""
    found: list[str] = []
    previous, wanted = BEGINNING, 1
    for entry in chain:
        if entry.number != wanted:
            found.append(f"entry {wanted} is missing")
        if entry.previous != previous:
            found.append(f"entry {entry.number} does not follow the one before it")
        if entry.hash != _hash(
            entry.number, entry.at, entry.who, entry.what, entry.detail, entry.previous
        ):
            found.append(f"entry {entry.number} was changed")
        previous, wanted = entry.hash, entry.number + 1
    return found


def _hash(number: int, at: str, who: str, what: str, detail: str, previous: str) -> str:
    whole = json.dumps([number, at, who, what, detail, previous], ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
