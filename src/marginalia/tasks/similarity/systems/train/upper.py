"""How the shipped ``tuned`` was made, from the upper layers of the shared encoder on what the lower ones give, read once;
and what ``marginalia train similarity`` runs.

    python -m marginalia.tasks.similarity.systems.train.upper [--data DIR] [--out FOLDER]

Needs ``marginalia[train]``. Reads STS 2012, 2014 and 2015 (``train``, ``dev`` and ``2015-test``); nothing is downloaded. What
is written has the layout of the shared encoder's upper graph, in int8 as that.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import data_folder
from marginalia.core.training_log import Course, Trained
from marginalia.nlp.encoder import Encoder, english
from marginalia.nlp.onnx import start
from marginalia.nlp.training.export import pack_encoder
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.training.pretrained import set_up
from marginalia.nlp.training.whole import Whole
from marginalia.nlp.weights import write_weights
from marginalia.tasks.similarity.systems.train.recipe import Labelled, labelled, learn
from marginalia.tasks.similarity.systems.train.tuning import (
    BATCH_PAIRS,
    SHARE,
    STEPS,
    Encode,
    in_chunks,
    scale_of,
    tune,
)
from marginalia.tasks.similarity.systems.tuned import LAYERS_FILE, NAME, SCALE_FILE, TunedVectors

log = logging.getLogger(__name__)

SPLITS = ("train", "dev", "2015-test")
SEED, RATE = 0, 4e-5
INT8_STEPS = 63
"""Steps from 0 to the largest weight of a row: one bit is left out, as in the shared encoder."""
LEARNED_SHARE = 0.25
"""What ``learned`` counts in the score; chosen on sources left out."""
WHOLE_RATE = 1e-5
"""Where all layers learn, each less than where only the upper ones do."""


class UpperLayers:
    """The layers above the cut in torch, and the states at the cut of all texts, in half precision."""

    def __init__(self, encoder: Encoder, texts: Iterable[str]) -> None:
        self.encoder, self.cut = encoder, int(encoder.manifest["cut"])
        self.states: dict[str, NDArray[np.float16]] = {}
        texts = list(dict.fromkeys(texts))
        for number, (text, tokens) in enumerate(
            zip(texts, encoder.tokens(texts, [self.cut]), strict=True), start=1
        ):
            self.states[text] = tokens.layers[self.cut].astype(np.float16)
            if number % 2000 == 0 or number == len(texts):
                log.info(f"{number:,} of {len(texts):,} texts read")

    def network(self) -> Any:
        """As they ship; plain attention without dropout."""
        from marginalia.nlp.training.network import config_of, tunable

        none = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        layers = range(self.cut + 1, self.encoder.last + 1)
        return tunable(self.encoder, layers, config_of(self.encoder, **none))

    def encode(self, network: Any, texts: Sequence[str]) -> Any:
        return in_chunks(
            texts, lambda text: len(self.states[text]), lambda some: self._read(network, some)
        )

    def _read(self, network: Any, texts: Sequence[str]) -> Any:
        import torch
        from torch.nn import functional

        from marginalia.nlp.training.network import passed

        rows = [self.states[text] for text in texts]
        size = max(map(len, rows))
        states = np.zeros((len(rows), size, rows[0].shape[1]), dtype=np.float32)
        there = np.zeros((len(rows), size), dtype=np.float32)
        for place, row in enumerate(rows):
            states[place, : len(row)], there[place, : len(row)] = row, 1
        known = torch.from_numpy(there)
        last = passed(network, torch.from_numpy(states), known)
        return functional.normalize((last * known[:, :, None]).sum(1), dim=1)

    def to_onnx(self, network: Any) -> bytes:
        """The tuned layers as the upper graph of an encoder of the same shape, whose lower one is thrown away."""
        from transformers import BertModel

        from marginalia.nlp.training.network import config_of

        model = BertModel(config_of(self.encoder), add_pooling_layer=False).eval()
        for place, layer in enumerate(network, start=self.cut):
            model.encoder.layer[place].load_state_dict(layer.state_dict())
            dither(model.encoder.layer[place])
        files, _ = pack_encoder(model, b"", 512)
        return files["upper.onnx"]


def dither(layer: Any) -> None:
    """Weights moved at random by up to half a step of int8, so that rounding keeps on average what was learned.

    They begin on the grid of the shipped int8 weights, and training moves most of them by less than half a step: plain
    rounding would give back the weights at the start.
    """
    import torch

    random = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for weights in layer.parameters():
            if weights.ndim == 2:
                step = weights.abs().amax(dim=1, keepdim=True) / INT8_STEPS
                weights += step * (torch.rand(weights.shape, generator=random) - 0.5)


def seed_torch(seed: int) -> None:
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(seed)


def joined(parts: Sequence[Labelled]) -> Labelled:
    return Labelled(
        [pair for part in parts for pair in part.pairs],
        np.concatenate([part.gold for part in parts]),
        [name for part in parts for name in part.sets],
    )


def tuned_files(split: Split) -> dict[str, bytes]:
    """The files of ``tuned``, learned from a split."""
    return tuned_rows(labelled(split))


def tuned_rows(rows: Labelled) -> dict[str, bytes]:
    seed_torch(SEED)
    upper = UpperLayers(english(), sorted({text for pair in rows.pairs for text in pair}))
    network = tune(rows, upper.network(), upper.encode, rate=RATE, seed=SEED)
    layers = upper.to_onnx(network)
    made = TunedVectors({"unrelated": 0.0, "learned": 0.0}, start(layers))
    scale = scale_of(list(upper.states), made.vectors, LEARNED_SHARE)  # as it will be read, in int8
    return {LAYERS_FILE: layers, SCALE_FILE: scale}


def main() -> None:
    from marginalia.tasks.similarity.official.data import load
    from marginalia.tasks.similarity.systems import weights_folder

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, help="without it, the installed weights are replaced")
    arguments = parser.parse_args()
    folder = data_folder(arguments.data)
    splits = [load(name, folder) for name in SPLITS]
    rows = joined([labelled(split) for split in splits])
    facts = {"on": list(SPLITS), "seed": SEED, "steps": STEPS, "rate": RATE, "share": SHARE}
    write_weights(arguments.out or weights_folder(), tuned_rows(rows), tuned=facts)


def train_tuned(course: Course) -> Trained:
    """All layers of a base; without a base the upper ones of the shared encoder."""
    rows = labelled(course.split)
    steps = STEPS if course.epochs is None else course.epochs * -(-len(rows.pairs) // BATCH_PAIRS)
    texts = sorted({text for pair in rows.pairs for text in pair})
    if course.base is None:
        set_up(course)
        upper = UpperLayers(english(), texts)
        network = tune(
            rows,
            upper.network(),
            upper.encode,
            rate=RATE,
            steps=steps,
            seed=course.seed,
            course=course,
        )
        files = {LAYERS_FILE: upper.to_onnx(network)}
        scale = scale_of(texts, lambda some: without_gradient(upper.encode, network, some), 0.0)
        return Trained(files={**files, SCALE_FILE: scale}, systems=(NAME,), facts={"steps": steps})
    whole = Whole(course)
    sizes = {text: len(whole.ids(text)) for text in texts}

    def encode(model: Any, some: Sequence[str]) -> Any:
        return in_chunks(some, sizes.__getitem__, lambda part: mean_vectors(whole, model, part))

    network = tune(
        rows, whole.model, encode, rate=WHOLE_RATE, steps=steps, seed=course.seed, course=course
    )
    scale = scale_of(texts, lambda some: without_gradient(encode, network, some), 0.0)
    packed, facts = pack_encoder(network.to("cpu"), whole.tokenizer_json, whole.max_tokens)
    return Trained(
        files={**packed, SCALE_FILE: scale}, systems=(NAME,), facts={**facts, "steps": steps}
    )


def without_gradient(encode: Encode, network: Any, texts: Sequence[str]) -> Any:
    import torch

    with torch.no_grad():
        return encode(network, texts).cpu().numpy()


def mean_vectors(whole: Whole, model: Any, texts: Sequence[str]) -> Any:
    from torch.nn import functional

    states, there = whole.states(model, [whole.ids(text) for text in texts])
    return functional.normalize((states * there[:, :, None]).sum(1), dim=1)


def train_learned(course: Course) -> Trained:
    """The regression and the weights of tokens, on a base that stays as it is; for English pairs."""
    encoder = frozen_encoder(course, english)
    set_up(course)
    learned = learn(course.split, encoder, seed=course.seed)
    course.tell("regression", 1, 1, {})
    files, facts = encoder_files(course, encoder)
    data = (json.dumps(learned.to_json()) + "\n").encode()
    return Trained(files={**files, "english.json": data}, systems=("learned",), facts=facts)


if __name__ == "__main__":
    main()
