"""Indexes on disk for the vectors of passages: LanceDB, FAISS, usearch and sqlite-vec on a million of them.

    python benchmarks/indexes.py

Vectors are drawn from the mean and covariance of our own sentence vectors; one in twenty is a near copy of an earlier one, as
passages that repeat are. Each library works in a fresh process on one core. Needs lancedb, faiss-cpu, usearch, sqlite-vec and apsw.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pages import RESULTS, ROOT, markdown
from recording import fill, keep

RESULT = RESULTS / "indexes.json"
PAGE = ROOT / "docs/explanation/scale.md"
COUNT = 1_000_000
WIDTH = 384
NEIGHBOURS = 10
QUERIES = 200
BLOCK = 50_000
ADDED = 10_000
"""Vectors added to a finished index."""
NAMES = ("faiss", "usearch", "lancedb", "sqlite-vec")


def shape(count: int = 3_000) -> tuple[np.ndarray, np.ndarray]:
    """Mean and square root of the covariance of the vectors of synthetic sentences."""
    import random

    from synthetic import sentence

    from marginalia.nlp.encoder import english

    chance = random.Random(5)
    found = english().vectors([sentence(chance) for _ in range(count)])
    values, vectors = np.linalg.eigh(np.cov(found.T))
    return found.mean(axis=0), (vectors * np.sqrt(np.maximum(values, 0))).T


def make(path: Path, count: int) -> None:
    mean, root = shape()
    random = np.random.default_rng(0)
    out = np.lib.format.open_memmap(path, "w+", np.float16, (count + ADDED, WIDTH))
    for start in range(0, count + ADDED, BLOCK):
        size = min(BLOCK, count + ADDED - start)
        block = (mean + random.standard_normal((size, WIDTH)) @ root).astype(np.float32)
        if start:
            copies = random.random(size) < 0.05
            earlier = random.integers(0, start, copies.sum())
            noise = random.standard_normal((copies.sum(), WIDTH)) @ root * 0.1
            block[copies] = out[earlier] + noise
        out[start : start + size] = block / np.linalg.norm(block, axis=1, keepdims=True)
    out.flush()


def truth(vectors: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """The nearest neighbours, by looking at all."""
    best = np.full((len(queries), NEIGHBOURS), -2.0, np.float32)
    ids = np.zeros((len(queries), NEIGHBOURS), np.int64)
    for start in range(0, len(vectors), BLOCK):
        scores = queries @ vectors[start : start + BLOCK].astype(np.float32).T
        both = np.concatenate([best, scores], axis=1)
        names = np.concatenate(
            [ids, np.broadcast_to(np.arange(start, start + scores.shape[1]), scores.shape)], axis=1
        )
        order = np.argpartition(-both, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
        best, ids = np.take_along_axis(both, order, 1), np.take_along_axis(names, order, 1)
    return ids


Build = tuple[
    Callable[[], Any], Callable[[Any, np.ndarray], None], Callable[[np.ndarray], list[int]]
]


def with_faiss(vectors: np.ndarray, folder: Path) -> Any:
    import faiss

    faiss.omp_set_num_threads(1)
    path = str(folder / "index.faiss")
    lists = int(4 * len(vectors) ** 0.5) // 2

    def build() -> None:
        quantizer = faiss.IndexFlatIP(WIDTH)
        index = faiss.IndexIVFScalarQuantizer(
            quantizer, WIDTH, lists, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
        )
        sample = np.sort(
            np.random.default_rng(1).choice(
                len(vectors), min(len(vectors), 40 * lists), replace=False
            )
        )
        index.cp.niter = 8
        index.train(vectors[sample].astype(np.float32))
        for start in range(0, len(vectors), BLOCK):
            index.add(vectors[start : start + BLOCK].astype(np.float32))
        faiss.write_index(index, path)

    def add(more: np.ndarray) -> None:
        index = faiss.read_index(path)
        index.add(more.astype(np.float32))
        faiss.write_index(index, path)

    def search() -> Callable[[np.ndarray], list[int]]:
        index = faiss.read_index(path, faiss.IO_FLAG_MMAP)
        index.nprobe = 32
        return lambda query: list(index.search(query[None].astype(np.float32), NEIGHBOURS)[1][0])

    return build, add, search


def with_usearch(vectors: np.ndarray, folder: Path) -> Any:
    from usearch.index import Index

    path = str(folder / "index.usearch")

    def build() -> None:
        index = Index(ndim=WIDTH, metric="ip", dtype="i8", connectivity=16, expansion_add=64)
        for start in range(0, len(vectors), BLOCK):
            block = vectors[start : start + BLOCK].astype(np.float32)
            index.add(np.arange(start, start + len(block)), block, threads=1)
        index.save(path)

    def add(more: np.ndarray) -> None:
        index = Index.restore(path)
        index.add(
            np.arange(len(vectors), len(vectors) + len(more)), more.astype(np.float32), threads=1
        )
        index.save(path)

    def search() -> Callable[[np.ndarray], list[int]]:
        index = Index.restore(path, view=True)
        index.expansion_search = 64
        return lambda query: list(index.search(query.astype(np.float32), NEIGHBOURS).keys)

    return build, add, search


def with_lancedb(vectors: np.ndarray, folder: Path) -> Any:
    import lancedb
    import pyarrow as pa
    from lancedb.index import IvfSq

    lists = int(4 * len(vectors) ** 0.5) // 2  # all as with FAISS: lists, sample, rounds, codes

    def table(start: int, block: np.ndarray) -> Any:
        flat = pa.array(block.astype(np.float32).ravel())
        columns = [
            pa.array(np.arange(start, start + len(block))),
            pa.FixedSizeListArray.from_arrays(flat, WIDTH),
        ]
        return pa.table(columns, names=["id", "vector"])

    def build() -> None:
        base = lancedb.connect(str(folder))
        made = base.create_table("passages", table(0, vectors[:BLOCK]))
        for start in range(BLOCK, len(vectors), BLOCK):
            made.add(table(start, vectors[start : start + BLOCK]))
        config = IvfSq(distance_type="dot", num_partitions=lists, sample_rate=40, max_iterations=8)
        made.create_index("vector", config=config)

    def add(more: np.ndarray) -> None:
        made = lancedb.connect(str(folder)).open_table("passages")
        made.add(table(len(vectors), more))
        made.optimize()

    def search() -> Callable[[np.ndarray], list[int]]:
        made = lancedb.connect(str(folder)).open_table("passages")

        def one(query: np.ndarray) -> list[int]:
            found = made.search(query.astype(np.float32)).distance_type("dot").nprobes(32)
            return found.limit(NEIGHBOURS).select(["id"]).to_arrow()["id"].to_pylist()

        return one

    return build, add, search


def with_sqlite(vectors: np.ndarray, folder: Path) -> Any:
    import apsw  # the sqlite3 of many interpreters loads no extension
    import sqlite_vec

    def connect() -> Any:
        base = apsw.Connection(str(folder / "index.sqlite"))
        base.enable_load_extension(True)
        base.load_extension(sqlite_vec.loadable_path())
        return base

    def insert(base: Any, start: int, block: np.ndarray) -> None:
        small = np.clip(np.round(block.astype(np.float32) * 400), -127, 127).astype(np.int8)
        rows = ((start + number, one.tobytes()) for number, one in enumerate(small))
        with base:
            base.executemany("INSERT INTO passages(rowid, vector) VALUES (?, vec_int8(?))", rows)

    def build() -> None:
        base = connect()
        base.execute(
            f"CREATE VIRTUAL TABLE passages USING vec0(vector int8[{WIDTH}] distance_metric=cosine)"
        )
        for start in range(0, len(vectors), BLOCK):
            insert(base, start, vectors[start : start + BLOCK])

    def add(more: np.ndarray) -> None:
        insert(connect(), len(vectors), more)

    def search() -> Callable[[np.ndarray], list[int]]:
        base = connect()

        def one(query: np.ndarray) -> list[int]:
            small = (
                np.clip(np.round(query.astype(np.float32) * 400), -127, 127)
                .astype(np.int8)
                .tobytes()
            )
            words = "SELECT rowid FROM passages WHERE vector MATCH vec_int8(?) AND k = ? ORDER BY distance"
            return [row[0] for row in base.execute(words, (small, NEIGHBOURS))]

        return one

    return build, add, search


MAKERS = {
    "faiss": with_faiss,
    "usearch": with_usearch,
    "lancedb": with_lancedb,
    "sqlite-vec": with_sqlite,
}


def measure(name: str, path: Path, step: str) -> dict[str, float]:
    """One step of one library, in this process."""
    both = np.load(path, mmap_mode="r")
    count = len(both) - ADDED
    folder = path.parent / name
    folder.mkdir(exist_ok=True)
    build, add, search = MAKERS[name](both[:count], folder)
    begun = time.process_time()
    found: dict[str, float] = {}
    if step == "build":
        build()
        found["build_cpu_s"] = time.process_time() - begun
        found["megabytes"] = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6
    elif step == "add":
        add(both[count:])
        found["add_cpu_s"] = time.process_time() - begun
    else:
        queries = np.load(path.parent / "queries.npy")
        known = np.load(path.parent / "truth.npy")
        queries = queries if name != "sqlite-vec" else queries[:20]
        one = search()
        one(queries[0])
        begun = time.process_time()
        answers = [one(query) for query in queries]
        found["query_cpu_ms"] = (time.process_time() - begun) / len(queries) * 1e3
        hits = [len(set(a) & set(k)) / NEIGHBOURS for a, k in zip(answers, known, strict=False)]
        found["recall_at_10"] = float(np.mean(hits))
        origins = np.load(path.parent / "origins.npy")
        found["copies_found"] = float(
            np.mean([o in a for o, a in zip(origins, answers, strict=False)])
        )
    status = Path("/proc/self/status").read_text()
    found[f"{step}_peak_mb"] = int(status.split("VmHWM:")[1].split()[0]) / 1024
    return found


def tables(results: dict[str, Any]) -> dict[tuple[Path, str], str]:
    rows = [
        [
            name,
            f"{row['vectors']:,}",
            f"{row['build_cpu_s'] / 60:.1f} min",
            f"{row['megabytes']:,.0f} MB",
            f"{row['query_cpu_ms']:.1f} ms",
            _long(row["query_cpu_ms"] * 1e3),
            f"{row['recall_at_10']:.2f}",
            f"{row['copies_found']:.2f}",
            f"{row['build_peak_mb']:,.0f} MB",
            f"{row['search_peak_mb']:,.0f} MB",
            f"{row['add_cpu_s']:.1f} s",
        ]
        for name, row in results["indexes"].items()
    ]
    columns = [
        "library",
        "vectors",
        "build",
        "on disk",
        "query",
        "a million queries",
        "recall@10",
        "copies found",
        "memory to build",
        "to search",
        "add 10,000",
    ]
    return {(PAGE, "indexes"): markdown(columns, rows)}


def _long(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds < 86_400 else f"{seconds / 86_400:.1f} days"


def parser() -> argparse.ArgumentParser:
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    words.add_argument("--count", type=int, default=COUNT)
    words.add_argument("--only", nargs="*", choices=NAMES)
    words.add_argument("--step", nargs=3, metavar=("NAME", "FILE", "STEP"), help=argparse.SUPPRESS)
    return words


def main() -> None:
    given = parser().parse_args()
    if given.step:
        name, path, step = given.step
        print(json.dumps(measure(name, Path(path), step)))
        return
    one_core = {"OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1", "LANCE_CPU_THREADS": "1"}
    results: dict[str, Any] = {"commands": {}, "indexes": {}}
    if given.only and RESULT.exists():
        results = json.loads(RESULT.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "vectors.npy"
        make(path, given.count)
        both = np.load(path, mmap_mode="r")
        random = np.random.default_rng(2)
        origins = np.sort(random.choice(given.count, QUERIES, replace=False))
        np.save(path.parent / "origins.npy", origins)
        queries = both[origins].astype(np.float32)
        queries += random.normal(0, 0.01, queries.shape).astype(np.float32)
        queries /= np.linalg.norm(queries, axis=1, keepdims=True)
        np.save(path.parent / "queries.npy", queries)
        np.save(path.parent / "truth.npy", truth(both[: given.count], queries))
        for name in given.only or NAMES:
            row: dict[str, float] = {"vectors": given.count}
            for step in ("build", "search", "add"):
                command = [sys.executable, __file__, "--step", name, str(path), step]
                ran = subprocess.run(
                    command,
                    env={**os.environ, **one_core},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                row |= json.loads(ran.stdout.splitlines()[-1])
            own = name if given.count == COUNT else f"{name}, {given.count:,} only"
            results["indexes"][own] = row
            print(name, row, flush=True)
    options = f"--count {given.count}" if given.count != COUNT else ""
    options += f" --only {' '.join(given.only)}" if given.only else ""
    part = "" if given.count == COUNT else f"{given.count:,} vectors"
    keep(RESULT, results, part, options.strip(), named=False)
    fill(tables(results))


if __name__ == "__main__":
    main()
