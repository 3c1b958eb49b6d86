"""Hard words and expressions in a document become notes, with reasons a person understands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from marginalia.core.document import Annotation, Document
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
LEVELS = {"learner": 0.3, "general": 0.4, "expert": 0.55}
"""From which score on a word stops such a reader. Chosen by looking at documents, not fitted."""
CONTENT = frozenset({"NOUN", "VERB", "ADJ", "ADV"})
COMMON = 5000
TOGETHER = 256
"""Sentences that are scored together: enough to keep all threads busy, little enough to keep in memory."""


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
    if level not in LEVELS:
        raise UnknownNameError("reader level", level, LEVELS)
    lang = language(doc)
    system = "german" if lang == "de" else "ensemble"
    for number, item in enumerate(hard(scored(doc.text, lang), LEVELS[level]), start=1):
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
    lang = language(doc)
    items = [item for item in scored(doc.text, lang) if item.target.kind == "words"]
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
        "hard_share": round(sum(i.score >= LEVELS[level] for i in items) / len(items), 4),
        "mean": round(sum(i.score for i in items) / len(items), 4),
        "hardest_sentence": hardest,
        "model": "german: frequency, length and compounds" if lang == "de" else "ensemble",
    }


def language(doc: Document) -> str:
    """German has a model of its own; everything else is read as English."""
    return "de" if doc.meta.get("lang") == "de" else "en"


def hard(items: Sequence[Scored], threshold: float) -> Iterator[Scored]:
    """Those from the threshold on. A hard expression speaks for its words unless they are harder."""
    chosen = [item for item in items if item.score >= threshold]
    covered = [item for item in chosen if item.target.kind == "multi"]
    for item in chosen:
        inside = (
            e for e in covered if e is not item and e.start <= item.start and item.end <= e.end
        )
        if not any(expression.score >= item.score for expression in inside):
            yield item


@lru_cache(maxsize=8)  # notes and summary of the same document
def scored(text: str, lang: str) -> tuple[Scored, ...]:
    """Every content word and expression of the text with its score, in reading order."""
    spans = list(sentences(text, lang))
    found: list[Scored] = []
    for begin in range(0, len(spans), TOGETHER):
        part = spans[begin : begin + TOGETHER]
        found += german_scores(text, part) if lang == "de" else english_scores(text, part)
    return tuple(sorted(found, key=lambda item: (item.start, item.end)))


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
    if word.lower() not in common_words(lang):
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
