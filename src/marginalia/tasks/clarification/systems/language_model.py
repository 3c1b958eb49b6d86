"""What a causal language model says of a filler: how likely it is, and how good; and the likeliest words in a gap. Needs
``marginalia[lm]``.

    python -m marginalia.tasks.clarification.systems.language_model --out FILE [--model FILE] [--split SPLIT] [--data DIR]

The context up to the gap is read once; every filler with the rest of its sentence is a branch that sees
this prefix and itself. The command writes the scores of a split, of train for ``train.py --taught FILE``:
those of the fillers, and of further single words, from which the network learns more about each gap.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.data_folder import data_folder
from marginalia.core.errors import MissingError
from marginalia.core.files import write_file
from marginalia.nlp.lm.model import CausalModel, Reading, find_model, require_known
from marginalia.nlp.training.log import show_progress
from marginalia.tasks.clarification.gaps.places import Guide, Place
from marginalia.tasks.clarification.official.data import GAP, Item, load, sentence_of
from marginalia.tasks.clarification.systems.adapters import ADAPTED, Adapters
from marginalia.tasks.clarification.systems.passes import bare, clean, sides

log = logging.getLogger(__name__)

BEFORE, AFTER = 48, 12
"""Tokens of the previous context, and of the sentence after the gap."""
MOST_TOKENS = 64
"""Of a filler, of a heading, and of the sentence before the gap: real ones are shorter by far."""
FILLERS_PER_PASS = 40
LIKELY, OTHERS = 32, 32
"""Further words of each gap: the likeliest and some that were drawn."""
WORDS = 25
"""Of each gap, after each beginning."""
BEGINNINGS = {"IMPLICIT REFERENCE": ("the ", "")}
"""What may stand before the noun; where nothing is named, the noun stands alone."""
LEAST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Log probabilities: of the filler after all before it, and of what follows after the filler."""

    filler: float
    after: float
    tokens: int
    """Of the filler."""


@dataclass(frozen=True, slots=True)
class Branched:
    """A context as the model reads it: what stands before the gap, and each filler with what follows it."""

    prefix: tuple[int, ...]
    fillers: tuple[tuple[int, ...], ...]
    after: tuple[int, ...]

    @property
    def branches(self) -> tuple[tuple[int, ...], ...]:
        return tuple((*filler, *self.after) for filler in self.fillers)


class LanguageModel:
    """A GGUF file, by path or the installed one; with adapters also what these say. Loaded when first asked."""

    def __init__(self, name: str = "", adapters: Callable[[], Adapters] | None = None) -> None:
        self.name, self._adapters = name, adapters

    @cached_property
    def adapters(self) -> Adapters:
        if self._adapters is None:
            raise MissingError(
                "This language model has no adapters: only its likelihoods are known."
            )
        return self._adapters()

    @cached_property
    def model(self) -> CausalModel:
        path = find_model(self.name)
        if self._adapters is None:
            return CausalModel(path)
        return CausalModel(require_known(path), {ADAPTED: self.adapters.changes})

    def load(self) -> None:
        """Load all that is loaded when first asked."""
        _ = self.model.session, self.model.file.tokenizer

    def likelihoods(self, item: Item, fillers: Sequence[str]) -> list[Likelihood]:
        return [likelihood for _, each in self._passes(item, fillers) for likelihood in each]

    def ratings(self, item: Item, fillers: Sequence[str]) -> tuple[list[Likelihood], Any]:
        """The likelihoods, and a row of the adapters' heads for each filler."""
        adapters = self.adapters
        found: list[Likelihood] = []
        states = []
        for reading, each in self._passes(item, fillers):
            for state, own in zip(reading.states[ADAPTED], each, strict=True):
                middle = state[: max(1, own.tokens)].mean(axis=0)
                states.append(np.concatenate([middle, state[-1]]))
            found += each
        return found, adapters.heads(np.stack(states), found, item.phenomenon)

    def chances(self, item: Item) -> Any:
        """The log probabilities of all tokens in the place of the gap."""
        gap = gap_of(item, (), self.model.tokens)
        return self.model.read(gap.prefix, ((self.model.file.sizes.begin,),)).next

    def _passes(
        self, item: Item, fillers: Sequence[str]
    ) -> Iterator[tuple[Reading, list[Likelihood]]]:
        for begin in range(0, len(fillers), FILLERS_PER_PASS):
            gap = gap_of(item, fillers[begin : begin + FILLERS_PER_PASS], self.model.tokens)
            reading = self.model.read(gap.prefix, gap.branches)
            yield (
                reading,
                [
                    Likelihood(float(own[:n].sum()), float(own[n:].sum()), n)
                    for own, n in zip(reading.branches, map(len, gap.fillers), strict=True)
                ],
            )


def gap_of(item: Item, fillers: Sequence[str], tokens: Any) -> Branched:
    left, right = sides(item)
    previous = clean(item.previous)
    prefix = tokens(f"{clean(item.title)}\n{clean(item.header)}\n")[-MOST_TOKENS:]
    prefix += [*tokens(f"{previous}\n" if previous else "")[-BEFORE:], *tokens(left)[-MOST_TOKENS:]]
    blank = " " if left else ""
    joined = "" if right[:1] in tuple(".,;:!?)'’") else " "
    after = tokens(f"{joined}{right}" if right else "")[:AFTER]
    # An empty filler is a blank: every branch has a token to say something of.
    own = [tuple(tokens(blank + clean(f))[:MOST_TOKENS] or tokens(" ")) for f in fillers]
    return Branched(tuple(prefix), tuple(own), tuple(after))


def teach(items: Mapping[str, Item], model: LanguageModel) -> dict[str, Any]:
    """By sentence: log probabilities of its fillers and what follows them, and of further words."""
    single: dict[str, int] = {}
    for filler in sorted({item.filler for item in items.values()}):
        found = model.model.tokens(f" {filler}")
        if len(found) == 1:
            single[filler] = found[0]
    names, words = list(single), list(single.values())
    random = Random(0)  # noqa: S311
    taught: dict[str, Any] = {}
    for id, item in items.items():
        sentence = sentence_of(id)
        if sentence in taught:
            continue
        fillers = bare(item).others
        likelihoods = model.likelihoods(item, fillers)
        chances = model.chances(item)[words]
        chosen = [*np.argsort(-chances)[:LIKELY].tolist()]
        chosen += random.sample(range(len(words)), min(OTHERS, len(words)))
        taught[sentence] = {
            "fillers": {f: astuple(s) for f, s in zip(fillers, likelihoods, strict=True)},
            "words": {names[place]: round(float(chances[place]), 3) for place in chosen},
        }
        if len(taught) % 100 == 0:
            log.info(f"{len(taught)} sentences read")
    return taught


def main() -> None:
    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="", help="a GGUF file; without it, the installed one")
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", default="train")
    arguments = parser.parse_args()
    split = load(arguments.split, data_folder(arguments.data))
    taught = teach(split.items, LanguageModel(arguments.model))
    write_file(arguments.out, json.dumps(taught) + "\n")


class Suggestions:
    """What ``fill`` takes as ``suggest``: a function of a place and its guide."""

    def __init__(self, model: LanguageModel | None = None) -> None:
        self.model = model or LanguageModel()

    def __call__(self, place: Place, guide: Guide) -> Iterator[str]:
        item = place.item(guide, "")
        for beginning in BEGINNINGS.get(place.pattern, ("",)):
            opened = replace(item, sentence=item.sentence.replace(GAP, beginning + GAP, 1))
            for word in self.likely(opened):
                yield beginning + word

    def likely(self, item: Item, n: int = WORDS) -> list[str]:
        """The likeliest whole words in the gap of an item."""
        names, places = self._words
        chances = self.model.chances(item)[places]
        return [names[place] for place in np.argsort(-chances, kind="stable")[:n].tolist()]

    @cached_property
    def _words(self) -> tuple[list[str], list[int]]:
        """The tokens that are a blank and a word in small letters."""
        tokenizer = self.model.model.file.tokenizer
        found = {}
        for id in range(tokenizer.get_vocab_size()):
            text = tokenizer.decode([id])
            word = text[1:]
            if text[:1] == " " and len(word) >= LEAST_LETTERS and word.isalpha() and word.islower():
                found[word] = id
        return list(found), list(found.values())


if __name__ == "__main__":
    main()
