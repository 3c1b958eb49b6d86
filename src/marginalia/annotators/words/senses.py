"""Which sense a word has here: its sentence against gloss and example, its part of speech, what the document is about."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from marginalia.annotators.words.candidates import Candidate, Sentence
from marginalia.core.resources import read_resource
from marginalia.lexicon.dictionary import Dictionary, Sense, unit
from marginalia.nlp.encoder import Tokens, for_language
from marginalia.nlp.language import FUNCTION_WORDS
from marginalia.nlp.stems import stem
from marginalia.nlp.tagger import english_tagger
from marginalia.nlp.tokens import words

Floats = NDArray[np.float32]
NEAR_TOKENS = 8
"""Tokens on each side of a word that are its narrow context."""
PARTS = {
    "NOUN": "noun", "PROPN": "noun", "VERB": "verb", "AUX": "verb", "ADJ": "adj", "ADV": "adv",
}  # fmt: skip
MIN_FIELD_CHANCE = 0.01
SURE, MIN_RATIO = 0.6, 0.5
"""Below this probability a second sense is given too, if it is at least so likely beside the first."""
FEATURES = (
    "wide", "near", "around", "part", "other_part", "rank",
    "native", "log_native", "learner", "general", "technical", "dated", "field", "field_here", "field_around",
    "gloss_words", "example_words", "words_around",
)  # fmt: skip
"""What speaks for a sense, in the order of the weights."""


AROUND = 2
"""Sentences on each side that say what a sentence is about."""
DATED = frozenset({"old", "literary", "slang"})
MIN_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Topic:
    """What a sentence and the text around it are about."""

    sentence: Floats | None
    """The sentence in the senses' space; None where the encoder has not read it."""
    sentence_chances: Mapping[str, float]
    """Field -> how probably the sentence speaks of it."""
    fields: Mapping[str, float]
    """Field -> share of the document's terms that belong to it."""
    stems: frozenset[str]
    """Of the words around that carry meaning."""
    vector: Floats | None
    """The mean of the sentences around, likewise."""
    chances: Mapping[str, float]
    """Field -> how probably these sentences speak of it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What is known of the place where a word is used."""

    near: Floats
    """The words around, in the senses' space."""
    tag: str
    """Its part of speech, as the tagger names it; empty where it is not known."""
    stems: frozenset[str]
    """Of the other words of the sentence."""
    topic: Topic


@dataclass(frozen=True, slots=True)
class Choice:
    sense: Sense
    confidence: float
    native: float
    """Share of natives who know the word as it is used here: over all senses, each as likely as it is."""
    learner: float
    other: Sense | None = None
    """A sense that is nearly as likely, where neither is sure: readers can tell which one fits."""


def topics(
    dictionary: Dictionary,
    sentences: Sequence[Sentence],
    tokens: Mapping[int, Tokens],
    fields: Mapping[str, float],
) -> list[Topic]:
    """What is around each of these sentences, of which the encoder has read some."""
    stems = [_stems(sentence.text, dictionary.lang) for sentence in sentences]
    vectors, last = dictionary.vectors, for_language(dictionary.lang).last
    wide = {n: vectors.project(_mean(one, last)) for n, one in tokens.items()} if vectors else {}
    chances = {n: vectors.field_chances(one) for n, one in wide.items()} if vectors else {}
    each = []
    for number in range(len(sentences)):
        near = range(max(0, number - AROUND), min(len(sentences), number + AROUND + 1))
        read = [n for n in near if n in wide]
        each.append(
            Topic(
                wide.get(number),
                chances.get(number, {}),
                fields,
                frozenset().union(*(stems[n] for n in near)),
                unit(np.mean([wide[n] for n in read], axis=0)) if read else None,
                {
                    name: sum(chances[n][name] for n in read) / len(read)
                    for name in (chances[read[0]] if read else ())
                },
            )
        )
    return each


def _mean(tokens: Tokens, layer: int) -> Floats:
    """The vector of a sentence."""
    states = tokens.layers[layer]
    real = tokens.offsets[:, 1] > tokens.offsets[:, 0]
    return unit(states[real].mean(axis=0)) if real.any() else states.mean(axis=0)


@lru_cache(maxsize=2**14)
def _stems(text: str, lang: str) -> frozenset[str]:
    found = (match.group().lower() for match in words(text))
    return frozenset(stem(word, lang) for word in found if word not in FUNCTION_WORDS)


def context_of(
    dictionary: Dictionary,
    sentence: Sentence,
    candidate: Candidate,
    tokens: Tokens,
    tag: str,
    topic: Topic,
) -> Context | None:
    """The context of a candidate in a sentence that the encoder has read; None where the dictionary has no vectors."""
    vectors, near = dictionary.vectors, topic.sentence
    if vectors is None or near is None:
        return None
    inside = np.flatnonzero(tokens.inside(candidate.start, candidate.end))
    if len(inside):
        low, high = max(0, inside[0] - NEAR_TOKENS), inside[-1] + NEAR_TOKENS + 1
        states = tokens.layers[for_language(dictionary.lang).last]
        near = vectors.project(unit(states[low:high].mean(axis=0)))
    others = _stems(sentence.text, dictionary.lang) - _stems(candidate.form, dictionary.lang)
    return Context(near, tag, others, topic)


def sense_features(
    dictionary: Dictionary, candidate: Candidate, senses: Sequence[Sense], context: Context
) -> Floats:
    """One row for each sense."""
    topic, lang = context.topic, dictionary.lang
    assert dictionary.vectors is not None and topic.sentence is not None  # noqa: S101 - else there is no context
    likeness = dictionary.vectors.likeness
    wide, near = likeness(senses, topic.sentence), likeness(senses, context.near)
    around = wide if topic.vector is None else likeness(senses, topic.vector)
    own = _stems(candidate.form, lang)
    part = PARTS.get(context.tag, "")
    known = part and any(sense.part == part for sense in senses)
    rows = []
    for n, sense in enumerate(senses):
        gloss, example = (_stems(text, lang) - own for text in (sense.gloss, sense.example))
        rows.append(
            [
                wide[n], near[n], around[n],
                float(bool(known) and sense.part == part), float(bool(known) and sense.part not in (part, "phrase")),
                float(n), sense.native, math.log(sense.native + MIN_SHARE), sense.learner, float(sense.field == "general"),
                float(sense.register == "technical"), float(sense.register in DATED),
                topic.fields.get(sense.field, 0.0), _log(topic.sentence_chances, sense.field), _log(topic.chances, sense.field),
                float(len(gloss & context.stems)), float(len(example & context.stems)),
                float(len((gloss | example) & (topic.stems - own))),
            ]
        )  # fmt: skip
    return np.array(rows, dtype=np.float32)


def _log(chances: Mapping[str, float], field: str) -> float:
    return math.log(chances.get(field, 0.0) + MIN_FIELD_CHANCE)


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
    dictionary: Dictionary, candidate: Candidate, senses: Sequence[Sense], context: Context | None
) -> Choice:
    """The likeliest of the senses of a word, and its probability."""
    if len(senses) == 1 or context is None:
        sure = 1.0 if len(senses) == 1 else 0.5
        return Choice(senses[0], sure, senses[0].native, senses[0].learner)
    scores = sense_features(dictionary, candidate, senses, context) @ _weights()
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


def sense_rows(
    dictionary: Dictionary, sentence: Sentence, candidate: Candidate, tokens: Tokens, topic: Topic
) -> tuple[tuple[Sense, ...], Floats]:
    """The senses that a candidate may have in its sentence, and what speaks for each; for training."""
    tag = _tags(dictionary, sentence, tokens).get(candidate.start, "")
    context = context_of(dictionary, sentence, candidate, tokens, tag, topic)
    senses = _possible_senses(candidate, sentence.text.lower())
    if context is None or not senses:
        return (), np.zeros((0, len(FEATURES)), dtype=np.float32)
    return senses, sense_features(dictionary, candidate, senses, context)


def choose_senses(
    dictionary: Dictionary, sentence: Sentence, tokens: Tokens | None, topic: Topic
) -> list[Choice | None]:
    """The senses of all candidates of a sentence; None for what the dictionary does not explain."""
    tags = _tags(dictionary, sentence, tokens) if tokens is not None else {}
    lower = sentence.text.lower()
    choices: list[Choice | None] = []
    for candidate in sentence.candidates:
        senses = _possible_senses(candidate, lower)
        if not senses:
            choices.append(None)
            continue
        context = None
        if tokens is not None and len(senses) > 1:
            tag = tags.get(candidate.start, "")
            context = context_of(dictionary, sentence, candidate, tokens, tag, topic)
        choices.append(choose_sense(dictionary, candidate, senses, context))
    return choices


def _tags(dictionary: Dictionary, sentence: Sentence, tokens: Tokens) -> dict[int, str]:
    """The part of speech at each place; only English has a tagger."""
    if dictionary.lang != "en":
        return {}
    return {word.start: word.tag for word in english_tagger().tag(sentence.text, tokens)}


def _possible_senses(candidate: Candidate, sentence: str) -> tuple[Sense, ...]:
    senses = candidate.entry.senses if candidate.entry else ()
    return tuple(sense for sense in senses if _can_stand_here(sense, sentence))


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
