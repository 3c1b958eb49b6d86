"""The network at work: one pass reads a context once, and its fillers as short blocks beside it.

What is int8 in the network is scaled over all that a pass holds. So the fillers of a pass follow from the
item alone, its own and the others of its gap, and an item has the same score in any company.

A block is one filler. Its pieces stand at the place of the gap; they see the context and each other, and
the context sees none of them. So one pass rates any number of fillers, and each of them as if it were
alone.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.encoder import english, own_tokenizer
from marginalia.nlp.onnx import start
from marginalia.nlp.threads import threads
from marginalia.nlp.weights import open_weights
from marginalia.tasks.clarification.official.data import GAP, Item
from marginalia.tasks.clarification.systems import weights_folder
from marginalia.tasks.clarification.systems.word_vectors import word_vectors

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

MARKS = CLS, SEP, MASK = (101, 102, 103)
"""The vocabulary's own marks: first, between parts, and the mask, which stands in the gap."""
MAX_CONTEXT_PIECES = 80
"""Pieces for the sentence and what stands around it."""
MAX_SIDE_PIECES = 40
"""Pieces of the sentence on either side of its gap."""
TITLE, HEADER, FILLER = 14, 8, 12
LEAST_BEFORE, LEAST_AFTER = 10, 8
MASKED = -1e4
"""Added to where a piece may not look."""

_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>|<!--.{0,200}?-->", re.DOTALL)
_CUT = re.compile(r"\(\s*\.\.\.\s*\)|(?:_\s*){3,}")
_BLANKS = re.compile(r"\s+")
NETWORK_FILE, TOKENIZER_FILE = "network.onnx", "tokenizer.json"
HEADS = ("rating", "above_low", "above_high", "lm_filler", "lm_after")
"""The mean rating, standardised; whether it lies above the bound of IMPLAUSIBLE and reaches that of
PLAUSIBLE, as log odds; and what a language model thinks of the filler and of the words after it."""
CENTRE, SPREAD = 3.3, 1.1
"""Of the ratings in train."""
FILLERS_PER_PASS = 40
"""Fillers in a pass: bounds the memory where someone asks about many."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One context and its fillers, as the network takes them."""

    pieces: Ints
    places: Ints
    kinds: Ints
    """1 for the pieces of fillers, 0 for the context."""
    mask: Floats
    gap: int
    spans: Floats
    """A row for each filler: the share that each piece has in it."""


def clean(text: str) -> str:
    """Without tags, entities, cut marks and runs of blanks."""
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    return _BLANKS.sub(" ", _CUT.sub(" ", text)).strip()


def sides(item: Item) -> tuple[str, str]:
    """The sentence before and after its first gap; without a gap the filler stands at its end."""
    left, _, right = item.sentence.partition(GAP)
    return clean(left), clean(right)


def marks_of(tokenizer: Any) -> tuple[int, int, int]:
    """The marks of any vocabulary; one without a mask has its mark between parts in the gap."""
    empty = tokenizer.encode("").ids
    names = ("[MASK]", "<mask>")
    mask = next(
        (id for name in names if (id := tokenizer.token_to_id(name)) is not None), empty[-1]
    )
    return int(empty[0]), int(empty[-1]), int(mask)


def pack(
    item: Item, fillers: Sequence[str], tokenizer: Any, marks: tuple[int, int, int] = MARKS
) -> Packed:
    """The context of an item with these fillers."""
    first, between, mask = marks

    def pieces(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=False).ids)

    left, right = (pieces(text) for text in sides(item))
    left, right = left[-MAX_SIDE_PIECES:], right[:MAX_SIDE_PIECES]
    room = MAX_CONTEXT_PIECES - len(left) - len(right)
    before, after = pieces(clean(item.previous)), pieces(clean(item.followup))
    after = after[: max(LEAST_AFTER, room // 3)]
    before = before[-max(LEAST_BEFORE, room - len(after)) :]
    title = clean(item.title).removeprefix("How to ")
    context = [first, *pieces(item.phenomenon), between, *pieces(title)[:TITLE], between]
    context += [*pieces(clean(item.header))[:HEADER], between, *before, between, *left]
    gap = len(context)
    context += [mask, *right, between, *after, between]
    blocks = [pieces(clean(filler))[:FILLER] or [mask] for filler in fillers]
    sizes = [len(context), *map(len, blocks)]
    owner = np.repeat(np.arange(-1, len(blocks)), sizes)
    sees = (owner[None] == -1) | (owner[:, None] == owner[None])
    spans = (owner[None] == np.arange(len(blocks))[:, None]).astype(np.float32)
    return Packed(
        pieces=np.array([*context, *(p for block in blocks for p in block)], dtype=np.int64),
        places=np.concatenate(
            [np.arange(len(context)), *(gap + np.arange(len(block)) for block in blocks)]
        ),
        kinds=(owner >= 0).astype(np.int64),
        mask=np.where(sees, 0.0, MASKED).astype(np.float32),
        gap=gap,
        spans=spans / spans.sum(axis=1, keepdims=True),
    )


def bare(item: Item) -> Item:
    """The context of an item, with all fillers of its gap as ``others``: the same for each of them.

    Each filler stands there once, in an order that does not tell which one is asked about.
    """
    return replace(item, filler="", others=tuple(sorted({item.filler, *item.others})))


class Passes:
    """The graph of a weights folder, or one that was just trained."""

    def __init__(
        self,
        folder: Path | None = None,
        given: bytes | None = None,
        *,
        shared: bool = True,
        beside: Path | None = None,
    ) -> None:
        self.folder, self.given, self.shared = folder, given, shared
        self.beside = beside
        """The folder with the tokenizer of a graph that is given, where that is not the shared one."""

    @cached_property
    def session(self) -> Any:
        if self.given is not None:
            return start(self.given)
        folder = self.folder or weights_folder()
        open_weights(folder)
        return start(folder / NETWORK_FILE)

    @cached_property
    def own(self) -> Path | None:
        """The folder of weights that bring an encoder of their own, with its tokenizer and its word vectors."""
        if self.given is not None:
            return self.beside
        folder = self.folder or weights_folder()
        return folder if (folder / TOKENIZER_FILE).is_file() else None

    @cached_property
    def tokenizer(self) -> Any:
        return own_tokenizer(self.own)[0] if self.own else english().tokenizer

    @cached_property
    def marks(self) -> tuple[int, int, int]:
        return marks_of(self.tokenizer) if self.own else MARKS

    def heads(self, contexts: Iterable[Item]) -> dict[Item, Floats]:
        """For each context, made by ``bare``: the heads of its fillers, in the order of its ``others``."""
        contexts = list(dict.fromkeys(contexts))
        if not contexts:
            return {}
        _ = (
            self.session,
            self.tokenizer,
            self.own or word_vectors(),
        )  # loaded once, not by every thread
        with ThreadPoolExecutor(min(threads(), len(contexts))) as pool:
            return dict(zip(contexts, pool.map(self._run, contexts), strict=True))

    def _run(self, context: Item) -> Floats:
        fillers = context.others
        size = FILLERS_PER_PASS if self.shared else 1
        parts = [fillers[begin : begin + size] for begin in range(0, len(fillers), size)]
        return np.concatenate([self._pass(context, part) for part in parts])

    def _pass(self, context: Item, fillers: tuple[str, ...]) -> Floats:
        packed = pack(context, fillers, self.tokenizer, self.marks)
        words = {"pieces": packed.pieces} if self.own else {"words": word_vectors()(packed.pieces)}
        feed: Mapping[str, Any] = {
            **words,
            "places": packed.places,
            "kinds": packed.kinds,
            "mask": packed.mask,
            "gap": np.array(packed.gap),
            "spans": packed.spans,
        }
        found: Floats = self.session.run(["heads"], feed)[0]
        return found
