"""One number from the features of a filler: trees that were boosted on train."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.onnx import start
from marginalia.nlp.weights import open_weights
from marginalia.tasks.clarification.official.data import Item
from marginalia.tasks.clarification.systems.features import features, table
from marginalia.tasks.clarification.systems.shipped import weights_folder

TREES_FILE = "features.onnx"
SEED = 0
BOOSTING = {
    "n_estimators": 150,
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_child_samples": 50,
    "colsample_bytree": 0.7,
    "reg_lambda": 5,
}


class Boosted:
    """The trees of a weights folder, or those that were just trained."""

    def __init__(self, folder: Path | None = None, given: bytes | None = None) -> None:
        self.folder, self.given = folder, given

    @cached_property
    def session(self) -> Any:
        if self.given is not None:
            return start(self.given)
        folder = self.folder or weights_folder()
        open_weights(folder)
        return start(folder / TREES_FILE)

    def scores(self, context: Item) -> NDArray[np.float64]:
        """For each of a context's fillers; row by row, so that none depends on another's company."""
        fillers = context.others
        found = []
        for place, filler in enumerate(fillers):
            item = replace(context, filler=filler, others=fillers[:place] + fillers[place + 1 :])
            row = np.array([features(item)], dtype=np.float32)
            found.append(float(self.session.run(None, {"x": row})[0].ravel()[0]))
        return np.array(found)


def train_boosted(items: Sequence[Item], scores: Sequence[float]) -> bytes:
    """Trees as an ONNX model; needs ``marginalia[train]``."""
    import lightgbm
    from onnxmltools import convert_lightgbm
    from onnxmltools.convert.common.data_types import FloatTensorType

    rows = table(items)
    model = lightgbm.LGBMRegressor(**BOOSTING, n_jobs=1, verbose=-1, random_state=SEED)
    model.fit(rows, np.array(scores))
    converted = convert_lightgbm(
        model.booster_,
        initial_types=[("x", FloatTensorType([None, rows.shape[1]]))],
        target_opset=15,
        zipmap=False,
    )
    converted.graph.name = "trees"  # the converter draws one, and bytes should not differ for that
    return bytes(converted.SerializeToString())
