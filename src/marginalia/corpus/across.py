"""What documents have in common: passages that repeat, and numbers that contradict each other.

Each passage is looked up once in the index, when its part is new; the pairs are kept. Repeats and contradictions are made of all pairs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from marginalia.corpus.database import Database, connect
from marginalia.corpus.index import PART_BITS, PassageIndex
from marginalia.corpus.store import Store
from marginalia.corpus.tables import arrow

FOLDER = "across"
NEAREST = 8
"""Neighbours of a passage that are looked at."""
MIN_COSINE = 0.85
"""From this cosine on two passages may speak of the same thing."""
MIN_REPEAT = 0.96
"""From this cosine on they say the same in almost the same words."""
TOLERANCE = 0.01
"""Values closer than this share of the larger one may differ by rounding only."""
GENERIC = frozenset(
    "animal case cell child control device experiment group it material mixture participant patient person "
    "probe respondent sample solution specimen study subject system test they trial unit we woman man".split()
)
"""Entities that are others in each paper: what is said of them cannot contradict."""

_PAIRS = (("a", "int64"), ("b", "int64"), ("cosine", "float32"))
_REPEATS = {
    "cluster": "int64",
    "documents": "int64",
    "document": "string",
    "start": "int64",
    "end": "int64",
    "page": "int32",
    "text": "string",
}
_SIDE = {
    "document": "string",
    "start": "int64",
    "quantity": "string",
    "sentence": "string",
    "low": "float64",
    "high": "float64",
}
_CONTRADICTIONS = {
    "property": "string",
    "unit": "string",
    "ratio": "float64",
    "cosine": "float64",
    **{f"{name}_{side}": kind for side in "ab" for name, kind in _SIDE.items()},
}


def compare(store: Store) -> None:
    """Bring the index, the pairs, and the tables ``repeats`` and ``contradictions`` up to date."""
    folder = store.folder / FOLDER
    (folder / "pairs").mkdir(parents=True, exist_ok=True)
    with connect(store) as database:
        names = database.rows(
            "SELECT DISTINCT encoder FROM passages WHERE encoder IS NOT NULL ORDER BY 1"
        )
        for row in names:
            index = PassageIndex(store, row["encoder"])
            index.update()
            _look_up(store, index, folder / "pairs")
        pairs = sorted((folder / "pairs").glob("*.parquet"))
        _passage_ids(database, store)
        listed = ", ".join(f"'{path}'" for path in pairs)
        source = (
            f"read_parquet([{listed}])" if pairs else "(SELECT 0 a, 0 b, 0.0 cosine WHERE false)"
        )
        database.query(
            f"CREATE TABLE pairs AS SELECT least(a, b) a, greatest(a, b) b, max(cosine) cosine FROM {source} GROUP BY ALL"
        )
        _write(folder / "repeats.parquet", _REPEATS, _repeats(database))
        _write(folder / "contradictions.parquet", _CONTRADICTIONS, _contradictions(database))


def _look_up(store: Store, index: PassageIndex, folder: Path) -> None:
    """The neighbours of the passages of each part that was not looked up yet."""
    import numpy as np

    for number, path in ((int(path.stem), path) for path in store.files("passages")):
        made = folder / f"{path.stem}-{index.encoder}.parquet"
        if made.exists():
            continue
        found: list[tuple[int, int, float]] = []
        for ids, vectors in index.vectors([number]):
            near, cosines = index.neighbours(vectors, NEAREST)
            keep = (cosines >= MIN_COSINE) & (near >= 0) & (near != ids[:, None])
            rows, columns = np.nonzero(keep)
            triples = zip(ids[rows], near[rows, columns], cosines[rows, columns], strict=True)
            found += [(int(a), int(b), float(c)) for a, b, c in triples]
        _write(made, dict(_PAIRS), ({"a": a, "b": b, "cosine": c} for a, b, c in found))


def _passage_ids(database: Database, store: Store) -> None:
    """A view of the passages with the ids they have in the index."""
    listed = ", ".join(f"'{path}'" for path in store.files("passages"))
    if not listed:
        database.query("CREATE VIEW numbered AS SELECT 0 AS id, * EXCLUDE (vector) FROM passages")
        return
    database.query(
        f"""CREATE VIEW numbered AS SELECT
        (regexp_extract(filename, '(\\d+)\\.parquet$', 1)::BIGINT << {PART_BITS}) + file_row_number AS id,
        * EXCLUDE (vector, filename, file_row_number)
        FROM read_parquet([{listed}], filename = true, file_row_number = true)
        WHERE key NOT IN (SELECT key FROM hidden_keys)"""
    )


def _repeats(database: Database) -> list[dict[str, Any]]:
    """Passages of several documents that say the same, those of most documents first."""
    pairs = database.query(
        """SELECT p.a, p.b FROM pairs p JOIN numbered x ON x.id = p.a JOIN numbered y ON y.id = p.b
        WHERE cosine >= ? AND x.document <> y.document""",
        [MIN_REPEAT],
    ).fetchall()
    root: dict[int, int] = {}

    def find(one: int) -> int:
        while root.setdefault(one, one) != one:
            root[one] = one = root[root[one]]
        return one

    for a, b in pairs:
        root[find(b)] = find(a)
    members = [{"id": one, "root": find(one)} for one in list(root)]
    if not members:
        return []
    database.connection.register("members", arrow().Table.from_pylist(members))
    return database.rows(
        """WITH found AS (SELECT m.root, n.* FROM members m JOIN numbered n USING (id)),
        sizes AS (SELECT root, count(DISTINCT document) AS documents FROM found GROUP BY root)
        SELECT dense_rank() OVER (ORDER BY documents DESC, root) AS cluster, documents, document, start, "end", page, text
        FROM found JOIN sizes USING (root) WHERE documents > 1 ORDER BY cluster, document, start"""
    )


def _contradictions(database: Database) -> list[dict[str, Any]]:
    """The same property of the same thing with values that exclude each other, the largest difference first."""
    if "measurements" not in database.tables:
        return []
    found = database.rows(
        """WITH said AS (
            SELECT n.id, m.document, m.key, m.start, m.quantity, m.sentence, m.si, m.qualifiers,
            lower(m.property || coalesce(' of ' || m.entity, '')) AS property,
            coalesce(m.si_low, -1e300) - greatest(coalesce(m.si_uncertainty, 0), abs(coalesce(m.si_low, 0)) * $share) AS low,
            coalesce(m.si_high, 1e300) + greatest(coalesce(m.si_uncertainty, 0), abs(coalesce(m.si_high, 0)) * $share) AS high
            FROM measurements m JOIN numbered n ON n.key = m.key AND m.start >= n.start AND m.start < n."end"
            WHERE m.si IS NOT NULL AND m.property IS NOT NULL AND (m.entity IS NOT NULL OR contains(m.property, ' of ')))
        SELECT a.property, a.si AS unit, p.cosine, a.qualifiers AS qualifiers_a, b.qualifiers AS qualifiers_b,
        a.document AS document_a, a.start AS start_a, a.quantity AS quantity_a, a.sentence AS sentence_a, a.low AS low_a, a.high AS high_a,
        b.document AS document_b, b.start AS start_b, b.quantity AS quantity_b, b.sentence AS sentence_b, b.low AS low_b, b.high AS high_b
        FROM pairs p JOIN said a ON a.id = p.a JOIN said b ON b.id = p.b
        WHERE a.document <> b.document AND a.si = b.si AND a.property = b.property
        AND (a.high < b.low OR b.high < a.low)""".replace("$share", str(TOLERANCE / 2))
    )
    kept = [{**row, "ratio": _ratio(row)} for row in found if _may_contradict(row)]
    return sorted(
        kept, key=lambda row: (-row["ratio"], row["document_a"], row["start_a"], row["document_b"])
    )


def _may_contradict(row: Mapping[str, Any]) -> bool:
    """Not of things that are others in each paper, nor under other conditions."""
    words = {word.removesuffix("s") for word in row["property"].partition(" of ")[2].split()}
    return not words & GENERIC and _conditions(row["qualifiers_a"]) == _conditions(
        row["qualifiers_b"]
    )


def _conditions(qualifiers: str | None) -> set[str]:
    return {str(one["quote"]).lower() for one in json.loads(qualifiers or "[]")}


def _ratio(row: Mapping[str, Any]) -> float:
    """How many times the larger value is the smaller one."""
    (a, b) = sorted(abs(row[f"low_{side}"] + row[f"high_{side}"]) / 2 for side in "ab")
    return float(min(b / a, 1e6)) if a else 1e6


def _write(path: Path, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    """All or nothing, as everything that others read."""
    from pyarrow import parquet

    pa = arrow()
    listed = list(rows)
    arrays = [pa.array([row.get(name) for row in listed], kind) for name, kind in columns.items()]
    made = path.with_suffix(".new")
    parquet.write_table(pa.table(arrays, names=list(columns)), made)
    made.replace(path)
