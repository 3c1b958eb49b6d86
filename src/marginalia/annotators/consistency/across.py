"""What one document says that another contradicts, or says in other words. Sentences that both have are left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from marginalia.annotators.consistency.contradictions import MAX_SERIES, contradiction, key_of
from marginalia.annotators.consistency.repetition import MIN_SCORE, says_the_same
from marginalia.core.document import Document
from marginalia.core.extraction import Across
from marginalia.tasks.similarity.search.neighbours import encode, nearest
from marginalia.tasks.similarity.search.passages import Passage, passages, short
from marginalia.tasks.similarity.search.search import cosine_floor
from marginalia.tasks.similarity.systems.defaults import card_of, encoder_of, scores_of
from marginalia.tasks.similarity.systems.languages import stated_language

Progress = Callable[[str, int, int], None]


def across(
    old: Document,
    new: Document,
    *,
    progress: Progress | None = None,
    repetitions: bool = True,
) -> Iterator[Across]:
    sides = [_distinct(doc) for doc in (old, new)]
    both = sides[0].keys() & sides[1].keys()
    left, right = ([one for text, one in side.items() if text not in both] for side in sides)
    for one, other, why in _contradictions(left, right):
        yield _across("contradiction", one, other, why)
    if not repetitions:
        return
    lang = "en" if stated_language(old) == stated_language(new) == "en" else "de"
    yield from _repetitions(left, right, lang, progress)


def _distinct(doc: Document) -> dict[str, Passage]:
    found: dict[str, Passage] = {}
    for one in passages(doc):
        found.setdefault(" ".join(one.text.split()), one)
    return found


def _contradictions(
    left: Sequence[Passage], right: Sequence[Passage]
) -> Iterator[tuple[Passage, Passage, str]]:
    groups: dict[frozenset[str], list[int]] = defaultdict(list)
    for place, other in enumerate(right):
        groups[key_of(other.text)].append(place)
    for one in left:
        places = groups.get(key_of(one.text), ())
        for place in places if len(places) <= MAX_SERIES else ():
            difference = contradiction(one.text, right[place].text)
            if difference is None:
                continue
            said = [
                passage.text[slice(*span)] if span else ""
                for passage, span in ((one, difference.left), (right[place], difference.right))
            ]
            why = f"{said[0]} against {said[1]}" if all(said) else "one denies what the other says"
            yield one, right[place], why


def _repetitions(
    left: Sequence[Passage], right: Sequence[Passage], lang: str, progress: Progress | None
) -> Iterator[Across]:
    """Sentences that say the same in other words, each with its nearest."""
    if not left or not right:
        return
    encoder = encoder_of(lang)
    vectors = [encode(encoder, [one.text for one in side], progress) for side in (left, right)]
    floor = cosine_floor(encoder.folder.name, MIN_SCORE)
    near, cosines = nearest(vectors[0], vectors[1], 1)
    pairs = [
        (one, right[int(places[0])])
        for one, places, cosine in zip(left, near, cosines, strict=True)
        if cosine[0] >= floor
    ]
    texts = [(one.text, other.text) for one, other in pairs]
    for (one, other), score in zip(pairs, scores_of(texts, card_of(None).name), strict=True):
        if says_the_same(one.text, other.text, score):
            why = f"says the same as “{short(other.text)}”"
            yield replace(_across("repetition", one, other, why), score=round(score, 4))


def _across(kind: str, one: Passage, other: Passage, why: str) -> Across:
    return Across(
        kind=kind,
        old_start=one.start,
        old_end=one.end,
        new_start=other.start,
        new_end=other.end,
        why=why,
    )
