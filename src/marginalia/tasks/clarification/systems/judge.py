"""How likely an editor would ask at a place: the probability that somebody revised it, as learned from CLAIRE."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.core.files import read_json
from marginalia.tasks.clarification.gaps.places import Guide, Place
from marginalia.tasks.clarification.gaps.traits import traits

JUDGE_FILE = "judge.json"


@lru_cache(maxsize=2)
def _read(path: Path) -> tuple[NDArray[np.float32], float, float, float]:
    made = read_json(path)
    return np.array(made["weights"], dtype=np.float32), made["bias"], made["slope"], made["shift"]


def judge(places: Sequence[Place], guide: Guide, folder: Path) -> list[float]:
    """The calibrated probability of each place, from 0 to 1."""
    if not places:
        return []
    weights, bias, slope, shift = _read(folder / JUDGE_FILE)
    scores = slope * (traits(places, guide) @ weights + bias) + shift
    return [round(float(p), 4) for p in 1 / (1 + np.exp(-scores))]
