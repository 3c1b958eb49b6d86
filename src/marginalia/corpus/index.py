"""Passages by their vectors: a FAISS index on disk, extended part by part.

Up to ``MIN_TRAINED`` vectors are compared one by one; more are kept in
inverted lists of 8-bit codes, a tenth of what the vectors take, and searched from the file without loading it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, missing_package
from marginalia.corpus.store import Store
from marginalia.reader.passages import WIDTH

FOLDER = "index"
MIN_TRAINED = 20_000
"""Vectors from which on inverted lists pay."""
GROWTH = 8
"""An index that has grown to so many times the vectors its lists were made for is made again."""
SAMPLE_PER_LIST = 40
PROBED = 16
"""Lists that are looked into."""
PART_BITS = 24
"""Passages of one part: their numbers are below 2**24, the part's number stands above."""


class PassageIndex:
    """The passages of one encoder: vectors of different encoders cannot be compared."""

    def __init__(self, store: Store, encoder: str) -> None:
        if not re.fullmatch(r"\w[\w.-]{0,99}", encoder):  # it becomes a name of files
            raise FormatError(f"a passage names the encoder {encoder[:50]!r}", path=store.folder)
        self.store, self.encoder = store, encoder
        self.path = store.folder / FOLDER / f"{encoder}.faiss"
        self.facts = self.path.with_suffix(".json")

    def update(self) -> list[int]:
        """Add what was committed since; the numbers of the parts that were added."""
        known = self._known()
        parts = [number for number, _ in self._files()]
        new = [number for number in parts if number not in set(known["parts"])]
        total = known["vectors"] + sum(len(ids) for ids, _ in self.vectors(new))
        if not new:
            return []
        stale = not known["parts"] or not set(known["parts"]) <= set(parts)
        if stale or not self.path.is_file() or total > GROWTH * known["trained"]:
            new, known = parts, {"parts": [], "vectors": 0, "trained": 0}
            total = sum(len(ids) for ids, _ in self.vectors(parts))
            index = self._made(total)
            known["trained"] = total
        else:
            index = faiss().read_index(str(self.path))
        for ids, vectors in self.vectors(new):
            index.add_with_ids(vectors, ids)
        self._save(index, {**known, "parts": sorted({*known["parts"], *new}), "vectors": total})
        return new

    def neighbours(self, vectors: Any, most: int) -> tuple[Any, Any]:
        """For each vector the ids of the most similar passages and their cosines; -1 where there are fewer."""
        index = faiss().read_index(str(self.path), faiss().IO_FLAG_MMAP)
        inner = faiss().downcast_index(index.index) if hasattr(index, "index") else index
        if hasattr(inner, "nprobe"):
            inner.nprobe = PROBED
        cosines, ids = index.search(vectors, most)
        return ids, cosines

    def _made(self, total: int) -> Any:
        import numpy as np

        lib = faiss()
        flat = lib.IndexFlatIP(WIDTH)
        if total < MIN_TRAINED:
            return lib.IndexIDMap(
                lib.IndexScalarQuantizer(
                    WIDTH, lib.ScalarQuantizer.QT_fp16, lib.METRIC_INNER_PRODUCT
                )
            )
        lists = int(2 * total**0.5)
        kind = lib.ScalarQuantizer.QT_8bit
        index = lib.IndexIVFScalarQuantizer(flat, WIDTH, lists, kind, lib.METRIC_INNER_PRODUCT)
        step = max(1, total // (SAMPLE_PER_LIST * lists))
        parts = [number for number, _ in self._files()]
        index.train(np.concatenate([vectors[::step] for _, vectors in self.vectors(parts)]))
        flat.this.disown()  # the index owns it from here on
        index.own_fields = True
        return index

    def vectors(self, parts: list[int]) -> Iterator[tuple[Any, Any]]:
        """Ids and vectors of this encoder, part by part."""
        import numpy as np
        from pyarrow import parquet

        wanted = set(parts)
        for number, path in self._files():
            if number in wanted:
                table = parquet.ParquetFile(path).read(["encoder", "vector"])
                mine = np.array(
                    [name.as_py() == self.encoder for name in table["encoder"]], dtype=bool
                )
                if mine.any():
                    column = table["vector"].combine_chunks()
                    flat = column.values.to_numpy(zero_copy_only=False).reshape(-1, WIDTH)
                    rows = np.flatnonzero(mine)
                    ids = (np.int64(number) << PART_BITS) + rows
                    yield ids, np.ascontiguousarray(flat[rows], dtype=np.float32)

    def _files(self) -> list[tuple[int, Path]]:
        return [(int(path.stem), path) for path in self.store.files("passages")]

    def _known(self) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(self.facts.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {"parts": [], "vectors": 0, "trained": 0}
        return found

    def _save(self, index: Any, known: dict[str, Any]) -> None:
        """An index whose facts are missing was not finished, and is made again."""
        self.path.parent.mkdir(exist_ok=True)
        self.facts.unlink(missing_ok=True)
        made = self.path.with_suffix(".new")
        faiss().write_index(index, str(made))
        made.replace(self.path)
        self.facts.write_text(json.dumps(known), encoding="utf-8")


def faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise missing_package("A comparison across documents", "faiss-cpu", "corpus") from error
    faiss.omp_set_num_threads(1)
    return faiss
