"""Fit what speaks for a sense: uses of words in real sentences, each with the sense that it has there.

    python -m marginalia.annotators.words.train.senses lexicon/uses [--write]

Prints how often the chosen sense is the right one in texts that were left out; ``--write`` fits all and replaces the weights.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.candidates import Sentence, find_candidates
from marginalia.annotators.words.senses import FEATURES, fields_of, sense_rows, topics
from marginalia.annotators.words.train.marks import rows_of
from marginalia.core.files import write_file
from marginalia.lexicon.dictionary import Dictionary, dictionary
from marginalia.nlp.encoder import english
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tagger import english_tagger
from marginalia.nlp.tokens import words

Floats = NDArray[np.float32]
WEIGHTS = Path(__file__).parents[1] / "senses.json"
FOLDS = 5
PENALTY = 0.0005


@dataclass(frozen=True, slots=True)
class Use:
    """A word in its sentence: what speaks for each of its senses, and which of them it has."""

    group: str
    rows: Floats
    right: int


def read_uses(folder: Path, dictionary: Dictionary) -> Iterator[Use]:
    """Uses whose sense the dictionary has, among at least two; a text is read once."""
    labels: dict[str, list[dict[str, object]]] = {}
    for path in sorted(folder.glob("uses*.jsonl")):
        for row in rows_of(path):
            labels.setdefault(row["id"], []).append(row)
    for row in rows_of(folder / "texts.jsonl"):
        wanted = {(use["start"], use["end"]): use for use in labels.get(row["id"], ())}
        if not wanted:
            continue
        read = list(_sentences(row["text"], dictionary))
        layers = sorted({english_tagger().layer, english().last})
        tokens = dict(enumerate(english().tokens([sentence.text for sentence in read], layers)))
        around = topics(dictionary, read, tokens, fields_of(read))
        for number, sentence in enumerate(read):
            for candidate in sentence.candidates:
                span = sentence.start + candidate.start, sentence.start + candidate.end
                if span not in wanted:
                    continue
                senses, rows = sense_rows(
                    dictionary, sentence, candidate, tokens[number], around[number]
                )
                glosses = [sense.gloss for sense in senses]
                if len(senses) > 1 and wanted[span]["gloss"] in glosses:
                    group = str(row.get("article") or row["id"])
                    yield Use(group, rows, glosses.index(str(wanted[span]["gloss"])))


def _sentences(text: str, dictionary: Dictionary) -> Iterator[Sentence]:
    for start, end in sentences(text, "en"):
        piece = text[start:end]
        spans = [match.span() for match in words(piece)]
        yield Sentence(start, piece, tuple(find_candidates(piece, spans, dictionary)))


def fit(uses: Sequence[Use]) -> Floats:
    """The weights of a conditional logit: the right sense against the others of its word."""
    from scipy.optimize import minimize

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total = PENALTY * len(uses) * float(weights @ weights)
        slope = 2 * PENALTY * len(uses) * weights
        for use in uses:
            scores = use.rows @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            total -= float(np.log(chances[use.right] + 1e-12))
            slope = slope + use.rows.T @ chances - use.rows[use.right]
        return total, slope

    found = minimize(loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B")
    return np.asarray(found.x, dtype=np.float32)


def accuracy(uses: Sequence[Use], weights: Floats) -> float:
    return float(np.mean([int(np.argmax(use.rows @ weights)) == use.right for use in uses]))


def left_out(uses: Sequence[Use]) -> float:
    """The share that is right, each text judged by weights that have not seen it."""
    from sklearn.model_selection import GroupKFold

    right = 0.0
    for learn, leave in GroupKFold(FOLDS).split(uses, None, [use.group for use in uses]):
        weights = fit([uses[number] for number in learn])
        right += accuracy([uses[number] for number in leave], weights) * len(leave)
    return right / len(uses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("uses", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    words = dictionary("en")
    if words is None:
        parser.error("the dictionary is not built")
    uses = list(read_uses(given.uses, words))
    first = sum(use.right == 0 for use in uses) / len(uses)
    print(f"{len(uses)} uses: first sense {first:.3f}, left out {left_out(uses):.3f}")  # noqa: T201
    if given.write:
        weights = dict(zip(FEATURES, fit(uses).round(4).tolist(), strict=True))
        write_file(WEIGHTS, json.dumps({"weights": weights}, indent=1) + "\n")


if __name__ == "__main__":
    main()
