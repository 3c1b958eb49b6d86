"""What ``marginalia train clarification`` runs."""

from __future__ import annotations

from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.training_log import Course, Trained
from marginalia.nlp.training.whole import Whole
from marginalia.nlp.weights import write_weights
from marginalia.tasks.clarification.systems.ours import INGREDIENTS
from marginalia.tasks.clarification.systems.passes import TOKENIZER_FILE, Passes
from marginalia.tasks.clarification.systems.train.examples import contexts
from marginalia.tasks.clarification.systems.train.graphs import to_onnx
from marginalia.tasks.clarification.systems.train.learning import train_network
from marginalia.tasks.clarification.systems.train.recipe import EPOCHS, FOLDS, finish

WANTED = {name: INGREDIENTS[name] for name in ("rater", "encoder")}
PACKED_PLACES = 192
"""Places that a context and a filler in its gap may take."""


def train_rater(course: Course) -> Trained:
    """The network fine-tuned from a base, then trees and the last step on articles that it has not seen."""
    whole = Whole(course)
    epochs = course.epochs or EPOCHS
    learned, _ = next(course.split.folds(FOLDS))
    network = train_network(
        contexts(learned, {}),
        _network(whole.model).to(course.device),
        epochs,
        tokenizer=whole.tokenizer,
        seed=course.seed,
        course=course,
    ).to("cpu")
    graph = to_onnx(network)
    tokenizer = {TOKENIZER_FILE: whole.tokenizer_json}
    facts = {"max_tokens": whole.max_tokens, "epochs": epochs}
    beside = course.checkpoint / "tokenizer"
    write_weights(beside, tokenizer, **facts)
    passes = Passes(given=graph, beside=beside)
    files = finish(course.split, graph, WANTED, passes=passes)
    return Trained(files={**files, **tokenizer}, systems=tuple(WANTED), facts=facts)


def _network(encoder: Any) -> Any:
    """Fillers are packed beside their context, each with the places of the gap: that takes an encoder with a table of
    places, in whose layers one may say who sees whom."""
    from marginalia.tasks.clarification.systems.train.network import Network

    parts = getattr(encoder, "embeddings", None)
    names = ("position_embeddings", "token_type_embeddings", "LayerNorm")
    if not all(hasattr(parts, name) for name in names) or not hasattr(encoder, "encoder"):
        raise FormatError(
            f"the base is a {encoder.config.model_type}, in which fillers cannot be packed beside their context: "
            "take one of the BERT or RoBERTa family"
        )
    if encoder.config.max_position_embeddings < PACKED_PLACES:
        raise FormatError(
            f"the base reads fewer than {PACKED_PLACES} tokens, which a context needs"
        )
    return Network(encoder, own=True)
