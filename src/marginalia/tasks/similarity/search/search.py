"""Passages that say the same thing, in one document or in many.

Sentences with the same words are put together first. Up to some thousands of distinct ones, all are
encoded and each is compared with each: exact. Of more, those are encoded that share rare words
with another (``candidates.py``); what says the same in other words throughout may then be missed. The
pairs that the encoder finds near are scored by the task's system for documents. Where some sentences are English and some
German, pairs of one of each are sought apart, from a lower cosine on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from marginalia.core.document import Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.nlp.encoder import Encoder
from marginalia.tasks.similarity.search.candidates import Progress, candidate_pairs
from marginalia.tasks.similarity.search.explain import describe_difference
from marginalia.tasks.similarity.search.matches import (
    Match,
    Repeated,
    clusters,
    distinct,
    identical,
    owners_of,
)
from marginalia.tasks.similarity.search.neighbours import Pairs, encode, near_pairs
from marginalia.tasks.similarity.search.passages import MIN_WORDS, Passage, all_passages
from marginalia.tasks.similarity.systems.defaults import (
    PAIRS_PER_BATCH,
    card_of,
    encoder_of,
    scores_of,
)
from marginalia.tasks.similarity.systems.differences import differences
from marginalia.tasks.similarity.systems.languages import (
    MIXED,
    sentence_language,
    stated_language,
)

BY = ("meaning", "words")
MAX_ALL_ENCODED = 5_000
"""Distinct sentences that are all encoded, which takes two cores less than a minute."""
MIN_SCORE = 4.0
MAX_MATCHES = 1_000
SCORED_PER_MATCH = 2
"""Pairs that are scored for each that may be shown: what is near is not always alike."""
FLOORS = {"english": (0.74, 0.04), "multilingual": (0.76, 0.03), MIXED: (0.78, 0.02)}
"""Cosine from which on a pair is scored, as a + b * score: 95 of 100 pairs of STS 2012 and 2014
that people gave at least that score lie above. Between the languages cosines are lower: nine in ten
translations have 0.86, and hardly a pair that has nothing in common."""


def find_repeated(
    docs: Iterable[Document],
    *,
    by: str | None = None,
    least: float = MIN_SCORE,
    limit: int = MAX_MATCHES,
    across: bool = False,
    least_words: int = MIN_WORDS,
    cache: str | Path | None = None,
    system: str | None = None,
    progress: Progress | None = None,
) -> Repeated:
    """Find passages that say the same, within these documents and between them.

    The documents are taken one by one and not kept, so a corpus need not fit into memory.

    ``least`` is the lowest score from 0 to 5, ``limit`` how many pairs in other words are given at most;
    ``across`` leaves out pairs within one document, ``least_words`` shorter sentences. ``by`` is ``meaning``
    (each is compared with each) or ``words`` (first find what shares rare words); without it the number of
    sentences decides. ``cache`` is a file that keeps sentence vectors for the next time.

    >>> found = find_repeated([read("report.md", notes=[])])  # doctest: +SKIP
    >>> found.to_frame()[["score", "text_a", "text_b"]]  # doctest: +SKIP
    """
    langs: set[str] = set()

    def noticed() -> Iterable[Document]:
        for number, doc in enumerate(docs, 1):
            langs.add(stated_language(doc))
            if progress:
                progress("reading documents", number, number)
            yield doc

    # What is joined to what must not depend on which document came first.
    found = sorted(
        all_passages(noticed(), least_words=least_words),
        key=lambda passage: (passage.document, passage.start),
    )
    lang = "en" if langs <= {"en"} else "de"
    return find(
        found,
        lang=lang,
        by=by,
        least=least,
        limit=limit,
        across=across,
        cache=cache,
        system=system,
        progress=progress,
    )


def find(
    passages: Sequence[Passage],
    *,
    lang: str = "en",
    by: str | None = None,
    least: float = MIN_SCORE,
    limit: int = MAX_MATCHES,
    across: bool = False,
    cache: str | Path | None = None,
    system: str | None = None,
    progress: Progress | None = None,
) -> Repeated:
    """The passages among these that say the same."""
    _check(by, least, limit)
    card = card_of(system)
    groups = distinct(passages)
    texts = [passages[members[0]].text for members in groups]
    by = by or way(len(texts))
    encoder = encoder_of(lang, None if cache is None else Path(cache))
    chosen, vectors = encode_some(encoder, texts, lang, by, progress)
    owners = owners_of(passages, groups)[chosen] if across else None
    floor = cosine_floor(encoder.folder.name, least)
    pairs = near_pairs(
        vectors, floor, most=SCORED_PER_MATCH * limit, owners=owners, progress=progress
    )
    first, second, _ = pairs.best()
    near = {(int(chosen[i]), int(chosen[j])) for i, j in zip(first, second, strict=True)}
    full = pairs.full
    if lang != "en":
        between = near_between(vectors, [texts[place] for place in chosen], least, limit)
        first, second, _ = between.best()
        near |= {(int(chosen[i]), int(chosen[j])) for i, j in zip(first, second, strict=True)}
        full |= between.full
    # In order, so that a sentence with several partners is read once.
    candidates = sorted(
        (i, j) for i, j in near if not across or _apart(passages, groups[i], groups[j])
    )
    alike = [
        Match(*_members(passages, groups[i], groups[j], across), score, "alike")
        for (i, j), score in _scored(texts, candidates, card.name, progress)
        if score >= least
    ]
    alike.sort(key=lambda match: (-match.score, match.left, match.right))
    cut = len(alike) > limit
    alike = [_told(passages, match) for match in alike[:limit]]
    matches = (*identical(passages, groups, across), *alike)
    return Repeated(
        tuple(passages),
        matches,
        clusters(matches),
        by,
        {
            "documents": len({passage.document for passage in passages}),
            "sentences": len(passages),
            "distinct": len(texts),
            "encoded": len(chosen),
            "scored": len(candidates),
        },
        not (full or cut),
        card.name,
    )


def way(count: int) -> str:
    """How this number of distinct sentences is searched."""
    return "meaning" if count <= MAX_ALL_ENCODED else "words"


def encode_some(
    encoder: Encoder, texts: Sequence[str], lang: str, by: str, progress: Progress | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
    """The places of the sentences that are compared, and their vectors: by words only what shares rare ones."""
    chosen = np.arange(len(texts))
    if by == "words":
        chosen = np.unique(np.concatenate(candidate_pairs(texts, lang, progress=progress)))
    return chosen, encode(encoder, [texts[place] for place in chosen.tolist()], progress)


def near_between(
    vectors: NDArray[np.float16], texts: Sequence[str], least: float, most: int
) -> Pairs:
    """The nearest pairs of an English and a German sentence."""
    german = np.array([sentence_language(text) == "de" for text in texts], dtype=np.int64)
    if german.all() or not german.any():
        return Pairs(1.0, most)
    return near_pairs(vectors, cosine_floor(MIXED, least), most=most, owners=german)


def _apart(found: Sequence[Passage], left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether the passages stand in different documents somewhere."""
    return len({found[place].document for place in (*left, *right)}) > 1


def _check(by: str | None, least: float, limit: int) -> None:
    if by is not None and by not in BY:
        raise UnknownNameError("way to search", by, BY)
    if not 0 <= least <= 5:
        raise FormatError(f"the lowest score is {least:g}; a number from 0 to 5 was expected")
    if limit < 1:
        raise FormatError(f"the limit is {limit}; a whole number from 1 was expected")


def cosine_floor(encoder: str, least: float) -> float:
    """The cosine below which hardly any pair has that score."""
    base, slope = FLOORS.get(encoder, FLOORS["english"])
    return base + slope * least


def _members(
    found: Sequence[Passage], left: Sequence[int], right: Sequence[int], across: bool
) -> tuple[int, int]:
    """The first place of each; or two in different documents, of which there are some."""
    if across:
        for one in left:
            for other in right:
                if found[one].document != found[other].document:
                    return (one, other) if one < other else (other, one)
    return min(left[0], right[0]), max(left[0], right[0])


def _scored(
    texts: Sequence[str],
    candidates: Sequence[tuple[int, int]],
    name: str,
    progress: Progress | None,
) -> Iterable[tuple[tuple[int, int], float]]:
    for start in range(0, len(candidates), PAIRS_PER_BATCH):
        if progress:
            progress("scoring pairs", start, len(candidates))
        part = candidates[start : start + PAIRS_PER_BATCH]
        yield from zip(part, scores_of([(texts[i], texts[j]) for i, j in part], name), strict=True)
    if progress:
        progress("scoring pairs", len(candidates), len(candidates))


def _told(found: Sequence[Passage], match: Match) -> Match:
    left, right = found[match.left].text, found[match.right].text
    differs = tuple(describe_difference(one, left, right) for one in differences(left, right))
    return Match(match.left, match.right, match.score, match.kind, differs)
