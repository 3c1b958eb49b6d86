"""Every content word and expression of a document with its score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import cast

from marginalia.core.document import SILENT, Document
from marginalia.nlp.prose import CELL, NO_SPANS, SpanSet, beside_tables, spans_of
from marginalia.nlp.sentences import sentences
from marginalia.nlp.tagger import english_tagger, multiwords
from marginalia.nlp.tokens import words
from marginalia.tasks.complexity.official.data import Target
from marginalia.tasks.complexity.systems.german import German
from marginalia.tasks.complexity.systems.ours import Heads
from marginalia.tasks.complexity.task import TASK

CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
BATCH_CHARACTERS = 32_000
"""Characters that are scored together: enough to keep all threads busy, little enough to keep in memory."""
MAX_SCORED_SENTENCES = 20_000
SCORED_SENTENCES: dict[str, list[Scored]] = {}
"""The sentences scored last: notes, summary and the parts of a book share them."""
MAX_SENTENCE_CHARACTERS = 3_000
"""Characters of a sentence that are read as one: a table or list without full stops is cut into pieces."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A word or expression of a document with its score from 0 to 1."""

    start: int
    end: int
    target: Target
    tag: str
    score: float


def language(doc: Document) -> str:
    """German has a model of its own; what names no language is read as English."""
    return "de" if doc.meta.get("lang") == "de" else "en"


def scored_in(doc: Document) -> tuple[Scored, ...]:
    """What is scored in a document: its prose, and tables cell by cell, but neither code nor formulas."""
    return scored(doc.text, language(doc), spans_of(doc, {"table"}), spans_of(doc, SILENT))


@lru_cache(maxsize=2)  # notes and summary of the same document
def scored(
    text: str, lang: str, tables: SpanSet = NO_SPANS, silent: SpanSet = NO_SPANS
) -> tuple[Scored, ...]:
    """Every content word and expression of the text with its score, in reading order."""
    spans = [span for span in pieces(text, lang, tables) if not silent.cover(*span)]
    found: list[Scored] = []
    for part in together(spans):
        found += german_scores(text, part) if lang == "de" else english_scores(text, part)
    spoken = (item for item in found if not silent.touch(item.start, item.end))
    return tuple(sorted(spoken, key=lambda item: (item.start, item.end)))


def pieces(text: str, lang: str, tables: SpanSet) -> Iterator[tuple[int, int]]:
    """The sentences of the text; a cell of a table is not one with its neighbours."""
    for low, high, _ in beside_tables(text, tables, CELL):
        for start, end in sentences(text[low:high], lang):
            yield from shorter(text, low + start, low + end)


def shorter(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span, or if it has more than MAX_SENTENCE_CHARACTERS characters its parts, cut between words if possible."""
    while end - start > MAX_SENTENCE_CHARACTERS:
        low, high = start + 1, start + MAX_SENTENCE_CHARACTERS
        cut = max(text.rfind(blank, low, high) for blank in " \n\t")
        stop = cut if cut > 0 else high
        yield start, stop
        start = stop + 1 if cut > 0 else stop
    yield start, end


def together(spans: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Neighbours together, up to BATCH_CHARACTERS characters."""
    part: list[tuple[int, int]] = []
    size = 0
    for start, end in spans:
        if part and size + end - start > BATCH_CHARACTERS:
            yield part
            part, size = [], 0
        part.append((start, end))
        size += end - start
    if part:
        yield part


def english_scores(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Scored]:
    """Words and expressions of these sentences; one that was scored before is not scored again."""
    each = [text[start:end] for start, end in spans]
    known = {
        sentence: SCORED_SENTENCES[sentence] for sentence in each if sentence in SCORED_SENTENCES
    }
    known |= score_sentences([text for text in dict.fromkeys(each) if text not in known])
    for (offset, _), sentence in zip(spans, each, strict=True):
        for item in known[sentence]:
            yield replace(item, start=offset + item.start, end=offset + item.end)
    SCORED_SENTENCES.update(known)
    while len(SCORED_SENTENCES) > MAX_SCORED_SENTENCES:
        SCORED_SENTENCES.pop(next(iter(SCORED_SENTENCES)), None)


def score_sentences(each: Sequence[str]) -> dict[str, list[Scored]]:
    """What is scored in each sentence. One pass of the encoder, which keeps it, serves tagger and scores."""
    system, tagger = cast(Heads, TASK.ready().loaded()), english_tagger()
    passes = system.inputs.encoder.tokens(each, [tagger.layer])
    places: list[tuple[str, int, Target, str]] = []
    for sentence, tokens in zip(each, passes, strict=True):
        tagged = tagger.tag(sentence, tokens)
        for word in tagged:
            if word.tag in CONTENT and word.word.isalpha() and len(word.word) > 2:
                target = Target("", sentence, word.word, "words", word.start)
                places.append((sentence, word.start, target, word.tag))
        for start, end in multiwords(sentence, tagged):
            if not all(part.isalpha() for part in sentence[start:end].replace("-", " ").split()):
                continue  # A4 paper, 3D model
            target = Target("", sentence, sentence[start:end], "multi", start)
            places.append((sentence, start, target, "NOUN"))
    scores = system.scores([target for _, _, target, _ in places]) if places else []
    found: dict[str, list[Scored]] = {sentence: [] for sentence in each}
    for (sentence, start, target, tag), score in zip(places, scores, strict=True):
        found[sentence].append(Scored(start, start + len(target.token), target, tag, score))
    return found


def german_scores(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Scored]:
    """Without a tagger: every longer word."""
    system = german()
    for offset, end in spans:
        sentence = text[offset:end]
        for match in words(sentence):
            if match.group().isalpha() and len(match.group()) > 3:
                target = Target("", sentence, match.group(), "words", match.start())
                score = system.predict({"": target})[""]
                yield Scored(offset + match.start(), offset + match.end(), target, "", score)


@cache
def german() -> German:
    return German()
