"""Long German compounds and what they are made of: for learners, who do not see where one part ends."""

from __future__ import annotations

from collections.abc import Iterator

from marginalia.annotators.words.document import Hard, Place
from marginalia.annotators.words.uses import Uses, in_order, is_prose
from marginalia.core.document import Document
from marginalia.nlp.compounds import split_compound
from marginalia.nlp.frequency import zipf

RARE_ZIPF = 3.0
MIN_LETTERS = 18
PART_ZIPF = 3.5
"""Each part is at least as frequent as this: a compound of rare words is not explained by them."""


def hard_compounds(doc: Document, uses: Uses, known: frozenset[str]) -> Iterator[Hard]:
    """Rare compounds of usual parts, each at its first use."""
    for word in in_order(uses):
        start, end = word.places[0]
        form = doc.text[start:end]
        if word.key in known or uses.is_term(word) or len(form) < MIN_LETTERS:
            continue
        parts = split_compound(form)
        if len(parts) < 2 or zipf(form, "de") >= RARE_ZIPF:
            continue
        if min(zipf(part, "de") for part in parts) < PART_ZIPF:
            continue
        low, high = uses.sentence(start)
        if is_prose(doc.text[low:high]):
            shown = [part.capitalize() if form[0].isupper() else part for part in parts]
            place = Place(word, start, end, low, doc.text[low:high])
            yield Hard(place, 0.0, " + ".join(shown))
