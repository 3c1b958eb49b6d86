"""Chunks become the arrays of an index, in memory or in files that are memory-mapped afterwards.

No more than one chunk is in memory at a time, beside the ids and the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.variables.catalogue.formats import unique_ids
from marginalia.tasks.variables.catalogue.groups import hash64
from marginalia.tasks.variables.index import latent
from marginalia.tasks.variables.index.chunks import Chunk
from marginalia.tasks.variables.index.lexicon import K1, B
from marginalia.tasks.variables.index.strings import Strings
from marginalia.tasks.variables.index.terms import PART_WEIGHT, STOP_WORD_WEIGHT, STOP_WORDS, grams
from marginalia.tasks.variables.official.vocabulary import Notes

Progress = Callable[[str, int, int], None]
"""progress(what, done, total)"""
Array = NDArray[Any]


class Arrays(dict[str, Array]):
    """Arrays by name; with a folder each is a ``.npy`` file that is filled in place."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__()
        self.folder = folder

    def make(self, name: str, shape: int | tuple[int, ...], dtype: Any) -> Array:
        shape = (shape,) if isinstance(shape, int) else shape
        if self.folder is None:
            self[name] = np.zeros(shape, dtype=dtype)
        elif 0 in shape:  # an empty file cannot be mapped
            np.save(self.folder / f"{name}.npy", np.zeros(shape, dtype=dtype))
            self[name] = np.zeros(shape, dtype=dtype)
        else:
            self[name] = np.lib.format.open_memmap(
                self.folder / f"{name}.npy", mode="w+", dtype=dtype, shape=shape
            )
        return self[name]

    def finish(self, *names: str) -> None:
        """Nothing more is written to these: what of their files is in memory is let go."""
        for name in names:
            array = self[name]
            if isinstance(array, np.memmap) and self.folder is not None:
                array.flush()
                self[name] = np.load(self.folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)

    def put(self, name: str, array: Any) -> Array:
        array = np.asarray(array)
        made = self.make(name, array.shape, array.dtype)
        made[...] = array
        return made


class Assembly:
    """One after the other: ids, groups, vocabulary, postings, letter groups, vectors."""

    def __init__(
        self, chunks: Sequence[Chunk], arrays: Arrays, notes: Notes, progress: Progress
    ) -> None:
        self.chunks, self.arrays, self.notes, self.progress = chunks, arrays, notes, progress

    def run(self, *, vectors: bool) -> dict[str, Any]:
        """Fill the arrays and say how many there are of what."""
        self._identify()
        self._group()
        self._write_records()
        self._index_words()
        self._index_letters()
        if vectors:
            self._make_vectors()
        return {
            "variables": self.size,
            "groups": len(self.arrays["group_starts"]) - 1,
            "terms": len(self.arrays["term_starts"]) - 1,
            "postings": len(self.arrays["posting_rows"]),
            "surveys": self.surveys,
        }

    def _identify(self) -> None:
        """Unique ids; ``self.row`` gives each variable of the sources its row, or -1 if it was there before."""
        rows = [row for chunk in self.chunks for row in chunk.rows()]
        ids = unique_ids(rows, self.notes)
        kept = np.array([id is not None for id in ids], dtype=bool)
        self.row = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
        self.size = int(kept.sum())
        known: dict[str, int] = {}
        survey = [
            known.setdefault(row[1], len(known))
            for row, id in zip(rows, ids, strict=True)
            if id is not None
        ]
        self.surveys = list(known)
        self.arrays.put("survey", np.array(survey, dtype=np.int32))
        names = [id for id in ids if id is not None]
        self._put_strings("id", Strings.of(names))
        hashes = np.array([hash64(name) for name in names], dtype=np.uint64)
        order = np.argsort(hashes, kind="stable").astype(np.int32)
        self.arrays.put("id_hashes", hashes[order])
        self.arrays.put("id_rows", order)

    def _group(self) -> None:
        """Groups are numbered as they first occur; ``members`` lists the rows of each."""
        found = [np.zeros(0, dtype=np.uint64)]
        place = 0
        for chunk in self.chunks:
            found.append(chunk.groups[self.row[place : place + len(chunk)] >= 0])
            place += len(chunk)
        _, first, number = np.unique(np.concatenate(found), return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int32)
        rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
        group = self.arrays.put("group", rank[number.ravel()])
        members = np.argsort(group, kind="stable").astype(np.int32)
        self.arrays.put("members", members)
        starts = np.zeros(len(first) + 1, dtype=np.int64)
        np.cumsum(np.bincount(group, minlength=len(first)), out=starts[1:])
        self.arrays.put("group_starts", starts)

    def _write_records(self) -> None:
        total = sum(int(chunk.sizes[rows >= 0].sum()) for chunk, rows in self._each())
        data = self.arrays.make("records", total, np.uint8)
        places = self.arrays.make("record_places", (self.size, 2), np.int64)
        end = 0
        for chunk, rows in self._each("records"):
            starts = np.concatenate([[0], np.cumsum(chunk.sizes)])
            kept = np.flatnonzero(rows >= 0)
            for low, high in _runs(kept):  # nearly always one run: the whole chunk
                size = int(starts[high] - starts[low])
                data[end : end + size] = chunk.records[starts[low] : starts[high]]
                target = rows[low:high]
                places[target, 0] = end + starts[low:high] - starts[low]
                places[target, 1] = end + starts[low + 1 : high + 1] - starts[low]
                end += size
        self.arrays.finish("records", "record_places")

    def _index_words(self) -> None:
        seen: dict[str, int] = {}
        firsts = [
            np.array([seen.setdefault(t, len(seen)) for t in chunk.term_list()], dtype=np.int64)
            for chunk in self.chunks
        ]
        names = sorted(seen, key=_bytes)
        self.vocabulary = {name: place for place, name in enumerate(names)}
        order = np.array([self.vocabulary[name] for name in seen], dtype=np.int64)
        self.places = [order[first] for first in firsts]
        """The place of each chunk's terms in the whole vocabulary."""
        self._put_strings("term", Strings.of(names))
        self.df = np.zeros(len(names), dtype=np.int64)
        firm = np.zeros(len(names), dtype=np.int64)
        total = 0.0
        for (chunk, rows), here in zip(self._each("words"), self.places, strict=True):
            owner = np.repeat(rows, np.diff(chunk.starts))
            terms, counts = here[chunk.terms[owner >= 0]], chunk.counts[owner >= 0]
            self.df += np.bincount(terms, minlength=len(names))
            firm += np.bincount(terms[counts >= PART_WEIGHT], minlength=len(names))
            total += float(counts.sum(dtype=np.float64))
        # A word of the study's title is in all its variables, and still tells some from others where it
        # is in their questions too: it is as rare as it is there.
        df = np.where(firm > 0, firm, self.df)
        self.idf = np.log1p((self.size - df + 0.5) / (df + 0.5)).astype(np.float32)
        self.arrays.put("term_idf", self.idf)
        # Rounded, so that the size of the chunks does not show in the last digit.
        mean = round(total / max(self.size, 1), 6) or 1.0
        starts = np.zeros(len(names) + 1, dtype=np.int64)
        np.cumsum(self.df, out=starts[1:])
        self.arrays.put("posting_starts", starts)
        out_rows = self.arrays.make("posting_rows", int(starts[-1]), np.int32)
        out_weights = self.arrays.make("posting_weights", int(starts[-1]), np.float32)
        cursor = starts[:-1].copy()
        for (chunk, rows), here in zip(self._each("postings"), self.places, strict=True):
            lengths = np.diff(chunk.starts)
            owner = np.repeat(rows, lengths)
            sums = np.add.reduceat(np.append(chunk.counts, 0), chunk.starts[:-1]) * (lengths > 0)
            norm = K1 * (1 - B + B * np.repeat(sums, lengths) / mean)
            kept = owner >= 0
            terms = here[chunk.terms[kept]]
            counts, owner = chunk.counts[kept], owner[kept]
            weights = counts * (K1 + 1) / (counts + norm[kept])
            order = np.argsort(terms, kind="stable")
            terms = terms[order]
            times = np.bincount(terms, minlength=len(names))
            before = np.cumsum(times) - times
            places = cursor[terms] + np.arange(len(terms)) - before[terms]
            out_rows[places] = owner[order]
            out_weights[places] = weights[order]
            cursor += times
        self.arrays.finish("posting_rows", "posting_weights")

    def _index_letters(self) -> None:
        """Letter group -> terms. Terms of one variable only are words too: names, rare compounds."""
        lists: dict[str, list[int]] = {}
        counts = np.zeros(len(self.vocabulary), dtype=np.uint8)
        for term, place in self.vocabulary.items():
            own = grams(term)
            counts[place] = min(len(own), 255)
            for gram in own:
                lists.setdefault(gram, []).append(place)
        names = sorted(lists, key=_bytes)
        self._put_strings("gram", Strings.of(names))
        starts = np.zeros(len(names) + 1, dtype=np.int64)
        np.cumsum([len(lists[name]) for name in names], out=starts[1:])
        self.arrays.put("gram_term_starts", starts)
        together = self.arrays.make("gram_terms", int(starts[-1]), np.int32)
        for number, name in enumerate(names):
            together[starts[number] : starts[number + 1]] = lists[name]
        self.arrays.put("gram_counts", counts)

    def _make_vectors(self) -> None:
        """One vector per group, from its first variable."""
        from scipy.sparse import vstack

        members, starts = self.arrays["members"], self.arrays["group_starts"]
        first = np.zeros(self.size, dtype=bool)
        first[members[starts[:-1]]] = True
        count = len(starts) - 1
        step = max(1, -(-count // latent.SAMPLE_VARIABLES))
        idf = self.idf.copy()
        idf[[self.vocabulary[word] for word in STOP_WORDS if word in self.vocabulary]] *= (
            STOP_WORD_WEIGHT
        )
        group = self.arrays["group"]
        sample = []
        for (chunk, rows), here in zip(self._each("sample"), self.places, strict=True):
            wanted = np.flatnonzero((rows >= 0) & first[rows])
            wanted = wanted[group[rows[wanted]] % step == 0]
            sample.append(self._matrix(chunk, here)[wanted])
        terms: Array = np.zeros(0, dtype=np.int64)
        vectors: Array = np.zeros((0, 0), dtype=np.float32)
        if count:
            terms, vectors = latent.learn(latent.weigh(vstack(sample, format="csr"), idf))
        line = np.full(len(self.vocabulary), -1, dtype=np.int32)
        line[terms] = np.arange(len(terms), dtype=np.int32)
        self.arrays.put("latent_line", line)
        self.arrays.put("latent_terms", vectors)
        codes = self.arrays.make("latent", (count, vectors.shape[1]), np.int8)
        lengths = self.arrays.make("latent_lengths", count, np.float32)
        for (chunk, rows), here in zip(self._each("vectors"), self.places, strict=True):
            if not len(terms):
                break
            wanted = np.flatnonzero((rows >= 0) & first[rows])
            weighed = latent.weigh(self._matrix(chunk, here)[wanted], idf)
            target = group[rows[wanted]]
            codes[target], lengths[target] = latent.pack(weighed[:, terms] @ vectors)

    def _matrix(self, chunk: Chunk, places: NDArray[np.int64]) -> Any:
        """The counts of the chunk's variables, one column per term of the whole vocabulary."""
        from scipy.sparse import csr_matrix

        shape = (len(chunk), len(self.vocabulary))
        return csr_matrix((chunk.counts.copy(), places[chunk.terms], chunk.starts), shape=shape)

    def _each(self, what: str = "") -> Any:
        """Each chunk with the rows of its variables."""
        place = 0
        for number, chunk in enumerate(self.chunks, 1):
            yield chunk, self.row[place : place + len(chunk)]
            place += len(chunk)
            if what:
                self.progress(what, number, len(self.chunks))

    def _put_strings(self, name: str, strings: Strings) -> None:
        self.arrays.put(f"{name}_text", strings.data)
        self.arrays.put(f"{name}_starts", strings.starts)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _runs(places: Array) -> list[tuple[int, int]]:
    """Neighbouring places as half-open ranges."""
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > 1)
    lows = [int(places[0]), *(int(places[b + 1]) for b in breaks)]
    highs = [*(int(places[b]) + 1 for b in breaks), int(places[-1]) + 1]
    return list(zip(lows, highs, strict=True))
