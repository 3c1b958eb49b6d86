"""The last passes of an encoder: the tasks that read a document one after the other share them."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from marginalia.nlp.encoder import Tokens

MIN_CACHED_TOKENS = 12
"""Passes of fewer tokens are quickly made again, and would drive out the others."""


class Recent:
    """Passes by text, the latest of them, up to ``room`` bytes. Threads may share it."""

    def __init__(self, room: int) -> None:
        self.room, self.size = room, 0
        self.kept: dict[str, Tokens] = {}
        self.lock = Lock()

    def get(self, text: str) -> Tokens | None:
        return self.kept.get(text)

    def put(self, text: str, tokens: Tokens) -> None:
        """Keep a pass, together with the layers that are known of the same text."""
        if len(tokens.offsets) < MIN_CACHED_TOKENS:
            return
        with self.lock:
            known = self.kept.pop(text, None)
            if known is not None:
                self.size -= known.size
                tokens = type(tokens)(tokens.offsets, known.layers | tokens.layers)
            if tokens.size > self.room:
                return
            self.kept[text] = tokens
            self.size += tokens.size
            while self.size > self.room:
                self.size -= self.kept.pop(next(iter(self.kept))).size
