"""A light tagger for the four kinds of spans: a conditional random field over words and numbers."""

from __future__ import annotations

import tempfile
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from marginalia.tasks.measurement.official.spans import Span
from marginalia.tasks.measurement.official.tokens import tokens

PRIORITY = ("Quantity", "MeasuredProperty", "MeasuredEntity", "Qualifier")
"""Where gold spans overlap, a token takes the first of these."""
SETTINGS = {
    "c1": 0.1,
    "c2": 0.1,
    "max_iterations": 80,
    "feature.minfreq": 2,
    "feature.possible_transitions": True,
}


class TaggedSpan(NamedTuple):
    """A span with its type, not yet linked to others."""

    type: str
    start: int
    end: int


class Tagger:
    """Reads a paragraph as one sequence of tokens; ``model`` is the content of a crfsuite file."""

    def __init__(self, model: bytes) -> None:
        self.model = model
        self._crf: Any = None

    @classmethod
    def fit(cls, paragraphs: Iterable[tuple[str, Iterable[Span]]]) -> Tagger:
        import pycrfsuite

        trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=SETTINGS, verbose=False)
        for text, spans in paragraphs:
            places = tokens(text)
            if places:
                trainer.append(list(features(text, places)), labels(places, spans))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.crfsuite"
            trainer.train(str(path))
            return cls(path.read_bytes())

    def tag(self, text: str) -> list[TaggedSpan]:
        """The spans of a paragraph in reading order."""
        import pycrfsuite

        if self._crf is None:
            self._crf = pycrfsuite.Tagger()
            self._crf.open_inmemory(self.model)
        places = tokens(text)
        tags = self._crf.tag(list(features(text, places))) if places else []
        return tagged_spans(places, tags)


def labels(places: list[tuple[int, int]], spans: Iterable[Span]) -> list[str]:
    """``B-`` on the first token of a span, ``I-`` on the others, ``O`` outside."""
    result = ["O"] * len(places)
    for span in sorted(spans, key=lambda span: (PRIORITY.index(span.type), span.start, -span.end)):
        covered = [i for i, (a, b) in enumerate(places) if a < span.end and span.start < b]
        if covered and all(result[i] == "O" for i in covered):
            for i in covered:
                result[i] = f"I-{span.type}"
            result[covered[0]] = f"B-{span.type}"
    return result


def tagged_spans(places: list[tuple[int, int]], tags: list[str]) -> list[TaggedSpan]:
    """The spans that a sequence of labels describes; an ``I-`` that continues nothing begins one."""
    found: list[TaggedSpan] = []
    before = ""
    for (start, end), label in zip(places, tags, strict=True):
        kind = label[2:]
        if label.startswith("I-") and before == kind:
            found[-1] = found[-1]._replace(end=end)
        elif kind:
            found.append(TaggedSpan(kind, start, end))
        before = kind
    return found


def features(text: str, places: list[tuple[int, int]]) -> Iterator[list[str]]:
    """What the tagger sees of each token: itself, its neighbours and how far the next numbers are."""
    words = [text[start:end] for start, end in places]
    looks = [_look(word) for word in words]
    numeric = [i for i, look in enumerate(looks) if look[0] == "0"]
    for i, word in enumerate(words):
        low = word.lower()
        seen = ["bias", f"w={low}", f"look={looks[i]}", f"pre={low[:3]}", f"suf={low[-3:]}"]
        for step in (-3, -2, -1, 1, 2, 3):
            j = i + step
            inside = 0 <= j < len(words)
            near = words[j].lower() if inside else "<edge>"
            seen.append(f"w{step}={near}")
            seen.append(f"look{step}={looks[j] if inside else ''}")
        if i + 1 < len(words):
            seen.append(f"w|w+1={low}|{words[i + 1].lower()}")
            seen.append(f"look|look+1={looks[i]}|{looks[i + 1]}")
        if i:
            seen.append(f"w-1|w={words[i - 1].lower()}|{low}")
        yield seen + _distances(i, numeric)


def _look(word: str) -> str:
    """``0`` for a number, ``0.`` with a point, ``Aa``, ``AA`` or ``aa`` for words, else the character itself."""
    if word[0].isdigit():
        return "0." if "." in word or "," in word else "0"
    if not word[0].isalpha():
        return word
    return "".join("A" if letter.isupper() else "a" for letter in word[:2])


def _distances(i: int, numeric: list[int]) -> list[str]:
    after = bisect_left(numeric, i)
    back = i - numeric[after - 1] if after else 99
    ahead = numeric[after] - i if after < len(numeric) else 99
    return [f"back={_bucket(back)}", f"ahead={_bucket(ahead)}"]


def _bucket(distance: int) -> int:
    return next(edge for edge in (0, 1, 2, 3, 5, 8, 13, 21, 99) if distance <= edge or edge == 99)
