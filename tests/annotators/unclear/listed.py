"""A tagger of known answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pytest

from marginalia.annotators.unclear import places
from marginalia.annotators.unclear.tagger import Found

PLACES = {
    "some flour": Found(0, 0, "amount", "much", 0.999),
    "overnight": Found(0, 0, "amount", None, 0.999),
    "etc.": Found(0, 0, "list", "others", 0.999),
    "warm": Found(0, 0, "weak", None, 0.001),
}


class Listed:
    """Marks these words wherever they stand, and keeps what it read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def find(self, texts: Sequence[str]) -> Iterator[list[Found]]:
        for text in texts:
            self.read.append(text)
            found = [
                Found(match.start(), match.end(), place.kind, place.question, place.score)
                for words, place in PLACES.items()
                for match in re.finditer(re.escape(words), text)
            ]
            yield sorted(found, key=lambda one: one.start)


@pytest.fixture
def tagger(monkeypatch: pytest.MonkeyPatch) -> Listed:
    listed = Listed()
    monkeypatch.setattr(places, "shipped", lambda: listed)
    return listed
