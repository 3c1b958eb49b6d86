"""Gold from ratings, and the division into trial, test and train."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from marginalia.core.agreement import likert_means
from marginalia.core.building import Built
from marginalia.core.errors import FormatError
from marginalia.core.rating import read_ratings
from marginalia.core.table import format_table
from marginalia.tasks.complexity.official.data import Target, read_targets

COLUMNS = ("id", "corpus", "sentence", "token", "complexity")
PARTS = ("trial", "test", "test", *["train"] * 17)
"""Of each 20 groups the first is trial, the next two are test, the other 17 train."""

Rows = Mapping[str, tuple[Target, float]]


def gold(paths: Sequence[Path], *, min_ratings: int) -> Built:
    """Complexities from ratings of 1 (very easy) to 5 (very difficult): their mean from 0 to 1.

    Source: overview paper, section 3 (aggregated annotations); CompLex 1.0 kept what had four ratings or more.
    The last file has the ratings, those before it the targets.
    """
    *targets, table = paths
    ratings = read_ratings(table, low=1, high=5)
    files: dict[str, str] = {}
    left_out = 0
    for path in targets:
        rows: list[tuple[object, ...]] = [COLUMNS]
        for id, item, _ in read_targets(path, _kind(path)):
            given = {rater: v for rater, v in ratings.get(id, {}).items() if v is not None}
            if len(given) < min_ratings:
                left_out += 1
                continue
            mean = likert_means({id: given})[id]
            rows.append((id, item.corpus, item.sentence, item.token, repr(mean)))
        files[path.name.replace("_targets", "")] = format_table(rows)
    return Built(files, {"files": len(files), "left_out_for_too_few_ratings": left_out})


def split(paths: Sequence[Path], *, seed: int | float) -> Built:
    """Trial, test and train files of CompLex files with complexities.

    Source: overview paper, section 4. Within a genre, instances are grouped by token, the groups sorted by their
    least complex instance, and each 20 of them divided 1 : 2 : 17. A token that an earlier genre or file has already
    put into a part stays in it: the same token is in one part only. Test is put in random order.
    """
    decided: dict[str, str] = {}
    files: dict[str, str] = {}
    figures: dict[str, Counter[str]] = {}
    for path in paths:
        rows = _read(path)
        parts = divide(rows, decided)
        name = path.name.removesuffix(".tsv")
        for part in ("trial", "train", "test"):
            ids = [id for id in rows if parts[id] == part]
            if part == "test":
                Random(f"{seed}:{name}").shuffle(ids)  # noqa: S311 - its order must not tell the labels
            else:
                ids.sort(key=lambda id: (rows[id][0].corpus, rows[id][1]))
            cells = [
                (id, rows[id][0].corpus, rows[id][0].sentence, rows[id][0].token, repr(rows[id][1]))
                for id in ids
            ]
            files[f"{name}_{part}.tsv"] = format_table([COLUMNS, *cells])
            figures[f"{name}_{part}"] = Counter(rows[id][0].corpus for id in ids)
    return Built(files, {name: dict(sorted(each.items())) for name, each in figures.items()})


def divide(rows: Rows, decided: dict[str, str]) -> dict[str, str]:
    """The part of each id: ``trial``, ``test`` or ``train``. ``decided`` holds and gets the part of each token."""
    groups: dict[str, dict[str, list[str]]] = {}
    for id, (item, _) in rows.items():
        groups.setdefault(item.corpus, {}).setdefault(item.token.lower(), []).append(id)
    for tokens in groups.values():
        new = [token for token in tokens if token not in decided]
        new.sort(key=lambda token: (min(rows[id][1] for id in tokens[token]), token))
        decided |= {token: PARTS[place % len(PARTS)] for place, token in enumerate(new)}
    return {id: decided[item.token.lower()] for id, (item, _) in rows.items()}


def _read(path: Path) -> dict[str, tuple[Target, float]]:
    rows = {}
    for id, item, complexity in read_targets(path, _kind(path)):
        if complexity is None:
            raise FormatError("the header lacks the column 'complexity'", path=path, line=1)
        rows[id] = (item, complexity)
    return rows


def _kind(path: Path) -> str:
    return "multi" if "multi" in path.name else "words"
