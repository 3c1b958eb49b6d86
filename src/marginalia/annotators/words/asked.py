"""Hard words with a language model at hand: does the meaning fit here, and which other words would stop the reader?

Each passage speaks for its own uses of a word: what it drops or corrects stays as it was in the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from marginalia.annotators.words.annotator import ANNOTATOR
from marginalia.core.document import Annotation, Document
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.passages import (
    CORRECTED,
    KEPT,
    NEW,
    Passage,
    ask_each,
    passages,
    plain,
    seen,
)
from marginalia.nlp.prompting.prompt import load_prompt

MAX_MORE = 3
"""Words of a passage that the model may add."""
NEW_SCORE = 0.5
"""How probably a reader stops at a word that the model adds: it does not say."""


@dataclass(slots=True)
class Uses:
    """A word in one passage: the note that explains it, where it stands there, and what the model says of it."""

    note: Annotation
    places: list[Annotation]
    verdict: str = ""
    meaning: str = ""


def review(
    doc: Document, notes: Iterable[Annotation], model: LanguageModel, audience: str
) -> Iterator[Annotation]:
    """The notes that the model keeps or corrects, and its own."""
    notes = list(notes)
    numbers = count(len(notes) + 1)
    found = {passage: list(_uses(passage, notes)) for passage in passages(doc)}
    rows = {passage: _row(words, audience) for passage, words in found.items()}
    answers = ask_each(model, load_prompt(__package__, "words"), rows)
    for passage, answer in answers.items():
        _judge(found[passage], answer)
    asked = {one.id for words in found.values() for uses in words for one in uses.places}
    yield from (note for note in notes if note.id not in asked)  # in a heading or a table
    by_word: dict[str, list[Uses]] = {}
    for words in found.values():
        for uses in words:
            by_word.setdefault(uses.note.id, []).append(uses)
    for each in by_word.values():
        yield from _noted(each, model, numbers)
    for passage, answer in answers.items():
        yield from _added(doc, passage, answer, notes, model, numbers)


def _uses(passage: Passage, notes: list[Annotation]) -> Iterator[Uses]:
    """The words of a passage, each once, with the note that explains it wherever that stands."""
    first = {note.id: note for note in notes if "part_of" not in note.attrs}
    words: dict[str, Uses] = {}
    for note in notes:
        id = note.id if note.id in first else note.attrs["part_of"][0]
        if id in first and passage.start <= note.start and note.end <= passage.end:
            words.setdefault(id, Uses(first[id], [])).places.append(note)
    yield from words.values()


def _row(words: list[Uses], audience: str) -> dict[str, Any]:
    listed = {
        str(n): {"word": one.places[0].quote, "meaning": one.note.attrs["meaning"]}
        for n, one in enumerate(words, start=1)
    }
    return {"reader": audience, "words": listed}


def _judge(words: list[Uses], answer: Mapping[str, Any]) -> None:
    for said in answer["words"]:
        if 1 <= said["word"] <= len(words):
            uses, meaning = words[said["word"] - 1], plain(said["meaning"])
            uses.verdict = (
                "keep" if said["verdict"] == "correct" and not meaning else said["verdict"]
            )
            uses.meaning = meaning


def _noted(each: list[Uses], model: LanguageModel, numbers: Iterator[int]) -> Iterator[Annotation]:
    """The notes on one word: explained at its first use, and again where a passage has another meaning."""
    head: Annotation | None = None
    for uses in each:
        if uses.verdict == "drop":
            continue
        first, *later = uses.places
        if head is None or uses.verdict == "correct" or head.attrs.get("verdict") == CORRECTED:
            id = uses.note.id if head is None else f"words-{next(numbers)}"
            head = replace(uses.note, id=id, start=first.start, end=first.end, quote=first.quote)
            if uses.verdict == "correct":
                told: dict[str, Any] = {"meaning": uses.meaning, "why": uses.meaning, "easier": []}
                head = seen(head, model, CORRECTED, **told)
            elif uses.verdict == "keep":
                head = seen(head, model, KEPT)
            yield head
        else:
            later = uses.places
        for mark in later:
            yield replace(mark, attrs={"part_of": [head.id]})


def _added(
    doc: Document,
    passage: Passage,
    answer: Mapping[str, Any],
    notes: list[Annotation],
    model: LanguageModel,
    numbers: Iterator[int],
) -> Iterator[Annotation]:
    taken = [(note.start, note.end) for note in notes]
    for more in answer["more"][:MAX_MORE]:
        place, meaning = passage.find(more["quote"], model), plain(more["meaning"])
        if place is None or not meaning:
            continue
        if any(start < place[1] and place[0] < end for start, end in taken):
            continue
        taken.append(place)
        quote = doc.text[slice(*place)]
        note = Annotation(
            id=f"words-{next(numbers)}",
            task=ANNOTATOR.name,
            label="expression" if " " in quote else "hard word",
            start=place[0],
            end=place[1],
            quote=quote,
            score=NEW_SCORE,
            attrs={"why": meaning, "meaning": meaning, "easier": []},
        )
        yield seen(note, model, NEW)
