"""How likely a causal language model finds a filler and the words after it; needs ``marginalia[lm]``.

    python -m marginalia.tasks.clarification.systems.language_model --model MODEL --out FILE [--split SPLIT] [--data DIR]

The context up to the gap is read once; every filler with the rest of its sentence is a branch that sees
this prefix and itself. The command writes the scores of a split, of train for ``train.py --taught FILE``:
those of the fillers, and of further single words, from which the network learns more about each gap.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from marginalia.core.data_folder import data_folder
from marginalia.core.errors import MissingError, missing_package
from marginalia.core.files import write_file
from marginalia.nlp.training.log import show_progress
from marginalia.tasks.clarification.official.data import Item, load, sentence_of
from marginalia.tasks.clarification.systems.inputs import bare, clean, sides

log = logging.getLogger(__name__)

MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"
MODEL_VARIABLE = "MARGINALIA_LM"
"""The environment variable that names another model, a hub name or a folder."""
BEFORE, AFTER = 32, 8
"""Tokens of the previous context, and of the sentence after the gap."""
LIKELY, OTHERS = 32, 32
"""Further words of each gap: the likeliest and some that were drawn."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """Log probabilities: of the filler after all before it, and of what follows after the filler."""

    filler: float
    after: float
    tokens: int
    """Of the filler."""


class LanguageModel:
    """A model of a local folder or of the hub; loaded when first asked."""

    def __init__(self, name: str = "") -> None:
        self.name = name or os.environ.get(MODEL_VARIABLE, "") or MODEL

    @cached_property
    def loaded(self) -> tuple[Any, Any]:
        try:
            import torch
            from transformers import AutoModelForCausalLM, AutoTokenizer
        except ImportError as error:
            raise missing_package("The language model", error.name, "lm") from error
        try:
            tokenizer = AutoTokenizer.from_pretrained(self.name)
            model = AutoModelForCausalLM.from_pretrained(self.name, dtype=torch.float32)
        except (OSError, ValueError) as error:
            raise MissingError(
                f"The language model {self.name} cannot be loaded; set {MODEL_VARIABLE} to a folder that has one."
            ) from error
        return tokenizer, model.eval()

    def likelihoods(self, item: Item, fillers: Sequence[str]) -> list[Likelihood]:
        found, _ = self.read(item, fillers, ())
        return found

    def read(
        self, item: Item, fillers: Sequence[str], words: Sequence[int]
    ) -> tuple[list[Likelihood], Any]:
        """The fillers' likelihoods, and the log probabilities of single tokens in their place."""
        import torch

        tokenizer, model = self.loaded

        def tokens(text: str) -> list[int]:
            return list(tokenizer.encode(text, add_special_tokens=False))

        left, right = sides(item)
        previous = clean(item.previous)
        begin = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id]
        prefix = [*begin, *tokens(f"{clean(item.title)}\n{clean(item.header)}\n")]
        prefix += [*tokens(f"{previous}\n" if previous else "")[-BEFORE:], *tokens(left)]
        prefix = prefix or [tokenizer.eos_token_id]
        blank = " " if left else ""
        joined = "" if right[:1] in tuple(".,;:!?)'’") else " "
        rest = tokens(f"{joined}{right}" if right else "")[:AFTER]
        branches = [(tokens(blank + clean(filler)), rest) for filler in fillers]
        sizes = [len(prefix), *(len(filler) + len(after) for filler, after in branches)]
        owner = np.repeat(np.arange(-1, len(branches)), sizes)
        order = np.arange(len(owner))
        sees = (order[:, None] >= order) & ((owner == -1) | (owner[:, None] == owner))
        ids = [*prefix, *(t for filler, after in branches for t in (*filler, *after))]
        places = [*range(len(prefix))]
        for size in sizes[1:]:
            places += range(len(prefix), len(prefix) + size)
        with torch.inference_mode():
            states = model.model(
                input_ids=torch.tensor([ids]),
                attention_mask=torch.from_numpy(np.where(sees, 0, -1e9).astype(np.float32))[
                    None, None
                ],
                position_ids=torch.tensor([places]),
                use_cache=False,
            ).last_hidden_state[0, len(prefix) - 1 :]
            chances = torch.log_softmax(model.lm_head(states), dim=-1).numpy()
        found = []
        at = 1
        for filler, after in branches:
            wanted = [*filler, *after]
            rows = [0, *range(at, at + len(wanted) - 1)][: len(wanted)]
            each = chances[rows, wanted] if wanted else np.zeros(0)
            found.append(
                Likelihood(
                    float(each[: len(filler)].sum()), float(each[len(filler) :].sum()), len(filler)
                )
            )
            at += len(wanted)
        return found, chances[0, list(words)]


class Kept(LanguageModel):
    """The likelihoods of these items as ``teach`` has kept them, in place of a model.

    It is asked about contexts, made by ``bare``.
    """

    def __init__(self, taught: Mapping[str, Any], items: Mapping[str, Item]) -> None:
        super().__init__()
        self.known = {bare(item): taught.get(sentence_of(id)) for id, item in items.items()}

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return all(known is not None for known in self.known.values())

    def likelihoods(self, item: Item, fillers: Sequence[str]) -> list[Likelihood]:
        known = self.known.get(item)
        if known is None:
            raise MissingError("The likelihoods of a sentence are not among those that were kept.")
        return [Likelihood(*known["fillers"][filler]) for filler in fillers]


def teach(items: Mapping[str, Item], model: LanguageModel) -> dict[str, Any]:
    """By sentence: log probabilities of its fillers and what follows them, and of further words."""
    tokenizer, _ = model.loaded
    single: dict[str, int] = {}
    for filler in sorted({item.filler for item in items.values()}):
        found = tokenizer.encode(f" {filler}", add_special_tokens=False)
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
        found, chances = model.read(item, fillers, words)
        chosen = [*np.argsort(-chances)[:LIKELY].tolist()]
        chosen += random.sample(range(len(words)), min(OTHERS, len(words)))
        taught[sentence] = {
            "fillers": {f: astuple(s) for f, s in zip(fillers, found, strict=True)},
            "words": {names[place]: round(float(chances[place]), 3) for place in chosen},
        }
        if len(taught) % 100 == 0:
            log.info(f"{len(taught)} sentences read")
    return taught


def main() -> None:
    show_progress()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="", help=f"local folder or hub name; {MODEL}")
    parser.add_argument("--data", help="data folder; without it, MARGINALIA_DATA")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", default="train")
    arguments = parser.parse_args()
    split = load(arguments.split, data_folder(arguments.data))
    taught = teach(split.items, LanguageModel(arguments.model))
    write_file(arguments.out, json.dumps(taught) + "\n")


if __name__ == "__main__":
    main()
