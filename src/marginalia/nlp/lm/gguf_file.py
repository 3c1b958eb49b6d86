"""A Llama-like model in a GGUF file: its sizes, its tokenizer, and its weights layer by layer as fp32."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.errors import FormatError, missing_package
from marginalia.core.files import require_file

Floats = NDArray[np.float32]

MAX_BYTES = 2 << 30
"""A model that is larger would not fit into one ONNX file."""
MAX_SIZES = {"layers": 200, "hidden": 8192, "inner": 65536, "heads": 128, "words": 500_000}
QUERY, KEY, VALUE, OUTPUT = "attn_q", "attn_k", "attn_v", "attn_output"
GATE, UP, DOWN = "ffn_gate", "ffn_up", "ffn_down"
MATRICES = (QUERY, KEY, VALUE, OUTPUT, GATE, UP, DOWN)
"""Of a layer, as the file names them; each has a row for every number it makes."""
CONTROL = 3
"""The kind of a token that is no text, such as the one that begins a document."""


@dataclass(frozen=True, slots=True)
class Sizes:
    layers: int
    hidden: int
    inner: int
    heads: int
    key_heads: int
    """Each serves several heads."""
    words: int
    turn: float
    """The base of the rotary positions."""
    epsilon: float
    begin: int
    """The token that begins a document."""

    @property
    def head(self) -> int:
        return self.hidden // self.heads


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of a layer. Pairs of neighbouring numbers are turned, as GGUF has it."""

    attention_norm: Floats
    inner_norm: Floats
    matrices: dict[str, Floats]


class GgufFile:
    def __init__(self, path: Path) -> None:
        self.path = require_file(path, max_bytes=MAX_BYTES)

    @cached_property
    def _reader(self) -> Any:
        try:
            from gguf import GGUFReader
        except ImportError as error:
            raise missing_package("The language model", error.name, "lm") from error
        try:
            return GGUFReader(str(self.path))
        except (ValueError, KeyError, IndexError, OSError) as error:
            raise FormatError(
                "this is not a GGUF model, or a damaged one", path=self.path
            ) from error

    def _field(self, name: str) -> Any:
        field = self._reader.get_field(name)
        if field is None:
            raise FormatError(f"the model does not say {name!r}", path=self.path)
        return field.contents()

    @cached_property
    def sizes(self) -> Sizes:
        kind = self._field("general.architecture")
        if kind != "llama":
            raise FormatError(
                f"the model is of the kind {str(kind)[:40]!r}; only 'llama' is read", path=self.path
            )
        sizes_read = Sizes(
            layers=int(self._field("llama.block_count")),
            hidden=int(self._field("llama.embedding_length")),
            inner=int(self._field("llama.feed_forward_length")),
            heads=int(self._field("llama.attention.head_count")),
            key_heads=int(self._field("llama.attention.head_count_kv")),
            words=len(self._reader.get_field("tokenizer.ggml.tokens").data),
            turn=float(self._field("llama.rope.freq_base")),
            epsilon=float(self._field("llama.attention.layer_norm_rms_epsilon")),
            begin=int(self._field("tokenizer.ggml.bos_token_id")),
        )
        for name, most in MAX_SIZES.items():
            if not 0 < getattr(sizes_read, name) <= most:
                raise FormatError(
                    f"{getattr(sizes_read, name)} {name} in the model", path=self.path
                )
        if (
            sizes_read.hidden % sizes_read.heads
            or sizes_read.heads % max(1, sizes_read.key_heads)
            or sizes_read.head % 2
        ):
            raise FormatError("the heads of the model do not fit its width", path=self.path)
        return sizes_read

    @cached_property
    def tokenizer(self) -> Any:
        """Pieces of bytes, joined by the merges of the file; digits stand alone."""
        from tokenizers import AddedToken, Tokenizer
        from tokenizers.decoders import ByteLevel as ByteDecoder
        from tokenizers.models import BPE
        from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence

        known = self._field("tokenizer.ggml.model"), self._field("tokenizer.ggml.pre")
        if known != ("gpt2", "smollm"):
            raise FormatError(
                f"the tokenizer is of the kind {known}; only SmolLM's is read", path=self.path
            )
        tokens, kinds = (
            self._field("tokenizer.ggml.tokens"),
            self._field("tokenizer.ggml.token_type"),
        )
        merges = [tuple(each.split(" ", 1)) for each in self._field("tokenizer.ggml.merges")]
        made = Tokenizer(BPE({token: id for id, token in enumerate(tokens)}, merges))
        made.pre_tokenizer = Sequence(
            [Digits(individual_digits=True), ByteLevel(add_prefix_space=False, use_regex=True)]
        )
        made.decoder = ByteDecoder()
        # A text that spells a control token is a text: what a document says never steers the model.
        special = [t for t, kind in zip(tokens, kinds, strict=True) if kind == CONTROL]
        made.add_special_tokens([AddedToken(t, normalized=False, special=True) for t in special])
        made.encode_special_tokens = True
        return made

    def layer(self, number: int) -> Layer:
        sizes, prefix = self.sizes, f"blk.{number}."
        keys = sizes.key_heads * sizes.head
        shapes = {
            QUERY: (sizes.hidden, sizes.hidden),
            KEY: (keys, sizes.hidden),
            VALUE: (keys, sizes.hidden),
            OUTPUT: (sizes.hidden, sizes.hidden),
            GATE: (sizes.inner, sizes.hidden),
            UP: (sizes.inner, sizes.hidden),
            DOWN: (sizes.hidden, sizes.inner),
        }
        return Layer(
            self._tensor(f"{prefix}attn_norm.weight", (sizes.hidden,)),
            self._tensor(f"{prefix}ffn_norm.weight", (sizes.hidden,)),
            {name: self._tensor(f"{prefix}{name}.weight", shapes[name]) for name in MATRICES},
        )

    @cached_property
    def words(self) -> Floats:
        """A row for each token; the last step compares with the same rows."""
        return self._tensor("token_embd.weight", (self.sizes.words, self.sizes.hidden))

    @cached_property
    def last_norm(self) -> Floats:
        return self._tensor("output_norm.weight", (self.sizes.hidden,))

    def _tensor(self, name: str, shape: tuple[int, ...]) -> Floats:
        from gguf import dequantize

        found = self._tensors.get(name)
        if found is None:
            raise FormatError(f"the model has no {name}", path=self.path)
        try:
            values: Floats = np.array(dequantize(found.data, found.tensor_type), np.float32)
        except (NotImplementedError, ValueError) as error:
            raise FormatError(
                f"{name} is packed in a way that is not read", path=self.path
            ) from error
        if values.shape != shape:
            raise FormatError(f"{name} is {values.shape}, expected {shape}", path=self.path)
        return values

    @cached_property
    def _tensors(self) -> dict[str, Any]:
        return {tensor.name: tensor for tensor in self._reader.tensors}
