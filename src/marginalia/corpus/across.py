"""What documents have in common: passages that repeat, and numbers that contradict each other.

Each passage is looked up once in the index, when its part is new; the pairs are kept. Repeats and contradictions are made of all pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from marginalia.corpus.contradictions import CONTRADICTIONS, find_contradictions
from marginalia.corpus.database import Database, connect, path_list
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


def compare(store: Store) -> None:
    """Bring the index, the pairs, and the tables ``repeats`` and ``contradictions`` up to date."""
    arrow()
    from pyarrow.dataset import dataset

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
        schema = arrow().schema(_PAIRS)
        database.connection.register("found_pairs", dataset(pairs, schema, format="parquet"))
        database.query(
            "CREATE TABLE pairs AS SELECT least(a, b) a, greatest(a, b) b, max(cosine) cosine FROM found_pairs GROUP BY ALL"
        )
        _write(folder / "repeats.parquet", _REPEATS, _repeats(database))
        _write(folder / "contradictions.parquet", CONTRADICTIONS, find_contradictions(database))


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
    files = store.files("passages")
    if not files:
        database.query("CREATE VIEW numbered AS SELECT 0 AS id, * EXCLUDE (vector) FROM passages")
        return
    database.query(
        f"""CREATE VIEW numbered AS SELECT
        (regexp_extract(filename, '(\\d+)\\.parquet$', 1)::BIGINT << {PART_BITS}) + file_row_number AS id,
        * EXCLUDE (vector, filename, file_row_number)
        FROM read_parquet({path_list(files)}, filename = true, file_row_number = true)
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


def _write(path: Path, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
    """All or nothing, as everything that others read."""
    from pyarrow import parquet

    pa = arrow()
    listed = list(rows)
    arrays = [pa.array([row.get(name) for row in listed], kind) for name, kind in columns.items()]
    made = path.with_suffix(".new")
    parquet.write_table(pa.table(arrays, names=list(columns)), made)
    made.replace(path)
