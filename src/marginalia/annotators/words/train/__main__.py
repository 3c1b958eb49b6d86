"""Fit the model of who stops where and write its weights.

    python -m marginalia.annotators.words.train OUT --marks lexicon/marks [--cwi FOLDER]

With ``--cwi`` the weights have learned from CWI 2018, which states no licence: they belong to the second distribution.
"""

from __future__ import annotations

import argparse
import io
from pathlib import Path

import numpy as np

from marginalia.annotators.words.train.fit import LAYERS, Fitted, fit, make_table
from marginalia.annotators.words.train.marks import cwi_texts, own_texts
from marginalia.lexicon.dictionary import dictionary
from marginalia.nlp.training.trees import trees_graph
from marginalia.nlp.weights import write_weights


def write(fitted: Fitted, folder: Path, trained_on: list[str]) -> None:
    heads = io.BytesIO()
    np.savez(heads, weights=fitted.heads[0], biases=fitted.heads[1])
    files = {
        "first.onnx": trees_graph(fitted.first),
        "native.onnx": trees_graph(fitted.second[0]),
        "learner.onnx": trees_graph(fitted.second[1]),
        "heads.npz": heads.getvalue(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_weights(folder, files, layers=list(LAYERS), trained_on=trained_on)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--marks", type=Path, required=True)
    parser.add_argument("--cwi", type=Path)
    given = parser.parse_args()
    words = dictionary("en")
    if words is None:
        parser.error("the dictionary is not built")
    texts = list(own_texts(given.marks, words))
    trained_on = ["marks of ours"]
    if given.cwi:
        texts += cwi_texts(given.cwi, words)
        trained_on.append("CWI 2018, train and dev")
    table = make_table(words, texts)
    write(fit(table, np.arange(len(table.features))), given.out, trained_on)


if __name__ == "__main__":
    main()
