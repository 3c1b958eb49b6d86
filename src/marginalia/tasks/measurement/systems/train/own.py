"""What ``marginalia train measurement`` runs."""

from __future__ import annotations

from marginalia.core.training_log import Course, Trained
from marginalia.nlp.training.whole import Whole
from marginalia.tasks.measurement.systems.inference import TOKENIZER_FILE
from marginalia.tasks.measurement.systems.inputs import MAX_WINDOW_PIECES
from marginalia.tasks.measurement.systems.train.corpus import of_measeval
from marginalia.tasks.measurement.systems.train.graphs import to_onnx
from marginalia.tasks.measurement.systems.train.recipe import (
    EPOCHS,
    SYSTEMS,
    make_network,
    train_network,
)


def train_pointer(course: Course) -> Trained:
    """The network of both systems, fine-tuned from a base."""
    whole = Whole(course)
    epochs, limit = course.epochs or EPOCHS, min(MAX_WINDOW_PIECES, whole.max_tokens)
    found = train_network(
        of_measeval(course.split),
        make_network(whole.model).to(course.device),
        epochs,
        whole.tokenizer,
        limit,
        seed=course.seed,
        course=course,
    )
    files = {**to_onnx(found.to("cpu")), TOKENIZER_FILE: whole.tokenizer_json}
    facts = {"max_tokens": limit, "epochs": epochs}
    return Trained(files=files, systems=SYSTEMS, facts=facts)
