"""Hard words and expressions in a document become notes, with reasons a person understands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import UnknownNameError
from marginalia.nlp.frequency import one_in, zipf
from marginalia.nlp.syllables import syllables
from marginalia.tasks.complexity.easier.alternatives import easier_words
from marginalia.tasks.complexity.notes.document import Scored, german, language, scored_in

STEPS = ("very easy", "easy", "neutral", "difficult", "very difficult")
"""The five points of the annotators' scale, from 0 to 1 in quarters."""
LEVELS = {"learner": 0.25, "general": 0.375, "expert": 0.5}
"""From which score on a word stops such a reader. Chosen by looking at documents, not fitted."""
EXPRESSION_MARGIN = 0.1
"""How much harder an expression must be: the annotators rated them .12 above words on average."""
COMMON_WORDS = 5000


def annotate(doc: Document, *, level: str = "general") -> Iterator[Annotation]:
    """A note on each word and expression that is hard for readers of this level."""
    threshold = threshold_of(level)
    lang = language(doc)
    system = "german" if lang == "de" else "ensemble"
    for number, item in enumerate(hard(scored_in(doc), threshold), start=1):
        here = "schwer in diesem Satz" if lang == "de" else "hard in this sentence"
        why = reasons(item, lang) or [here]
        easier = easier_words(item.target, item.tag) if lang == "en" else []
        if easier:
            why.append(f"easier: {', '.join(easier)}")
        attrs = {"step": step(item.score), "why": "; ".join(why), "easier": easier}
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
        "hard_share": _share(items, threshold),
        "hard_share_by_level": {name: _share(items, from_) for name, from_ in LEVELS.items()},
        "mean": round(sum(i.score for i in items) / len(items), 4),
        "hardest_sentence": hardest,
        "model": "german: frequency, length and compounds" if lang == "de" else "ensemble",
    }


def _share(items: Sequence[Scored], threshold: float) -> float:
    return round(sum(item.score >= threshold for item in items) / len(items), 4)


def threshold_of(level: str) -> float:
    if level not in LEVELS:
        raise UnknownNameError("reader level", level, LEVELS)
    return LEVELS[level]


def hard(items: Sequence[Scored], threshold: float) -> Iterator[Scored]:
    """Those from the threshold on. A hard expression speaks for its words unless they are harder.

    The items come in reading order; expressions are kept at hand only as long as one can lie inside.
    """
    chosen = [
        item
        for item in items
        if item.score >= threshold + (EXPRESSION_MARGIN if item.target.kind == "multi" else 0)
    ]
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
        found.append(f"not in the {COMMON_WORDS:,} commonest")
    return found


@cache
def common_words(lang: str) -> frozenset[str]:
    from wordfreq import top_n_list

    return frozenset(top_n_list(lang, COMMON_WORDS))
