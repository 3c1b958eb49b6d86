"""Rows of a corpus, to be compared or made by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from marginalia.corpus.database import connect
from marginalia.corpus.store import Store
from marginalia.corpus.supervisor import Part
from marginalia.corpus.tables import make_table, to_parquet


def all_rows(folder: Path, *, without: Sequence[str] = ("key",)) -> dict[str, Counter[str]]:
    """Every visible row of every table, counted: equal where no row is lost and none is there twice."""
    found = {}
    with connect(Store.open(folder)) as database:
        for table in database.tables:
            rows = database.rows(f"SELECT * FROM {table}")
            found[table] = Counter(
                repr([(name, value) for name, value in row.items() if name not in without])
                for row in rows
            )
    return found


def put(store: Store, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Commit rows as one part; every document that is named has one."""
    names = list(dict.fromkeys(row["document"] for rows in tables.values() for row in rows))
    full = {
        table: [{"key": f"key of {row['document']}", **row} for row in rows]
        for table, rows in tables.items()
    }
    part = Part(
        documents=[
            {
                "name": name,
                "source": "by hand",
                "stamp": "1",
                "attempt": 1,
                "sha256": "0",
                "key": f"key of {name}",
                "status": "done",
                "notes": {},
            }
            for name in names
        ],
        files={table: to_parquet([make_table(table, rows)]) for table, rows in full.items()},
        rows={table: len(rows) for table, rows in full.items()},
    )
    store.commit(part)
