"""The trained network as two ONNX graphs: the encoder with its heads, and the reading for one quantity."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from marginalia.nlp.training.export import fuse, quantise
from marginalia.nlp.training.tracing import trace
from marginalia.tasks.measurement.systems.inputs import ASKED


def to_onnx(network: Any) -> dict[str, bytes]:
    """The encoder with its heads in int8, and the layers that read for one quantity as they are."""
    import torch
    from torch import nn

    class Encode(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, pieces: Any, shapes: Any) -> Any:
            vectors = self.network.encode(pieces, shapes, torch.ones_like(pieces))
            quantity = self.network.quantity(vectors).softmax(-1)
            unit = self.network.unit(vectors)[..., 0].sigmoid()
            return vectors, quantity, unit, self.network.kinds(vectors).softmax(-1)

    class Read(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, vectors: Any, *asked: Any) -> Any:
            named = dict(zip(ASKED, asked, strict=True))
            rows = torch.zeros_like(named["first"])
            mask = torch.ones_like(vectors[..., 0])
            tags, ends, modifiers = self.network.read(vectors, mask, rows, named)
            return tags.softmax(-1), ends.softmax(1), modifiers.sigmoid()

    network.eval()
    network.encoder.set_attn_implementation("eager")
    count, size = 2, 24
    known = network.encoder.config.vocab_size
    pieces = torch.randint(min(1000, known - 1), min(2000, known), (1, size))
    vectors = torch.rand(1, size, network.down.in_features)
    asked = [torch.tensor([3, 9]), torch.tensor([4, 9])]
    asked += [torch.ones(count, size, dtype=torch.long) for _ in range(3)]
    pieces_axis, both = {1: "pieces"}, {0: "quantities", 1: "pieces"}
    with tempfile.TemporaryDirectory() as folder:
        traced, whole = Path(folder) / "traced.onnx", Path(folder) / "encoder.onnx"
        fused, reading = Path(folder) / "fused.onnx", Path(folder) / "reading.onnx"
        trace(
            Encode(),
            (pieces, torch.ones_like(pieces)),
            traced,
            dict.fromkeys(("pieces", "shapes"), pieces_axis),
            dict.fromkeys(("vectors", "quantity", "unit", "kinds"), pieces_axis),
        )
        is_bert = network.encoder.config.model_type == "bert"
        if is_bert:
            fuse(traced, fused, network.encoder.config)
        quantise(fused if is_bert else traced, whole)
        trace(
            Read(),
            (vectors, *asked),
            reading,
            {
                "vectors": pieces_axis,
                **{name: {0: "quantities"} for name in ASKED[:2]},
                **dict.fromkeys(ASKED[2:], both),
            },
            {"tags": both, "ends": both, "modifiers": {0: "quantities"}},
        )
        return {path.name: path.read_bytes() for path in (whole, reading)}
