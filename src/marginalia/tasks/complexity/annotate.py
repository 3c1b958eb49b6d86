"""Hard words and expressions in a document become notes, with reasons a person understands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from marginalia.core.document import SILENT, Annotation, Document
from marginalia.core.errors import UnknownNameError
from marginalia.nlp.frequency import one_in, zipf
from marginalia.nlp.sentences import sentences
from marginalia.nlp.syllables import syllables
from marginalia.nlp.tagger import english_tagger, multiwords
from marginalia.nlp.tokens import words
from marginalia.tasks.complexity.data import Target
from marginalia.tasks.complexity.german import German
from marginalia.tasks.complexity.synonyms import candidates
from marginalia.tasks.complexity.system import Heads, best, make_features

STEPS = ("very easy", "easy", "neutral", "difficult", "very difficult")
"""The five points of the annotators' scale, from 0 to 1 in quarters."""
LEVELS = {"learner": 0.25, "general": 0.35, "expert": 0.5}
"""From which score on a word stops such a reader. Chosen by looking at documents, not fitted."""
CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
COMMON = 5000
CELL = re.compile(r"[^\t\n]+")
Spans = tuple[tuple[int, int], ...]
TOGETHER = 32_000
"""Characters that are scored together: enough to keep all threads busy, little enough to keep in memory."""
LONGEST = 3_000
"""Characters of a sentence that are read as one: a table or list without full stops is cut into pieces."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A word or expression of a document with its score from 0 to 1."""

    start: int
    end: int
    target: Target
    tag: str
    score: float


def annotate(doc: Document, *, level: str = "general") -> Iterator[Annotation]:
    """A note on each word and expression that is hard for readers of this level."""
    threshold = threshold_of(level)
    lang = language(doc)
    system = "german" if lang == "de" else "ensemble"
    for number, item in enumerate(hard(scored_in(doc), threshold), start=1):
        why = reasons(item, lang) or ["hard in this sentence"]
        easier = easier_words(item.target.token, item.tag) if lang == "en" else ()
        if easier:
            why.append(f"easier: {', '.join(easier)}")
        attrs = {"step": step(item.score), "why": "; ".join(why), "easier": list(easier)}
        yield Annotation(
            id=f"complexity-{number}",
            task="complexity",
            label="hard word" if item.target.kind == "words" else "hard expression",
            start=item.start,
            end=item.end,
            quote=doc.text[item.start : item.end],
            score=round(item.score, 4),
            attrs=attrs,
            system=system,
        )


def summary(doc: Document, *, level: str = "general") -> dict[str, Any]:
    """How hard the document is: the share of hard words, the mean, and the hardest sentence."""
    threshold, lang = threshold_of(level), language(doc)
    items = [item for item in scored_in(doc) if item.target.kind == "words"]
    if not items:
        return {"words": 0}
    by_sentence: dict[str, list[float]] = {}
    for item in items:
        by_sentence.setdefault(item.target.sentence, []).append(item.score)
    longer = {
        text: scores for text, scores in by_sentence.items() if len(scores) > 2
    } or by_sentence
    hardest = max(longer, key=lambda text: sum(longer[text]) / len(longer[text]))
    return {
        "words": len(items),
        "hard_share": round(sum(i.score >= threshold for i in items) / len(items), 4),
        "mean": round(sum(i.score for i in items) / len(items), 4),
        "hardest_sentence": hardest,
        "model": "german: frequency, length and compounds" if lang == "de" else "ensemble",
    }


def threshold_of(level: str) -> float:
    if level not in LEVELS:
        raise UnknownNameError("reader level", level, LEVELS)
    return LEVELS[level]


def language(doc: Document) -> str:
    """German has a model of its own; everything else is read as English."""
    return "de" if doc.meta.get("lang") == "de" else "en"


def hard(items: Sequence[Scored], threshold: float) -> Iterator[Scored]:
    """Those from the threshold on. A hard expression speaks for its words unless they are harder.

    The items come in reading order; expressions are kept at hand only as long as one can lie inside.
    """
    chosen = [item for item in items if item.score >= threshold]
    expressions = [item for item in chosen if item.target.kind == "multi"]
    around: list[Scored] = []
    index = 0
    for item in chosen:
        while index < len(expressions) and expressions[index].start <= item.start:
            around.append(expressions[index])
            index += 1
        around = [e for e in around if e.end > item.start]
        if not any(e is not item and item.end <= e.end and e.score >= item.score for e in around):
            yield item


def scored_in(doc: Document) -> tuple[Scored, ...]:
    """What is scored in a document: its prose, and tables cell by cell, but neither code nor formulas."""
    regions = doc.meta.get("regions", ())
    tables = sorted((r["start"], r["end"]) for r in regions if r["kind"] == "table")
    silent = sorted((r["start"], r["end"]) for r in regions if r["kind"] in SILENT)
    return scored(doc.text, language(doc), tuple(tables), tuple(silent))


@lru_cache(maxsize=2)  # notes and summary of the same document
def scored(text: str, lang: str, tables: Spans = (), silent: Spans = ()) -> tuple[Scored, ...]:
    """Every content word and expression of the text with its score, in reading order."""
    mute = bytearray(len(text))
    for start, end in silent:
        mute[start:end] = b"\1" * (end - start)
    spans = [span for span in pieces(text, lang, tables) if not all(mute[slice(*span)])]
    found: list[Scored] = []
    for part in together(spans):
        found += german_scores(text, part) if lang == "de" else english_scores(text, part)
    spoken = (item for item in found if not any(mute[item.start : item.end]))
    return tuple(sorted(spoken, key=lambda item: (item.start, item.end)))


def pieces(text: str, lang: str, tables: Spans) -> Iterator[tuple[int, int]]:
    """The sentences of the text; a cell of a table is not one with its neighbours."""
    parts, last = [], 0
    for start, end in tables:
        parts.append((last, start))
        parts += [cell.span() for cell in CELL.finditer(text, max(last, start), end)]
        last = max(last, end)
    for low, high in [*parts, (last, len(text))]:
        for start, end in sentences(text[low:high], lang):
            yield from shorter(text, low + start, low + end)


def shorter(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span, or if it has more than LONGEST characters its parts, cut between words if possible."""
    while end - start > LONGEST:
        low, high = start + 1, start + LONGEST
        cut = max(text.rfind(blank, low, high) for blank in " \n\t")
        stop = cut if cut > 0 else high
        yield start, stop
        start = stop + 1 if cut > 0 else stop
    yield start, end


def together(spans: Iterable[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Neighbours together, up to TOGETHER characters."""
    part: list[tuple[int, int]] = []
    size = 0
    for start, end in spans:
        if part and size + end - start > TOGETHER:
            yield part
            part, size = [], 0
        part.append((start, end))
        size += end - start
    if part:
        yield part


def english_scores(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Scored]:
    """One pass of the encoder per sentence serves the tagger and the scores."""
    system, tagger = best(), english_tagger()
    each = [text[start:end] for start, end in spans]
    passes = dict(zip(dict.fromkeys(each), system.inputs.encode(each, [tagger.layer]), strict=True))
    places: list[tuple[int, Target, str]] = []
    for (offset, _), sentence in zip(spans, each, strict=True):
        tagged = tagger.tag(sentence, passes[sentence])
        for word in tagged:
            if word.tag in CONTENT and word.word.isalpha() and len(word.word) > 2:
                target = Target("", sentence, word.word, "words", word.start)
                places.append((offset + word.start, target, word.tag))
        for start, end in multiwords(sentence, tagged):
            if not all(part.isalpha() for part in sentence[start:end].replace("-", " ").split()):
                continue  # A4 paper, 3D model
            target = Target("", sentence, sentence[start:end], "multi", start)
            places.append((offset + start, target, "NOUN"))
    scores = system.scores([target for _, target, _ in places]) if places else []
    for (start, target, tag), score in zip(places, scores, strict=True):
        yield Scored(start, start + len(target.token), target, tag, score)


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


def step(score: float) -> str:
    return STEPS[min(4, max(0, round(score * 4)))]


def reasons(item: Scored, lang: str) -> list[str]:
    """Why it is hard, in words; for an expression, why its rarest word is."""
    if lang == "de":
        return german().reasons(item.target)
    word = min(item.target.token.split(), key=lambda part: zipf(part, lang))
    value, count = zipf(word, lang), syllables(word)
    found = []
    if value < 4:
        found.append(f"rare: {one_in(value)}" if value > 0 else "in no word list")
    if count >= 4:
        found.append(f"{count} syllables")
    if value >= 4 and word.lower() not in common_words(lang):
        found.append(f"not in the {COMMON:,} commonest")
    return found


@cache
def common_words(lang: str) -> frozenset[str]:
    from wordfreq import top_n_list

    return frozenset(top_n_list(lang, COMMON))


@lru_cache(maxsize=20_000)
def easier_words(token: str, tag: str) -> tuple[str, ...]:
    """Up to two single words of the same meaning that are easier by themselves, the easiest first.

    ``alternatives`` looks at the sentence too, but needs the encoder for each candidate.
    """
    same = (c.word for c in candidates(token, tag) if c.kind == "same meaning")
    found = [word for word in same if " " not in word]
    if not found:
        return ()
    alone = {word: Target("", word, word, "words", 0) for word in (token, *found)}
    rated = features_alone().predict(alone)
    easier = [word for word in found if rated[word] < rated[token] - 0.05]
    return tuple(sorted(easier, key=lambda word: rated[word])[:2])


@cache
def features_alone() -> Heads:
    return make_features()
