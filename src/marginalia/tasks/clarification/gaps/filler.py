"""What a place could mean: phrases of the context, nouns of the same field, clustered so that the choices differ.

As the organisers did it: many candidates of the right part of speech, k-means on their vectors, and of each
cluster the candidate nearest its centre. Their candidates came from a language model; ours come from the text,
from WordNet and from a list of words that instructions leave out. ``suggest`` takes others, for example those of
a language model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marginalia.nlp.tagger import NOUNS
from marginalia.tasks.clarification.gaps.lexicon import noun, plural, singular
from marginalia.tasks.clarification.gaps.phrases import (
    DETERMINERS,
    POSSESSIVE,
    TIMES,
    phrases,
)
from marginalia.tasks.clarification.gaps.places import Guide, Place, Word, tag

Floats = NDArray[np.float32]

ROUNDS = 20
Suggest = Callable[[Place, Guide], Iterable[str]]
"""Further fillers for a place."""
CHOICES = 5
"""Fillers of a place, as in CLAIRE."""
MENTIONED, OTHERS = 8, 3
"""Candidates that are clustered: from the context those mentioned best, from elsewhere those nearest in meaning."""
_CONCRETE = frozenset("animal artifact body food object plant substance person".split())
_EMPTY = frozenset(
    """thing things way ways sure case lot bit kind sort type example order use need fact step steps part number
    something anything people person guide article tip tips""".split()
)
_OBJECTS = (
    "the mixture", "the ingredients", "the position", "the surface", "the pieces", "the parts", "the area",
    "your hands", "the material", "the container", "the end", "the process",
)  # fmt: skip
_HEADS = tuple("step method option item part piece size idea side place tool version".split())
_HEAT = ("heat", "flame", "temperature", "setting", "speed")
_THEIRS = ("house", "place", "office", "room", "door", "desk")
_ASPECTS = {
    "artifact": "size condition position height width price surface edge top inside setting end",
    "food": "amount temperature taste size texture colour piece rest",
    "substance": "amount temperature colour level layer surface quality rest",
    "body": "position condition size shape movement side back",
    "animal": "weight age health behaviour size name",
    "plant": "size height age health leaves roots",
    "object": "size shape position weight surface edge",
    "person": "name age weight height opinion health",
    "": "size amount condition number position quality end",
}


def distinct(rows: Floats, n: int) -> list[int]:
    """One row of each of ``n`` clusters, the nearest to its centre; the rows keep their order.

    k-means on unit vectors. Its first centres are the first row, and then always the row farthest from those taken,
    so that the same rows give the same clusters.
    """
    if len(rows) <= n:
        return list(range(len(rows)))
    taken = [0]
    while len(taken) < n:
        taken.append(int(np.argmin((rows @ rows[taken].T).max(axis=1))))
    centres = rows[taken]
    for _ in range(ROUNDS):
        cluster = (rows @ centres.T).argmax(axis=1)
        sums = np.stack([rows[cluster == k].sum(axis=0) for k in range(n)])
        sizes = np.linalg.norm(sums, axis=1, keepdims=True)
        # A cluster that lost all its rows keeps its centre.
        moved = np.where(sizes > 0, sums / np.maximum(sizes, 1e-9), centres)
        if np.allclose(moved, centres):
            break
        centres = moved
    close = rows @ centres.T
    cluster = close.argmax(axis=1)
    return sorted(int(np.where(cluster == k, close[:, k], -2).argmax()) for k in np.unique(cluster))


def vectors(texts: Sequence[str]) -> Floats:
    return np.stack([vector(text) for text in texts])


@lru_cache(maxsize=5_000)
def vector(text: str) -> Any:
    from marginalia.nlp.encoder import english

    return english().vectors([text])[0]


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun of the context: as it stands there, its singular, its article, and how likely it is meant."""

    word: str
    name: str
    article: str
    weight: float


@dataclass(frozen=True, slots=True)
class Filler:
    """A phrase for a gap, and where it comes from: ``context``, ``field``, ``usual`` or ``suggested``."""

    text: str
    source: str


def fill(
    place: Place, guide: Guide, *, n: int = CHOICES, suggest: Suggest | None = None
) -> list[Filler]:
    """Up to ``n`` fillers that differ, those of the context first."""
    found = list(candidates(place, guide, suggest))
    if not found or n < 1:
        return []
    own = guide.sentences[place.number]
    context = " ".join([guide.title, *(s.text for s in guide.context(place.number)), own.text])
    mentioned = [filler for filler in found if filler.source == "context"][:MENTIONED]
    other = [filler for filler in found if filler.source != "context"]
    if other:
        near = vectors([filler.text for filler in other]) @ vector(context.strip())
        order = np.argsort(-near, kind="stable")[: max(OTHERS, n - len(mentioned))]
        other = [other[int(i)] for i in order]
    pool = [*mentioned, *other]
    return [pool[i] for i in distinct(vectors([filler.text for filler in pool]), n)]


def candidates(place: Place, guide: Guide, suggest: Suggest | None = None) -> Iterator[Filler]:
    """Fillers of the right part of speech and number, each once; those of the context come first."""
    seen: set[str] = {"", *(w.lower for w in _around(place, guide))}
    sources = {
        "IMPLICIT REFERENCE": _objects,
        "FUSED HEAD": _heads,
        "ADDED COMPOUND": _modifiers,
        "METONYMIC REFERENCE": _aspects,
    }
    found = list(sources[place.pattern](place, guide))
    if suggest is not None:
        texts = (" ".join(text.split()) for text in suggest(place, guide))
        found += [Filler(text, "suggested") for text in texts if suits(place, guide, text)]
    for filler in found:
        key = singular(filler.text.rpartition(" ")[2])
        if key not in seen and not key.isdigit():
            seen.add(key)
            yield filler


def suits(place: Place, guide: Guide, text: str) -> bool:
    """Whether a phrase is what the gap takes: a noun, and only before a verb's gap a determiner with it.

    As the organisers filtered theirs: no plural before another noun, nothing without letters.
    """
    item = place.item(guide, text)
    low, high = item.span
    [words] = tag([item.filled])
    inside = [word for word in words if low <= word.start < high]
    if not inside or inside[-1].tag not in NOUNS or not inside[-1].text.isalpha():
        return False
    if place.pattern == "IMPLICIT REFERENCE":
        return len(inside) <= 2
    single = place.pattern != "ADDED COMPOUND" or singular(inside[-1].lower) == inside[-1].lower
    return len(inside) == 1 and single


def _around(place: Place, guide: Guide) -> list[Word]:
    """The words in question themselves; nothing is explained by itself."""
    own = guide.sentences[place.number]
    low, high = place.start - own.start, place.end - own.start
    return [word for word in own.words if low <= word.start < high]


def _mentions(place: Place, guide: Guide) -> Iterator[Mention]:
    """The nouns of the context, the nearest first."""
    sentence = guide.sentences[place.number]
    at = place.start - sentence.start
    parts = [
        tuple(w for w in sentence.words if w.start < at),
        *(s.words for s in reversed(guide.context(place.number))),
        tuple(w for w in sentence.words if w.start > at),
        tag([guide.title])[0] if guide.title else (),
    ]
    for distance, words in enumerate(parts):
        for phrase in reversed(list(phrases(words))):
            head = phrase.head
            if head is None:
                continue
            name = singular(words[head].lower)
            field = noun(name).field
            if len(name) < 3 or name in TIMES or name in _EMPTY or field in ("", "quantity"):
                continue
            first = words[phrase.first].lower
            article = first if first in POSSESSIVE else "the"
            handled = phrase.first > 0 and words[phrase.first - 1].tag == "VERB"
            weight = 2 * handled + (field in _CONCRETE) + (first in DETERMINERS) - distance / 2
            yield Mention(words[head].lower, name, article, weight)


def _objects(place: Place, guide: Guide) -> Iterator[Filler]:
    # What was handled a moment ago is the likeliest.
    for mention in sorted(_mentions(place, guide), key=lambda mention: -mention.weight):
        yield Filler(f"{mention.article} {mention.word}", "context")
    for text in _OBJECTS:
        yield Filler(text, "usual")


def _heads(place: Place, guide: Guide) -> Iterator[Filler]:
    if place.quote.lower().startswith(("low", "medium", "high")):
        yield from (Filler(text, "usual") for text in _HEAT)
        return
    form = plural if place.plural else str
    for mention in _mentions(place, guide):
        # Of a number that is not known, the noun stays as it was.
        text = mention.word if place.plural is None else form(mention.name)
        yield Filler(text, "context")
    for text in _HEADS:
        yield Filler(form(text), "usual")


def _modifiers(place: Place, guide: Guide) -> Iterator[Filler]:
    head = singular(place.quote.lower())
    for sentence in guide.sentences:
        for before, word in pairwise(sentence.words):
            if singular(word.lower) == head and before.tag in NOUNS and word.joined:
                yield Filler(before.lower, "context")
    for mention in _mentions(place, guide):
        yield Filler(mention.name, "context")
    for text in noun(head).modifiers:
        yield Filler(text, "field")


def _aspects(place: Place, guide: Guide) -> Iterator[Filler]:
    if place.quote.lower().replace("’", "'").endswith("'s"):
        for text in _THEIRS:
            yield Filler(text, "usual")
        return
    known = noun(singular(place.quote.lower()))
    for mention in _mentions(place, guide):
        if noun(mention.name).field in ("attribute", "shape"):
            yield Filler(mention.word, "context")
    for text in known.parts:
        yield Filler(text, "field")
    for text in _ASPECTS.get(known.field, _ASPECTS[""]).split():
        yield Filler(text, "usual")
