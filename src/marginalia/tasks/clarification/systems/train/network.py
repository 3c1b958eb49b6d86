"""The network in torch, for training only: ``train.py`` writes it as one ONNX graph.

All layers of a BERT encoder, its word vectors left as they are in the shared one. A head rates each
filler from its own pieces, the open gap and the whole context, each as the last layer sees them.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from marginalia.tasks.clarification.systems.passes import HEADS

WIDTH = 256
"""Of the layer between the encoder and the heads."""


class Network(nn.Module):  # type: ignore[misc]
    """With ``own`` the word vectors are part of the network, not read out of the shared encoder."""

    def __init__(self, encoder: Any, *, own: bool = False) -> None:
        super().__init__()
        self.config = encoder.config
        self.words = encoder.get_input_embeddings().requires_grad_(False) if own else None
        # Encoders of the RoBERTa family count places from behind the one of the padding on, and know one kind only.
        self.first = (encoder.embeddings.position_embeddings.padding_idx or -1) + 1
        hidden = encoder.config.hidden_size
        self.places = encoder.embeddings.position_embeddings
        self.kinds = encoder.embeddings.token_type_embeddings
        self.norm = encoder.embeddings.LayerNorm
        self.layers = encoder.encoder.layer
        self.drop = nn.Dropout(0.1)
        self.mix = nn.Sequential(nn.Linear(4 * hidden, WIDTH), nn.GELU(), nn.Dropout(0.1))
        self.heads = nn.Linear(WIDTH, len(HEADS))

    def forward(
        self, words: Tensor, places: Tensor, kinds: Tensor, mask: Tensor, gap: Tensor, spans: Tensor
    ) -> Tensor:
        """The heads of each filler of each context; ``words`` are vectors, or pieces where the network has its own."""
        if self.words is not None:
            words = self.words(words)
        kinds = kinds.clamp(max=self.kinds.num_embeddings - 1)
        x = self.drop(self.norm(words + self.places(places + self.first) + self.kinds(kinds)))
        for layer in self.layers:
            found = layer(x, mask[:, None])
            x = found[0] if isinstance(found, tuple) else found
        filler = spans @ x
        whole = x[:, :1].expand_as(filler)
        open_gap = x[torch.arange(len(x)), gap][:, None].expand_as(filler)
        seen = torch.cat([filler, open_gap, whole, filler * open_gap], dim=-1)
        return self.heads(self.mix(self.drop(seen)))
