"""How the weights were made, how to make them again, and what ``marginalia train variables`` runs.

    python -m marginalia.tasks.variables.systems.train.recipe [--data DIR] [--out FOLDER]

Needs ``marginalia[train]``. Reads the split ``train`` (its sentences, labels, candidates and papers) and nothing
else; the encoder is frozen. Both heads are linear: with 24 documents anything larger learns the documents.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import data_folder
from marginalia.core.errors import MissingError, training
from marginalia.core.own_weights import using_weights
from marginalia.core.training_log import Course, Trained
from marginalia.nlp.encoder import multilingual
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.frozen import encoder_files, frozen_encoder
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.training.spans import train_spans
from marginalia.nlp.weights import write_weights
from marginalia.tasks.variables.index.terms import stems
from marginalia.tasks.variables.official.data import Paper
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.detection import HEAD, WORDS, words_rows
from marginalia.tasks.variables.systems.evidence import evidence
from marginalia.tasks.variables.systems.features import (
    CANDIDATE_FEATURES,
    candidate_features,
    sentence_features,
)
from marginalia.tasks.variables.systems.fine_tuned import FineTuned, balanced, examples
from marginalia.tasks.variables.systems.reranker import HEAD as LINKING

log = logging.getLogger(__name__)
Floats = NDArray[np.float64]
SEED = 0
SCALES = {"features": 0.1, "vectors": 0.02}
"""Standard deviation of the columns of a block next to words, whose rows have length 1."""
INVERSE_REGULARISATION = 1.0
WEIGHT_DECAY = 0.01
MAX_OTHERS = 200
"""Candidates beside the gold ones from which the order is learned."""
SYSTEMS = ("reader", "detector", "reranker")
"""They share their heads."""


def linear_graph(weights: Mapping[str, Any], bias: float) -> bytes:
    """One input per block of columns, each with its weights; ``score`` is their sum."""
    from onnx import TensorProto, checker, helper, numpy_helper

    nodes, constants, inputs, terms = [], [], [], ["bias"]
    for name, values in weights.items():
        column = np.asarray(values, dtype=np.float32)[:, None]
        constants.append(numpy_helper.from_array(column, f"{name}_weights"))
        inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", len(column)]))
        nodes.append(helper.make_node("MatMul", [name, f"{name}_weights"], [f"{name}_score"]))
        terms.append(f"{name}_score")
    constants.append(numpy_helper.from_array(np.array([[bias]], dtype=np.float32), "bias"))
    nodes.append(helper.make_node("Sum", terms, ["score"]))
    score = helper.make_tensor_value_info("score", TensorProto.FLOAT, ["rows", 1])
    graph = helper.make_graph(nodes, "variables", inputs, [score], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    return bytes(model.SerializeToString())


def train_detection(split: Split) -> tuple[bytes, dict[str, float]]:
    """Logistic regression on stems, features and vectors, both classes weighing the same."""
    from scipy import sparse
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression

    gold = split.require_gold()
    items = [split.items[id] for id in gold]
    labels = np.array([gold[id].is_variable for id in gold])
    counted = TfidfVectorizer(analyzer=stems, min_df=2).fit([item.sentence for item in items])
    order = sorted(counted.vocabulary_)
    known = {stem: round(float(counted.idf_[counted.vocabulary_[stem]]), 4) for stem in order}
    blocks: dict[str, list[Any]] = {"features": [], "vectors": []}
    read: dict[tuple[Paper, Catalogue], tuple[Floats, Floats]] = {}
    for item in items:
        paper = item.paper.having(item.sentence)
        key = paper, item.catalogue
        if key not in read:
            found = evidence(*key)
            read[key] = sentence_features(found), found.vectors
        place = paper.place(item.sentence)
        blocks["features"].append(read[key][0][place])
        blocks["vectors"].append(read[key][1][place])
    columns: dict[str, Any] = {"words": words_rows([item.sentence for item in items], known)}
    factors = {"words": np.ones(len(known))}
    shifts = {"words": np.zeros(len(known))}
    for name, rows in blocks.items():
        values = np.array(rows)
        spread = values.std(axis=0)
        factors[name] = np.where(spread > 1e-9, SCALES[name] / np.maximum(spread, 1e-9), 0.0)
        shifts[name] = values.mean(axis=0)
        columns[name] = (values - shifts[name]) * factors[name]
    x = sparse.hstack([sparse.csr_array(values) for values in columns.values()]).tocsr()
    model = LogisticRegression(C=INVERSE_REGULARISATION, max_iter=1000).fit(
        x, labels, sample_weight=balanced(labels)
    )
    weights, begin, bias = {}, 0, float(model.intercept_[0])
    for name, values in columns.items():
        end = begin + values.shape[1]
        weights[name] = model.coef_[0][begin:end] * factors[name]
        bias -= float(weights[name] @ shifts[name])
        begin = end
    return _graph(weights, bias), known


def train_linking(split: Split, wider: Split | None = None) -> bytes:
    """A listwise softmax over the candidates of a sentence, then a calibration of its scores.

    ``wider`` has the same sentences with more candidates: from variables of one survey alone one cannot learn
    what tells the surveys apart.
    """
    from scipy.optimize import minimize
    from sklearn.linear_model import LogisticRegression

    questions = _questions(split) + (_questions(wider) if wider else [])
    total = sum(len(y) for _, y, _ in questions)

    def loss(b: Floats) -> tuple[float, Floats]:
        value, slope = 0.0, np.zeros_like(b)
        for x, y, stands in questions:
            score = x @ b
            score -= score.max(axis=1, keepdims=True)
            share = stands * np.exp(score)
            all_ = share.sum(axis=1, keepdims=True)
            wanted = y / y.sum(axis=1, keepdims=True)
            value -= float((wanted * (score - np.log(all_))).sum())
            slope += np.einsum("sv,svf->f", share / all_ - wanted, x)
        return value / total + WEIGHT_DECAY / 2 * float(b @ b), slope / total + WEIGHT_DECAY * b

    n = questions[0][0].shape[2]
    b = minimize(loss, np.zeros(n), jac=True, method="L-BFGS-B").x
    # How sure a score is depends on how many candidates there are, which the order does not.
    size = CANDIDATE_FEATURES.index("size")
    columns = [np.stack([x @ b, x[:, :, size]], axis=-1).reshape(-1, 2) for x, _, _ in questions]
    truth = np.concatenate([y.ravel() for _, y, _ in questions]).astype(int)
    stands = np.concatenate([weights.ravel() for _, _, weights in questions])
    platt = LogisticRegression().fit(np.concatenate(columns), truth, sample_weight=stands)
    slope, by_size = (float(value) for value in platt.coef_[0])
    weights = b * max(slope, 1e-3)
    weights[size] = by_size
    return _graph({"features": weights}, float(platt.intercept_[0]))


def _questions(split: Split) -> list[tuple[Floats, Floats, Floats]]:
    """By document: the features of candidates, which of them are gold, and how many others each stands for.

    Sentences whose gold is not among the candidates teach nothing. Of many candidates a sample stands for the rest:
    beside what is gold in any sentence of the paper, so many others drawn at random.
    """
    gold = split.require_gold()
    together: dict[tuple[Paper, Catalogue], list[str]] = {}
    for id, label in gold.items():
        item = split.items[id]
        if any(variable in item.catalogue for variable in label.variables):
            together.setdefault((item.paper.having(item.sentence), item.catalogue), []).append(id)
    questions = []
    draw = np.random.default_rng(SEED)
    for (paper, catalogue), ids in together.items():
        used = {variable for id in ids for variable in gold[id].variables}
        own = [place for place, v in enumerate(catalogue.ids) if v in used]
        others = [place for place, v in enumerate(catalogue.ids) if v not in used]
        some = others
        if len(others) > MAX_OTHERS:
            some = sorted(draw.choice(others, MAX_OTHERS, replace=False).tolist())
        kept = [*own, *some]
        stands = np.array([1.0] * len(own) + [len(others) / max(1, len(some))] * len(some))
        rows = candidate_features(evidence(paper, catalogue))
        places = [paper.place(split.items[id].sentence) for id in ids]
        wanted = [[catalogue.ids[v] in set(gold[id].variables) for v in kept] for id in ids]
        questions.append(
            (
                rows[np.ix_(places, kept)],
                np.array(wanted, dtype=float),
                np.broadcast_to(stands, (len(ids), len(kept))),
            )
        )
    if not questions:
        raise MissingError(
            "no gold variable is among the candidates: there is nothing to learn from"
        )
    return questions


def _graph(weights: dict[str, Any], bias: float) -> bytes:
    with training():
        return linear_graph(weights, bias)


def main() -> None:
    from marginalia.tasks.variables.official.data import load
    from marginalia.tasks.variables.official.score import score
    from marginalia.tasks.variables.systems import CARD, WEIGHTS
    from marginalia.tasks.variables.systems.reader import Reader

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    arguments = parser.parse_args()
    folder = data_folder(arguments.data)
    train, dev = load("train", folder), load("dev", folder)
    wider = load("train", folder, candidates="all")
    log.info(f"reading {len(train):,} sentences")
    head, known = train_detection(train)
    log.info("detection done")
    files = {HEAD: head, WORDS: json.dumps(known).encode(), LINKING: train_linking(train, wider)}
    log.info("linking done")
    facts = {"trained_on": [path.name for path in train.files], "seed": SEED}
    write_weights(arguments.out, files, **facts)
    scores = score(dev, Reader(arguments.out).predict(dev.items)).scores
    rows = [
        ["detection, macro F1", f"{scores['detection']['f1']:.4f}"],
        ["linking, MAP@10", f"{scores['disambiguation']['map@10']:.4f}"],
    ]
    columns = ("sub-task", "on dev, whose documents it has seen")
    write_card(arguments.out, CARD, {"DEV": (columns, rows)})


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


if __name__ == "__main__":
    main()
