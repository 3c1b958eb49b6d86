"""A pretrained encoder as int8 ONNX with every layer an output.

    python -m marginalia.nlp.training.export BASE --out FOLDER [--languages en de] [--prefix "query: "] [--careful 1 5 6]

BASE is a local folder or a hub name that ``transformers`` can load. One of the BERT family is cut in two, and what
belongs together is fused; any other is one graph as it was traced. Needs
``marginalia[train]``. The weights of the package were made by this command: ``english`` from
``thenlper/gte-small``, ``multilingual`` from ``intfloat/multilingual-e5-small`` with the options above.
With languages only the pieces of the vocabulary stay that they use, each with a vector in four bits.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from marginalia.nlp.training.fourbits import pack_products, pack_table
from marginalia.nlp.training.pretrained import takes
from marginalia.nlp.training.tracing import trace
from marginalia.nlp.training.vocabulary import keep_pieces, used_pieces
from marginalia.nlp.weights import write_weights

CUT = 8
"""The last layer of the lower graph. Layers 4 to 8 know most about words, 12 about sentences."""


def export(
    base: str,
    out: Path,
    *,
    int8: bool = True,
    languages: Sequence[str] = (),
    prefix: str = "",
    careful: Sequence[int] = (),
) -> None:
    """Write ``lower.onnx``, ``upper.onnx``, ``tokenizer.json`` and the manifest into ``out``.

    In the ``careful`` layers the second product keeps more of its precision than int8 has.
    """
    from transformers import AutoModel, AutoTokenizer

    # The plain attention graph is the one that onnxruntime knows how to fuse.
    model = AutoModel.from_pretrained(base, attn_implementation="eager").eval()
    with tempfile.TemporaryDirectory() as folder:
        AutoTokenizer.from_pretrained(base).save_pretrained(folder)
        tokenizer = (Path(folder) / "tokenizer.json").read_bytes()
    if languages:
        ids = used_pieces(tokenizer, languages)
        tokenizer = keep_pieces(tokenizer, ids)
        prune(model, ids)
    files, facts = pack_encoder(
        model,
        tokenizer,
        model.config.max_position_embeddings,
        int8=int8,
        pack=bool(languages),
        careful=careful,
    )
    write_weights(out, files, **facts, **({"prefix": prefix} if prefix else {}))


def pack_encoder(
    model: Any,
    tokenizer: bytes,
    max_tokens: int,
    *,
    int8: bool = True,
    pack: bool = False,
    careful: Sequence[int] = (),
) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files of an encoder, and what its manifest says. With ``pack`` the vectors of its pieces have four bits."""
    layers = model.config.num_hidden_layers
    can_fuse = model.config.model_type == "bert"
    cut = min(CUT, layers) if can_fuse else layers
    with tempfile.TemporaryDirectory() as folder:
        graph = _graph(Path(folder), model, int8=int8, pack=pack, careful=careful)
    graphs = {"lower.onnx": graph.SerializeToString()}
    if can_fuse:
        graphs = split(graph, layers, cut)
    width = model.config.hidden_size
    facts = {"layers": layers, "cut": cut, "width": width, "max_tokens": max_tokens}
    return {**graphs, "tokenizer.json": tokenizer}, facts


def _graph(folder: Path, model: Any, *, int8: bool, pack: bool, careful: Sequence[int]) -> Any:
    """All layers in one graph; those of the BERT family fused."""
    import onnx

    traced, fused = folder / "traced.onnx", folder / "fused.onnx"
    trace_layers(model, traced)
    if model.config.model_type != "bert":
        if int8:
            quantise(traced, fused)
        return onnx.load(str(fused if int8 else traced))
    fuse(traced, fused, model.config)
    graph = onnx.load(str(fused))
    name_lengths(graph)
    if int8 and pack:
        pack_table(graph)
    if int8:
        pack_products(graph, careful)
        whole, smaller = folder / "whole.onnx", folder / "int8.onnx"
        onnx.save(graph, str(whole))
        quantise(whole, smaller, table=not pack)
        graph = onnx.load(str(smaller))
    return graph


def prune(model: Any, ids: Sequence[int]) -> None:
    """Leave only the vectors of these pieces in the encoder."""
    import torch

    table = model.get_input_embeddings().weight.detach()[list(ids)].clone()
    model.set_input_embeddings(torch.nn.Embedding.from_pretrained(table))
    model.config.vocab_size = len(ids)


def trace_layers(model: Any, path: Path) -> None:
    """The graph of the whole encoder, with the hidden states of all layers as outputs."""
    import torch

    class AllLayers(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            kinds = {"token_type_ids": torch.zeros_like(input_ids)} if has_kinds else {}
            states = self.model(
                input_ids=input_ids,
                attention_mask=attention_mask,
                output_hidden_states=True,
                **kinds,
            ).hidden_states
            return tuple(states)

    has_kinds = takes(model, "token_type_ids")

    names = [f"layer_{layer}" for layer in range(model.config.num_hidden_layers + 1)]
    inputs = ["input_ids", "attention_mask"]
    size = model.config.vocab_size
    ids = torch.randint(min(1000, size - 1), min(2000, size), (2, 16))
    axes = {0: "batch", 1: "tokens"}
    shapes = (dict.fromkeys(each, axes) for each in (inputs, names))
    trace(AllLayers(), (ids, torch.ones_like(ids)), path, *shapes)


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


def quantise(source: Path, target: Path, *, table: bool = True) -> None:
    """Int8 weights per channel; one bit is left out, since CPUs without VNNI would overflow.

    Without ``table`` the vectors of the pieces stay as they are.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        str(source),
        str(target),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=None if table else ["MatMul", "Attention"],
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )


def is_embedding(node: Any) -> bool:
    """The fused node, plain or quantised, that makes layer 0."""
    return bool(node.op_type.endswith("EmbedLayerNormalization"))


def name_lengths(model: Any) -> None:
    """The fused attention wants the number of tokens of each text, which the embedding node counts."""
    import onnx

    [embed] = [node for node in model.graph.node if is_embedding(node)]
    counted = embed.output[1]
    for node in model.graph.node:
        for names in (node.input, node.output):
            names[:] = ["lengths" if name == counted else name for name in names]
    lengths = onnx.helper.make_tensor_value_info("lengths", onnx.TensorProto.INT32, ["batch"])
    model.graph.value_info.append(lengths)


def split(model: Any, layers: int, cut: int = CUT) -> dict[str, bytes]:
    """Two graphs, so that whoever needs the lower layers only does not pay for the upper ones.

    The upper graph, which has no embedding node, takes the numbers of tokens as its input ``lengths``.
    """
    from onnx.utils import Extractor

    names = [f"layer_{layer}" for layer in range(layers + 1)]
    parts = {"lower.onnx": (["input_ids", "attention_mask"], names[: cut + 1])}
    if cut < layers:
        parts["upper.onnx"] = [names[cut], "lengths"], names[cut + 1 :]
    return {
        name: Extractor(model).extract_model(inputs, outputs).SerializeToString()
        for name, (inputs, outputs) in parts.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", help="local folder or hub name")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fp32", action="store_true", help="do not quantise")
    parser.add_argument("--languages", nargs="*", default=[], help="keep only their pieces")
    parser.add_argument("--prefix", default="", help="what the base model wants before each text")
    parser.add_argument(
        "--careful", nargs="*", type=int, default=[], help="layers that int8 alone would spoil"
    )
    arguments = parser.parse_args()
    export(
        arguments.base,
        arguments.out,
        int8=not arguments.fp32,
        languages=arguments.languages,
        prefix=arguments.prefix,
        careful=arguments.careful,
    )


if __name__ == "__main__":
    main()
