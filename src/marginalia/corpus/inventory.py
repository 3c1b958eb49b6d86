"""What the commits say: which documents there are, with which content, and which rows no longer count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from sys import intern
from typing import Any


@dataclass(slots=True)
class Known:
    """The last that was committed of a document."""

    source: str
    stamp: str
    sha256: str
    key: str
    attempt: int
    error: str = ""
    """The kind of error, where it failed."""
    gone: bool = False

    @property
    def failed(self) -> bool:
        return bool(self.error)


@dataclass(slots=True)
class Inventory:
    documents: dict[str, Known] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    """Keys of rows that a later content of the same document has replaced."""

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
            error=intern(row["kind"]) if row["status"] == "error" else "",
        )

    def here(self) -> list[Known]:
        """The documents that are in their sources, read or not."""
        return [known for known in self.documents.values() if not known.gone]

    def notes(self, commits: Iterable[dict[str, Any]]) -> Counter[str]:
        """Notes of each kind on the documents as they are now: from the records, since a million documents would fill the memory."""
        found: Counter[str] = Counter()
        for record in commits:
            for row in record["documents"]:
                known = self.documents[row["name"]]
                if known.key == row["key"] and not known.gone:
                    found.update(row.get("notes", {}))
        return found

    def hidden(self) -> set[str]:
        """The keys of rows that are no part of the corpus as it is now."""
        return self.replaced | {known.key for known in self.documents.values() if known.gone}
