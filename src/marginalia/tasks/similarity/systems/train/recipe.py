"""How the weights were made, and how to make them again.

    python -m marginalia.tasks.similarity.systems.train.recipe [--data DIR] [--out FOLDER] [--dictionary FILE]

Needs ``marginalia[train]``. Reads the split ``train`` (STS 2012) and nothing else (``dev``, STS 2014, only to report).
The encoders are frozen. What is learned is written as JSON. FILE is the German-English dictionary of Debian's
trans-de-en (Ding), which says how German and mixed pairs are put on the scale of English ones (``anchors.py``);
without it the shipped lines for that are kept.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.core.benchmark import Split, System
from marginalia.core.data_folder import data_folder
from marginalia.core.distributions import find_weights
from marginalia.nlp.encoder import Encoder, Tokens, multilingual
from marginalia.nlp.training.card import write_card
from marginalia.nlp.training.log import show_progress
from marginalia.nlp.weights import write_weights
from marginalia.tasks.similarity.official.data import Pair
from marginalia.tasks.similarity.systems import classic, regression
from marginalia.tasks.similarity.systems.inputs import Measures, Scales, plain, shipped_scales
from marginalia.tasks.similarity.systems.meaning import NAMES, Weighting
from marginalia.tasks.similarity.systems.regression import Regression
from marginalia.tasks.similarity.systems.train.anchors import (
    Dictionary,
    learn_scales,
    read_dictionary,
)
from marginalia.tasks.similarity.systems.word_vectors import word_layer

Half = NDArray[np.float16]
log = logging.getLogger(__name__)
SEED = 0
EPOCHS, BATCH_PAIRS, LEARNING_RATE, DROPOUT = 2, 48, 3e-3, 0.1
START_WEIGHTS = (3.0, 3.0, 1.0, 0.5)
"""What the four measures of meaning count before training: about their shares of the variance."""
ALPHA = 2.0
"""How strongly the weights of the regression are drawn to those that training the tokens' weights left."""


class TokenStore:
    """Stands in for an encoder whose texts were all read before; half precision is enough here."""

    def __init__(self, encoder: Encoder, texts: Sequence[str], layers: Sequence[int]) -> None:
        self.folder, self.last = encoder.folder, encoder.last
        self.read: dict[str, tuple[NDArray[np.int64], dict[int, Half]]] = {}
        for text, made in zip(texts, encoder.tokens(texts, layers), strict=True):
            halves = {layer: made.layers[layer].astype(np.float16) for layer in layers}
            self.read[text] = (made.offsets, halves)

    def tokens(self, texts: Sequence[str], layers: Sequence[int]) -> Iterator[Tokens]:
        for text in texts:
            offsets, halves = self.read[text]
            yield Tokens(offsets, {layer: halves[layer].astype(np.float32) for layer in layers})

    def mean(self, layer: int) -> NDArray[np.float32]:
        """The mean vector of a layer over all tokens."""
        sums = [half[layer].sum(axis=0, dtype=np.float64) for _, half in self.read.values()]
        count = sum(len(offsets) for offsets, _ in self.read.values())
        mean: NDArray[np.float32] = (np.sum(sums, axis=0) / count).astype(np.float32)
        return mean

    def spread(self, layer: int) -> float:
        """The standard deviation of all numbers of a layer about that mean."""
        mean = self.mean(layer)
        squares = [((half[layer] - mean) ** 2).mean(axis=1) for _, half in self.read.values()]
        return float(np.sqrt(np.concatenate(squares).mean()))


@dataclass(frozen=True, slots=True)
class Learning:
    """What is learned for one encoder."""

    centre: NDArray[np.float32]
    weighting: Weighting
    regression: Regression
    scales: Scales
    """None for an encoder that reads English only"""

    def to_json(self) -> dict[str, Any]:
        scales = {
            kind: {name: [round(x, 6) for x in line] for name, line in lines.items()}
            for kind, lines in self.scales.items()
        }
        return {
            "near": [round(float(x), 5) for x in self.centre],
            "weighting": self.weighting.to_json(),
            "regression": self.regression.to_json(),
            **({"scales": scales} if scales else {}),
        }


@dataclass(frozen=True, slots=True)
class Labelled:
    """Pairs with their gold scores and sets."""

    pairs: Sequence[tuple[str, str]]
    gold: NDArray[np.float64]
    sets: Sequence[str]

    def take(self, keep: Sequence[bool]) -> Labelled:
        some = [int(row) for row in np.flatnonzero(keep)]
        return Labelled(
            [self.pairs[row] for row in some], self.gold[some], [self.sets[row] for row in some]
        )


def labelled(split: Split) -> Labelled:
    gold = split.require_gold()
    items: list[Pair] = [split.items[id] for id in gold]
    return Labelled(
        [plain(*sorted((item.s1, item.s2))) for item in items],
        np.array(list(gold.values()), dtype=np.float64),
        [item.dataset for item in items],
    )


def keep(encoder: Encoder, rows: Labelled) -> TokenStore:
    texts = sorted({text for pair in rows.pairs for text in pair})
    log.info(f"reading {len(texts):,} texts")
    return TokenStore(encoder, texts, (word_layer(encoder), encoder.last))


def train_weighting(
    rows: Labelled, kept: TokenStore, seed: int = SEED
) -> tuple[Weighting, dict[str, float]]:
    """How much tokens count, learned so that the measures of meaning follow the gold scores of each set.

    The loss is 1 - Pearson in batches of one set. Also gives what each measure then counts.
    """
    import torch
    from torch.nn import functional

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    layers = (word_layer(kept), kept.last)  # type: ignore[arg-type]
    shifts = [torch.from_numpy(kept.mean(layer)) for layer in layers]
    spreads = [kept.spread(layer) for layer in layers]
    directions = [torch.zeros(len(shift), requires_grad=True) for shift in shifts]
    bias = torch.tensor(0.5, requires_grad=True)
    mix = torch.tensor(START_WEIGHTS, requires_grad=True)

    def side(texts: Sequence[str]) -> tuple[Any, ...]:
        made = list(kept.tokens(texts, layers))
        longest = max(len(one.offsets) for one in made)
        mask = torch.zeros(len(made), longest)
        x = [torch.zeros(len(made), longest, len(shift)) for shift in shifts]
        for row, one in enumerate(made):
            mask[row, : len(one.offsets)] = 1
            for values, layer in zip(x, layers, strict=True):
                values[row, : len(one.offsets)] = torch.from_numpy(one.layers[layer])
        scaled = [(v - s) / d for v, s, d in zip(x, shifts, spreads, strict=True)]
        scaled[0] = functional.dropout(scaled[0], DROPOUT)
        weight = functional.softplus(scaled[0] @ directions[0] + scaled[1] @ directions[1] + bias)
        weight = weight * mask
        mean = functional.normalize((x[1] * mask[:, :, None]).sum(1), dim=1)
        weighted = functional.normalize((x[1] * weight[:, :, None]).sum(1), dim=1)
        return mean, weighted, functional.normalize(x[1] - shifts[1], dim=2), weight, mask

    def matched(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, Any]:
        near = a[2] @ b[2].transpose(1, 2)
        near = near.masked_fill(a[4][:, :, None] == 0, -1).masked_fill(b[4][:, None, :] == 0, -1)
        left = (near.max(2).values * a[3]).sum(1) / a[3].sum(1)
        right = (near.max(1).values * b[3]).sum(1) / b[3].sum(1)
        return left, right

    groups = [np.flatnonzero(np.array(rows.sets) == name) for name in sorted(set(rows.sets))]
    optimiser = torch.optim.AdamW([*directions, bias, mix], lr=LEARNING_RATE, weight_decay=0.01)
    steps = EPOCHS * sum(max(1, len(group) // BATCH_PAIRS) for group in groups)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda n: max(0.02, 1 - n / steps))
    for epoch in range(EPOCHS):
        batches = [
            part
            for group in groups
            for part in np.array_split(rng.permutation(group), max(1, len(group) // BATCH_PAIRS))
        ]
        for number in rng.permutation(len(batches)):
            batch = batches[number]
            a, b = (side([rows.pairs[row][i] for row in batch]) for i in (0, 1))
            left, right = matched(a, b)
            cosines = [(a[i] * b[i]).sum(1) for i in (0, 1)]
            measures = torch.stack(
                [*cosines, (left + right) / 2, torch.minimum(left, right)], dim=1
            )
            pred = measures @ mix
            gold = torch.from_numpy(rows.gold[batch]).float()
            loss = 1 - functional.cosine_similarity(pred - pred.mean(), gold - gold.mean(), dim=0)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        log.info(f"epoch {epoch + 1} of {EPOCHS} done")
    low, high = (
        (direction.detach() / spread).numpy()
        for direction, spread in zip(directions, spreads, strict=True)
    )
    # (x - shift) . direction + bias is x . direction + what does not depend on x.
    less = sum(float(d @ s.numpy()) for d, s in zip((low, high), shifts, strict=True))
    weighting = Weighting(layers, low, high, bias.item() - less, shifts[1].numpy())
    return weighting, dict(zip(NAMES, mix.detach().tolist(), strict=True))


def table(
    rows: Labelled, kept: TokenStore, weighting: Weighting | None
) -> tuple[list[str], NDArray[np.float64]]:
    """The names of the measures, and a row of them for each pair; without ``weighting`` those of the surface alone."""
    measures = Measures(kept, weighting, kept.mean(word_layer(kept)))  # type: ignore[arg-type]
    found = list(measures.of(rows.pairs))
    names = list(found[0])
    return names, np.array([[one[name] for name in names] for one in found])


def fit(
    rows: Labelled, names: Sequence[str], x: NDArray[np.float64], mix: Mapping[str, float]
) -> Regression:
    """The regression, with the confidence learned from sets that it had not seen."""
    kinds = np.array([name.rpartition("/")[2] for name in rows.sets])
    unseen = np.zeros(len(rows.gold))
    for kind in sorted(set(kinds)):
        rest, out = kinds != kind, kinds == kind
        learned = regress(rows.take(rest), names, x[rest], mix)
        for row in np.flatnonzero(out):
            unseen[row] = learned.score(dict(zip(names, x[row], strict=True))).score
    whole = regress(rows, names, x, mix)
    return replace(whole, errors=regression.fit_errors(unseen, rows.gold, rows.sets))


def regress(
    rows: Labelled, names: Sequence[str], x: NDArray[np.float64], mix: Mapping[str, float]
) -> Regression:
    """The regression without a confidence, drawn to what each measure of meaning counts in ``mix``."""
    # What a standardised measure counts, on the scale of standardised scores.
    spread = dict(zip(names, x.std(axis=0), strict=True))
    counts = {name: mix[name] * spread[name] for name in NAMES}
    total = sum(counts.values())
    prior = {name: 0.75 * value / total for name, value in counts.items()}
    return regression.fit(names, x, rows.gold, rows.sets, alpha=ALPHA, prior=prior)


def means_of_the_same(
    rows: Labelled, names: Sequence[str], x: NDArray[np.float64]
) -> dict[str, float]:
    """The mean measures of meaning of pairs that all raters gave 5, other than the same text twice."""
    apart = np.array([a != b for a, b in rows.pairs])
    chosen = x[apart & (rows.gold == 5)]
    return {name: float(chosen[:, names.index(name)].mean()) for name in NAMES}


def learn(
    split: Split, encoder: Encoder, dictionary: Dictionary | None = None, *, seed: int = SEED
) -> Learning:
    """All that is learned from a split for one encoder, and with a dictionary its scales."""
    rows = labelled(split)
    kept = keep(encoder, rows)
    weighting, mix = train_weighting(rows, kept, seed)
    names, x = table(rows, kept, weighting)
    log.info(f"{len(names)} measures of {len(x):,} pairs made")
    centre = kept.mean(word_layer(encoder))
    is_shared = encoder is multilingual()
    scales = shipped_scales("multilingual") if is_shared and find_weights("similarity") else {}
    if dictionary is not None:
        measures = Measures(encoder, weighting, centre)
        scales = learn_scales(dictionary, measures, means_of_the_same(rows, names, x))
    return Learning(centre, weighting, fit(rows, names, x, mix), scales)


def main() -> None:
    from marginalia.nlp.encoder import english
    from marginalia.tasks.similarity.official.data import load
    from marginalia.tasks.similarity.official.score import score
    from marginalia.tasks.similarity.systems import CARD, weights_folder
    from marginalia.tasks.similarity.systems.learned import Learned, shipped
    from marginalia.tasks.similarity.systems.word_vectors import weights

    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, help="without it, the installed weights are replaced")
    parser.add_argument("--dictionary", type=Path, help="German-English, in the layout of Ding")
    arguments = parser.parse_args()
    out = arguments.out or weights_folder()
    folder = data_folder(arguments.data)
    train, dev = load("train", folder), load("dev", folder)
    dictionary = arguments.dictionary and read_dictionary(arguments.dictionary)
    for encoder, words in ((english(), None), (multilingual(), dictionary)):
        learned = json.dumps(learn(train, encoder, words).to_json()) + "\n"
        write_weights(out, {f"{encoder.folder.name}.json": learned.encode()})
    for read in (weights, shipped, shipped_scales, classic.shipped):  # what stood there before
        read.cache_clear()
    surface = {name: one.to_json() for name, one in classic.learn(train, out).items()}
    write_weights(
        out,
        {"surface.json": (json.dumps(surface) + "\n").encode()},
        trained_on=[path.name for path in train.files],
        seed=SEED,
        **({"scaled_by": arguments.dictionary.name} if dictionary else {}),
    )
    rows = []
    systems: dict[str, System] = {
        "learned": Learned(out),
        "features": classic.Surface(out),
    }
    for name, system in systems.items():
        found = score(dev, system.predict(dev.items)).scores
        log.info(
            f"{name} on dev: {found['mean_unweighted']:.4f}, with confidence {found['mean']:.4f}"
        )
        rows.append([f"`{name}`", f"{found['mean_unweighted']:.4f}", f"{found['mean']:.4f}"])
    columns = ("system", "mean Pearson on dev", "weighted by confidence")
    write_card(out, CARD, {"DEV": (columns, rows)})


if __name__ == "__main__":
    main()
