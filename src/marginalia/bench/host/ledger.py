"""The audit log: each entry holds the hash of the one before, so none can be changed, added or taken out unseen; and
whether the tables agree with it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from marginalia.bench.host.database import Database, Rows

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


def chain_faults(chain: Iterable[Entry]) -> list[str]:
    """What does not fit in the chain, one sentence each; empty for a sound one."""
    faults: list[str] = []
    previous, wanted = BEGINNING, 1
    for entry in chain:
        if entry.number != wanted:
            faults.append(f"entry {wanted} is missing")
        if entry.previous != previous:
            faults.append(f"entry {entry.number} does not follow the one before it")
        if entry.hash != _hash(
            entry.number, entry.at, entry.who, entry.what, entry.detail, entry.previous
        ):
            faults.append(f"entry {entry.number} was changed")
        previous, wanted = entry.hash, entry.number + 1
    return faults


def _hash(number: int, at: str, who: str, what: str, detail: str, previous: str) -> str:
    whole = json.dumps([number, at, who, what, detail, previous], ensure_ascii=False)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def result_hash(scores: str | None, problem: str | None) -> str:
    return hashlib.sha256(json.dumps([scores, problem]).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Audit:
    """``head`` is the hash of the last entry; ``faults`` is empty where everything fits."""

    entries: int
    head: str
    faults: tuple[str, ...]


def audit(database: Database, *, kept: str | None = None) -> Audit:
    """Check the chain, the submissions and the results. ``kept`` is a head that was noted earlier."""
    with database.read() as rows:
        chain = entries(rows)
        faults = chain_faults(chain)
        faults += _submission_faults(rows, chain) + _result_faults(rows, chain)
        last = head(rows)
    if kept is not None and kept not in {BEGINNING, *(entry.hash for entry in chain)}:
        faults.append(f"no entry has the hash {kept[:64]}: the log was written again since then")
    return Audit(len(chain), last, tuple(faults))


def _details(chain: Iterable[Entry], *what: str) -> dict[int, dict[str, object]]:
    found = (json.loads(entry.detail) for entry in chain if entry.what in what)
    return {int(detail["submission"]): detail for detail in found}


def _submission_faults(rows: Rows, chain: list[Entry]) -> list[str]:
    logged = _details(chain, "submission received")
    withdrawn = _details(chain, "submission withdrawn")
    faults = []
    there = rows.all("SELECT id, sha256, content, withdrawn FROM submissions ORDER BY id")
    for id, sha256, content, reason in there:
        if id not in logged:
            faults.append(f"submission {id} is not in the log")
        elif logged[id]["sha256"] != sha256 or hashlib.sha256(content).hexdigest() != sha256:
            faults.append(f"the file of submission {id} was changed")
        if (reason is not None) != (id in withdrawn):
            faults.append(f"submission {id} is withdrawn in the log or in the table, not in both")
    missing = sorted(logged.keys() - {int(row[0]) for row in there})
    return faults + [f"submission {id} of the log is not there" for id in missing]


def _result_faults(rows: Rows, chain: list[Entry]) -> list[str]:
    logged = _details(chain, "submission scored", "submission failed")
    faults = []
    there = rows.all("SELECT submission, scores, problem FROM results ORDER BY submission")
    for id, scores, problem in there:
        if id not in logged:
            faults.append(f"the result of submission {id} is not in the log")
        elif logged[id]["result"] != result_hash(scores, problem):
            faults.append(f"the result of submission {id} was changed")
    missing = sorted(logged.keys() - {int(row[0]) for row in there})
    return faults + [f"the result of submission {id} of the log is not there" for id in missing]
