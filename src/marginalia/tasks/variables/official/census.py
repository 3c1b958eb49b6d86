"""Tables 1, 3, 4 and 7 of the SV-Ident 2022 overview: sentences, variables, documents, and the data of 2018."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from marginalia.core.benchmark import Split
from marginalia.core.census import Count, rows_of
from marginalia.core.table import read_table
from marginalia.tasks.variables.official.data import (
    FOLDER,
    OFFICIAL,
    TRIAL,
    Label,
    Statement,
    load,
    published,
    read_documents,
)

IDS = "vocabulary_ids_partial.tsv"
BLIND = "the official blind test is not public"
SIX = (
    "counted are the labelled sentences of the public train and dev files, without the paper's blind test and without six documents "
    "that are the test here; how much of the difference each makes is not known"
)
MOVED = "without the sentences of the six documents that are the test here; together the splits have as many as the paper"
PARTIAL = (
    "the part of the vocabulary that is in the data folder; the whole one is not available here"
)
CORPUS = "the paper counts all 44 documents, the public files of train and dev have 30"
DOCUMENTS = "the public files of train and dev have 30 documents in all, the paper says 18"

Labels = Mapping[str, tuple[Statement, Label]]


def census(folder: Path) -> list[Count]:
    """The four tables and the number of documents."""
    splits = {name: load(name, folder) for name in OFFICIAL}
    labelled = {
        id: (item, split.gold[id])
        for split in splits.values()
        if split.gold is not None
        for id, item in split.items.items()
    }
    return [
        *_sentences(splits),
        *_variables(labelled, folder),
        *_by_document(labelled, folder),
        *_comparison(labelled, splits, folder),
    ]


def _sentences(splits: Mapping[str, Split]) -> list[Count]:
    langs = {name: [item.lang for item in split.items.values()] for name, split in splits.items()}
    printed = {row["split"]: row for row in rows_of(published(), "sentences")}
    result = []
    for column in ("en", "de", "total"):
        own = {
            name: len(each) if column == "total" else each.count(column)
            for name, each in langs.items()
        }
        for name in ("train", "dev"):
            result.append(_count(1, f"{name}: {column}", own[name], printed[name][column], MOVED))
        together = printed["train"][column] + printed["dev"][column]
        result.append(_count(1, f"all public splits: {column}", sum(own.values()), together))
        result.append(_count(1, f"test: {column}", None, printed["test"][column], BLIND))
    return result


def _count(
    table: int, item: str, ours: float | None, printed: float | None, why: str = ""
) -> Count:
    return Count(table=f"Table {table}", item=item, ours=ours, published=printed, why=why)


def _variables(labelled: Labels, folder: Path) -> list[Count]:
    (row,) = rows_of(published(), "variables")
    used = [variable for _, label in labelled.values() for variable in label.variables]
    return [
        _count(3, "variables of the vocabulary", _vocabulary(folder), row["vocabulary"], PARTIAL),
        _count(3, "annotated variables (tokens)", len(used), row["annotated_tokens"], SIX),
        _count(3, "annotated variables (types)", len(set(used)), row["annotated_types"], SIX),
    ]


def _vocabulary(folder: Path) -> int | None:
    path = folder / FOLDER / IDS
    return sum(1 for _ in read_table(path, ("variable_id",))) if path.exists() else None


def _related(folder: Path) -> dict[str, int]:
    """Survey -> how many variables of it are known."""
    path = folder / FOLDER / IDS
    counts: dict[str, int] = {}
    if path.exists():
        for _, row in read_table(path, ("variable_id", "research_data")):
            counts[row["research_data"]] = counts.get(row["research_data"], 0) + 1
    return counts


def _by_document(labelled: Labels, folder: Path) -> list[Count]:
    papers: dict[str, list[tuple[Statement, Label]]] = {}
    for item, label in labelled.values():
        papers.setdefault(item.doc_id, []).append((item, label))
    sizes = _related(folder)
    measures: dict[str, Callable[[list[tuple[Statement, Label]]], float]] = {
        "related variables": lambda rows: sum(sizes.get(each, 0) for each in rows[0][0].surveys),
        "variable tokens": lambda rows: sum(len(label.variables) for _, label in rows),
        "variable types": lambda rows: len({v for _, label in rows for v in label.variables}),
        "annotated sentences (%)": lambda rows: (
            100 * sum(label.is_variable for _, label in rows) / len(rows)
        ),
    }
    result = []
    for row in rows_of(published(), "per document, minimum and maximum"):
        for lang in ("en", "de"):
            values = [
                measures[row["what"]](rows)
                for rows in papers.values()
                if rows[0][0].paper.lang == lang
            ]
            why = PARTIAL if row["what"] == "related variables" else SIX
            for name, ours, printed in zip(
                ("least", "most"), _ends(values), row[lang], strict=True
            ):
                result.append(_count(4, f"{row['what']}, {lang}: {name}", ours, printed, why))
    return result


def _ends(values: Iterable[float]) -> tuple[float | None, float | None]:
    known = [value for value in values if value]
    return (min(known), max(known)) if known else (None, None)


def _comparison(labelled: Labels, splits: Mapping[str, Split], folder: Path) -> list[Count]:
    surveys = read_documents(folder / FOLDER / "documents.tsv")
    used = [variable for _, label in labelled.values() for variable in label.variables]
    ours: dict[str, float | None] = {
        "documents": len(surveys),
        "research datasets": len({each for own in surveys.values() for each in own}),
        "vocabulary": _vocabulary(folder),
        "annotated tokens": len(used),
        "annotated types": len(set(used)),
        "annotated sentences": sum(map(len, splits.values())),
    }
    reasons = {"vocabulary": PARTIAL, "annotated tokens": SIX, "annotated types": SIX}
    old = [load(name, folder) for name in TRIAL] if (folder / FOLDER / "trial").is_dir() else []
    trial = _trial(old)
    result = []
    for row in rows_of(published(), "comparison with OpenMinTeD"):
        what = row["what"]
        why = reasons.get(what, CORPUS)
        result.append(_count(7, f"SV-Ident: {what}", ours[what], row["sv_ident"], why))
        result.append(
            _count(
                7,
                f"OpenMinTeD: {what}",
                trial.get(what),
                row["openminted"],
                "" if what in trial else "the trial files do not say",
            )
        )
    result += [
        Count(
            table="text, section 2.2",
            item="documents: train and dev",
            ours=len(surveys),
            published=rows_of(published(), "documents")[0]["total"],
            why=DOCUMENTS,
        )
    ]
    return result


def _trial(splits: list[Split]) -> dict[str, float]:
    """The same figures of the data of 2018, which are the trial data of the shared task."""
    if not splits:
        return {}
    items = [item for split in splits for item in split.items.values()]
    # The vocabularies of the two languages are two: a variable of both counts twice.
    used = [
        (split.items[id].lang, variable)
        for split in splits
        for id, label in split.require_gold().items()
        for variable in label.variables
    ]
    catalogues = {item.lang: item.catalogue for item in items}
    return {
        "documents": len({item.doc_id for item in items}),
        "vocabulary": sum(map(len, catalogues.values())),
        "annotated tokens": len(used),
        "annotated types": len(set(used)),
        "annotated sentences": len(items),
    }
