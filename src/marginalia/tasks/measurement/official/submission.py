"""The official submission, a TSV per paragraph, and how folders of them are scored."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import DATA_VARIABLE
from marginalia.core.errors import FormatError
from marginalia.core.files import list_files, read_text
from marginalia.core.report import Report
from marginalia.tasks.measurement.official.data import (
    CATEGORIES,
    FOLDER,
    article_of,
    read_categories,
)
from marginalia.tasks.measurement.official.score import score_documents
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.official.subjects import subjects_by_journal
from marginalia.tasks.measurement.official.tsv import format_spans, read_spans


def write_submission(split: Split, pred: Mapping[str, Spans]) -> dict[str, str]:
    """``<docId>.tsv`` for each paragraph; a header alone for one without a quantity."""
    return {f"{id}.tsv": format_spans(id, pred[id]) for id in split.items}


def read_submission(split: Split, path: Path) -> dict[str, Spans]:
    """The predictions of an official submission; a paragraph without a file has none."""
    found: dict[str, list[Span]] = {}
    for file in list_files(_inner(path, "tsv"), ".tsv"):
        for doc, span in read_spans(file):
            if doc not in split.items:
                raise FormatError(f"the docId {doc[:40]!r} is not in the split", path=file)
            found.setdefault(doc, []).append(span)
    return {id: tuple(found.get(id, ())) for id in split.items}


def score_files(
    gold: Path,
    pred: Path,
    text: Path | None = None,
    *,
    limit: bool = False,
    categories: Path | None = None,
) -> Report:
    """Score TSV files, one or a folder on each side.

    ``text`` is the folder of the paragraphs; rows that quote something else are then counted.
    ``limit`` is the option -l of the official program: gold files whose name the submission lacks are
    left out. ``categories`` is the list of articles and subject areas, by default the one found above
    gold or in the data folder; without any an article has the area of its journal.
    """
    submitted = list_files(_inner(pred, "tsv"), ".tsv")
    truth = list_files(_inner(gold, "tsv"), ".tsv")
    if limit:
        names = {path.name for path in submitted}
        truth = [path for path in truth if path.name in names]
    listed = categories or _find_categories(gold)
    known, given = _read(truth), _read(submitted)
    articles = {article_of(doc) for doc in (*known, *given)}
    return score_documents(
        known,
        given,
        read_categories(listed) if listed else subjects_by_journal(articles),
        texts=None if text is None else _read_texts(text),
        files=(len(truth), len(submitted)),
    )


def _read(paths: list[Path]) -> dict[str, list[Span]]:
    """The rows by docId, which counts even where it is not the name of the file."""
    docs: dict[str, list[Span]] = {}
    for path in paths:
        rows = list(read_spans(path))
        for doc, span in rows:
            docs.setdefault(doc, []).append(span)
        if not rows:
            docs.setdefault(path.stem, [])
    return docs


def _read_texts(folder: Path) -> dict[str, str]:
    return {path.stem: read_text(path) for path in list_files(_inner(folder, "text"), ".txt")}


def _inner(path: Path, name: str) -> Path:
    """A split of the data folder has its files one level down."""
    return path / name if (path / name).is_dir() else path


def _find_categories(gold: Path) -> Path | None:
    """``fileCategories.txt`` in a folder above gold, or in the data folder where one is set."""
    folders = [gold, *list(gold.absolute().parents)[:3]]
    if os.environ.get(DATA_VARIABLE):
        folders.append(Path(os.environ[DATA_VARIABLE]) / FOLDER)
    return next((path for path in (f / CATEGORIES for f in folders) if path.is_file()), None)
