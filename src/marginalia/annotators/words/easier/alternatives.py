"""Easier words for a hard word in its sentence, ranked by how easy they are and how well they fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from marginalia.annotators.words.easier.synonyms import Candidate, candidates
from marginalia.core.benchmark import System
from marginalia.core.resolution import system_for_documents
from marginalia.nlp.tokens import words
from marginalia.tasks.complexity.benchmark import BENCHMARK
from marginalia.tasks.complexity.official.data import Target

Score = Callable[[Mapping[str, Target]], Mapping[str, float]]

EASIER = 0.05
"""A word must be easier than the hard one by this much; less is noise."""
GENERAL_PENALTY = 0.15
"""What a more general word loses against one of the same meaning."""
MAX_CHANGE_RATIO = 3.0
"""A word that changes the sentence this many times as much as the best one does not fit."""
MAX_SENTENCE = 5_000
"""In longer text the neighbourhood stands for the sentence."""

_AN = re.compile(
    # an hour but a horse, an egg but a European, an old one but a one-off, an uncle but a user
    r"(?:[ai]|e(?!u|we)|o(?!nc?e(?![a-z]))|u(?!ni(?![mn]|de)|nanim|s[aeiu]|r[aeio]|t[eio]|bi|ke)"
    r"|hour|hon(?:o|est)|heir)",
    re.I,
)
_ARTICLE = re.compile(r"(?<!\w)(an?)(\s+)$", re.I)
_HELPERS = frozenset(
    "am are be been being get gets got had has have having is was were 're 've ’re ’ve".split()
)
_BETWEEN = frozenset(
    "also already always ever first further just never not often once only then thus".split()
)


@dataclass(frozen=True, slots=True)
class Alternative:
    """An easier word for this place in the sentence."""

    word: str
    complexity: float
    fit: float
    """Cosine between the sentence with this word and the sentence as it was."""
    kind: str
    """``same meaning`` or ``more general``."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def suggest_easier(
    sentence: str,
    start: int,
    end: int,
    tag: str | None = None,
    *,
    system: System | Score | None = None,
    encoder: Any = None,
    corpus: str = "",
    n: int = 3,
) -> list[Alternative]:
    """Up to ``n`` words clearly easier than ``sentence[start:end]``, the best first; often none.

    ``system`` scores complexity (a system or its ``predict``; ours if None), ``encoder`` has ``vectors``
    (the shared English one if None). ``tag`` is a tag of Universal Dependencies.
    """
    if not 0 <= start < end <= len(sentence) or n < 1:
        return []
    left = max(0, start - MAX_SENTENCE // 2)
    sentence = sentence[left : end + MAX_SENTENCE // 2]
    start, end = start - left, end - left
    token = sentence[start:end]
    if looks_like_name(sentence, start, end, tag):
        return []
    found = candidates(token, tag, participle=is_participle(sentence, start, end))
    if not found:
        return []
    filled = [fill(sentence, start, end, item.word) for item in found]
    easier = _easier(sentence, start, token, found, filled, _score_of(system), corpus)
    if not easier:
        return []
    if encoder is None:
        from marginalia.nlp.encoder import english

        encoder = english()
    vectors = encoder.vectors([sentence, *(filled[place][0] for place in easier)])
    rows = [
        Alternative(found[place].word, value, cosine(vectors[0], vector), found[place].kind)
        for (place, value), vector in zip(easier.items(), vectors[1:], strict=True)
    ]
    return _ranked(rows)[:n]


def fill(sentence: str, start: int, end: int, word: str) -> tuple[str, int]:
    """The sentence with the word in place, a or an before it as the word wants, and where it begins."""
    before = sentence[:start]
    if article := _ARTICLE.search(before):
        wanted = article[1][0] + ("n" if _AN.match(word) else "")
        if sentence.isupper():
            wanted = wanted.upper()
        before = before[: article.start()] + wanted + article[2]
    return before + word + sentence[end:], len(before)


def looks_like_name(sentence: str, start: int, end: int, tag: str | None) -> bool:
    """An abbreviation, or a capital inside the sentence that no tag explains."""
    token = sentence[start:end]
    if sentence.isupper() or not token[0].isupper():
        return False
    if token.isupper() and len(token) > 1:
        return True
    return not tag and any(char.isalnum() for char in sentence[:start])


def is_participle(sentence: str, start: int, end: int) -> bool:
    """Whether a form of be, have or get stands before the word, or by after it."""
    before = [match.group().lower() for match in words(sentence[max(0, start - 60) : start])]
    while before and (before[-1] in _BETWEEN or before[-1].endswith("ly")):
        before.pop()
    after = next(words(sentence[end : end + 20]), None)
    return bool(before and before[-1] in _HELPERS) or (after is not None and after.group() == "by")


def cosine(a: Any, b: Any) -> float:
    size = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.clip(a @ b / size, -1, 1)) if size else 0.0


def _score_of(system: System | Score | None) -> Score:
    if system is None:
        return system_for_documents(BENCHMARK).loaded().predict
    return system.predict if isinstance(system, System) else system


def _easier(
    sentence: str,
    start: int,
    token: str,
    found: Sequence[Candidate],
    filled: Sequence[tuple[str, int]],
    score: Score,
    corpus: str,
) -> dict[int, float]:
    """The places of the candidates that are clearly easier, with their scores."""
    items = {"": _target(corpus, sentence, token, start)}
    for place, (item, (text, at)) in enumerate(zip(found, filled, strict=True)):
        items[str(place)] = _target(corpus, text, item.word, at)
    scores = score(items)
    limit = scores[""] - EASIER
    return {i: float(scores[str(i)]) for i in range(len(found)) if scores[str(i)] <= limit}


def _target(corpus: str, sentence: str, token: str, start: int) -> Target:
    return Target(corpus, sentence, token, "multi" if " " in token else "words", start)


def _ranked(rows: Sequence[Alternative]) -> list[Alternative]:
    """Easy and fitting first, without those that fit much worse than the best.

    In a long sentence every word fits well, so the loss of fit is measured against the worst.
    """
    best = min(1 - row.fit for row in rows)
    rows = [row for row in rows if 1 - row.fit <= MAX_CHANGE_RATIO * best + 1e-6]
    worst = max(1 - row.fit for row in rows) or 1.0
    hardest = max(row.complexity for row in rows) or 1.0

    def cost(row: Alternative) -> float:
        general = GENERAL_PENALTY if row.kind == "more general" else 0.0
        return (1 - row.fit) / worst + row.complexity / hardest + general

    return sorted(rows, key=lambda row: (cost(row), row.word))
