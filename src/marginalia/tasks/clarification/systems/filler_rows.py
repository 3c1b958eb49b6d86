"""All that is known of a filler, as one row of numbers: the network's heads, the features, a language model.

Each stands as it is and compared with the mean over all fillers of the gap, since ratings differ more
within a gap than between gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.threads import threads
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.adapters import HEADS as ADAPTED_HEADS
from marginalia.tasks.clarification.systems.adapters import likelihood_table
from marginalia.tasks.clarification.systems.features import Boosted
from marginalia.tasks.clarification.systems.language_model import LanguageModel
from marginalia.tasks.clarification.systems.passes import HEADS, Passes, bare

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
    "adapted": _both(ADAPTED_HEADS),
}
"""The ingredients and their columns."""
ASKED = frozenset({"lm", "adapted"})
"""Those that a language model is asked for."""


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
        asked: dict[Item, dict[str, Floats]] = {}
        if ASKED & set(self.parts) and contexts:
            assert self.lm is not None  # noqa: S101
            self.lm.load()  # once, not by every thread
            with ThreadPoolExecutor(min(threads(), len(contexts))) as pool:
                asked = dict(zip(contexts, pool.map(self._asked, contexts), strict=True))
        tables = {
            context: self._table(context, heads.get(context), asked.get(context, {}))
            for context in contexts
        }
        return {
            id: tables[context][context.others.index(items[id].filler)]
            for id, context in wanted.items()
        }

    def _table(
        self, context: Item, heads: NDArray[np.float32] | None, asked: Mapping[str, Floats]
    ) -> Floats:
        """A row for each filler of a context."""
        columns: list[Floats] = []
        for part in self.parts:
            if part == "features":
                boosted = self.boosted.scores(context)[:, None]
                columns += [boosted, compared(boosted)]
            elif part in ASKED:
                boosted = asked[part]
                columns += [boosted, compared(boosted)]
            else:
                assert heads is not None  # noqa: S101
                boosted = heads.astype(np.float64)
                columns.append(boosted if part == "network" else compared(boosted))
        return np.hstack(columns)

    def _asked(self, context: Item) -> dict[str, Floats]:
        """What the language model says of each filler."""
        assert self.lm is not None  # noqa: S101
        if "adapted" not in self.parts:
            return {"lm": likelihood_table(self.lm.likelihoods(context, context.others))}
        found, heads = self.lm.ratings(context, context.others)
        return {"lm": likelihood_table(found), "adapted": heads.astype(np.float64)}


def compared(table: Floats) -> Floats:
    """Each row less the mean of all rows."""
    difference: Floats = table - table.mean(axis=0)
    return difference


def names(parts: Iterable[str]) -> list[str]:
    return [name for part in parts for name in PARTS[part]]


def places(parts: Iterable[str], chosen: Iterable[str]) -> list[int]:
    """Where the columns of some ingredients stand in rows that have more of them."""
    known = names(parts)
    return [known.index(name) for name in names(chosen)]
