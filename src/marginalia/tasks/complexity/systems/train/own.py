"""What ``marginalia train complexity`` runs."""

from __future__ import annotations

from dataclasses import replace

from marginalia.core.training_log import Course, Trained
from marginalia.nlp.encoder import english
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.spans import train_spans
from marginalia.tasks.complexity.systems.fine_tuned import FineTuned, examples
from marginalia.tasks.complexity.systems.inputs import Inputs, word_layers
from marginalia.tasks.complexity.systems.ours import HEADS
from marginalia.tasks.complexity.systems.train.recipe import train_heads, training_inputs

SYSTEMS = ("ensemble", "hybrid", "encoder", "features")


def train_ensemble(course: Course) -> Trained:
    """Boosting and networks on features and vectors of a base, which stays as it is; all four families."""
    return _train(course, SYSTEMS)


def train_ensemble_lm(course: Course) -> Trained:
    """The same, and the heads on the states of the language model, for the bench; documents stay with ``ensemble``.

    Needs ``marginalia[lm]`` too.
    """
    made = _train(course, ("ensemble-lm", *SYSTEMS))
    return replace(made, facts={**made.facts, "documents": False})


def _train(course: Course, systems: tuple[str, ...]) -> Trained:
    encoder = frozen_encoder(course, english)
    inputs = training_inputs()
    if course.base is not None:
        inputs = Inputs(encoder, keep=True, layers=word_layers(encoder))
    heads = sorted({head for system in systems for head in HEADS[system]})
    files, facts = encoder_files(course, encoder)
    for number, head in enumerate(heads, start=1):
        [model] = train_heads(course.split, [head], inputs, seed=course.seed).values()
        files[f"{head}.onnx"] = model
        course.tell("heads", number, len(heads), {})
    return Trained(files=files, systems=systems, facts=facts)


def train_tuned(course: Course) -> Trained:
    """The encoder itself, fine-tuned on targets in their sentences."""
    return train_spans(course, FineTuned().tuned, *examples(course.split))
