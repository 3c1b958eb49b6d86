"""One way to start an ONNX model."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def start(model: bytes | Path) -> Any:
    """A session with one thread: passes run side by side, and the heads are small."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])
