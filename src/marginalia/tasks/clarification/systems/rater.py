"""Our systems on the network: ``encoder``, ``rater``, and ``rater-lm`` with a language model beside it.

``encoder`` is the fine-tuned encoder alone. ``rater``, ours, sets what it says of a filler against what it says
of the others of the gap, and adds what can be seen without it. ``rater-lm`` also asks a language model: how likely the
filler is, and how good, which its adapters have learned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Self

from marginalia.core.benchmark import Split
from marginalia.core.errors import MissingError, training
from marginalia.core.files import read_json
from marginalia.nlp.weights import open_weights, write_weights
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.official.ratings import Rating
from marginalia.tasks.clarification.systems import weights_folder
from marginalia.tasks.clarification.systems.adapters import ADAPTERS_FILE as ADAPTERS
from marginalia.tasks.clarification.systems.adapters import Adapters
from marginalia.tasks.clarification.systems.features import TREES_FILE as TREES
from marginalia.tasks.clarification.systems.features import Boosted
from marginalia.tasks.clarification.systems.filler_rows import Evidence
from marginalia.tasks.clarification.systems.language_model import LanguageModel
from marginalia.tasks.clarification.systems.passes import NETWORK_FILE as NETWORK
from marginalia.tasks.clarification.systems.passes import Passes
from marginalia.tasks.clarification.systems.stacking import STACKS_FILE as STACKS
from marginalia.tasks.clarification.systems.stacking import Stack

INGREDIENTS = {
    "encoder": ("network",),
    "rater": ("network", "compared", "features"),
    "rater-lm": ("network", "compared", "features", "lm", "adapted"),
}
"""System -> the ingredients of its last step."""


class Rater:
    """The network and a last step. Without ``fit`` they are the shipped ones."""

    def __init__(
        self, name: str = "rater", folder: Path | None = None, *, lm: LanguageModel | None = None
    ) -> None:
        self.name, self.folder = name, folder
        if lm is None and "lm" in INGREDIENTS[name]:
            lm = LanguageModel(adapters=partial(Adapters.load, folder))
        self.lm = lm
        self.evidence = Evidence(INGREDIENTS[name], Passes(folder), Boosted(folder), self.lm)
        self.given: dict[str, bytes] | None = None

    @cached_property
    def stack(self) -> Stack:
        folder = self.folder or weights_folder()
        open_weights(folder)
        stacks = read_json(folder / STACKS)
        if self.name not in stacks:
            raise MissingError(f"The weights in {folder} have no last step of '{self.name}'.")
        return Stack.from_json(stacks[self.name])

    def fit(self, split: Split) -> Self:
        """Retrain, which takes an hour or two; needs ``marginalia[train]``."""
        from marginalia.tasks.clarification.systems.train.recipe import train_weights

        with training():
            given = train_weights(split, {self.name: INGREDIENTS[self.name]})
        if self.lm is not None:
            self.lm = LanguageModel(self.lm.name, partial(Adapters.from_bytes, given[ADAPTERS]))
        self.evidence = Evidence(
            INGREDIENTS[self.name],
            Passes(given=given[NETWORK]),
            Boosted(given=given[TREES]),
            self.lm,
        )
        self.stack = Stack.from_json(json.loads(given[STACKS])[self.name])
        self.given = given
        return self

    def save(self, folder: Path) -> None:
        """Write what was fitted; ``Rater(name, folder)`` has it again."""
        if self.given is None:
            raise MissingError("there is nothing to save: the system was not fitted")
        write_weights(folder, self.given)

    def predict(self, items: Mapping[str, Item]) -> dict[str, Rating]:
        if not items:
            return {}
        rows = self.evidence.rows(items)
        return {id: self.stack.rating(row, items[id].phenomenon) for id, row in rows.items()}
