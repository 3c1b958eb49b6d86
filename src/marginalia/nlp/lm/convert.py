"""From a GGUF file to an ONNX graph in the cache folder, once; later starts check its SHA-256 and load it."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from marginalia.core.errors import FormatError, MissingError, missing_package
from marginalia.core.files import file_sha256
from marginalia.nlp.cache import cache_folder
from marginalia.nlp.lm.gguf_file import Floats, GgufFile
from marginalia.nlp.lm.graph import build, build_states
from marginalia.nlp.lm.reference import causal, run_layer
from marginalia.nlp.lm.smoothing import Ready, smooth
from marginalia.nlp.weights import open_weights, write_weights

log = logging.getLogger(__name__)

GRAPH_FILE = "model.onnx"
FORMAT = 1
"""Counted up whenever the same file would give another graph."""
KEY = 24
KEPT = 4
"""Conversions in the cache folder."""
Changes = Mapping[int, Mapping[str, Floats]]
"""What is added to matrices of the top layers: layer -> name of the matrix -> numbers."""
CALIBRATION = """How to Make Tea
Steps
1. Boil the water. 2. Put a tea bag into the cup.
Pour the hot water over it and let it steep for three minutes. Remove the bag, add sugar or milk, and stir until it has
dissolved. You should not leave your tea for too long; it may become bitter (green tea does), and "cold tea" is not to
everyone's taste. In a study of 1,204 patients, those who drank three cups a day had a lower blood pressure (p < 0.05).
If the lid does not open, turn the handle to the left, press the button, and ask somebody for help."""
"""An ordinary text: it shows how large the numbers of each channel become."""


def converted(
    model: GgufFile, changes: Mapping[str, Changes], *, folder: Path | None = None
) -> Path | bytes:
    """The graph's file, or the graph where none can be kept.

    ``changes`` gives further states by name, those of top layers that were trained anew.
    """
    return _kept(model, key_of(model, changes), lambda: convert(model, changes), folder)


def converted_states(
    model: GgufFile, layers: Sequence[int], *, folder: Path | None = None
) -> Path | bytes:
    """The same for the graph of the lower layers alone, which gives the states after some of them."""
    key = _digest(model, f"states {sorted(layers)}").hexdigest()[:KEY]
    return _kept(model, key, lambda: convert_states(model, layers), folder)


def _kept(
    model: GgufFile, key: str, make: Callable[[], bytes], folder: Path | None
) -> Path | bytes:
    home = (folder or cache_folder() / "lm") / key
    try:
        open_weights(home)
    except (MissingError, FormatError):  # not there, or damaged: it is made again
        log.info(f"Converting {model.path.name}, once: about ten seconds.")
        try:
            graph = make()
        except ImportError as error:
            raise missing_package("The language model", error.name, "lm") from error
        try:
            write_weights(home, {GRAPH_FILE: graph}, source=model.path.name)
        except OSError as error:
            log.warning(f"The converted model cannot be kept in {home}: {error.strerror}.")
            return graph
        _forget_others(home)
    with suppress(OSError):
        os.utime(home)  # so that what is used is not what is forgotten
    return home / GRAPH_FILE


def _forget_others(home: Path) -> None:
    """Each conversion takes some 200 MB: of those that other versions or other weights left, the last used are kept."""
    others = [path for path in home.parent.iterdir() if path != home and len(path.name) == KEY]
    for path in sorted(others, key=lambda path: path.stat().st_mtime)[: -(KEPT - 1)]:
        shutil.rmtree(path, ignore_errors=True)


def key_of(model: GgufFile, changes: Mapping[str, Changes]) -> str:
    """The same for the same file and changes, and for nothing else."""
    digest = _digest(model)
    for name, change in sorted(changes.items()):
        for layer, matrices in sorted(change.items()):
            for matrix, numbers in sorted(matrices.items()):
                digest.update(f"{name} {layer} {matrix}".encode() + numbers.tobytes())
    return digest.hexdigest()[:KEY]


def _digest(model: GgufFile, more: str = "") -> hashlib._Hash:
    return hashlib.sha256(f"{FORMAT} {file_sha256(model.path)}{more}".encode())


def convert(model: GgufFile, changes: Mapping[str, Changes], *, int8: bool = True) -> bytes:
    """The graph. Without ``int8`` it says what the file says, to rounding."""
    x = _calibrating(model)
    starts = {0: x}
    layers = []
    for ready, after in _ready(model, x, 0, {}):
        layers.append(ready)
        starts[len(layers)] = after
    others = {}
    for name, change in changes.items():
        first = min(change)
        others[name] = [ready for ready, _ in _ready(model, starts[first], first, change)]
    made = build(model.sizes, model.words, model.last_norm, layers, others, int8=int8)
    return bytes(made.SerializeToString())


def convert_states(model: GgufFile, wanted: Sequence[int], *, int8: bool = True) -> bytes:
    """The graph of the layers up to the highest that is wanted."""
    if not all(0 < number <= model.sizes.layers for number in wanted):
        raise FormatError(f"the model has {model.sizes.layers} layers", path=model.path)
    layers = [ready for ready, _ in islice(_ready(model, _calibrating(model), 0, {}), max(wanted))]
    made = build_states(model.sizes, model.words, layers, sorted(wanted), int8=int8)
    return bytes(made.SerializeToString())


def _calibrating(model: GgufFile) -> Floats:
    tokens = model.tokenizer.encode(CALIBRATION, add_special_tokens=False).ids
    return model.words[[model.sizes.begin, *tokens]]


def _ready(
    model: GgufFile, x: Floats, first: int, change: Changes
) -> Iterator[tuple[Ready, Floats]]:
    """The layers from ``first`` on, smoothed, and what a text becomes in them."""
    places, mask = np.arange(len(x), dtype=np.float32), causal(len(x))
    for number in range(first, model.sizes.layers):
        layer = model.layer(number)
        added = change.get(number, {})
        if added:
            both = {n: m + added[n] if n in added else m for n, m in layer.matrices.items()}
            layer = replace(layer, matrices=both)
        seen = run_layer(layer, model.sizes, x, places, mask)
        yield smooth(layer, model.sizes, seen), seen.after
        x = seen.after
