"""Which sentences of many might say the same: those that share rare words and word pairs.

The first stage for large sets. Each sentence is a sparse vector of the stems of its content words and of
their neighbours two by two, weighted by how few sentences have them; an inverted index gives the
pairs above a cosine. Features that very many sentences share are not looked up, so that the work
grows with the number of sentences and not with its square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tokens import lower_words

Progress = Callable[[str, int, int], None]
"""progress(what, done, total)"""

BUCKETS = 1 << 22
"""Features are numbered by a hash: no list of them need be kept."""
MAX_SENTENCES_OF_FEATURE = 1_000
"""A feature of more sentences than this counts for their length only: looking it up gives too many candidates."""
MIN_COSINE = 0.3
MAX_PARTNERS = 10
"""Pairs a sentence may have with later ones."""
ROWS_PER_BLOCK = 512
FLAT_RARITY = 500
"""Rarer than in one sentence of so many a word hardly weighs more: else what only one of two sentences
has, which is the rarest of all, would drown what they share. Of 200 paraphrases among 30,000 sentences
this finds 188, the plain logarithm 171."""
PAIR_WEIGHT = 0.6
"""Two neighbours count less than a word, because a paraphrase parts them."""


def candidate_pairs(
    texts: Sequence[str],
    lang: str = "en",
    *,
    floor: float = MIN_COSINE,
    progress: Progress | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs ``i < j`` of sentences that share enough rare words, as two arrays."""
    index, lookup = _matrices(texts, lang, progress)
    first, second = [], []
    for start in range(0, len(texts), ROWS_PER_BLOCK):
        if progress:
            progress("looking up words", start, len(texts))
        found = (index[start : start + ROWS_PER_BLOCK] @ lookup).tocoo()
        rows, columns, values = found.row + start, found.col, found.data
        kept = (values >= floor) & (columns > rows)
        rows, columns, values = rows[kept], columns[kept], values[kept]
        best = top_of_rows(rows, values, MAX_PARTNERS)
        first.append(rows[best])
        second.append(columns[best])
    if progress:
        progress("looking up words", len(texts), len(texts))
    none = np.zeros(0, dtype=np.int64)
    return (
        np.concatenate([none, *first]).astype(np.int64),
        np.concatenate([none, *second]).astype(np.int64),
    )


def top_of_rows(rows: NDArray[Any], values: NDArray[Any], most: int) -> NDArray[np.int64]:
    """The places of the ``most`` highest values of each row, row by row."""
    order = np.lexsort((-values, rows))
    ordered = rows[order]
    starts = np.searchsorted(ordered, ordered)  # where the row of each entry begins
    return order[np.arange(len(order)) - starts < most]


def features(text: str, lang: str) -> Iterator[int]:
    """The stems of the content words, and each with its neighbour, as numbers."""
    every = lower_words(text)
    stems = [stem(word, lang) for word in every if word not in FUNCTION_WORDS] or every
    for one in stems:
        yield crc32(one.encode()) % (BUCKETS >> 1)
    for pair in pairwise(stems):
        yield (BUCKETS >> 1) + crc32(" ".join(pair).encode()) % (BUCKETS >> 1)


def _matrices(texts: Sequence[str], lang: str, progress: Progress | None) -> tuple[Any, Any]:
    """Rows of unit length, without the features that are too common or in one sentence alone, and their transpose."""
    from scipy.sparse import csr_matrix

    lengths = np.zeros(len(texts) + 1, dtype=np.int64)
    parts: list[NDArray[np.int32]] = []
    for number, text in enumerate(texts):
        if progress and number % 4096 == 0:
            progress("reading words", number, len(texts))
        own = np.unique(np.fromiter(features(text, lang), dtype=np.int32))
        parts.append(own)
        lengths[number + 1] = len(own)
    if progress:
        progress("reading words", len(texts), len(texts))
    columns = np.concatenate([np.zeros(0, dtype=np.int32), *parts])
    rows = np.repeat(np.arange(len(texts)), lengths[1:])
    counts = np.bincount(columns, minlength=BUCKETS)
    total = max(1, len(texts))
    weights = np.log1p(total / (counts + total / FLAT_RARITY)).astype(np.float32)
    weights[BUCKETS >> 1 :] *= PAIR_WEIGHT
    values = weights[columns]
    norms = np.sqrt(np.bincount(rows, values**2, minlength=len(texts)))
    values = (values / np.maximum(norms[rows], 1e-9)).astype(np.float32)
    shared = (counts[columns] > 1) & (counts[columns] <= MAX_SENTENCES_OF_FEATURE)
    kept = csr_matrix(
        (values[shared], (rows[shared], columns[shared])), shape=(len(texts), BUCKETS)
    )
    # Numbered again: the transpose would otherwise have a row for each of the millions of buckets.
    used, compact = np.unique(kept.indices, return_inverse=True)
    kept = csr_matrix((kept.data, compact, kept.indptr), shape=(len(texts), max(1, len(used))))
    return kept, kept.T.tocsr()
