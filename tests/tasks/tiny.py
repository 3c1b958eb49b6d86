"""A tiny encoder for tests of training; needs torch."""

from __future__ import annotations

from typing import Any

import pytest


def tiny_encoder(width: int) -> Any:
    """One layer without dropout, the same at every call."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        hidden_size=width,
        num_hidden_layers=1,
        num_attention_heads=12,
        intermediate_size=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return transformers.BertModel(config, add_pooling_layer=False)
