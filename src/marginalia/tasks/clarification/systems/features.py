"""What can be seen of a filler without a network: frequency, mentions, agreement, collocation, relatedness; and the trees
that were boosted on them.

All of it follows from the item alone; the other fillers of the gap are part of the item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.encoder import english
from marginalia.nlp.frequency import zipf
from marginalia.nlp.onnx import start
from marginalia.nlp.tokens import lower_words
from marginalia.nlp.weights import open_weights
from marginalia.tasks.clarification.official.data import PHENOMENA, Item
from marginalia.tasks.clarification.systems import weights_folder
from marginalia.tasks.clarification.systems.passes import clean, sides
from marginalia.tasks.clarification.systems.word_vectors import word_vectors

Floats = NDArray[np.float32]

DETERMINERS = frozenset(
    "a an the this that these those your his her its their my our each every some any no another "
    "all both either neither many much few several most more one two three other".split()
)
SINGULAR_DETERMINERS = frozenset(
    "a an this that each every another either neither one much".split()
)
PLURAL_DETERMINERS = frozenset(
    "these those all both many few several two three four five most".split()
)
SINGULAR_IN_S = ("ss", "us", "is", "ness")
PLURALS = frozenset("people men women children feet teeth mice geese".split())
NAMES = (
    "words",
    "letters",
    "zipf",
    "zipf of the rarest",
    "has a determiner",
    "determiner twice",
    "odd signs",
    "plural",
    "number disagrees",
    "article disagrees",
    "said in the sentence",
    "said next to the gap",
    "said before",
    "said after",
    "said in the title",
    "said as a whole",
    "pair said",
    "shares its head",
    "related to the sentence",
    "related to the context",
    "related to the title",
    "related to the neighbours",
    "related to the others",
    "repeated",
    *PHENOMENA.values(),
)
NEIGHBOUR_WORDS = 3
"""Words on either side that count as neighbours."""
TREES_FILE = "features.onnx"
SEED = 0
BOOSTING = {
    "n_estimators": 150,
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_child_samples": 50,
    "colsample_bytree": 0.7,
    "reg_lambda": 5,
}


def features(item: Item) -> list[float]:
    """A number for each of NAMES."""
    left, right = (words_of(text) for text in sides(item))
    before, after = words_of(clean(item.previous)), words_of(clean(item.followup))
    title = words_of(clean(f"{item.title} {item.header}"))
    filler = words_of(clean(item.filler))
    others = [words_of(clean(other)) for other in item.others]
    head = filler[-1] if filler else ""
    stem, near = stem_of(head), (*left[-1:], *right[:1])
    content = [word for word in filler if word not in DETERMINERS] or list(filler)
    rates = [zipf(word) for word in content] or [0.0]
    text = " ".join((*before, *left, *right, *after, *title))
    governor = filler[0] if filler and filler[0] in DETERMINERS else "".join(left[-1:])
    noun = head if item.pattern != "ADDED COMPOUND" else ""
    vector = vector_of(tuple(content))
    return [
        len(filler),
        len(item.filler),
        float(np.mean(rates)),
        min(rates),
        bool(filler) and filler[0] in DETERMINERS,
        bool(filler) and filler[0] in DETERMINERS and "".join(left[-1:]) in DETERMINERS,
        any(not (sign.isalnum() or sign in " -'’") for sign in item.filler),
        is_plural(head),
        bool(noun)
        and (
            governor in SINGULAR_DETERMINERS if is_plural(noun) else governor in PLURAL_DETERMINERS
        ),
        _article(governor, filler),
        stem in stems(left) or stem in stems(right),
        stem in stems(near),
        stem in stems(before),
        stem in stems(after),
        stem in stems(title),
        bool(filler) and f" {' '.join(filler)} " in f" {text} ",
        bool(head and right) and f" {head} {right[0]} " in f" {text} ",
        float(np.mean([bool(o) and stem_of(o[-1]) == stem for o in others])) if others else 0.0,
        related(vector, (*left, *right)),
        related(vector, (*before, *after)),
        related(vector, title),
        related(vector, (*left[-NEIGHBOUR_WORDS:], *right[:NEIGHBOUR_WORDS])),
        float(np.mean([_cosine(vector, vector_of(o)) for o in others])) if others else 0.0,
        item.filler in item.others,
        *(item.phenomenon == name for name in PHENOMENA.values()),
    ]


def table(items: Sequence[Item]) -> Floats:
    """The features of each item, row by row."""
    return np.array([features(item) for item in items], dtype=np.float32).reshape(-1, len(NAMES))


def _article(governor: str, filler: Sequence[str]) -> bool:
    """``a`` before a vowel, ``an`` before another letter; by spelling, as far as it goes."""
    after = [word for word in filler if word not in DETERMINERS]
    if governor not in ("a", "an") or not after:
        return False
    return (after[0][0] in "aeio") != (governor == "an")


def is_plural(word: str) -> bool:
    return word in PLURALS or (
        len(word) > 3 and word.endswith("s") and not word.endswith(SINGULAR_IN_S)
    )


def stem_of(word: str) -> str:
    """The word without its commonest endings.

    Not ``nlp.stems``: the trees of ``features.onnx`` were grown on what these stems say of a filler.
    """
    for ending in ("ies", "ing", "es", "ed", "s"):
        if len(word) > len(ending) + 2 and word.endswith(ending):
            return word.removesuffix(ending)
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=4096)
def stems(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem_of(word) for word in words if word not in DETERMINERS)


@lru_cache(maxsize=4096)  # five fillers share a context
def words_of(text: str) -> tuple[str, ...]:
    return tuple(lower_words(text))


@lru_cache(maxsize=20_000)
def vector_of(words: tuple[str, ...]) -> Floats:
    """The mean of the encoder's vectors of some words as they are, out of any context."""
    ids = english().tokenizer.encode(" ".join(words), add_special_tokens=False).ids
    if not ids:
        return np.zeros(word_vectors().table.shape[1], dtype=np.float32)
    vector: Floats = word_vectors()(np.array(ids)).mean(axis=0) - _middle()
    return vector / (np.linalg.norm(vector) + 1e-6)


@lru_cache(maxsize=1)
def _middle() -> Floats:
    mean: Floats = word_vectors()(np.arange(1996, 12_000)).mean(axis=0)
    return mean


def related(vector: Floats, words: Sequence[str]) -> float:
    """How near the nearest of some words comes, by cosine; a function word does not count."""
    found = [_cosine(vector, vector_of((word,))) for word in set(words) if zipf(word) < 6.2]
    return max((value for value in found if value < 0.999), default=0.0)


def _cosine(one: Floats, other: Floats) -> float:
    return float(one @ other)


class Boosted:
    """The trees of a weights folder, or those that were just trained."""

    def __init__(self, folder: Path | None = None, given: bytes | None = None) -> None:
        self.folder, self.given = folder, given

    @cached_property
    def session(self) -> Any:
        if self.given is not None:
            return start(self.given)
        folder = self.folder or weights_folder()
        open_weights(folder)
        return start(folder / TREES_FILE)

    def scores(self, context: Item) -> NDArray[np.float64]:
        """For each of a context's fillers; row by row, so that none depends on another's company."""
        fillers = context.others
        found = []
        for place, filler in enumerate(fillers):
            item = replace(context, filler=filler, others=fillers[:place] + fillers[place + 1 :])
            row = np.array([features(item)], dtype=np.float32)
            found.append(float(self.session.run(None, {"x": row})[0].ravel()[0]))
        return np.array(found)


def train_boosted(items: Sequence[Item], scores: Sequence[float]) -> bytes:
    """Trees as an ONNX model; needs ``marginalia[train]``."""
    import lightgbm

    from marginalia.nlp.training.trees import trees_graph

    model = lightgbm.LGBMRegressor(**BOOSTING, n_jobs=1, verbose=-1, random_state=SEED)
    return trees_graph(model.fit(table(items), np.array(scores)))
