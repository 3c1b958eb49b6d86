"""Sentence and token vectors from ONNX weights, by onnxruntime alone.

Each text is its own pass. Int8 activations are scaled over all that a pass holds, so padding texts
into one batch would let them change each other's vectors; passes of single texts need no padding, run
side by side on all threads, and give a text the same vector in any company.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.cache import Recent, VectorCache
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import side_by_side
from marginalia.nlp.weights import open_weights

Floats = NDArray[np.float32]

STRIDE = 128
"""Tokens that neighbouring windows of a long text share, so that each token has context."""
PASS_CACHE_BYTES = 64_000_000
"""Bytes of passes that the shared encoder keeps: about 20,000 tokens in two layers, 25 pages."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text: their code-point offsets, and their vectors in the chosen layers.

    The first and last token are the encoder's own marks, and some encoders want a prefix after the first
    one; these tokens have the empty offsets 0:0.
    """

    offsets: NDArray[np.int64]
    layers: dict[int, Floats]

    def inside(self, start: int, end: int) -> NDArray[np.bool_]:
        """Which tokens overlap ``start:end``."""
        return (self.offsets[:, 0] < end) & (self.offsets[:, 1] > start)

    def span(self, start: int, end: int, layer: int) -> Floats:
        """Mean vector of the tokens that overlap ``start:end``; zero where there is none."""
        vectors = self.layers[layer][self.inside(start, end)]
        if not len(vectors):
            return np.zeros(self.layers[layer].shape[1], dtype=np.float32)
        mean: Floats = vectors.mean(axis=0)
        return mean

    @property
    def size(self) -> int:
        """In bytes."""
        return self.offsets.nbytes + sum(vectors.nbytes for vectors in self.layers.values())


class Encoder:
    """A transformer encoder in a weights folder: two graphs, ``tokenizer.json``, ``manifest.json``.

    ``lower.onnx`` takes ``input_ids`` and ``attention_mask`` and gives ``layer_0`` (embeddings) to the
    layer of the cut; ``upper.onnx`` goes on from there to the last. Where only lower layers are asked for,
    the upper ones are not computed. A ``prefix`` in the manifest stands before each text that is encoded;
    callers give and get back the plain text. With ``cache``, sentence vectors are kept in that SQLite file;
    up to ``recent`` bytes of the last passes are kept in memory.
    """

    def __init__(self, folder: Path, *, cache: Path | None = None, recent: int = 0) -> None:
        self.folder, self.cache = folder, cache
        self.recent = Recent(recent)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return open_weights(self.folder)

    @property
    def width(self) -> int:
        return int(self.manifest["width"])

    @property
    def last(self) -> int:
        return int(self.manifest["layers"])

    @cached_property
    def tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        _ = self.manifest  # the files are whole
        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def prefix(self) -> list[int]:
        """The tokens of the prefix that this encoder wants before each text."""
        prefix = self.manifest.get("prefix", "").rstrip()  # a blank at its end belongs to the text
        return list(self.tokenizer.encode(prefix).ids[1:-1])

    @cached_property
    def lower(self) -> Any:
        _ = self.manifest
        return start(self.folder / "lower.onnx", norms_apart=True)

    @cached_property
    def upper(self) -> Any:
        _ = self.manifest
        return start(self.folder / "upper.onnx", norms_apart=True)

    def vectors(self, texts: Sequence[str]) -> Floats:
        """Unit sentence vectors: the mean of the last layer's token vectors."""
        distinct = list(dict.fromkeys(texts))
        if self.cache is None:
            known = dict(zip(distinct, self._sentence_vectors(distinct), strict=True))
        else:
            model = "".join(self.manifest["files"].values())
            with VectorCache(self.cache, model, self.width) as kept:
                known = kept.get(distinct)
                new = [text for text in distinct if text not in known]
                made = dict(zip(new, self._sentence_vectors(new), strict=True))
                kept.put(made)
                known |= made
        if not texts:
            return np.zeros((0, self.width), dtype=np.float32)
        return np.stack([known[text] for text in texts])

    def _sentence_vectors(self, texts: Iterable[str]) -> Iterator[Floats]:
        for tokens in self.tokens(texts, (self.last,)):
            vector = tokens.layers[self.last].mean(axis=0)
            yield vector / np.linalg.norm(vector)

    def tokens(self, texts: Iterable[str], layers: Sequence[int]) -> Iterator[Tokens]:
        """The tokens of each text, in order; the texts are encoded side by side."""
        texts = list(texts)
        if not texts:
            return
        # Loaded here once: in the pool every thread would load it for itself.
        _ = self.tokenizer, self.prefix, self.lower
        if any(layer > int(self.manifest["cut"]) for layer in layers):
            _ = self.upper
        yield from side_by_side(lambda text: self._encode(text, layers), texts)

    def _encode(self, text: str, layers: Sequence[int]) -> Tokens:
        known = self.recent.get(text)
        if known is None or not known.layers.keys() >= set(layers):
            known = self._pass(text, layers, known)
            self.recent.put(text, known)
        return Tokens(known.offsets, {layer: known.layers[layer] for layer in layers})

    def _pass(self, text: str, layers: Sequence[int], known: Tokens | None) -> Tokens:
        """One pass over a text; where its lower half is known, only the upper one."""
        cut = int(self.manifest["cut"])
        limit = int(self.manifest["max_tokens"])
        if known is not None and cut in known.layers and len(known.offsets) <= limit:
            above = [layer for layer in layers if layer not in known.layers and layer > cut]
            made = self._upper(known.layers[cut][None], above) if above else {}
            if {*known.layers, *made} >= set(layers):
                return Tokens(known.offsets, known.layers | made)
        if self.recent.room:  # the next pass can go on from there
            layers = sorted({*layers, cut})
        encoding = self.tokenizer.encode(text)
        first, *rest = encoding.ids
        ids = np.array([first, *self.prefix, *rest], dtype=np.int64)
        marks = [(0, 0)] * (1 + len(self.prefix))
        bare = [without_blanks(text, *span) for span in encoding.offsets[1:-1]]
        offsets = np.array([*marks, *bare, (0, 0)], dtype=np.int64)
        kept: dict[int, list[Floats]] = {layer: [] for layer in layers}
        for window, keep in self._windows(ids):
            for layer, output in self._run(window, layers).items():
                kept[layer].append(output[keep])
        return Tokens(offsets, {layer: np.concatenate(parts) for layer, parts in kept.items()})

    def _run(self, ids: NDArray[np.int64], layers: Sequence[int]) -> dict[int, Floats]:
        """One pass through the lower graph and, where a layer above the cut is wanted, the upper one."""
        cut = int(self.manifest["cut"])
        below = [layer for layer in layers if layer <= cut]
        above = [layer for layer in layers if layer > cut]
        wanted = sorted({*below, cut} if above else set(below))
        names = [f"layer_{layer}" for layer in wanted]
        feed = {"input_ids": ids[None], "attention_mask": np.ones_like(ids)[None]}
        outputs = self.lower.run(names, feed)
        found = dict(zip(wanted, outputs, strict=True))
        made = {layer: found[layer][0] for layer in below}
        return made | (self._upper(found[cut], above) if above else {})

    def _upper(self, states: Floats, layers: Sequence[int]) -> dict[int, Floats]:
        """The layers above the cut, from the vectors there."""
        lengths = np.array([states.shape[1]], dtype=np.int32)
        feed = {f"layer_{self.manifest['cut']}": states, "lengths": lengths}
        outputs = self.upper.run([f"layer_{layer}" for layer in layers], feed)
        return {layer: output[0] for layer, output in zip(layers, outputs, strict=True)}

    def _windows(self, ids: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], slice]]:
        """The ids a pass can hold, and which of its outputs count.

        A text of up to ``max_tokens`` is one window. A longer one is cut into windows that share
        STRIDE tokens; each half of the shared part counts in the window where it has more context.
        """
        limit = int(self.manifest["max_tokens"])
        if len(ids) <= limit:
            yield ids, slice(0, len(ids))
            return
        lead = 1 + len(self.prefix)
        first, body, final = ids[:lead], ids[lead:-1], ids[-1:]
        room = limit - lead - 1
        start = 0
        while True:
            end = min(start + room, len(body))
            at_start, at_end = start == 0, end == len(body)
            window = np.concatenate([first, body[start:end], final])
            low = 0 if at_start else lead + STRIDE // 2
            high = len(window) if at_end else len(window) - 1 - STRIDE // 2
            yield window, slice(low, high)
            if at_end:
                return
            start = end - STRIDE


def without_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without the blank before it, which some tokenizers count to the word; a blank alone is 0:0."""
    while start < end and text[start].isspace():
        start += 1
    return (start, end) if start < end else (0, 0)


@cache
def english() -> Encoder:
    """The shared English trunk that ships with the package."""
    return Encoder(Path(__file__).parent / "english", recent=PASS_CACHE_BYTES)


@cache
def multilingual() -> Encoder:
    """The shared encoder for German, and for texts of which some are German and some English."""
    return Encoder(Path(__file__).parent / "multilingual")


@cache
def encoder_in(folder: Path) -> Encoder | None:
    """The encoder that came with weights that a user trained; None where they are for the shared one."""
    own = Encoder(folder, recent=PASS_CACHE_BYTES)
    return own if "cut" in own.manifest else None


@cache
def own_tokenizer(folder: Path) -> tuple[Any, int]:
    """The tokenizer that came with weights that a user trained, and how many tokens its encoder reads at most."""
    own = Encoder(folder)
    return own.tokenizer, int(own.manifest["max_tokens"])


def for_language(lang: str) -> Encoder:
    """The encoder that knows this language best."""
    return english() if lang == "en" else multilingual()
