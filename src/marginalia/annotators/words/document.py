"""The hard words of a document: each once, at its first use, with what it means there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from marginalia.annotators.words.easier.fitting import fitting
from marginalia.annotators.words.glosses.choice import Choice, choose
from marginalia.annotators.words.glosses.lexicon import Sense, senses
from marginalia.annotators.words.levels import Level
from marginalia.annotators.words.uses import Uses, Word, in_order, is_prose
from marginalia.core.document import Document
from marginalia.core.pauses import pause
from marginalia.core.resolution import system_for_documents
from marginalia.nlp.ease import ease
from marginalia.nlp.encoder import english
from marginalia.nlp.frequency import zipf
from marginalia.nlp.stems import stem
from marginalia.nlp.tagger import english_tagger
from marginalia.nlp.tokens import words
from marginalia.tasks.complexity.benchmark import BENCHMARK
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems.calibration import share_of_raters
from marginalia.tasks.complexity.systems.features import look_up
from marginalia.tasks.complexity.systems.ours import Heads

TAGS = ("NOUN", "VERB", "ADJ")
"""Adverbs are explained by their adjective, which says little."""
MAX_PLACES_TRIED = 3
"""A word whose first uses stand in no sentence is looked for so many times."""
MIN_GLOSS_CONFIDENCE = 0.7
MIN_LONE_CONFIDENCE = 0.66
"""The only sense of a word is right a little more often than its likeness says, but for technical documents, whose words have
meanings of their own."""
MIN_EASIER_CONFIDENCE = 0.65
MAX_GENERAL_ZIPF = 4.0
"""A more general word that is rarer than this explains (wanderer), one that is as common does not (person)."""
BATCH_PLACES = 16
_OPENING, _CLOSING = tuple("\"'“‘„«‹"), tuple("\"'”’“»›")


@dataclass(frozen=True, slots=True)
class Place:
    """The use of a word that a note would be on."""

    word: Word
    start: int
    end: int
    low: int
    """Where its sentence starts."""
    sentence: str

    @property
    def span(self) -> tuple[int, int]:
        """Where it stands in the sentence."""
        return self.start - self.low, self.end - self.low

    @property
    def form(self) -> str:
        return self.sentence[slice(*self.span)]


@dataclass(frozen=True, slots=True)
class Hard:
    """A hard word, the share of raters who would call it difficult, and what it means in its sentence."""

    place: Place
    share: float
    gloss: str = ""
    easier: tuple[str, ...] = ()
    expression: tuple[int, int] | None = None
    """Where the expression stands that the gloss is about, if that is more than the word."""


def candidates(doc: Document, uses: Uses, level: Level, known: frozenset[str]) -> Iterator[Place]:
    """The first use of each word that may be hard and could be explained: the document's terms, or the others."""
    for word in in_order(uses):
        form = doc.text[slice(*word.places[0])]
        if ease(form) >= level.zipf or word.key in known or uses.is_term(word):
            continue
        if 2 * word.capitals >= word.count or not any(map(could_help, _all_senses(form))):
            continue
        for start, end in word.places[:MAX_PLACES_TRIED]:
            low, high = uses.sentence(start)
            sentence = doc.text[low:high]
            if not doc.text[start].islower() or is_mentioned(doc.text, start, end):
                continue  # a heading in the text, the title of a book, a word that is spoken of
            if end <= high and is_prose(sentence) and not explained_there(doc.text, end):
                yield Place(word, start, end, low, sentence)
                break


def _all_senses(form: str) -> Iterator[Sense]:
    for tag in TAGS:
        yield from senses(form, tag)


def could_help(sense: Sense) -> bool:
    return sense.clear or bool(sense.easier)


def is_mentioned(text: str, start: int, end: int) -> bool:
    """Whether the word stands alone in quotation marks."""
    return text[start - 1 : start] in _OPENING and text[end : end + 1] in _CLOSING


def explained_there(text: str, end: int) -> bool:
    """Whether words in brackets follow."""
    after = text[end : end + 60]
    if not after.startswith(" ("):
        return False
    inside = after[2:].split(")")[0].split()
    return len(inside) > 1 and all(word[0].isalpha() for word in inside[:2])


def hard_words(places: Sequence[Place], level: Level, *, technical: bool) -> Iterator[Hard]:
    """Those of the places that are hard for readers of this level, with what was found to explain them.

    One pass of the encoder over a sentence serves tagger, score and sense. ``technical`` says that the document has code.
    """
    system, tagger = cast(Heads, system_for_documents(BENCHMARK).loaded()), english_tagger()
    look_up(place.form for place in places)
    for begin in range(0, len(places), BATCH_PLACES):
        part = places[begin : begin + BATCH_PLACES]
        each = list(dict.fromkeys(place.sentence for place in part))
        passes = system.inputs.encoder.tokens(each, [tagger.layer])
        tags = {
            (text, word.start): word.tag
            for text, tokens in zip(each, passes, strict=True)
            for word in tagger.tag(text, tokens)
        }
        tagged = [(place, tags.get((place.sentence, place.span[0]), "")) for place in part]
        wanted = [
            (place, tag)
            for place, tag in tagged
            if tag in TAGS and any(map(could_help, senses(place.form, tag)))
        ]
        targets = [
            Target("", place.sentence, place.form, "words", place.span[0]) for place, _ in wanted
        ]
        pause()
        for (place, tag), score in zip(wanted, system.scores(targets), strict=True):
            share = share_of_raters(score)
            if share >= level.share:
                yield explained(place, tag, share, technical=technical)
                pause()


def explained(place: Place, tag: str, share: float, *, technical: bool) -> Hard:
    """What the word means in its sentence, or the expression that it is part of; nothing where that is not sure."""
    encoder = english()
    if around := expression(place):
        low, high, found = around
        choice = choose(place.sentence, found, encoder)
        gloss = shown(choice, technical)
        return Hard(place, share, gloss, (), (place.low + low, place.low + high))
    choice = choose(place.sentence, senses(place.form, tag), encoder)
    easier: list[str] = []
    if choice is not None and choice.confidence >= MIN_EASIER_CONFIDENCE and choice.sense.easier:
        sense = choice.sense
        easier = fitting(
            place.sentence, *place.span, sense.easier, sense.part, sense.ending, encoder
        )
    # Senses of verbs lie too close together: of their glosses alone, judges kept a third.
    sure = (tag != "VERB" or bool(easier)) and not (choice and says_it(place, choice.sense))
    return Hard(place, share, shown(choice, technical) if sure else "", tuple(easier[:1]))


def says_it(place: Place, sense: Sense) -> bool:
    """Whether the sentence itself has a commoner word for it: "a vagrant, a wanderer without a home"."""
    same, _, general = sense.related.rstrip(")").partition(" (")
    names = [*same.split(", "), *([general] if zipf(general) < MAX_GENERAL_ZIPF else [])]
    own, least = stem(place.form), zipf(place.form)
    said = {stem(match.group()) for match in words(place.sentence)} - {own}
    return any(stem(name) in said and zipf(name) > least for name in names)


def expression(place: Place) -> tuple[int, int, tuple[Sense, ...]] | None:
    """The expression of two words around this one that WordNet has, with its senses."""
    start, end = place.span
    text = place.sentence
    after = next(words(text[end : end + 40]), None)
    before = text[max(0, start - 40) : start].split(" ")
    pairs = []
    if after and text[end : end + after.start()] == " ":
        pairs.append((start, end + after.end()))
    if len(before) > 1 and before[-1] == "" and before[-2].isalpha():
        pairs.append((start - 1 - len(before[-2]), end))
    for low, high in pairs:
        if found := senses(text[low:high], "NOUN"):
            return low, high, found
    return None


def shown(choice: Choice | None, technical: bool) -> str:
    """The gloss, if it is sure enough and in easier words."""
    if choice is None or not choice.sense.clear:
        return ""
    least = MIN_LONE_CONFIDENCE if choice.alone and not technical else MIN_GLOSS_CONFIDENCE
    return choice.sense.gloss if choice.confidence >= least else ""
