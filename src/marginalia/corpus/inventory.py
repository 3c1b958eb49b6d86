"""What the commits say: which documents there are, with which content, and which rows no longer count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Known:
    """The last that was committed of a document."""

    source: str
    stamp: str
    sha256: str
    key: str
    attempt: int
    failed: bool
    gone: bool = False


@dataclass(slots=True)
class Inventory:
    documents: dict[str, Known] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    """Keys of rows that a later content of the same document has replaced."""
    notes: Counter[str] = field(default_factory=Counter)
    cpu: float = 0.0
    seconds: float = 0.0

    @classmethod
    def of(cls, commits: Iterable[dict[str, Any]]) -> Inventory:
        found = cls()
        for record in commits:
            for row in record["documents"]:
                found.add(row)
            for name in record["gone"]:
                found.documents[name].gone = True
        return found

    def add(self, row: dict[str, Any]) -> None:
        """One document of a commit record."""
        known = self.documents.get(row["name"])
        if row["status"] == "same" and known is not None:
            known.stamp, known.gone = row["stamp"], False
            return
        if known is not None:
            self.replaced.add(known.key)
        self.documents[row["name"]] = Known(
            source=row["source"],
            stamp=row["stamp"],
            sha256=row["sha256"],
            key=row["key"],
            attempt=row["attempt"],
            failed=row["status"] == "error",
        )
        self.notes.update(row.get("notes", {}))
        self.cpu += row.get("cpu", 0.0)
        self.seconds += row.get("seconds", 0.0)

    def hidden(self) -> set[str]:
        """The keys of rows that are no part of the corpus as it is now."""
        return self.replaced | {known.key for known in self.documents.values() if known.gone}
