"""A corpus for other tools: its documents with their annotations as RDF for a triple store, brat for people who
correct, Parquet for `datasets`."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.core.files import write_files
from marginalia.corpus.database import ACROSS, connect
from marginalia.corpus.store import Inventory, Store
from marginalia.reader.formats.registry import get_format
from marginalia.reader.formats.turtle import dump_triples

FORMATS = ("rdf", "brat", "datasets")
ROWS_PER_FILE = 200_000
"""Rows of one Parquet file of a data set."""
Progress = Callable[[int], None]


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


def export(store: Store, out: Path, format: str, progress: Progress | None = None) -> int:
    """Write the whole corpus and return how many documents it has. What is there already is not written over."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise FormatError("there is something already: name a new place for the output", path=out)
    made = out.with_name(f".{out.name}.new")
    if made.is_dir():
        shutil.rmtree(made)
    made.unlink(missing_ok=True)
    try:
        count = _WRITERS[format](store, made, progress or (lambda _: None))
        if out.is_dir():
            out.rmdir()
        made.replace(out)
    finally:
        if made.is_dir():
            shutil.rmtree(made)
        made.unlink(missing_ok=True)
    return count


def _write_rdf(store: Store, out: Path, progress: Progress) -> int:
    get_format("ttl", "write").require("write")
    count = 0
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        for count, doc in enumerate(read_documents(store), 1):
            file.write(dump_triples(doc))
            progress(count)
    return count


def _write_brat(store: Store, out: Path, progress: Progress) -> int:
    """Folders as in the sources, so that no folder has all the files."""
    brat, count = get_format("brat", "write"), 0
    out.mkdir(parents=True)
    for count, doc in enumerate(read_documents(store), 1):
        *folders, name = (_safe(part) for part in doc.id.split("/"))
        files = brat.write_files([doc])
        own = {f"{name}{Path(file).suffix}": text for file, text in files.items()}
        write_files(out.joinpath(*folders), own)
        progress(count)
    return count


def _safe(part: str) -> str:
    """A part of a document's name that is the name of a file or folder, and leads nowhere else."""
    kept = "".join(sign if sign.isalnum() or sign in "-_.()" else "_" for sign in part)
    return kept.lstrip(".") or "document"


def _write_datasets(store: Store, out: Path, progress: Progress) -> int:
    """A folder that `datasets.load_dataset` reads: each table is a configuration, described in its README."""
    from pyarrow import parquet

    with connect(store) as database:
        tables = [name for name in database.tables if name != "errors"]
        count = 0
        for table in tables:
            folder = out / "data" / table
            folder.mkdir(parents=True)
            for number, made in enumerate(
                database.batches(f'SELECT {_columns(table)} FROM "{table}"', ROWS_PER_FILE)
            ):
                parquet.write_table(made, folder / f"train-{number:05}.parquet", compression="zstd")
                count += made.num_rows if table == "documents" else 0
                progress(count)
    (out / "README.md").write_text(_card(store, tables), encoding="utf-8")
    return count


def _columns(table: str) -> str:
    """All but the key, which joins nothing outside; what a report compared has none."""
    return "*" if table in ACROSS else "* EXCLUDE (key)"


def _card(store: Store, tables: list[str]) -> str:
    lines = ["---", "configs:"]
    for table in tables:
        lines += [f"- config_name: {table}", "  data_files:", "  - split: train"]
        lines += [f"    path: data/{table}/train-*.parquet"]
        lines += ["  default: true"] if table == "documents" else []
    settings = json.dumps(store.manifest()["settings"], ensure_ascii=False, indent=1)
    body = [
        "---",
        "# A corpus annotated by Marginalia",
        "",
        'Each table is a configuration: `load_dataset(FOLDER, "annotations")`. The column `document` joins them.',
        "",
        "```json",
        settings,
        "```",
        "",
    ]
    return "\n".join([*lines, *body])


_WRITERS: dict[str, Callable[[Store, Path, Progress], int]] = {
    "rdf": _write_rdf,
    "brat": _write_brat,
    "datasets": _write_datasets,
}
