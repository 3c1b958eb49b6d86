"""What documents have in common: passages that repeat, and numbers that cannot both be true.

Each passage is looked up once in the index, when its part is new; the pairs are kept. Repeats and contradictions are made of all pairs.

Careful rather than eager: each paper has its own samples, patients and settings, so most numbers that differ do not contradict. Two
measurements in passages that are near each other do where they are of the same property of the same named thing under the same conditions;
two sentences that say the same but for a number speak of two things far more often.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from marginalia.corpus.database import Database, connect, path_list
from marginalia.corpus.index import PART_BITS, PassageIndex
from marginalia.corpus.store import Store
from marginalia.corpus.tables import arrow

TOLERANCE = 0.01
"""Values closer than this share of the larger one may differ by rounding only."""
GENERIC = frozenset(
    "animal case cell child control device experiment group it material mixture participant patient person "
    "probe respondent sample solution specimen study subject system test they trial unit we woman man".split()
)
"""Things that are others in each paper: what is said of them cannot contradict."""
_ARTICLE = re.compile(r"\b(?:the|an?|its|their|der|die|das|des|eine?[rsm]?)\s+")

_SIDE = {
    "document": "string",
    "page": "int32",
    "start": "int64",
    "quantity": "string",
    "sentence": "string",
    "low": "float64",
    "high": "float64",
}
CONTRADICTIONS = {
    "property": "string",
    "unit": "string",
    "ratio": "float64",
    "cosine": "float64",
    **{f"{name}_{side}": kind for side in "ab" for name, kind in _SIDE.items()},
}
"""The columns of the table."""
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


def find_contradictions(database: Database) -> list[dict[str, Any]]:
    """Of the table ``pairs`` of passages and the view ``numbered`` of them: those most alike first."""
    if "measurements" not in database.tables:
        return []
    share = TOLERANCE / 2
    columns = ", ".join(
        f"{side}.{name} AS {name}_{side}"
        for side in "ab"
        for name in (*_SIDE, "property", "entity", "qualifiers", "lang")
    )
    found = database.rows(
        f"""WITH said AS (
            SELECT n.id, m.document, m.page, m.start, m.quantity, m.sentence, m.si, m.property, m.entity, m.qualifiers, d.lang,
            coalesce(m.si_low, -1e300) - greatest(coalesce(m.si_uncertainty, 0), abs(coalesce(m.si_low, 0)) * {share}) AS low,
            coalesce(m.si_high, 1e300) + greatest(coalesce(m.si_uncertainty, 0), abs(coalesce(m.si_high, 0)) * {share}) AS high
            FROM measurements m JOIN numbered n ON n.key = m.key AND m.start >= n.start AND m.start < n."end"
            LEFT JOIN documents d ON d.key = m.key
            WHERE m.si IS NOT NULL AND m.sentence IS NOT NULL)
        SELECT p.cosine, a.si AS unit, {columns}
        FROM pairs p JOIN said a ON a.id = p.a JOIN said b ON b.id = p.b
        WHERE a.document <> b.document AND a.si = b.si AND (a.high < b.low OR b.high < a.low)"""
    )
    found.sort(
        key=lambda row: (-row["cosine"], row["document_a"], row["start_a"], row["document_b"])
    )
    kept: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in found:
        pair = tuple(f"{row[f'document_{side}']} {row[f'sentence_{side}']}" for side in "ab")
        if pair in kept or not _differ(row):
            continue
        if thing := _same_thing(row):
            kept[pair] = {**row, "property": thing, "ratio": _ratio(row)}
    return list(kept.values())


def _differ(row: Mapping[str, Any]) -> bool:
    """Whether each side has a quantity that the other does not say too: where there are several, these are to be compared."""
    return all(
        row[f"quantity_{side}"] not in row[f"sentence_{other}"] for side, other in ("ab", "ba")
    )


def _same_thing(row: Mapping[str, Any]) -> str:
    """The property and what has it, where both sides name the same and the same conditions; else nothing."""
    a, b = (_named(row, side) for side in "ab")
    if not a or a != b or _is_generic(a.partition(" of ")[2]):
        return ""
    return a if _conditions(row["qualifiers_a"]) == _conditions(row["qualifiers_b"]) else ""


def _named(row: Mapping[str, Any], side: str) -> str:
    has, thing = row[f"property_{side}"], row[f"entity_{side}"]
    if not has or not (thing or " of " in has):
        return ""
    return _ARTICLE.sub("", f"{has} of {thing}".lower() if thing else has.lower())


def _is_generic(text: str) -> bool:
    words = re.findall(r"\w+", text.lower())
    return not GENERIC.isdisjoint({*words, *(word.removesuffix("s") for word in words)})


def _conditions(qualifiers: str | None) -> set[str]:
    return {str(one["quote"]).lower() for one in json.loads(qualifiers or "[]")}


def _ratio(row: Mapping[str, Any]) -> float:
    """How many times the larger value is the smaller one."""
    (a, b) = sorted(abs(row[f"low_{side}"] + row[f"high_{side}"]) / 2 for side in "ab")
    return float(min(b / a, 1e6)) if a else 1e6


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
        pairs: list[tuple[int, int, float]] = []
        for ids, vectors in index.vectors([number]):
            near, cosines = index.neighbours(vectors, NEAREST)
            keep = (cosines >= MIN_COSINE) & (near >= 0) & (near != ids[:, None])
            rows, columns = np.nonzero(keep)
            triples = zip(ids[rows], near[rows, columns], cosines[rows, columns], strict=True)
            pairs += [(int(a), int(b), float(c)) for a, b, c in triples]
        _write(made, dict(_PAIRS), ({"a": a, "b": b, "cosine": c} for a, b, c in pairs))


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
