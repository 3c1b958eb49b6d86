"""The tagger of the package, made again from spaCy's tags.

    python -m marginalia.nlp.training.tagger --spacy FOLDER

FOLDER is spaCy's ``en_core_web_sm``, or its name where it is installed. Needs ``marginalia[train]``,
and the data of ``complexity`` and ``measurement``. It writes ``model.onnx``, the manifest, and the
figures of the model card.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from marginalia.core.data_folder import data_folder, require_data
from marginalia.core.files import read_text, write_file
from marginalia.core.table import read_table
from marginalia.nlp.encoder import english
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tagger import (
    HYPHENS,
    NOUNS,
    SHAPES,
    Floats,
    endings_of,
    english_tagger,
    features,
    without_capitals,
)
from marginalia.nlp.tokens import words
from marginalia.nlp.weights import write_weights

LAYER = 4
SENTENCES = 8000
ENDINGS = 200
SEED = 13
STRENGTH = 0.03  # C of the logistic regression on features of unit variance
NEVER_WORDS = ("PUNCT", "SYM")
"""Tags that no word has; where spaCy gives one, the word teaches nothing."""

MEASURED = "## Agreement with spaCy"

Silver = list[tuple[int, int, str]]
Figures = dict[str, tuple[NDArray[np.str_], NDArray[np.str_]]]
"""Of each data set: spaCy's tags, and ours."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def train(tagger: str, data: Path, out: Path) -> None:
    """Tag, encode, fit, measure, write."""
    dev = {
        "CompLex trial": complex_sentences(data, "trial"),
        "MeasEval trial": measeval_sentences(data, "trial"),
    }
    unseen = {text for texts in dev.values() for text in texts}
    scientific = [text for text in measeval_sentences(data, "train") if text not in unseen]
    others = [text for text in complex_sentences(data, "train") if text not in unseen]
    random.Random(SEED).shuffle(others)  # noqa: S311
    texts = [*scientific, *others[: SENTENCES - len(scientific)]]

    click.echo(f"spaCy tags {len(texts):,} sentences", err=True)
    tagged = silver(tagger, texts)
    counted = Counter(
        ending
        for text, spans in zip(texts, tagged, strict=True)
        for start, end, _ in spans
        for ending in endings_of(text[start:end])
    )
    # Ties by the alphabet, so that the same data give the same file.
    known = sorted(sorted(counted), key=lambda ending: -counted[ending])[:ENDINGS]
    x, y = encoded(texts, tagged, known)
    taught = ~np.isin(y, NEVER_WORDS)
    click.echo(f"fitting {taught.sum():,} words", err=True)
    tags, weights, bias = fit(x[taught], y[taught], len(known))

    figures = {}
    for name, unseen_texts in dev.items():
        x, y = encoded(unseen_texts, silver(tagger, unseen_texts), known)
        figures[name] = (y, np.array(tags)[(x @ weights + bias).argmax(axis=1)])
    write(out, tags, weights, bias, known, figures)


def complex_sentences(data: Path, part: str) -> list[str]:
    """The distinct sentences of CompLex (CC BY 4.0)."""
    texts: dict[str, None] = {}
    for kind in ("single", "multi"):
        path = require_data(
            data / "complex-lcp" / part / f"lcp_{kind}_{part}.tsv", task="complexity"
        )
        click.echo(f"reading {path}", err=True)
        texts |= {row["sentence"]: None for _, row in read_table(path, ("sentence",))}
    return list(texts)


def measeval_sentences(data: Path, part: str) -> list[str]:
    """The distinct sentences of MeasEval's paragraphs (from CC BY articles)."""
    folder = require_data(data / "measeval" / part / "text", task="measurement")
    click.echo(f"reading {folder}", err=True)
    found: dict[str, None] = {}
    for path in sorted(folder.glob("*.txt")):
        text = read_text(path)
        found |= {text[start:end]: None for start, end in sentences(text, "en")}
    return list(found)


def silver(tagger: str, texts: Sequence[str]) -> list[Silver]:
    """spaCy's tags of our words."""
    import spacy

    pipeline = spacy.load(tagger, exclude=["ner", "lemmatizer", "senter"])
    return [
        list(silver_words(text, doc))
        for text, doc in zip(texts, pipeline.pipe(texts, batch_size=64), strict=True)
    ]


def silver_words(text: str, doc: Any) -> Iterator[tuple[int, int, str]]:
    """Where spaCy cuts a word of ours: "well-known" is tagged as its last part, "don't" as its first.

    A number in digits is NUM, whatever spaCy says of it.
    """
    for match in words(text):
        start, end = match.span()
        parts = [part for part in doc if part.idx < end and part.idx + len(part) > start]
        parts = [part for part in parts if not part.is_punct] or parts
        part = parts[-1] if set(match.group()) & set(HYPHENS) else parts[0]
        yield start, end, "NUM" if _NUMBER.fullmatch(match.group()) else part.pos_


def encoded(
    texts: Sequence[str], tagged: Sequence[Silver], known: Sequence[str]
) -> tuple[Floats, NDArray[np.str_]]:
    """The features and the tag of every word."""
    rows, tags = [], []
    passes = zip(texts, tagged, english().tokens(texts, (LAYER,)), strict=True)
    for number, (text, spans, tokens) in enumerate(passes, 1):
        rows.append(features(text, [(start, end) for start, end, _ in spans], tokens, LAYER, known))
        tags += [tag for _, _, tag in spans]
        if number % 500 == 0:
            click.echo(f"  encoded {number:,} of {len(texts):,}", err=True)
    return np.concatenate(rows), np.array(tags)


def fit(x: Floats, y: NDArray[np.str_], known: int) -> tuple[list[str], Floats, Floats]:
    """A multinomial logistic regression: its classes, and the weights on features as they come."""
    from sklearn.linear_model import LogisticRegression

    # Every tenth word once more as in a heading, where capitals mean nothing.
    muted = x[::10].copy()
    low, high = x.shape[1] - known - SHAPES, x.shape[1] - known
    muted[:, low:high] = without_capitals(muted[:, low:high])
    x, y = np.concatenate([x, muted]), np.concatenate([y, y[::10]])
    scale = x.std(axis=0) + 1e-3
    x /= scale
    model = LogisticRegression(C=STRENGTH, max_iter=100).fit(x, y)
    weights = (model.coef_ / scale).T.astype(np.float32)
    return model.classes_.tolist(), weights, model.intercept_.astype(np.float32)


def write(
    out: Path,
    tags: Sequence[str],
    weights: Floats,
    bias: Floats,
    known: Sequence[str],
    figures: Figures,
) -> None:
    # The card's words are written by hand; what follows the heading is measured.
    card = read_text(english_tagger().folder / "README.md").partition(MEASURED)[0]
    write_file(out / "README.md", card + measured(tags, figures))
    write_weights(
        out,
        {"model.onnx": onnx_head(weights, bias)},
        layer=LAYER,
        encoder=english().manifest["files"]["lower.onnx"],
        tags=list(tags),
        endings=list(known),
    )
    click.echo(f"wrote {out}")


def onnx_head(weights: Floats, bias: Floats) -> bytes:
    """The head as a graph: a product, a sum, and softmax."""
    from onnx import TensorProto, helper, numpy_helper

    graph = helper.make_graph(
        [
            helper.make_node("Gemm", ["features", "weights", "bias"], ["logits"]),
            helper.make_node("Softmax", ["logits"], ["probabilities"], axis=1),
        ],
        "tagger",
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["words", len(weights)])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["words", len(bias)])],
        [numpy_helper.from_array(weights, "weights"), numpy_helper.from_array(bias, "bias")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return bytes(model.SerializeToString())


def measured(tags: Sequence[str], figures: Figures) -> str:
    """The card's figures: agreement by data set and by tag."""
    from sklearn.metrics import precision_recall_fscore_support

    gold, pred = (np.concatenate(parts) for parts in zip(*figures.values(), strict=True))
    lines = [
        MEASURED,
        "",
        "| sentences | words | all tags | names count as nouns |",
        "|---|---|---|---|",
    ]
    for name, (y, p) in {**figures, "both": (gold, pred)}.items():
        y_noun, p_noun = (np.where(np.isin(part, list(NOUNS)), "NOUN", part) for part in (y, p))
        lines.append(
            f"| {name} | {len(y):,} | {np.mean(y == p):.3f} | {np.mean(y_noun == p_noun):.3f} |"
        )
    lines += ["", "| tag | words | precision | recall | F1 |", "|---|---|---|---|---|"]
    by_tag = precision_recall_fscore_support(gold, pred, labels=tags, zero_division=0.0)
    for tag, precision, recall, f1, count in sorted(
        zip(tags, *by_tag, strict=True), key=lambda row: -row[-1]
    ):
        lines.append(f"| {tag} | {count:,} | {precision:.3f} | {recall:.3f} | {f1:.3f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spacy", required=True, help="folder or name of en_core_web_sm")
    parser.add_argument("--data", type=Path, help="data folder; else MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, default=english_tagger().folder)
    arguments = parser.parse_args()
    train(arguments.spacy, data_folder(arguments.data), arguments.out)


if __name__ == "__main__":
    main()
