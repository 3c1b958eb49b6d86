"""Cosines of TF-IDF vectors over stems.

The weights are those of scikit-learn's ``TfidfVectorizer(sublinear_tf=True)``, to which the tests compare
them; without it a paper's first sentence is read two seconds earlier, since that package imports half of SciPy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.variables.index.stems import stems

Floats = NDArray[np.float64]


def cosines(sentences: Sequence[str], texts: Sequence[str]) -> Floats:
    """Of each sentence with each text; stems that the texts never use count nothing."""
    counted = [Counter(stems(text)) for text in texts]
    found = Counter(stem for counts in counted for stem in counts)
    if not sentences or not found:
        return np.zeros((len(sentences), len(texts)))
    column = {stem: place for place, stem in enumerate(sorted(found))}
    held = np.array([found[stem] for stem in column])
    weights = np.log((1 + len(texts)) / (1 + held)) + 1
    said = counted if sentences is texts else [Counter(stems(text)) for text in sentences]
    near: Floats = (rows(said, column, weights) @ rows(counted, column, weights).T).toarray()
    return near


def rows(counted: Sequence[Counter[str]], column: dict[str, int], weights: Floats) -> Any:
    """A sparse matrix with a unit vector for each text: (1 + log tf) * (log((1 + n) / (1 + df)) + 1)."""
    from scipy.sparse import csr_array

    data: list[Floats] = []
    places: list[int] = []
    ends = [0]
    for counts in counted:
        known = [(column[stem], count) for stem, count in counts.items() if stem in column]
        own = np.array([place for place, _ in known], dtype=np.int64)
        values = (1 + np.log([count for _, count in known])) * weights[own]
        length = np.linalg.norm(values)
        data.append(values / length if length else values)
        places += own.tolist()
        ends.append(len(places))
    shape = (len(counted), len(column))
    return csr_array((np.concatenate(data), np.array(places), np.array(ends)), shape=shape)
