"""How the mean word vectors of ``centres.json`` are made, which need no ratings.

    python -m marginalia.tasks.similarity.systems.train.centres ENGLISH GERMAN

Each file has a sentence a line. The shipped ones are of 600 sentences of CompLex 2.0 (CC BY 4.0) and, for the
multilingual encoder, of 300 of these and 300 German ones of SV-Ident 2022.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from marginalia.core.files import write_file
from marginalia.nlp.encoder import Encoder, english, multilingual
from marginalia.tasks.similarity.systems.alignment import side
from marginalia.tasks.similarity.systems.word_vectors import CENTRES, LAYER, Floats, word_rows

TOGETHER = 64
"""Sentences that are read at once."""


def mean_word(encoder: Encoder, texts: Sequence[str]) -> Floats:
    """The mean vector over all words of some sentences."""
    total, count = np.zeros(0), 0
    for begin in range(0, len(texts), TOGETHER):
        some = texts[begin : begin + TOGETHER]
        for text, tokens in zip(some, encoder.tokens(some, (LAYER,)), strict=True):
            rows = word_rows([(word.start, word.end) for word in side(text).words], tokens)
            total = rows.sum(axis=0) + (total if count else 0.0)
            count += len(rows)
    mean: Floats = (total / max(1, count)).astype(np.float32)
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("english", type=Path)
    parser.add_argument("german", type=Path)
    parser.add_argument("--out", type=Path, default=CENTRES)
    arguments = parser.parse_args()
    en, de = (
        path.read_text(encoding="utf-8").splitlines()
        for path in (arguments.english, arguments.german)
    )
    found = {
        "english": mean_word(english(), en),
        "multilingual": mean_word(multilingual(), [*en[: len(de)], *de]),
    }
    rounded = {name: [round(float(x), 5) for x in mean] for name, mean in found.items()}
    write_file(arguments.out, json.dumps(rounded) + "\n")


if __name__ == "__main__":
    main()
