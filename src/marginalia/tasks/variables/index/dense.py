"""Vectors of the shared multilingual encoder for the groups of a catalogue, made bit by bit.

A folder remembers how many are done, so that hours of encoding can be interrupted.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.files import read_json, write_file
from marginalia.tasks.variables.catalogue.casing import spoken
from marginalia.tasks.variables.index.assembly import Progress
from marginalia.tasks.variables.index.latent import pack
from marginalia.tasks.variables.official.vocabulary import Variable

VARIABLES_PER_BATCH = 256
MAX_ENCODED_CHARACTERS = 400
"""Characters of a variable that are encoded: label and question, which say what it is about."""


def encode(texts: Sequence[str]) -> NDArray[Any]:
    from marginalia.nlp.encoder import multilingual

    return multilingual().vectors(texts)


def dense_text(variable: Variable) -> str:
    """What is encoded: label, question and sub-question as said, or the text where there are no fields."""
    parts = [spoken(variable.fields.get(name, "")) for name in ("label", "question", "subquestion")]
    return (": ".join(part for part in parts if part) or variable.text)[:MAX_ENCODED_CHARACTERS]


def make_dense(folder: Path, index: Any, progress: Progress) -> dict[str, list[int]]:
    """Fill ``dense.npy`` and ``dense_lengths.npy``, from where an earlier call stopped."""
    count = len(index.starts) - 1
    if not count:
        return {}
    state = folder / "dense.json"
    done = int(read_json(state)["done"]) if state.exists() else 0
    width = len(encode([""])[0])
    paths = [folder / "dense.npy", folder / "dense_lengths.npy"]
    shapes: list[tuple[int, ...]] = [(count, width), (count,)]
    mode = "r+" if done and all(path.exists() for path in paths) else "w+"
    done = done if mode == "r+" else 0
    arrays = [
        np.lib.format.open_memmap(path, mode=mode, dtype=dtype, shape=shape)
        for path, dtype, shape in zip(paths, (np.int8, np.float32), shapes, strict=True)
    ]
    while done < count:
        end = min(done + VARIABLES_PER_BATCH, count)
        texts = [dense_text(index.variables[index.speaker(group)]) for group in range(done, end)]
        arrays[0][done:end], arrays[1][done:end] = pack(encode(texts))
        for array in arrays:
            array.flush()
        done = end
        write_file(state, json.dumps({"done": done}))
        progress("encoder", done, count)
    state.unlink(missing_ok=True)
    return {"dense": list(shapes[0]), "dense_lengths": list(shapes[1])}
