"""One way to start an ONNX model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from marginalia.nlp.fast_graph import faster

LEFT_OUT = ["SkipLayerNormFusion"]
"""What onnxruntime must not do where sums and norms were taken apart: it would join them again."""


def start(model: bytes | Path, *, norms_apart: bool = False) -> Any:
    """A session on a graph in the form that computes fastest here."""
    changed = faster(model, norms_apart=norms_apart)
    return open_session(changed or model, LEFT_OUT if norms_apart else ())


def open_session(model: bytes | Path, left_out: Sequence[str] = ()) -> Any:
    """A session with one thread: passes run side by side, and the heads are small."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = model if isinstance(model, bytes) else str(model)
    session = onnxruntime.InferenceSession(
        source, options, providers=["CPUExecutionProvider"], disabled_optimizers=list(left_out)
    )
    # Kept there in case of another provider, of which there is none: as much memory again as the weights take.
    session._model_bytes = None
    return session
