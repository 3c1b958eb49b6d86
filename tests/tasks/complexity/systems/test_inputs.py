"""What the heads see: vectors that are kept, also when threads share them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from marginalia.nlp.encoder import Tokens
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems import inputs as module
from marginalia.tasks.complexity.systems.inputs import Inputs


class Encoder:
    """One token per text; its vectors hold the number of letters and the layer."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def tokens(self, texts: Iterable[str], layers: Sequence[int]) -> Iterator[Tokens]:
        for text in texts:
            self.asked.append(text)
            made = {layer: np.array([[len(text), layer]], dtype=np.float32) for layer in layers}
            yield Tokens(np.array([[0, len(text)]]), made)


def test_words_alone_are_encoded_once_and_not_kept_without_limit(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_CACHED_WORDS", 3)
    encoder = Encoder()
    inputs = Inputs(encoder)  # type: ignore[arg-type]
    for token in ("one", "two", "one", "three", "four", "five", "one"):
        inputs.vectors([Target("", token, token, "words", 0)])
    assert len(inputs.encoder_vectors.alone) <= 4


def test_threads_may_share_it(monkeypatch) -> None:
    monkeypatch.setattr(module, "MAX_CACHED_WORDS", 3)
    inputs = Inputs(Encoder())  # type: ignore[arg-type]
    broken: list[Exception] = []

    def work(name: str) -> None:
        try:
            for number in range(300):
                target = Target("", f"{name} {number}", name * (number % 7 + 1), "words", 0)
                [row] = inputs.vectors([target])
                assert row[0] == len(target.sentence)
        except Exception as error:
            broken.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(name,)) for name in "abcdef"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert broken == []
