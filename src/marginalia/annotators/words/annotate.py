"""Hard words of a document become notes: one a word, at its first use, with what it means there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from marginalia.annotators.words.analysis import analyse, language
from marginalia.annotators.words.document import Hard
from marginalia.core.document import Annotation, Document
from marginalia.nlp.frequency import one_in, zipf
from marginalia.nlp.syllables import syllables

MANY_SYLLABLES = 4
RARE_ZIPF = 4.0
AGAIN = "hard word again"
"""The label of later uses: they are underlined, and neither listed nor linted."""


def annotate(
    doc: Document, *, audience: str = "reader", field: str = "", known: str = ""
) -> Iterator[Annotation]:
    """Notes on words that may stop such readers of this field, except those they know (``known``, one a line), as they are found."""
    lang, found = language(doc), analyse(doc, audience, field, known)
    numbers = count(1)
    for hard in found.found():
        if not hard.gloss:
            continue
        id = f"words-{next(numbers)}"
        yield _note(doc, hard, id, lang)
        for start, end in hard.place.word.places:
            if start > hard.place.start:
                yield _mark(doc, start, end, f"words-{next(numbers)}", id)


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
        system="german" if score is None else "ensemble",
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
