"""What a word or expression means in its sentence, for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from marginalia.annotators.words.candidates import Sentence, find_candidates
from marginalia.annotators.words.senses import choose_sense, context_of
from marginalia.annotators.words.stopping import LEARNER, NATIVE, judge
from marginalia.core.errors import FormatError
from marginalia.lexicon.dictionary import dictionary
from marginalia.nlp.encoder import english
from marginalia.nlp.tagger import english_tagger
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
    'to be unwilling to do something and stop'
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
    context, chances = None, None
    if lang == "en":
        layers = (english_tagger().layer, english().last)
        chances, [tokens] = judge([Sentence(0, sentence, (one,))], layers=layers)
        tokens = tokens or next(iter(english().tokens([sentence], layers)))
        tags = {word.start: word.tag for word in english_tagger().tag(sentence, tokens)}
        context = context_of(own, tokens, one.start, one.end, tags.get(one.start, ""), {})
    choice = choose_sense(own, one.entry, context)
    sense = choice.sense
    stops = (1 - sense.native, 1 - sense.learner) if chances is None else chances[0]
    return Meaning(
        quote=one.form,
        word=one.entry.word,
        part=sense.part,
        gloss=sense.gloss,
        easier=sense.easier,
        field=sense.field,
        confidence=round(choice.confidence, 3),
        stops_native=round(float(stops[NATIVE]), 3),
        stops_learner=round(float(stops[LEARNER]), 3),
    )
