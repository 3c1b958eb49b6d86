"""A pretrained encoder as int8 ONNX with every layer an output.

    python -m marginalia.nlp.export BASE --out FOLDER

BASE is a local folder or a hub name that ``transformers`` can load, of the BERT family. Needs
``marginalia[train]``. The weights of the package were made by this command from ``thenlper/gte-small``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from marginalia.nlp.weights import MANIFEST


def export(base: str, out: Path, *, int8: bool = True) -> None:
    """Write ``model.onnx``, ``tokenizer.json`` and the manifest into ``out``."""
    from transformers import AutoModel, AutoTokenizer

    # The plain attention graph is the one that onnxruntime knows how to fuse.
    model = AutoModel.from_pretrained(base, attn_implementation="eager").eval()
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        traced, fused = Path(folder) / "traced.onnx", Path(folder) / "fused.onnx"
        trace(model, traced)
        fuse(traced, fused, model.config)
        if int8:
            quantise(fused, out / "model.onnx")
        else:
            shutil.copy(fused, out / "model.onnx")
        AutoTokenizer.from_pretrained(base).save_pretrained(folder)
        shutil.copy(Path(folder) / "tokenizer.json", out / "tokenizer.json")
    write_manifest(out, model.config)


def trace(model: Any, path: Path) -> None:
    """The graph of the whole encoder, with the hidden states of all layers as outputs."""
    import torch

    class AllLayers(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            states = self.model(
                input_ids=input_ids,
                attention_mask=attention_mask,
                token_type_ids=torch.zeros_like(input_ids),
                output_hidden_states=True,
            ).hidden_states
            return tuple(states)

    names = [f"layer_{layer}" for layer in range(model.config.num_hidden_layers + 1)]
    inputs = ["input_ids", "attention_mask"]
    ids = torch.randint(1000, 2000, (2, 16))
    torch.onnx.export(
        AllLayers(),
        (ids, torch.ones_like(ids)),
        str(path),
        input_names=inputs,
        output_names=names,
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in [*inputs, *names]},
        opset_version=17,
        dynamo=False,
    )


def fuse(source: Path, target: Path, config: Any) -> None:
    """Attention, layer norm and GELU as single operators."""
    from onnxruntime.transformers.optimizer import optimize_model

    optimize_model(
        str(source),
        model_type="bert",
        num_heads=config.num_attention_heads,
        hidden_size=config.hidden_size,
        opt_level=0,
    ).save_model_to_file(str(target))


def quantise(source: Path, target: Path) -> None:
    """Int8 weights per channel; one bit is left out, since CPUs without VNNI would overflow."""
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(source),
        str(target),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )


def write_manifest(folder: Path, config: Any) -> None:
    files = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("model.onnx", "tokenizer.json")
    }
    manifest = {
        "layers": config.num_hidden_layers,
        "width": config.hidden_size,
        "max_tokens": config.max_position_embeddings,
        "files": files,
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="local folder or hub name")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fp32", action="store_true", help="do not quantise")
    arguments = parser.parse_args()
    export(arguments.base, arguments.out, int8=not arguments.fp32)


if __name__ == "__main__":
    main()
