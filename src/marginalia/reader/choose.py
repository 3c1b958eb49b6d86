"""The most useful notes first: a margin with a note on every word does not help."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from marginalia.core.document import Annotation, Document
from marginalia.nlp.tokens import lower_words, words
from marginalia.reader.view.caption import is_part

PER_1000_WORDS = 80.0
MIN_NOTES = 8
"""A short text may have so many notes in any case."""


def choose_notes(doc: Document, *, per_1000_words: float = PER_1000_WORDS) -> Document:
    """The document with at most so many notes; ``meta["left_out"]`` counts the others by task.

    A note on a part of something (``attrs["part_of"]``) goes where that goes and does not count.
    """
    heads = [note for note in doc.annotations if not is_part(note)]
    kept = {note.id for note in ranked(heads)[: room(doc, per_1000_words)]}
    chosen = tuple(
        note
        for note in doc.annotations
        if note.id in kept or any(id in kept for id in note.attrs.get("part_of") or ())
    )
    left: dict[str, int] = {}
    for note in heads:
        if note.id not in kept:
            left[note.task] = left.get(note.task, 0) + 1
    return replace(doc, annotations=chosen, meta={**doc.meta, "left_out": left})


def room(doc: Document, per_1000_words: float = PER_1000_WORDS) -> int:
    """How many notes the margin has room for; what only repeats the text takes none."""
    heads = (note for note in doc.annotations if not is_part(note))
    most = max(MIN_NOTES, round(count_words(doc) * per_1000_words / 1000))
    return min(most, sum(not only_repeats(note) for note in heads))


def only_repeats(note: Annotation) -> bool:
    """Whether a note says no more than the words it stands at: "two years: two years"."""
    said = note.attrs.get("why")
    return isinstance(said, str) and said.split() == note.quote.split()


def count_words(doc: Document) -> int:
    return sum(1 for _ in words(doc.text))


def ranked(notes: Iterable[Annotation]) -> list[Annotation]:
    """Best first: by ``attrs["usefulness"]``, else by score, the probability that the reader would ask for the note; one
    without either is sure. The first on a quote comes before its repetitions. What only repeats the text comes last of all.
    Words that two annotators explain have one note.
    """
    notes = list(notes)
    doubled = _doubled(notes)
    seen: set[tuple[str, str, str]] = set()
    keyed = []
    for note in sorted(notes, key=lambda note: note.start):
        if note.id in doubled:
            continue
        name = (note.task, note.label, note.quote.lower())
        keyed.append((only_repeats(note), name in seen, -_worth(note), note.start, note))
        seen.add(name)
    keyed.sort(key=lambda key: key[:4])
    return [note for *_, note in keyed]


def _doubled(notes: list[Annotation]) -> set[str]:
    """Of the notes that give a meaning to the same words all but one: the one that says all that another says, else the best."""
    by_span: dict[tuple[int, int], list[Annotation]] = {}
    for note in notes:
        if isinstance(note.attrs.get("meaning"), str) and "decision" not in note.attrs:
            by_span.setdefault((note.start, note.end), []).append(note)
    found: set[str] = set()
    for same in by_span.values():
        best = same[0]
        for other in same[1:]:
            mine, theirs = (set(lower_words(one.attrs["meaning"])) for one in (best, other))
            if (mine < theirs) or (not theirs <= mine and _worth(other) > _worth(best)):
                best, other = other, best
            found.add(other.id)
    return found


def _worth(note: Annotation) -> float:
    """How much its annotator thinks of a note: a score may say how sure it is, which is not how useful."""
    useful = note.attrs.get("usefulness")
    if isinstance(useful, (int, float)):
        return float(useful)
    return 1.0 if note.score is None else note.score
