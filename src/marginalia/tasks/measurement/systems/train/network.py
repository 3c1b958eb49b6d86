"""The network in torch, for training only: ``graphs.py`` writes it as two ONNX graphs.

An encoder reads the paragraph once. Heads on its vectors tag quantities and their units; for each
quantity two small attention layers then read the same vectors again with that quantity marked, and
point to the first and last piece of its entity, property and qualifier. So a further quantity costs
about a seventh of a pass.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from marginalia.tasks.measurement.official.spans import MODIFIERS, ROLES
from marginalia.tasks.measurement.systems.inputs import (
    DISTANCE_COUNT,
    MARK_COUNT,
    SENTENCE_COUNT,
    SHAPE_COUNT,
)
from marginalia.tasks.measurement.systems.tagger import PRIORITY

READING_WIDTH = 192
"""Width of the layers that read for one quantity."""
SHAPE_WIDTH = 32


class Network(nn.Module):  # type: ignore[misc]
    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        hidden = encoder.config.hidden_size
        wide = hidden + SHAPE_WIDTH
        # Zero at first, so that training starts from what the encoder knows.
        self.look_in = nn.Embedding(SHAPE_COUNT, hidden)
        nn.init.zeros_(self.look_in.weight)
        self.look = nn.Embedding(SHAPE_COUNT, SHAPE_WIDTH)
        self.drop = nn.Dropout(0.1)
        self.quantity = nn.Sequential(nn.Linear(wide, 128), nn.GELU(), nn.Linear(128, 3))
        self.unit = nn.Sequential(nn.Linear(wide, 64), nn.GELU(), nn.Linear(64, 1))
        self.kinds = nn.Linear(wide, 1 + 2 * len(PRIORITY))
        self.modifiers = nn.Sequential(
            nn.Linear(3 * wide, 128), nn.GELU(), nn.Dropout(0.1), nn.Linear(128, len(MODIFIERS))
        )
        self.down = nn.Linear(wide, READING_WIDTH)
        self.asked = nn.Linear(2 * wide, READING_WIDTH)
        self.distance = nn.Embedding(DISTANCE_COUNT, READING_WIDTH)
        self.mark = nn.Embedding(MARK_COUNT, READING_WIDTH)
        self.sentence = nn.Embedding(SENTENCE_COUNT, READING_WIDTH)
        for table in (self.distance, self.mark, self.sentence):
            nn.init.normal_(table.weight, std=0.02)
        self.norm = nn.LayerNorm(READING_WIDTH)
        self.reading = nn.ModuleList([Layer(READING_WIDTH, 4) for _ in range(2)])
        self.tags = nn.Linear(READING_WIDTH, 1 + len(ROLES))
        self.ends = nn.Linear(READING_WIDTH, 2 * len(ROLES))

    def encode(self, pieces: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        """A vector for each piece of each window."""
        words = self.encoder.get_input_embeddings()(pieces) + self.look_in(shapes)
        states = self.encoder(inputs_embeds=words, attention_mask=mask).last_hidden_state
        return self.drop(torch.cat([states, self.look(shapes)], dim=-1))

    def read(
        self, vectors: Tensor, mask: Tensor, rows: Tensor, asked: dict[str, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """For each quantity: role of each piece, first and last piece of each role, modifiers."""
        first, last = vectors[rows, asked["first"]], vectors[rows, asked["last"]]
        x = self.down(vectors)[rows] + self.asked(torch.cat([first, last], dim=-1))[:, None]
        x = x + self.distance(asked["distances"]) + self.mark(asked["marks"])
        x = self.norm(x + self.sentence(asked["sentences"]))
        hidden = (1.0 - mask[rows].to(x.dtype))[:, None, None] * -1e4
        for layer in self.reading:
            x = layer(x, hidden)
        within = (asked["marks"] == 1).to(x.dtype)
        mean = torch.bmm(within[:, None], vectors[rows])[:, 0] / within.sum(1, keepdim=True)
        modifiers = self.modifiers(torch.cat([first, last, mean], dim=-1))
        return self.tags(x), self.ends(x) + hidden[:, 0, 0, :, None], modifiers


class Layer(nn.Module):  # type: ignore[misc]
    """A plain attention layer, normed first; torch's own hides operators from the export."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.triple, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.back = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.drop = nn.Dropout(0.1)
        nn.init.xavier_uniform_(self.triple.weight)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        count, pieces, width = x.shape
        cut = self.triple(self.first(x)).view(count, pieces, 3, self.heads, width // self.heads)
        query, key, value = cut.permute(2, 0, 3, 1, 4).unbind(0)
        found = nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=hidden)
        x = x + self.drop(self.out(found.transpose(1, 2).reshape(count, pieces, width)))
        raised = nn.functional.gelu(self.up(self.second(x)))
        return x + self.drop(self.back(self.drop(raised)))
