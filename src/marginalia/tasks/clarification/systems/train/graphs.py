"""The trained network as one ONNX graph, in int8."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from marginalia.nlp.training.export import fuse
from marginalia.nlp.training.tracing import Axes, trace

INPUTS: dict[str, Axes] = {
    "words": {0: "pieces"},
    "places": {0: "pieces"},
    "kinds": {0: "pieces"},
    "mask": {0: "pieces", 1: "pieces"},
    "gap": {},
    "spans": {0: "fillers", 1: "pieces"},
}
"""The graph's inputs and the axes that may have any length."""


def to_onnx(network: Any, *, int8: bool = True) -> bytes:
    """A graph that takes one packed context and gives ``heads``, a row for each filler."""
    import torch
    from torch import nn

    class One(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *inputs: Any) -> Any:
            return self.network(*(each[None] for each in inputs))[0]

    network.eval()
    size = 24
    hidden = network.places.embedding_dim
    places = torch.arange(size)
    has_words = network.words is not None
    example = (
        torch.zeros(size, dtype=torch.long) if has_words else torch.rand(size, hidden),
        places,
        torch.zeros_like(places),
        torch.zeros(size, size),
        torch.tensor(3),
        torch.full((2, size), 1 / size),
    )
    with tempfile.TemporaryDirectory() as folder:
        traced, fused = Path(folder) / "traced.onnx", Path(folder) / "fused.onnx"
        inputs = {
            "pieces" if has_words and name == "words" else name: axes
            for name, axes in INPUTS.items()
        }
        trace(One(), example, traced, inputs, {"heads": {0: "fillers"}})
        fuse(traced, fused, network.config)
        whole = fused
        if int8:
            whole = Path(folder) / "int8.onnx"
            quantise(fused, whole)
        return whole.read_bytes()


def quantise(source: Path, target: Path) -> None:
    """Unsigned weights of eight bits per channel.

    Signed ones would have to leave out a bit on CPUs without VNNI: a quarter faster, and further from fp32.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(source),
        str(target),
        weight_type=QuantType.QUInt8,
        per_channel=True,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )
