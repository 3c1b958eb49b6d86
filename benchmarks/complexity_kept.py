"""What cross-validation of the complexity heads need not compute twice, in a folder: inputs of train, and trained heads."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Self

import numpy as np

from marginalia import Split, get_benchmark
from marginalia.core.data_folder import data_folder
from marginalia.core.files import file_sha256, write_file
from marginalia.nlp.encoder import english
from marginalia.nlp.lm.model import SHA256
from marginalia.tasks.complexity.systems.ours import HEADS, Heads
from marginalia.tasks.complexity.systems.train.recipe import train_heads, training_inputs

KINDS = ("words", "multi")
FOLDS = 5


def keep_inputs(folder: Path, *, states: bool) -> None:
    """Fill what all fits of this process share: the vectors of all targets, and their states where these are asked for."""
    split, inputs = get_benchmark("complexity").load("train", data_folder()), training_inputs()
    targets = list(dict.fromkeys(split.items.values()))
    data = [file_sha256(file) for file in split.files]
    for name, reader, model in (
        ("vectors", inputs.read, english().manifest["files"].values()),
        ("states", inputs.known, [SHA256]),
    ):
        if name == "states" and not states:
            continue
        path = folder / f"{name}-{digest([*map(str, reader.layers), *data, *model])}.npy"
        if not path.is_file():
            print(f"reading {len(targets):,} targets for their {name}", file=sys.stderr)
            made = reader.rows(targets)
            folder.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                np.save(file, made)
        reader.kept = dict(zip(targets, np.load(path), strict=True))


def digest(texts: Iterable[str]) -> str:
    return hashlib.sha256(" ".join(texts).encode()).hexdigest()[:16]


class Kept(Heads):
    """Heads that are trained once for the same items, if there is a folder to keep them in."""

    def __init__(self, name: str, folder: Path | None) -> None:
        super().__init__(name)
        self.home = folder

    def fit(self, split: Split) -> Self:
        if self.home is None:
            return super().fit(split)
        self.inputs = training_inputs()
        key = digest(sorted(split.items))
        paths = {head: self.home / f"{head}-{key}.onnx" for head in HEADS[self.name]}
        new = [head for head, path in paths.items() if not path.is_file()]
        for head, model in (train_heads(split, new, self.inputs) if new else {}).items():
            write_file(paths[head], model)
        self.models = {head: path.read_bytes() for head, path in paths.items()}
        self._sessions = []
        return self
