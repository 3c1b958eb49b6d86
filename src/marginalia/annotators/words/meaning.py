"""What a word or expression means in its sentence, for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from marginalia.annotators.words.candidates import Sentence, find_candidates
from marginalia.annotators.words.features import features_of
from marginalia.annotators.words.senses import choose_senses, topics
from marginalia.annotators.words.stopping import LEARNER, NATIVE, models, read_sentences, stops
from marginalia.core.errors import FormatError
from marginalia.lexicon.dictionary import dictionary
from marginalia.nlp.tokens import words


@dataclass(frozen=True, slots=True)
class Meaning:
    """A word where it stands: its entry, what it means there, and whom it stops."""

    quote: str
    word: str
    part: str
    gloss: str
    easier: str
    field: str
    confidence: float
    """How probable this sense is among those of the dictionary."""
    stops_native: float
    stops_learner: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def explain_word(sentence: str, start: int, end: int, *, lang: str = "en") -> Meaning | None:
    """What ``sentence[start:end]`` means; None where the dictionary does not have it.

    >>> explain_word("He balked at the price.", 3, 9).gloss  # doctest: +SKIP
    'to be unwilling to do or accept something'
    """
    if not 0 <= start < end <= len(sentence):
        raise FormatError(
            f"the span {start}:{end} is not in a sentence of {len(sentence)} characters"
        )
    own = dictionary(lang)
    if own is None:
        return None
    found = find_candidates(sentence, [match.span() for match in words(sentence)], own)
    one = next((c for c in found if c.start < end and start < c.end and c.entry), None)
    if one is None or one.entry is None or not one.entry.senses:
        return None
    alone = Sentence(0, sentence, (one,))
    if lang == "en":
        features = features_of([alone])
        read = read_sentences(own, [alone], [0], models()[0].layers, {})
        [chances] = stops(features, read)
        [choice] = read.choices
    else:
        [choice] = choose_senses(own, alone, None, topics(own, [alone], {}, {})[0])
        chances = np.array([1 - one.entry.native, 1 - one.entry.learner], dtype=np.float32)
    if choice is None:
        return None
    sense = choice.sense
    return Meaning(
        quote=one.form,
        word=one.entry.word,
        part=sense.part,
        gloss=sense.gloss,
        easier=sense.easier,
        field=sense.field,
        confidence=round(choice.confidence, 3),
        stops_native=round(float(chances[NATIVE]), 3),
        stops_learner=round(float(chances[LEARNER]), 3),
    )
