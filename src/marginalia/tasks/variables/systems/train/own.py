"""What ``marginalia train variables`` runs."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import replace

from marginalia.core.own_weights import using_weights
from marginalia.core.training_log import Course, Trained
from marginalia.nlp.encoder import multilingual
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.spans import train_spans
from marginalia.tasks.variables.systems.detection import HEAD, WORDS
from marginalia.tasks.variables.systems.fine_tuned import FineTuned, examples
from marginalia.tasks.variables.systems.reranker import HEAD as LINKING
from marginalia.tasks.variables.systems.train.recipe import train_detection, train_linking

SYSTEMS = ("reader", "detector", "reranker")
"""They share their heads."""


def train_reader(course: Course) -> Trained:
    """Detection and linking by linear heads on the sentence vectors of a base, which stays as it is."""
    encoder = frozen_encoder(course, multilingual)
    with nullcontext() if course.base is None else using_weights(encoder.folder):
        head, known = train_detection(course.split)
        course.tell("heads", 1, 2, {})
        linking = train_linking(course.split)
        course.tell("heads", 2, 2, {})
    files, facts = encoder_files(course, encoder)
    files |= {HEAD: head, WORDS: json.dumps(known).encode(), LINKING: linking}
    return Trained(files=files, systems=SYSTEMS, facts=facts)


def train_tuned(course: Course) -> Trained:
    """Detection by fine-tuning; notes, which link too, stay with the reader."""
    made = train_spans(course, FineTuned().tuned, *examples(course.split))
    return replace(made, facts={**made.facts, "documents": False})
