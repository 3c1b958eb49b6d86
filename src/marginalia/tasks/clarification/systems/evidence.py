"""All that is known of a filler, as one row of numbers: the network's heads, the features, a language model.

Each stands as it is and compared with the mean over all fillers of the gap, since ratings differ more
within a gap than between gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.boosting import Boosted
from marginalia.tasks.clarification.systems.inputs import bare
from marginalia.tasks.clarification.systems.language_model import LanguageModel, Likelihood
from marginalia.tasks.clarification.systems.passes import HEADS, Passes

Floats = NDArray[np.float64]

LIKELIHOODS = ("lm filler", "lm filler by token", "lm after", "lm all")


def _both(names: Iterable[str]) -> tuple[str, ...]:
    names = tuple(names)
    return (*names, *(f"{name} compared" for name in names))


PARTS = {
    "network": tuple(HEADS),
    "compared": tuple(f"{head} compared" for head in HEADS),
    "features": _both(["features"]),
    "lm": _both(LIKELIHOODS),
}
"""The ingredients and their columns."""


class Evidence:
    """Gathers the rows of items, of some ingredients."""

    def __init__(
        self,
        parts: Sequence[str],
        passes: Passes,
        boosted: Boosted,
        lm: LanguageModel | None = None,
    ) -> None:
        self.parts, self.passes, self.boosted, self.lm = tuple(parts), passes, boosted, lm

    def rows(self, items: Mapping[str, Item]) -> dict[str, Floats]:
        wanted = {id: bare(item) for id, item in items.items()}
        contexts = list(dict.fromkeys(wanted.values()))
        heads = self.passes.heads(contexts) if {"network", "compared"} & set(self.parts) else {}
        tables = {context: self._table(context, heads.get(context)) for context in contexts}
        return {
            id: tables[context][context.others.index(items[id].filler)]
            for id, context in wanted.items()
        }

    def _table(self, context: Item, heads: NDArray[np.float32] | None) -> Floats:
        """A row for each filler of a context."""
        columns: list[Floats] = []
        for part in self.parts:
            if part == "features":
                own = self.boosted.scores(context)[:, None]
                columns += [own, compared(own)]
            elif part == "lm":
                assert self.lm is not None  # noqa: S101
                own = likelihoods(self.lm.likelihoods(context, context.others))
                columns += [own, compared(own)]
            else:
                assert heads is not None  # noqa: S101
                own = heads.astype(np.float64)
                columns.append(own if part == "network" else compared(own))
        return np.hstack(columns)


def compared(table: Floats) -> Floats:
    """Each row less the mean of all rows."""
    difference: Floats = table - table.mean(axis=0)
    return difference


def likelihoods(scores: Sequence[Likelihood]) -> Floats:
    """A row of LIKELIHOODS for each."""
    return np.array(
        [[s.filler, s.filler / max(1, s.tokens), s.after, s.filler + s.after] for s in scores]
    )


def names(parts: Iterable[str]) -> list[str]:
    return [name for part in parts for name in PARTS[part]]


def places(parts: Iterable[str], chosen: Iterable[str]) -> list[int]:
    """Where the columns of some ingredients stand in rows that have more of them."""
    known = names(parts)
    return [known.index(name) for name in names(chosen)]
