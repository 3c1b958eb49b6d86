"""What ``marginalia train similarity`` runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from marginalia.core.training_log import Course, Trained
from marginalia.nlp.encoder import english
from marginalia.nlp.training.export import pack_encoder
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.pretrained import set_up
from marginalia.nlp.training.whole import Whole
from marginalia.tasks.similarity.systems.train import recipe
from marginalia.tasks.similarity.systems.train.recipe import labelled
from marginalia.tasks.similarity.systems.train.tuning import (
    BATCH_PAIRS,
    STEPS,
    Encode,
    in_chunks,
    scale_of,
    tune,
)
from marginalia.tasks.similarity.systems.train.upper import RATE as UPPER_RATE
from marginalia.tasks.similarity.systems.train.upper import UpperLayers
from marginalia.tasks.similarity.systems.tuned import LAYERS_FILE, NAME, SCALE_FILE

RATE = 1e-5
"""Where all layers learn, each less than where only the upper ones do."""


def train_tuned(course: Course) -> Trained:
    """All layers of a base; without a base the upper ones of the shared encoder."""
    rows = labelled(course.split)
    steps = STEPS if course.epochs is None else course.epochs * -(-len(rows.pairs) // BATCH_PAIRS)
    texts = sorted({text for pair in rows.pairs for text in pair})
    if course.base is None:
        set_up(course)
        upper = UpperLayers(english(), texts)
        found = tune(
            rows,
            upper.network(),
            upper.encode,
            rate=UPPER_RATE,
            steps=steps,
            seed=course.seed,
            course=course,
        )
        files = {LAYERS_FILE: upper.to_onnx(found)}
        scale = scale_of(texts, lambda some: without_gradient(upper.encode, found, some), 0.0)
        return Trained(files={**files, SCALE_FILE: scale}, systems=(NAME,), facts={"steps": steps})
    whole = Whole(course)
    sizes = {text: len(whole.ids(text)) for text in texts}

    def encode(model: Any, some: Sequence[str]) -> Any:
        return in_chunks(some, sizes.__getitem__, lambda part: mean_vectors(whole, model, part))

    found = tune(rows, whole.model, encode, rate=RATE, steps=steps, seed=course.seed, course=course)
    scale = scale_of(texts, lambda some: without_gradient(encode, found, some), 0.0)
    packed, facts = pack_encoder(found.to("cpu"), whole.tokenizer_json, whole.max_tokens)
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
    learned = recipe.learn(course.split, encoder, seed=course.seed)
    course.tell("regression", 1, 1, {})
    files, facts = encoder_files(course, encoder)
    data = (json.dumps(learned.to_json()) + "\n").encode()
    return Trained(files={**files, "english.json": data}, systems=("learned",), facts=facts)
