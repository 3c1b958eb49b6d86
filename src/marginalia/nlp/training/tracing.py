"""A torch module as an ONNX graph; needs ``marginalia[train]``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Axes = Mapping[int, str]


def trace(
    module: Any,
    arguments: Sequence[Any],
    path: Path,
    inputs: Mapping[str, Axes],
    outputs: Mapping[str, Axes],
) -> None:
    """Write the graph. ``inputs`` and ``outputs`` are named in order, each with the axes of any length."""
    import torch

    torch.onnx.export(
        module.eval(),
        tuple(arguments),
        str(path),
        input_names=list(inputs),
        output_names=list(outputs),
        dynamic_axes={name: dict(axes) for name, axes in {**inputs, **outputs}.items() if axes},
        opset_version=17,
        dynamo=False,  # the plain trace is what onnxruntime knows how to fuse
    )
