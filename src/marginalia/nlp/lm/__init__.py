"""A small causal language model without torch: a GGUF file, converted once into an int8 ONNX graph."""
