"""A pretrained encoder of any kind that ``transformers`` knows, as a training starts from it; needs ``marginalia[train]``."""

from __future__ import annotations

import inspect
import tempfile
from pathlib import Path
from typing import Any

from marginalia.core.errors import FormatError, MissingError, training
from marginalia.core.training_log import Course

NO_LIMIT = 1_000_000
"""A tokenizer that says more tokens than this knows no limit."""


def set_up(course: Course) -> None:
    """One thread and a seed, so that the same training gives the same bytes on the same machine."""
    with training():
        import torch

    if course.device != "cpu" and not _has(torch, course.device):
        raise MissingError(f"There is no device '{course.device}' here: take cpu.")
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.manual_seed(course.seed)


def _has(torch: Any, device: str) -> bool:
    kind = device.partition(":")[0]
    found = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    return kind in found and bool(found[kind]())


def load_encoder(course: Course) -> Any:
    """The encoder that the course starts from, without a pooling layer and without dropout in its attention."""
    with training():
        from transformers import AutoConfig, AutoModel

    base, options = require_base(course), _options(course)
    try:
        config = AutoConfig.from_pretrained(base, **options)
        for name in ("attention_probs_dropout_prob", "attention_dropout"):
            if hasattr(config, name):
                setattr(config, name, 0.0)
        # The plain attention graph is the one that onnxruntime knows how to fuse. Safetensors only: they hold no code.
        model = AutoModel.from_pretrained(
            base, config=config, attn_implementation="eager", use_safetensors=True, **options
        )
    except (OSError, ValueError, ImportError) as error:
        raise _not_loaded(base, course, error) from error
    if getattr(config, "is_encoder_decoder", False) or not hasattr(config, "hidden_size"):
        raise FormatError(f"the base {base} is a {config.model_type}, an encoder was expected")
    if getattr(model, "pooler", None) is not None:
        model.pooler = None
    return model.eval()


def load_tokenizer(course: Course) -> tuple[bytes, int]:
    """The content of ``tokenizer.json``, and how many tokens the encoder reads at most."""
    with training():
        from transformers import AutoConfig, AutoTokenizer

    base, options = require_base(course), _options(course)
    try:
        tokenizer = AutoTokenizer.from_pretrained(base, use_fast=True, **options)
        config = AutoConfig.from_pretrained(base, **options)
    except (OSError, ValueError, ImportError) as error:
        raise _not_loaded(base, course, error) from error
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_pretrained(folder)
        path = Path(folder) / "tokenizer.json"
        if not path.is_file():
            raise FormatError(
                f"the base {base} has no fast tokenizer, without which text is not read here"
            )
        return path.read_bytes(), max_tokens(config, tokenizer.model_max_length)


def max_tokens(config: Any, told: int) -> int:
    """Where the tokenizer knows no limit, as many as there are places; some encoders count those from 2 on."""
    places = int(getattr(config, "max_position_embeddings", 0) or 512)
    if "roberta" in config.model_type or config.model_type == "mpnet":
        places -= 2
    return min(told, places) if told < NO_LIMIT else places


def require_base(course: Course) -> str:
    if course.base is None:
        raise MissingError(
            f"The system '{course.system}' is fine-tuned from a pretrained encoder: name its folder with `base=`."
        )
    return course.base


def layers_of(model: Any) -> list[Any]:
    """The layers of an encoder from the lowest to the last."""
    return list(_layers(model))


def take_layers(model: Any, count: int) -> list[Any]:
    """The upper layers of an encoder, which then ends below them."""
    layers = _layers(model)
    taken = list(layers[-count:])
    del layers[-count:]
    return taken


def _layers(model: Any) -> Any:
    """The longest list of modules in an encoder."""
    from torch import nn

    lists = [module for module in model.modules() if isinstance(module, nn.ModuleList)]
    if not lists:
        raise FormatError(f"the encoder {type(model).__name__} has no layers that could be found")
    return max(lists, key=len)


def takes(model: Any, name: str) -> bool:
    """Whether the encoder has an input of this name."""
    return name in inspect.signature(model.forward).parameters


def _options(course: Course) -> dict[str, Any]:
    return {"local_files_only": not course.download, "trust_remote_code": False}


def _not_loaded(base: str, course: Course, error: Exception) -> MissingError:
    if not Path(base).is_dir() and not course.download:
        return MissingError(
            f"There is no folder {base}; to fetch an encoder of that name from the Hugging Face hub, say `download=True`."
        )
    said = " ".join(str(error).split()).split(". ")[0]
    return MissingError(f"The base {base} cannot be loaded: {said:.200}.")
