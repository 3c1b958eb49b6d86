"""What ``marginalia train similarity`` runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from marginalia.core.course import Course, Trained
from marginalia.nlp.encoder import english
from marginalia.nlp.training.export import pack_encoder
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.pretrained import set_up
from marginalia.nlp.training.whole import Whole
from marginalia.tasks.similarity.systems.train import recipe
from marginalia.tasks.similarity.systems.train.recipe import Labelled, labelled
from marginalia.tasks.similarity.systems.train.tuning import (
    BATCH_PAIRS,
    STEPS,
    fit_line,
    in_chunks,
    tune,
)
from marginalia.tasks.similarity.systems.train.upper import RATE as UPPER_RATE
from marginalia.tasks.similarity.systems.train.upper import UpperLayers
from marginalia.tasks.similarity.systems.tuned import LAYERS_FILE, LINE_FILE, NAME

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
        line = line_of(rows, texts, lambda some: upper.encode(found, some))
        return Trained(files={**files, LINE_FILE: line}, systems=(NAME,), facts={"steps": steps})
    whole = Whole(course)
    sizes = {text: len(whole.ids(text)) for text in texts}

    def encode(model: Any, some: Sequence[str]) -> Any:
        return in_chunks(some, sizes.__getitem__, lambda part: mean_vectors(whole, model, part))

    found = tune(
        rows, whole.model, encode, rate=RATE, steps=steps, seed=course.seed, course=course
    ).to("cpu")
    line = line_of(rows, texts, lambda some: encode(found.to(course.device), some))
    packed, facts = pack_encoder(found.to("cpu"), whole.tokenizer_json, whole.max_tokens)
    return Trained(
        files={**packed, LINE_FILE: line}, systems=(NAME,), facts={**facts, "steps": steps}
    )


def mean_vectors(whole: Whole, model: Any, texts: Sequence[str]) -> Any:
    from torch.nn import functional

    states, there = whole.states(model, [whole.ids(text) for text in texts])
    return functional.normalize((states * there[:, :, None]).sum(1), dim=1)


def line_of(rows: Labelled, texts: Sequence[str], encode: Callable[[Sequence[str]], Any]) -> bytes:
    """The step from cosines to points, by the network as it was trained."""
    import torch

    with torch.no_grad():
        vectors = dict(zip(texts, encode(texts).cpu().numpy(), strict=True))
    cosines = np.array([float(vectors[a] @ vectors[b]) for a, b in rows.pairs])
    return (json.dumps(fit_line(cosines, rows)) + "\n").encode()


def train_learned(course: Course) -> Trained:
    """The regression and the weights of tokens, on a base that stays as it is; for English pairs."""
    encoder = frozen_encoder(course, english)
    set_up(course)
    learned = recipe.learn(course.split, encoder, seed=course.seed)
    course.tell("regression", 1, 1, {})
    files, facts = encoder_files(course, encoder)
    data = (json.dumps(learned.to_json()) + "\n").encode()
    return Trained(files={**files, "english.json": data}, systems=("learned",), facts=facts)
