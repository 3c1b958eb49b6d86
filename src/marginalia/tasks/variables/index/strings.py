"""Many strings in two arrays, which can be memory-mapped: their bytes one after the other, and where each starts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Strings:
    """Strings by place; ``find`` needs them in the order of their bytes."""

    def __init__(self, data: NDArray[Any], starts: NDArray[Any]) -> None:
        self.data, self.starts = data, starts

    @classmethod
    def of(cls, texts: Iterable[str]) -> Strings:
        encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
        starts = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(one) for one in encoded], out=starts[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, place: int) -> str:
        return self.raw(place).decode("utf-8", "surrogatepass")

    def raw(self, place: int) -> bytes:
        start, end = self.starts[place], self.starts[place + 1]
        return bytes(self.data[start:end])

    def find(self, text: str) -> int:
        """The place of the string, or -1; by halving, so that nothing need be loaded."""
        wanted = text.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self.raw(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self.raw(low) == wanted else -1
