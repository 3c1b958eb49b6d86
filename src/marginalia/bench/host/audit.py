"""Whether the log of a competition holds: its chain, and what the tables say beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from marginalia.bench.host import ledger
from marginalia.bench.host.database import Database, Rows
from marginalia.bench.host.submissions import result_hash


@dataclass(frozen=True, slots=True)
class Audit:
    """``head`` is the hash of the last entry; ``faults`` is empty where everything fits."""

    entries: int
    head: str
    faults: tuple[str, ...]


def audit(database: Database, *, kept: str | None = None) -> Audit:
    """Check the chain, the submissions and the results. ``kept`` is a head that somebody wrote down earlier."""
    with database.read() as rows:
        chain = ledger.entries(rows)
        faults = ledger.faults(chain)
        faults += _submission_faults(rows, chain) + _result_faults(rows, chain)
        head = ledger.head(rows)
    if kept is not None and kept not in {ledger.BEGINNING, *(entry.hash for entry in chain)}:
        faults.append(f"no entry has the hash {kept[:64]}: the log was made anew since then")
    return Audit(len(chain), head, tuple(faults))


def _details(chain: Iterable[ledger.Entry], *what: str) -> dict[int, dict[str, object]]:
    found = (json.loads(entry.detail) for entry in chain if entry.what in what)
    return {int(detail["submission"]): detail for detail in found}


def _submission_faults(rows: Rows, chain: list[ledger.Entry]) -> list[str]:
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


def _result_faults(rows: Rows, chain: list[ledger.Entry]) -> list[str]:
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
