"""Which sense a word has here: its sentence against gloss and example, its part of speech, what the document is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.candidates import Sentence
from marginalia.core.resources import read_resource
from marginalia.lexicon.dictionary import Dictionary, Sense, unit
from marginalia.nlp.encoder import Tokens, english
from marginalia.nlp.tagger import english_tagger

Floats = NDArray[np.float32]
NEAR_TOKENS = 8
"""Tokens on each side of a word that are its narrow context."""
PARTS = {
    "NOUN": "noun", "PROPN": "noun", "VERB": "verb", "AUX": "verb", "ADJ": "adj", "ADV": "adv",
}  # fmt: skip
SURE, MIN_RATIO = 0.6, 0.5
"""Below this probability a second sense is given too, if it is at least so likely beside the first."""
FEATURES = (
    "gloss", "example", "gloss_near", "example_near", "part", "other_part", "rank", "native", "learner",
    "general", "field", "technical",
)  # fmt: skip
"""What speaks for a sense, in the order of the weights."""


@dataclass(frozen=True, slots=True)
class Context:
    """What is known of the place where a word is used."""

    wide: Floats
    """The sentence as a vector of the senses' space."""
    near: Floats
    """The words around, likewise."""
    tag: str
    """Its part of speech, as the tagger names it; empty where it is not known."""
    fields: Mapping[str, float]
    """Field -> share of the document's terms that belong to it."""


@dataclass(frozen=True, slots=True)
class Choice:
    sense: Sense
    confidence: float
    native: float
    """Share of natives who know the word as it is used here: over all senses, each as likely as it is."""
    learner: float
    other: Sense | None = None
    """A sense that is nearly as likely, where neither is sure: readers can tell which one fits."""


def context_of(
    dictionary: Dictionary,
    tokens: Tokens,
    start: int,
    end: int,
    tag: str,
    fields: Mapping[str, float],
) -> Context | None:
    """The context of a span of a sentence that the encoder has read; None where the dictionary has no vectors."""
    vectors = dictionary.vectors
    if vectors is None:
        return None
    states = tokens.layers[english().last]
    real = tokens.offsets[:, 1] > tokens.offsets[:, 0]
    inside = np.flatnonzero(tokens.inside(start, end))
    wide = unit(states[real].mean(axis=0)) if real.any() else states.mean(axis=0)
    if len(inside):
        low, high = max(0, inside[0] - NEAR_TOKENS), inside[-1] + NEAR_TOKENS + 1
        near = unit(states[low:high].mean(axis=0))
    else:
        near = wide
    return Context(vectors.project(wide), vectors.project(near), tag, fields)


def sense_features(dictionary: Dictionary, senses: Sequence[Sense], context: Context) -> Floats:
    """One row for each sense."""
    assert dictionary.vectors is not None  # noqa: S101 - there is no context without them
    wide = dictionary.vectors.likeness(senses, context.wide)
    near = dictionary.vectors.likeness(senses, context.near)
    part = PARTS.get(context.tag, "")
    known = part and any(sense.part == part for sense in senses)
    rows = [
        [
            wide[n, 0], wide[n, 1], near[n, 0], near[n, 1],
            float(bool(known) and sense.part == part), float(bool(known) and sense.part not in (part, "phrase")),
            float(n), sense.native, sense.learner, float(sense.field == "general"),
            context.fields.get(sense.field, 0.0), float(sense.register == "technical"),
        ]
        for n, sense in enumerate(senses)
    ]  # fmt: skip
    return np.array(rows, dtype=np.float32)


@cache
def _weights() -> Floats:
    said = read_resource("marginalia.annotators.words", "senses.json")["weights"]
    return np.array([said[name] for name in FEATURES], dtype=np.float32)


def _can_stand_here(sense: Sense, sentence: str) -> bool:
    """A sense that lives in one phrase, which its gloss begins with ("(rallying cry) …"), needs that phrase."""
    if sense.part != "phrase" or not sense.gloss.startswith("("):
        return True
    words = sense.gloss[1 : sense.gloss.find(")")].lower().split()
    return all(word in sentence for word in words)


def choose_sense(
    dictionary: Dictionary, senses: Sequence[Sense], context: Context | None
) -> Choice:
    """The likeliest of the senses of a word, and its probability."""
    if len(senses) == 1 or context is None:
        sure = 1.0 if len(senses) == 1 else 0.5
        return Choice(senses[0], sure, senses[0].native, senses[0].learner)
    scores = sense_features(dictionary, senses, context) @ _weights()
    chances = np.exp(scores - scores.max())
    chances /= chances.sum()
    first, second = np.argsort(-chances)[:2]
    unsure = chances[first] < SURE and chances[second] >= MIN_RATIO * chances[first]
    return Choice(
        senses[first],
        float(chances[first]),
        float(sum(chance * sense.native for chance, sense in zip(chances, senses, strict=True))),
        float(sum(chance * sense.learner for chance, sense in zip(chances, senses, strict=True))),
        senses[second] if unsure else None,
    )


def choose_senses(
    dictionary: Dictionary, sentence: Sentence, tokens: Tokens | None, fields: Mapping[str, float]
) -> list[Choice | None]:
    """The senses of all candidates of a sentence; None for what the dictionary does not explain."""
    tags = {}
    if tokens is not None:
        tags = {word.start: word.tag for word in english_tagger().tag(sentence.text, tokens)}
    lower = sentence.text.lower()
    found: list[Choice | None] = []
    for one in sentence.candidates:
        senses = one.entry.senses if one.entry else ()
        senses = tuple(sense for sense in senses if _can_stand_here(sense, lower))
        if one.entry is None or not senses:
            found.append(None)
            continue
        context = None
        if tokens is not None and len(senses) > 1:
            tag = tags.get(one.start, "")
            context = context_of(dictionary, tokens, one.start, one.end, tag, fields)
        found.append(choose_sense(dictionary, senses, context))
    return found


def fields_of(sentences: Sequence[Sentence]) -> dict[str, float]:
    """What a document is about: the fields of its words that have one field alone."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        for one in sentence.candidates:
            kinds = {sense.field for sense in (one.entry.senses if one.entry else ())}
            if len(kinds) == 1 and kinds != {"general"}:
                counts.update(kinds)
    total = sum(counts.values()) or 1
    return {name: many / total for name, many in counts.items()}
