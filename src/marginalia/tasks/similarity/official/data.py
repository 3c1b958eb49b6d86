"""STS: sentence pairs with a similarity from 0 to 5, and where their files are.

Sources: STS-NTNU/STS13 (2012 and 2013), brmson/dataset-sts (2014); no licence is stated, and 2012 asks
its users to accept the Microsoft Research terms. The score ranges differ by set: those from machine
translation are squeezed towards 4 to 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.resources import read_resource
from marginalia.tasks.similarity.official import layouts, typed
from marginalia.tasks.similarity.official.layouts import RESTRICTED, SPLITS

FOLDER = "sts"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences, and the set they come from: ``2012-test/MSRpar``."""

    s1: str
    s2: str
    dataset: str


@dataclass(frozen=True, slots=True)
class Score:
    """A prediction for a pair: similarity from 0 to 5, and how much it is to count."""

    score: float
    confidence: float = 100.0


def load(name: str, folder: Path) -> Split:
    """A split of CORE by name, or ``typed``. The id of a pair is ``<year>/<set>/<line>``."""
    if name == "typed":
        return typed.load(folder)
    items: dict[str, Pair] = {}
    gold: dict[str, float] = {}
    files: list[Path] = []
    complete = True
    for dataset in SPLITS[name]:
        more, scores, read = load_set(dataset, folder, optional=len(SPLITS[name]) > 1)
        items |= more
        gold |= scores or {}
        complete &= scores is not None
        files += read
    return Split(
        name=name,
        items=items,
        gold=gold if complete else None,
        # The same two sentences rated twice, in either order, stay together.
        group={id: "\t".join(sorted((item.s1, item.s2))) for id, item in items.items()},
        files=tuple(files),
    )


def load_set(
    dataset: str, folder: Path, *, optional: bool = False
) -> tuple[dict[str, Pair], dict[str, float] | None, list[Path]]:
    """Pairs, gold where it is there, and the files of one set.

    With gold, the pairs that were never rated (empty lines of 2015 and 2016) are left out.
    """
    year, _, name = dataset.partition("/")
    base = folder / FOLDER / year
    table = layouts.find(base, "tsv", name)
    if table is not None:
        rows = list(layouts.read_scored(table))
        pairs = {f"{dataset}/{line}": Pair(s1, s2, dataset) for line, s1, s2, _ in rows}
        return *_rated(pairs, [score for *_, score in rows]), [table]
    path = layouts.find(base, "input", name)
    if path is None:
        if optional and dataset in RESTRICTED:
            return {}, {}, []
        raise _missing(base, f"STS.input.{name}.txt", f"{name}.test.tsv")
    pairs = {
        f"{dataset}/{line}": Pair(s1, s2, dataset) for line, s1, s2 in layouts.read_sentences(path)
    }
    labels = layouts.find(base, "gs", name)
    if labels is None:
        return pairs, None, [path]
    scores = layouts.read_gold(labels)
    if len(scores) != len(pairs):
        raise FormatError(f"{len(scores)} scores for the {len(pairs)} pairs of {path}", path=labels)
    return *_rated(pairs, scores), [path, labels]


def _missing(base: Path, *names: str) -> MissingError:
    """The error for a set that is there in neither layout: whether it can be fetched, and which file."""
    public = {file["path"] for repository in sources() for file in repository["files"]}
    for name in names:
        if f"{FOLDER}/{base.name}/{name}" in public:
            return MissingError(
                f"{base / name} is not there; get it with `fetch_data('similarity')` or "
                "`import_data('similarity', folder)`."
            )
    return MissingError(
        f"{base / names[0]} is not there and cannot be fetched; put your own copy in its place."
    )


def _rated(
    pairs: dict[str, Pair], scores: list[float | None]
) -> tuple[dict[str, Pair], dict[str, float]]:
    gold = {id: score for id, score in zip(pairs, scores, strict=True) if score is not None}
    return {id: pairs[id] for id in gold}, gold


def encode(pred: Score | typed.Scores) -> Any:
    """A prediction as JSON: an object for CORE, a list of eight for TYPED."""
    if isinstance(pred, Score):
        return {"score": float(pred.score), "confidence": float(pred.confidence)}
    return [float(value) for value in pred]


def decode(data: Any) -> Score | typed.Scores:
    if isinstance(data, dict):
        return Score(data["score"], data["confidence"])
    return tuple(data)


def sources() -> Any:
    return read_resource("marginalia.tasks.similarity", "sources.json")


def published() -> Any:
    """The boards of the shared task, and one for the mean of those who do not have SMT.

    A run is on one of the two by whether it has SMT: means over three and over four sets are not to be compared.
    """
    data = read_resource("marginalia.tasks.similarity", "published.json")
    core = next(board for board in data["boards"] if board["board"] == "core")
    core["also_on"] = ["2013-test"]
    data["boards"].append({**_without_smt(core), "lacks": ["sets.SMT.n"]})
    core["needs"] = ["sets.SMT.n"]
    return data


def _without_smt(core: dict[str, Any]) -> dict[str, Any]:
    """The board of the mean over HDL, OnWN and FNWN, computed from the printed correlations."""
    sizes = {name: n for name, n in core["n_by_dataset"].items() if name != "SMT"}
    total = sum(sizes.values())
    rows = []
    for row in core["rows"]:
        if sizes.keys() <= row["scores"].keys():
            mean = sum(n * row["scores"][name] for name, n in sizes.items()) / total
            scores = {name: row["scores"][name] for name in sizes} | {"mean": round(mean, 4)}
            source = f"mean computed from the printed correlations of: {row['source']}"
            rows.append(
                {
                    "system": row["system"],
                    "kind": row["kind"],
                    "scores": scores,
                    "rank": {},
                    "source": source,
                }
            )
    return {
        **core,
        "board": "core-without-SMT",
        "metrics": {name: core["metrics"][name] for name in ("mean", *sizes)},
        "n": total,
        "n_by_dataset": sizes,
        "complete": False,
        "rows": rows,
        "breakdowns": [],
    }
