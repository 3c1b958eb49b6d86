"""German words, more roughly: frequency, length, syllables and the parts of compounds.

Nobody has rated German words on the scale of CompLex here, so nothing is learned from German and no
figure says how good this is. The scale is borrowed from English: the two lines from Zipf frequency to
complexity are those of ``Frequency().fit(...)`` on the CompLex train split, read off with

    python -c "from marginalia import get_task; from marginalia.core.data_folder import data_folder; \\
    from marginalia.tasks.complexity.systems.baselines import Frequency; \\
    print(Frequency().fit(get_task('complexity').load('train', data_folder(None))).lines)"

What is added for long words, and what a further part of a compound costs, is set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.frequency import one_in, zipf
from marginalia.nlp.syllables import syllables
from marginalia.nlp.tokens import words
from marginalia.tasks.complexity.official.data import Target

ZIPF_LINES = {"words": (-0.0909, 0.6662), "multi": (-0.1251, 0.9218)}
"""Slope and intercept from Zipf frequency to complexity, of English words and multi-words."""
PART_COST = 0.5
"""A compound is understood from its rarest part, and each further part makes it rarer by this."""
MIN_COSTLY_SYLLABLES, COST_PER_SYLLABLE = 4, 0.01
MIN_COSTLY_LETTERS, COST_PER_LETTER = 10, 0.01
MAX_LENGTH_COST = 0.1
"""From how many syllables of the word, and letters of its longest part, it is harder, by how much
for each, and by how much at most."""
RARE = 4.0
MANY_SYLLABLES = 5
MAX_LETTERS = 200
"""A longer token is no word: it is not looked up."""


class German:
    """Complexity from 0 to 1 without training; the same for a word in every sentence."""

    def predict(self, items: Mapping[str, Target]) -> dict[str, float]:
        return {id: self.score(item) for id, item in items.items()}

    def score(self, item: Target) -> float:
        parts = _letters(item.token)
        if not parts:  # a number, an emoji, nothing: there is no word to stop at
            return 0.0
        slope, intercept = ZIPF_LINES.get(item.kind, ZIPF_LINES["words"])
        value = sum(ease(word) for word in parts) / len(parts)
        extra = sum(_length(word) for word in parts) / len(parts)
        return min(1.0, max(0.0, slope * value + intercept + extra))

    def reasons(self, item: Target) -> list[str]:
        """Why it is hard, in German words; for an expression, why its hardest word is."""
        parts = _letters(item.token)
        if not parts:
            return []
        word = min(parts, key=ease)
        found = []
        value = _zipf(word)
        if value < RARE:
            said = one_in(value, "de")
            found.append(f"selten: {said}" if value > 0 else said)
        pieces = _pieces(word)
        if len(pieces) > 1:
            shown = [piece.capitalize() if word[0].isupper() else piece for piece in pieces]
            found.append(f"zusammengesetzt: {' + '.join(shown)}")
        count = syllables(word, "de")
        if count >= MANY_SYLLABLES:
            found.append(f"{count} Silben")
        return found


@lru_cache(maxsize=50_000)
def ease(word: str) -> float:
    """Zipf frequency of a word, or what the parts of a compound make of it, if that is more."""
    own, pieces = _zipf(word), _pieces(word)
    if len(pieces) < 2:
        return own
    return max(own, min(_zipf(piece) for piece in pieces) - PART_COST * (len(pieces) - 1))


def _length(word: str) -> float:
    """What a word's syllables, and the letters of its longest part, add to its complexity."""
    longest = max(len(piece) for piece in _pieces(word))
    extra = COST_PER_SYLLABLE * max(0, syllables(word, "de") - MIN_COSTLY_SYLLABLES)
    return min(MAX_LENGTH_COST, extra + COST_PER_LETTER * max(0, longest - MIN_COSTLY_LETTERS))


def _pieces(word: str) -> tuple[str, ...]:
    return split_compound(word) if len(word) <= MAX_LETTERS else (word,)


def _zipf(word: str) -> float:
    return zipf(word, "de") if len(word) <= MAX_LETTERS else 0.0


def _letters(token: str) -> list[str]:
    """The words of a token that have letters."""
    found = (match.group() for match in words(token))
    return [word for word in found if any(char.isalpha() for char in word)]
