"""How the weights were made, how to make them again, and what ``marginalia train clarification`` runs.

    python -m marginalia.tasks.clarification.systems.train.recipe --base BASE [--taught FILE] [--data DIR] [--out FOLDER]

BASE is a local folder or a hub name of the encoder to start from, the same as that of the shared English
encoder. FILE is made by ``python -m marginalia.tasks.clarification.systems.language_model``; without it the network learns from the
ratings alone. Needs ``marginalia[train]``; one thread, seeded. Reads the split ``train`` and nothing else
(``dev`` only to report). A tenth of the articles of train is left out of the network's training: on it the last
step learns how far to trust the network, and where the classes begin.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import FormatError
from marginalia.core.files import read_json
from marginalia.core.training_log import Course, Trained
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.training.whole import Whole
from marginalia.nlp.weights import write_weights
from marginalia.tasks.clarification.systems.adapters import ADAPTERS_FILE as ADAPTERS
from marginalia.tasks.clarification.systems.adapters import Adapters
from marginalia.tasks.clarification.systems.features import TREES_FILE as TREES
from marginalia.tasks.clarification.systems.features import Boosted, train_boosted
from marginalia.tasks.clarification.systems.filler_rows import PARTS, Evidence
from marginalia.tasks.clarification.systems.language_model import LanguageModel
from marginalia.tasks.clarification.systems.passes import NETWORK_FILE as NETWORK
from marginalia.tasks.clarification.systems.passes import TOKENIZER_FILE, Passes
from marginalia.tasks.clarification.systems.rater import INGREDIENTS
from marginalia.tasks.clarification.systems.stacking import STACKS_FILE as STACKS
from marginalia.tasks.clarification.systems.stacking import to_bytes
from marginalia.tasks.clarification.systems.train.graphs import to_onnx
from marginalia.tasks.clarification.systems.train.held_out import unseen
from marginalia.tasks.clarification.systems.train.learning import SEED, contexts, train_network

log = logging.getLogger(__name__)

BASE = "thenlper/gte-small"
FOLDS = 10
"""One of them is left for the last step."""
EPOCHS = 3
WANTED = {name: INGREDIENTS[name] for name in ("rater", "encoder")}
PACKED_PLACES = 192
"""Places that a context and a filler in its gap may take."""


def load_network(base: str) -> Any:
    from transformers import AutoModel

    from marginalia.tasks.clarification.systems.train.network import Network

    encoder = AutoModel.from_pretrained(
        base, add_pooling_layer=False, attention_probs_dropout_prob=0.0
    )
    return Network(encoder)


def train_on(
    split: Split, base: str, taught: Mapping[str, Any], epochs: int, keep: Path | None
) -> Any:
    """A network trained on a split."""
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    return train_network(contexts(split, taught), load_network(base), epochs, keep)


def train_weights(
    split: Split,
    wanted: Mapping[str, Sequence[str]],
    *,
    base: str = BASE,
    taught: Mapping[str, Any] | None = None,
    epochs: int = EPOCHS,
    keep: Path | None = None,
) -> dict[str, bytes]:
    """The files of the weights, with the last steps of the systems that are wanted."""
    learned, _ = next(split.folds(FOLDS))
    graph = to_onnx(train_on(learned, base, taught or {}, epochs, keep))
    asked = any("adapted" in parts for parts in wanted.values())
    return finish(split, graph, wanted, adapters=trained_adapters(split) if asked else None)


def trained_adapters(split: Split) -> bytes:
    from marginalia.nlp.lm.gguf_file import GgufFile
    from marginalia.nlp.lm.model import find_model, require_known
    from marginalia.tasks.clarification.systems.train.adapting import adapt

    return adapt(split, GgufFile(require_known(find_model())))


def finish(
    split: Split,
    graph: bytes,
    wanted: Mapping[str, Sequence[str]],
    *,
    adapters: bytes | None = None,
    passes: Passes | None = None,
) -> dict[str, bytes]:
    """Trees on the features, and the last steps, learned from ratings that neither has seen."""
    learned, _ = next(split.folds(FOLDS))
    gold = split.require_gold()
    trees = train_boosted(list(learned.items.values()), [gold[id].score for id in learned.items])
    log.info("trees done")
    files, lm = {NETWORK: graph, TREES: trees}, None
    if adapters is not None:
        files[ADAPTERS] = adapters
        lm = LanguageModel(adapters=partial(Adapters.from_bytes, adapters))
    parts = [part for part in PARTS if any(part in chosen for chosen in wanted.values())]
    evidence = Evidence(parts, passes or Passes(given=graph), Boosted(given=trees), lm)
    rows = unseen(split, evidence, FOLDS)
    stacks = {name: rows.of(chosen).stack() for name, chosen in wanted.items()}
    return {**files, STACKS: to_bytes(stacks)}


def main() -> None:
    from marginalia.tasks.clarification.official.data import load
    from marginalia.tasks.clarification.systems import weights_folder

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default=BASE, help="local folder or hub name")
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, help="without it, the installed weights are replaced")
    parser.add_argument("--taught", type=Path, help="scores of a language model")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--keep", type=Path, help="where to keep the network after each epoch")
    arguments = parser.parse_args()
    out = arguments.out or weights_folder()
    folder = data_folder(arguments.data)
    train, dev = load("train", folder), load("dev", folder)
    taught = {} if arguments.taught is None else read_json(arguments.taught)
    files = train_weights(
        train,
        INGREDIENTS,
        base=arguments.base,
        taught=taught,
        epochs=arguments.epochs,
        keep=arguments.keep,
    )
    write(out, files, train, dev, len(taught))


def write(out: Path, files: Mapping[str, bytes], train: Split, dev: Split, taught: int) -> None:
    """The weights and their card, with what they reach on dev."""
    from marginalia.tasks.clarification.official.score import score
    from marginalia.tasks.clarification.systems import CARD
    from marginalia.tasks.clarification.systems.rater import Rater

    trained_on = [path.name for path in train.files]
    write_weights(out, files, trained_on=trained_on, taught=taught, seed=SEED)
    rows = []
    for name in INGREDIENTS:
        if ADAPTERS not in files and "adapted" in INGREDIENTS[name]:
            continue
        found = score(dev, Rater(name, out).predict(dev.items)).scores
        rows.append([f"`{name}`", *(f"{found[key]:.4f}" for key in ("accuracy", "spearman"))])
        log.info(f"{name} on dev: accuracy {rows[-1][1]}, spearman {rows[-1][2]}")
    columns = ("system", "accuracy on dev", "spearman on dev")
    write_card(out, CARD, {"DEV": (columns, rows)})


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


if __name__ == "__main__":
    main()
