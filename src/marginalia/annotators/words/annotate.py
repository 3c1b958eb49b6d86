"""Hard words of a document become notes: one a word, at its first use, with what it means there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from marginalia.annotators.words.analysis import analyse, language
from marginalia.annotators.words.document import Hard
from marginalia.annotators.words.own_words import OwnWord
from marginalia.core.document import Annotation, Document
from marginalia.nlp.frequency import one_in, zipf
from marginalia.nlp.syllables import syllables

MANY_SYLLABLES = 4
RARE_ZIPF = 4.0
AGAIN = "hard word again"
"""The label of later uses: they are underlined, and neither listed nor linted."""
_SAID = {
    "en": {"abbreviation": "short for {}", "term": "the document says: {}"},
    "de": {"abbreviation": "kurz für {}", "term": "im Dokument erklärt: {}"},
}


def annotate(
    doc: Document, *, level: str = "general", field: str = "", known: str = ""
) -> Iterator[Annotation]:
    """Notes on words that may stop readers of this level and field, except those they know (``known``, one a line), as they are found."""
    lang, found = language(doc), analyse(doc, level, field, known)
    far = [own for own in found.own if own.is_far]
    numbers = count(len(far) + 1)
    for hard in found.found():
        if not hard.gloss:
            continue
        id = f"words-{next(numbers)}"
        yield _note(doc, hard, id, lang)
        for start, end in hard.place.word.places:
            if start > hard.place.start:
                yield _mark(doc, start, end, f"words-{next(numbers)}", id)
    # Numbered first and told last: those above tell how far the work has come.
    for number, own in enumerate(far, start=1):
        yield _own_note(doc, own, f"words-{number}", lang)


def _note(doc: Document, hard: Hard, id: str, lang: str) -> Annotation:
    start, end = hard.expression or (hard.place.start, hard.place.end)
    made_of = "zusammengesetzt: " if lang == "de" else ""
    easier = [f"easier: {', '.join(hard.easier)}"] if hard.easier else []
    meaning = [made_of + hard.gloss] if hard.gloss else []
    attrs = {
        "why": " · ".join([*meaning, *easier, *reasons(hard.place.form, lang)]),
        "meaning": hard.gloss,
        "easier": list(hard.easier),
    }
    label = "hard expression" if hard.expression else "hard word"
    return _annotation(doc, start, end, id, label, attrs, round(hard.share, 3) or None)


def _own_note(doc: Document, own: OwnWord, id: str, lang: str) -> Annotation:
    attrs = {
        "why": _SAID[lang][own.kind].format(own.meaning),
        "meaning": own.meaning,
        "explained_start": own.explained_at,
    }
    return _annotation(doc, own.start, own.end, id, own.kind, attrs)


def _mark(doc: Document, start: int, end: int, id: str, first: str) -> Annotation:
    return _annotation(doc, start, end, id, AGAIN, {"part_of": [first]})


def _annotation(
    doc: Document,
    start: int,
    end: int,
    id: str,
    label: str,
    attrs: dict[str, Any],
    score: float | None = None,
) -> Annotation:
    return Annotation(
        id=id,
        task="words",
        label=label,
        start=start,
        end=end,
        quote=doc.text[start:end],
        score=score,
        attrs=attrs,
        system="document" if label in _SAID["en"] else "german" if score is None else "ensemble",
    )


def reasons(word: str, lang: str) -> list[str]:
    """Why it is hard, in words."""
    value, syllable_count = zipf(word, lang), syllables(word, lang)
    found = []
    if value < RARE_ZIPF:
        rare = "selten" if lang == "de" else "rare"
        found.append(f"{rare}: {one_in(value, lang)}" if value > 0 else one_in(value, lang))
    if syllable_count >= MANY_SYLLABLES:
        found.append(f"{syllable_count} {'Silben' if lang == 'de' else 'syllables'}")
    return found
