"""What ``marginalia train complexity`` runs."""

from __future__ import annotations

from marginalia.core.course import Course, Trained
from marginalia.nlp.encoder import english
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.spans import train_spans
from marginalia.tasks.complexity.systems.fine_tuned import FineTuned, examples
from marginalia.tasks.complexity.systems.inputs import Inputs, word_layers
from marginalia.tasks.complexity.systems.ours import HEADS
from marginalia.tasks.complexity.systems.train.recipe import train_heads, training_inputs

SYSTEMS = ("ensemble", *(name for name in HEADS if name != "ensemble"))


def train_ensemble(course: Course) -> Trained:
    """Boosting and networks on features and vectors of a base, which stays as it is; all four families."""
    encoder = frozen_encoder(course, english)
    inputs = training_inputs()
    if course.base is not None:
        inputs = Inputs(encoder, keep=True, layers=word_layers(encoder))
    heads = sorted({head for heads in HEADS.values() for head in heads})
    files, facts = encoder_files(course, encoder)
    for number, head in enumerate(heads, start=1):
        [model] = train_heads(course.split, [head], inputs, seed=course.seed).values()
        files[f"{head}.onnx"] = model
        course.tell("heads", number, len(heads), {})
    return Trained(files=files, systems=SYSTEMS, facts=facts)


def train_tuned(course: Course) -> Trained:
    """The encoder itself, fine-tuned on targets in their sentences."""
    return train_spans(course, FineTuned().tuned, *examples(course.split))
