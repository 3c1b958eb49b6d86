"""A whole pretrained encoder in training: texts in, token vectors out; needs ``marginalia[train]``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from marginalia.core.training_log import Course
from marginalia.nlp.training.pretrained import load_encoder, load_tokenizer, set_up, takes

MAX_TRAINED_TOKENS = 256
"""Tokens of a text that are read in training; what is longer is rare, and costs the square of its length."""


class Whole:
    """The base of a course: its network on the device, and its tokenizer."""

    def __init__(self, course: Course) -> None:
        from tokenizers import Tokenizer

        set_up(course)
        self.tokenizer_json, self.max_tokens = load_tokenizer(course)
        self.tokenizer = Tokenizer.from_str(self.tokenizer_json.decode("utf-8"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.model = load_encoder(course).to(course.device)
        self.device = course.device

    def pieces(self, text: str) -> Any:
        """The tokens of a text, with their offsets; the last mark stays where it is too long."""
        return self.tokenizer.encode(text)

    def ids(self, text: str) -> list[int]:
        ids = list(self.pieces(text).ids)
        limit = min(MAX_TRAINED_TOKENS, self.max_tokens)
        return ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]]

    def states(self, model: Any, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """The last layer's vectors of some texts, padded, and 1 for each token that is there."""
        import torch

        size = max(map(len, rows))
        ids, there = (np.zeros((len(rows), size), dtype=np.int64) for _ in range(2))
        for place, row in enumerate(rows):
            ids[place, : len(row)], there[place, : len(row)] = row, 1
        given, mask = (torch.from_numpy(each).to(self.device) for each in (ids, there))
        return hidden_states(model, given, mask), mask


def hidden_states(model: Any, ids: Any, mask: Any) -> Any:
    """The last layer of any encoder."""
    import torch

    kinds = {"token_type_ids": torch.zeros_like(ids)} if takes(model, "token_type_ids") else {}
    return model(input_ids=ids, attention_mask=mask, **kinds).last_hidden_state
