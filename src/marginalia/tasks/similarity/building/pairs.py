"""Pairs of sentences whose string similarities are spread evenly, as STS 2013 sampled them; and the question of STS.

Source: overview paper, section 2.1: headlines of the same and of other clusters, each "equally distributed between
minimal and maximal similarity using simple string similarity"; glosses from .4 to .9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random

from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.rating import Question, read_ratings
from marginalia.core.table import read_table
from marginalia.tasks.similarity.official.layouts import (
    format_gold,
    format_sentences,
    read_sentences,
)

Pair = tuple[str, str]
MAX_PAIRS = 200_000
"""Pairs of which the similarity is computed; beyond it, that many are drawn."""
POINTS = {
    5.0: "They mean the same",
    4.0: "They mean the same but for unimportant details",
    3.0: "They mean roughly the same, something important differs",
    2.0: "They differ, but share some details",
    1.0: "They differ, but are about the same topic",
    0.0: "They are about different things",
}
"""After Figure 1 of the overview paper."""


def string_similarity(a: str, b: str) -> float:
    """1 - d / max(|a|, |b|), d being Levenshtein's distance of the two texts in lower case."""
    from rapidfuzz.distance import Levenshtein

    longest = max(len(a), len(b))
    # Divided once: 1 - 8 / 10 is a little less than .2, and would be in the bin below.
    return (longest - Levenshtein.distance(a.lower(), b.lower())) / longest if longest else 1.0


def sample(
    paths: Sequence[Path],
    *,
    count: int,
    low: int | float,
    high: int | float,
    bins: int,
    seed: int | float,
) -> Built:
    """Draw pairs from a file of them, evenly over string similarity from ``low`` to ``high``."""
    pairs = [(a, b) for path in paths for _, a, b in read_sentences(path)]
    chosen = evenly(pairs, count, low, high, bins, seed)
    return Built(
        {"STS.input.sample.txt": format_sentences(pair for pair, _ in chosen)},
        _figures({"sample": chosen}, low, high, bins),
    )


def headlines(
    paths: Sequence[Path], *, count: int, bins: int, max_other: int, seed: int | float
) -> Built:
    """Pairs of headlines: ``count`` of the same cluster and ``count`` of other clusters, each spread evenly.

    The files have the columns ``cluster`` and ``headline``.
    """
    clusters: dict[str, list[str]] = {}
    for path in paths:
        for _, row in read_table(path, ("cluster", "headline")):
            known = clusters.setdefault(row["cluster"], [])
            if row["headline"].strip() and row["headline"] not in known:
                known.append(row["headline"])
    same = [pair for each in clusters.values() for pair in combinations(each, 2)]
    other = _of_other_clusters(clusters, max_other, seed)
    chosen = {
        "same": evenly(same, count, 0, 1, bins, seed),
        "other": evenly(other, count, 0, 1, bins, seed),
    }
    return Built(
        {
            f"STS.input.headlines-{name}.txt": format_sentences(pair for pair, _ in rows)
            for name, rows in chosen.items()
        },
        _figures(chosen, 0, 1, bins),
    )


def _of_other_clusters(clusters: dict[str, list[str]], count: int, seed: int | float) -> list[Pair]:
    """Pairs across clusters: all of them if they are few, else a draw."""
    names = sorted(clusters)
    sizes = [len(clusters[name]) for name in names]
    whole = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
    if whole <= count:
        return [
            (a, b)
            for one, other in combinations(names, 2)
            for a in clusters[one]
            for b in clusters[other]
        ]
    chance = Random(f"{seed}:other")  # noqa: S311 - a sample
    flat = [(name, headline) for name in names for headline in clusters[name]]
    found: dict[Pair, None] = {}
    while len(found) < count:
        (one, a), (other, b) = chance.choice(flat), chance.choice(flat)
        if one != other:
            found[(a, b) if a <= b else (b, a)] = None
    return list(found)


def evenly(
    pairs: Iterable[Pair],
    count: int,
    low: float,
    high: float,
    bins: int,
    seed: int | float,
) -> list[tuple[Pair, float]]:
    """``count`` pairs with similarities from ``low`` to ``high``, as many of each bin as there can be."""
    if not 0 <= low < high <= 1 or bins < 1 or count < 1:
        raise FormatError("low and high are shares from 0 to 1, count and bins at least 1")
    chance = Random(f"{seed}:{count}:{bins}")  # noqa: S311 - a sample
    pool = list(dict.fromkeys(pairs))
    if len(pool) > MAX_PAIRS:
        pool = chance.sample(pool, MAX_PAIRS)
    boxes: list[list[tuple[Pair, float]]] = [[] for _ in range(bins)]
    for a, b in pool:
        value = string_similarity(a, b)
        if low <= value <= high and a != b:
            boxes[min(int((value - low) / (high - low) * bins), bins - 1)].append(((a, b), value))
    for box in boxes:
        chance.shuffle(box)
    # Round after round one of each bin, so that a poor bin is made up for by all the others alike.
    chosen = [pair for row in _rounds(boxes) for pair in row][:count]
    return sorted(chosen, key=lambda pair: pair[1])


def _rounds(
    boxes: Sequence[Sequence[tuple[Pair, float]]],
) -> Iterator[list[tuple[Pair, float]]]:
    for depth in range(max((len(box) for box in boxes), default=0)):
        yield [box[depth] for box in boxes if depth < len(box)]


def _figures(
    chosen: dict[str, list[tuple[Pair, float]]], low: float, high: float, bins: int
) -> dict[str, object]:
    figures: dict[str, object] = {}
    for name, rows in chosen.items():
        counts = [0] * bins
        for _, value in rows:
            counts[min(int((value - low) / (high - low) * bins), bins - 1)] += 1
        figures[name] = {"pairs": len(rows), "by_similarity": counts}
    return figures


def gold(paths: Sequence[Path]) -> Built:
    """Official gold of sentence pairs from ratings of 0 to 5; ids are the line numbers of the input file.

    Source: overview paper, section 3: the mean of five annotators. A pair without ratings has an empty line, as in
    the official files of 2016.
    """
    pairs, table = paths
    ratings = read_ratings(table, low=0, high=5)
    count = sum(1 for _ in read_sentences(pairs))
    known = {str(number) for number in range(1, count + 1)}
    odd = sorted(ratings.keys() - known)
    if odd:
        raise FormatError(f"{odd[0]!r} is no line of {pairs.name}", path=table)
    values = []
    for number in range(1, count + 1):
        given = [v for v in ratings.get(str(number), {}).values() if v is not None]
        values.append(sum(given) / len(given) if given else None)
    name = pairs.name.replace("input", "gs") if "input" in pairs.name else f"{pairs.stem}.gs.txt"
    return Built(
        {name: format_gold(values)},
        {"pairs": count, "without_ratings": sum(value is None for value in values)},
    )


def questions(path: Path) -> Iterator[Question]:
    """One question for each line of an input file; its id is the number of the line."""
    for line, one, other in read_sentences(path):
        yield Question(
            id=str(line),
            ask="How similar in meaning are these two sentences?",
            kind="scale",
            parts=(("First", one), ("Second", other)),
            points=POINTS,
        )
