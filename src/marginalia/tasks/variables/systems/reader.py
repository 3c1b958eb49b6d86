"""Our system for both sub-tasks: the detector and the re-ranker, each also by its own name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from marginalia.core.benchmark import Split
from marginalia.tasks.variables.official.data import Mention, Statement
from marginalia.tasks.variables.systems.detection import Detector
from marginalia.tasks.variables.systems.reranker import Reranker


class Reader:
    """Reads a sentence in its paper: detects with the detector, links with the re-ranker."""

    def __init__(self, folder: Path | None = None) -> None:
        self.detector = Detector(folder)
        self.reranker = Reranker(folder)

    def fit(self, split: Split) -> Self:
        """Retrain both heads; needs ``marginalia[train]``."""
        self.detector.fit(split)
        self.reranker.fit(split)
        return self

    def save(self, folder: Path) -> None:
        self.detector.save(folder)
        self.reranker.save(folder)

    def predict(self, items: Mapping[str, Statement]) -> dict[str, Mention]:
        pred = self.detector.predict(items)
        linked = self.reranker.rankings({id: i for id, i in items.items() if i.catalogue})
        return {id: Mention(pred[id].is_variable, linked.get(id)) for id in items}
