"""One way to start an ONNX model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from marginalia.nlp.fast_graph import faster

LEFT_OUT = ["SkipLayerNormFusion"]
"""What onnxruntime must not do: it would join again what ``fast_graph`` takes apart."""


def start(model: bytes | Path) -> Any:
    """A session on a graph in the form that computes fastest here."""
    return open_session(faster(model) or model)


def open_session(model: bytes | Path) -> Any:
    """A session with one thread: passes run side by side, and the heads are small."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    session = onnxruntime.InferenceSession(
        source, options, providers=["CPUExecutionProvider"], disabled_optimizers=LEFT_OUT
    )
    # Kept there in case of another provider, of which there is none: as much memory again as the weights take.
    session._model_bytes = None
    return session
