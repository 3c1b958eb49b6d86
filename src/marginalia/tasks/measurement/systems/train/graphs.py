"""The trained network as two ONNX graphs: the encoder, and the reading for one quantity."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from marginalia.nlp.training.export import fuse, quantise
from marginalia.nlp.training.tracing import trace
from marginalia.tasks.measurement.systems.inputs import ASKED


def to_onnx(network: Any) -> dict[str, bytes]:
    """The lower layers of the encoder, and the upper ones that read for one quantity; both in int8."""
    import torch
    from torch import nn

    class Encode(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, pieces: Any, shapes: Any, marks: Any) -> Any:
            return self.network.encode(pieces, shapes, marks, torch.ones_like(pieces))

    class Read(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, vectors: Any, shapes: Any, *asked: Any) -> Any:
            named = dict(zip(ASKED, asked, strict=True))
            rows = torch.zeros_like(named["first"])
            mask = torch.ones_like(vectors[..., 0])
            tags, ends, row, purpose = self.network.read(vectors, shapes, mask, rows, named)
            return tags.softmax(-1), ends.softmax(1), row.sigmoid(), purpose.softmax(-1)

    network.eval()
    network.encoder.set_attn_implementation("eager")
    count, size = 2, 24
    known = network.encoder.config.vocab_size
    pieces = torch.randint(min(1000, known - 1), min(2000, known), (1, size))
    vectors = torch.rand(1, size, network.encoder.config.hidden_size)
    asked = [torch.tensor([3, 9]), torch.tensor([4, 9])]
    asked += [torch.ones(count, size, dtype=torch.long) for _ in range(3)]
    asked.append(torch.zeros(count, dtype=torch.long))
    pieces_axis, each = {1: "pieces"}, {0: "quantities"}
    both = {**each, **pieces_axis}
    with tempfile.TemporaryDirectory() as folder:
        traced, whole = Path(folder) / "traced.onnx", Path(folder) / "encoder.onnx"
        fused, read = Path(folder) / "fused.onnx", Path(folder) / "read.onnx"
        reading = Path(folder) / "reading.onnx"
        trace(
            Encode(),
            (pieces, torch.ones_like(pieces), torch.ones_like(pieces)),
            traced,
            dict.fromkeys(("pieces", "shapes", "marks"), pieces_axis),
            {"vectors": pieces_axis},
        )
        is_bert = network.encoder.config.model_type == "bert"
        if is_bert:
            fuse(traced, fused, network.encoder.config)
        quantise(fused if is_bert else traced, whole)
        trace(
            Read(),
            (vectors, torch.ones_like(pieces), *asked),
            read,
            {
                "vectors": pieces_axis,
                "shapes": pieces_axis,
                **{
                    name: each if one.ndim == 1 else both
                    for name, one in zip(ASKED, asked, strict=True)
                },
            },
            {"tags": both, "ends": both, "row": each, "purpose": each},
        )
        quantise(read, reading)
        return {path.name: path.read_bytes() for path in (whole, reading)}
