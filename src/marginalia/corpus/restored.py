"""The documents of a corpus with their annotations, one part in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.corpus.inventory import Inventory
from marginalia.corpus.store import Store


def read_documents(store: Store) -> Iterator[Document]:
    """Those that are in the corpus now, as `read` would give them but for the geometry of PDF pages."""
    from pyarrow import parquet

    hidden = Inventory.of(store.commits()).hidden()
    for record in store.commits():
        name = f"{record['part']:06}.parquet"
        if f"documents/{name}" not in record["files"]:
            continue
        notes: dict[str, list[Annotation]] = {}
        if f"annotations/{name}" in record["files"]:
            for row in parquet.ParquetFile(store.folder / "annotations" / name).read().to_pylist():
                notes.setdefault(row["key"], []).append(_annotation(row))
        for row in parquet.ParquetFile(store.folder / "documents" / name).read().to_pylist():
            if row["key"] not in hidden:
                meta = json.loads(row["meta"])
                bare = Document(id=row["document"], text=row["text"], meta=meta)
                yield bare.annotate(notes.get(row["key"], ()))


def _annotation(row: dict[str, Any]) -> Annotation:
    wanted = ("id", "task", "label", "start", "end", "quote", "score", "system")
    own = {name: row[name] for name in wanted}
    attrs, links = json.loads(row["attrs"]), json.loads(row["links"])
    return Annotation.from_dict({**own, "attrs": attrs, "links": links})
