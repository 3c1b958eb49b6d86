"""A GGUF model of a few thousand numbers, with the tokenizer of SmolLM cut down to bytes and two merges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter, quantize
from tokenizers.pre_tokenizers import ByteLevel

LAYERS, HIDDEN, INNER, HEADS, KEY_HEADS = 3, 32, 64, 4, 2
WORDS = ("Ġdough", "Ġtowel", "Ġquickly", "ĠPeter", "Ġof", "Ġsalt")
"""Tokens of whole words, which no merge makes."""
CONTROLS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


def write_tiny(path: Path, *, seed: int = 0, architecture: str = "llama") -> Path:
    random = np.random.default_rng(seed)
    tokens = [*CONTROLS, *sorted(ByteLevel.alphabet()), "th", "the", *WORDS]
    writer = GGUFWriter(str(path), architecture)
    writer.add_block_count(LAYERS)
    writer.add_context_length(512)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_rope_freq_base(10000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([3] * len(CONTROLS) + [1] * (len(tokens) - len(CONTROLS)))
    writer.add_token_merges(["t h", "th e"])
    writer.add_bos_token_id(1)

    def add(name: str, *shape: int, spread: float = 0.25) -> None:
        packed = GGMLQuantizationType.Q4_1 if name.startswith("blk") else GGMLQuantizationType.Q8_0
        values = (spread * random.standard_normal(shape)).astype(np.float32)
        writer.add_tensor(name, quantize(values, packed), raw_dtype=packed)

    add("token_embd.weight", len(tokens), HIDDEN, spread=0.1)
    writer.add_tensor("output_norm.weight", 1 + random.random(HIDDEN).astype(np.float32))
    keys = HIDDEN // HEADS * KEY_HEADS
    for number in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            values = 1 + random.random(HIDDEN).astype(np.float32)
            writer.add_tensor(f"blk.{number}.{norm}.weight", values)
        for name, *shape in (
            ("attn_q", HIDDEN, HIDDEN),
            ("attn_k", keys, HIDDEN),
            ("attn_v", keys, HIDDEN),
            ("attn_output", HIDDEN, HIDDEN),
            ("ffn_gate", INNER, HIDDEN),
            ("ffn_up", INNER, HIDDEN),
            ("ffn_down", HIDDEN, INNER),
        ):
            add(f"blk.{number}.{name}.weight", *shape)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
