"""The network in torch, for training only: ``graphs.py`` writes it as two ONNX graphs.

The lower layers of an encoder read the paragraph once, with its quantities marked. For each quantity the upper layers
then read their vectors with that quantity marked, and say whether it is worth a row, where its entity and property begin and
end, and which pieces are its conditions. So a further quantity costs a third of a pass.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from marginalia.nlp.training.pretrained import take_layers
from marginalia.tasks.measurement.systems.inputs import (
    CONVENTIONS,
    DISTANCE_COUNT,
    MARK_COUNT,
    POINTED,
    PURPOSES,
    SENTENCE_COUNT,
    SHAPE_COUNT,
    TAGS,
)

SHAPE_WIDTH = 32
READING_LAYERS = 2
"""Upper layers of the encoder that read for one quantity."""


class Network(nn.Module):  # type: ignore[misc]
    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.reading = nn.ModuleList(take_layers(encoder, READING_LAYERS))
        width = encoder.config.hidden_size
        # Zero at first, so that training starts from what the encoder knows.
        self.look_in = nn.Embedding(SHAPE_COUNT, width)
        self.mark_in = nn.Embedding(MARK_COUNT, width)
        self.asked = nn.Linear(2 * width, width)
        self.distance = nn.Embedding(DISTANCE_COUNT, width)
        self.mark = nn.Embedding(MARK_COUNT, width)
        self.sentence = nn.Embedding(SENTENCE_COUNT, width)
        self.convention = nn.Embedding(len(CONVENTIONS), width)
        for layer in (self.look_in, self.mark_in, self.asked):
            nn.init.zeros_(layer.weight)
        for table in (self.distance, self.mark, self.sentence, self.convention):
            nn.init.normal_(table.weight, std=0.02)
        self.look = nn.Embedding(SHAPE_COUNT, SHAPE_WIDTH)
        self.drop = nn.Dropout(0.1)
        wide = width + SHAPE_WIDTH
        self.tags = nn.Linear(wide, len(TAGS))
        self.ends = nn.Linear(wide, 2 * len(POINTED))
        self.whole = nn.Sequential(
            nn.Linear(wide, 96), nn.GELU(), nn.Dropout(0.1), nn.Linear(96, 1 + len(PURPOSES))
        )

    def encode(self, pieces: Tensor, shapes: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """A vector for each piece of each window."""
        words = self.encoder.get_input_embeddings()(pieces)
        words = words + self.look_in(shapes) + self.mark_in(marks)
        states: Tensor = self.encoder(inputs_embeds=words, attention_mask=mask).last_hidden_state
        return states

    def read(
        self, vectors: Tensor, shapes: Tensor, mask: Tensor, rows: Tensor, asked: dict[str, Tensor]
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """For each quantity: tag of each piece, first and last piece of each role, worth a row, purpose."""
        first, last = vectors[rows, asked["first"]], vectors[rows, asked["last"]]
        x = vectors[rows] + self.asked(torch.cat([first, last], dim=-1))[:, None]
        x = x + self.distance(asked["distances"]) + self.mark(asked["marks"])
        x = x + self.sentence(asked["sentences"]) + self.convention(asked["convention"])[:, None]
        hidden = (1.0 - mask[rows].to(x.dtype))[:, None, None] * -1e4
        for layer in self.reading:
            x = layer(x, hidden)
        x = self.drop(torch.cat([x, self.look(shapes)[rows]], dim=-1))
        within = (asked["marks"] == 1).to(x.dtype)
        whole = self.whole(torch.bmm(within[:, None], x)[:, 0] / within.sum(1, keepdim=True))
        ends = self.ends(x) + hidden[:, 0, 0, :, None]
        return self.tags(x), ends, whole[:, 0], whole[:, 1:]
