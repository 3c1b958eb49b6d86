"""Pairs of records for TYPED: each with those it is similar to, and with those similar to them.

Source: overview paper, section 2.2. Distance 1 is an item and a similar item, distance 2 an item and one similar to a
similar item; then the pairs are divided into train and test, preserving the ratios.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.files import parse_json, read_lines
from marginalia.core.rating import Rated, read_ratings
from marginalia.tasks.similarity.official.typed import (
    TYPES,
    Record,
    RecordPair,
    format_pairs,
    mean_rating,
    read_pairs,
    record_of,
)

Key = tuple[str, str]


def expand(paths: Sequence[Path], *, near: int, far: int, seed: int | float) -> Built:
    """Draw pairs at distance 1 and 2, and halve each kind into train and test.

    A line of the files is ``{"id": …, "record": {dcTitle: …}, "similar": [ids]}``.
    """
    records: dict[str, Record] = {}
    similar: dict[str, list[str]] = {}
    for path in paths:
        for line, text in read_lines(path):
            id, record, links = _line(parse_json(text, path, line), path, line)
            records[id], similar[id] = record, links
    one, two = distances(similar)
    files: dict[str, dict[str, RecordPair]] = {"train": {}, "test": {}}
    figures: dict[str, dict[str, int]] = {"train": {}, "test": {}}
    for name, pairs, count in (("distance_1", one, near), ("distance_2", two, far)):
        drawn = sorted(pairs)
        Random(f"{seed}:{name}").shuffle(drawn)  # noqa: S311 - a sample
        drawn = drawn[:count]
        half = (len(drawn) + 1) // 2
        for part, keys in (("train", drawn[:half]), ("test", drawn[half:])):
            figures[part][name] = len(keys)
            for a, b in keys:
                files[part][f"{a}|{b}"] = RecordPair(records[a], records[b])
    return Built(
        {f"typed-{part}.jsonl": format_pairs(pairs) for part, pairs in files.items()}, figures
    )


def distances(similar: Mapping[str, Sequence[str]]) -> tuple[set[Key], set[Key]]:
    """Pairs of similar records, and pairs that share one but are not similar; each once, in order of their ids."""
    links: dict[str, set[str]] = {id: set() for id in similar}
    for id, others in similar.items():
        for other in others:
            if other in links and other != id:
                links[id].add(other)
                links[other].add(id)
    one = {_key(a, b) for a, others in links.items() for b in others}
    two = {
        _key(a, c)
        for b, others in links.items()
        for a in others
        for c in others
        if a != c and _key(a, c) not in one
    }
    return one, two


def _key(a: str, b: str) -> Key:
    return (a, b) if a <= b else (b, a)


def _line(data: Any, path: Path, line: int) -> tuple[str, Record, list[str]]:
    if not isinstance(data, dict) or not isinstance(data.get("id"), str):
        raise FormatError(
            "an object with an id, a record and similar was expected", path=path, line=line
        )
    links = data.get("similar", [])
    if not isinstance(links, list) or not all(isinstance(each, str) for each in links):
        raise FormatError("'similar' must be a list of ids", path=path, line=line)
    try:
        return data["id"], record_of(data.get("record"), "record"), links
    except FormatError as error:
        raise error.at(path, line) from None


def gold(paths: Sequence[Path]) -> Built:
    """TYPED gold from ratings of 0 to 5, one file for each of the eight types, named after it (``general.tsv``).

    Source: overview paper, section 3.2: "not applicable" is left out of the mean; where nothing else was said it is 0.
    """
    pairs, *tables = paths
    items = {id: item for _, id, item, _ in read_pairs(pairs)}
    rated: dict[str, Rated] = {}
    for table in tables:
        name = table.stem.replace("-", " ").replace("_", " ")
        if name not in TYPES:
            raise FormatError(f"{table.stem!r} is none of {', '.join(TYPES)}", path=table)
        rated[name] = read_ratings(table, low=0, high=5)
    missing = [name for name in TYPES if name not in rated]
    if missing:
        raise FormatError(f"there are no ratings for {', '.join(missing)}")
    scores = {
        id: tuple(mean_rating(list(rated[name].get(id, {}).values()), name) for name in TYPES)
        for id in items
    }
    return Built({pairs.name: format_pairs(items, scores)}, {"pairs": len(items)})
