"""How far people have read in documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from marginalia.web.store.database import Database, now


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where somebody reads: an offset into the text, the largest share of it that was seen, and when."""

    place: int
    share: float
    at: str


class Positions:
    def __init__(self, db: Database) -> None:
        self.db = db

    def put(self, who: str, document: str, *, place: int, share: float) -> None:
        """Keep a place; who goes back has still read what was read."""
        with self.db.change() as db:
            db.execute(
                "INSERT INTO positions VALUES (?, ?, ?, ?, ?) ON CONFLICT (who, document) DO UPDATE SET"
                " place = excluded.place, share = max(share, excluded.share), at = excluded.at",
                (who, document, place, share, now()),
            )

    def of(self, who: str) -> dict[str, Position]:
        """Document -> where this person reads."""
        rows = self.db.rows(
            "SELECT document, place, share, at FROM positions WHERE who = ?", (who,)
        )
        return {
            row["document"]: Position(place=row["place"], share=row["share"], at=row["at"])
            for row in rows
        }

    def rows(self, document: str) -> list[dict[str, Any]]:
        """All places in a document, to be taken along."""
        sql = "SELECT who, place, share, at FROM positions WHERE document = ?"
        return [dict(row) for row in self.db.rows(sql, (document,))]

    def take(self, document: str, rows: Any) -> None:
        """Places that were taken along; what is none is left out."""
        kinds: dict[str, type] = {"who": str, "place": int, "share": float, "at": str}
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and all(isinstance(row.get(k), kinds[k]) for k in kinds):
                with self.db.change() as db:
                    db.execute(
                        "INSERT OR IGNORE INTO positions VALUES (?, ?, ?, ?, ?)",
                        (row["who"], document, row["place"], float(row["share"]), row["at"]),
                    )
