"""Fillers that the language model would write itself: the likeliest words in a gap; needs ``marginalia[lm]``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from marginalia.tasks.clarification.gaps.places import Guide, Place
from marginalia.tasks.clarification.official.data import GAP, Item
from marginalia.tasks.clarification.systems.language_model import LanguageModel

WORDS = 25
"""Of each gap, after each beginning."""
BEGINNINGS = {"IMPLICIT REFERENCE": ("the ", "")}
"""What may stand before the noun; where nothing is named, the noun stands alone."""
LEAST_LETTERS = 3


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
