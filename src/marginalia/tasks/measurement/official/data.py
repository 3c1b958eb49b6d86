"""MeasEval: its paragraphs, annotations and subject areas.

Source: harperco/MeasEval; the repository states no licence, its paragraphs come from CC BY articles.
A paragraph without annotations has a text file and no TSV.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marginalia.core.benchmark import Split
from marginalia.core.data_folder import require_data
from marginalia.core.errors import FormatError
from marginalia.core.files import read_lines, read_text
from marginalia.core.resources import read_resource
from marginalia.tasks.measurement.official.spans import Span, Spans
from marginalia.tasks.measurement.official.subjects import subjects_by_journal
from marginalia.tasks.measurement.official.tsv import read_spans

FOLDER = "measeval"
OFFICIAL = {"train": "train", "dev": "trial", "test": "eval"}
CATEGORIES = "fileCategories.txt"
SUBJECTS = (
    "Agriculture",
    "Astronomy",
    "Biology",
    "Chemistry",
    "Computer Science",
    "Earth Science",
    "Engineering",
    "Materials Science",
    "Mathematics",
    "Medicine",
)
UNKNOWN = "unknown"
"""The subject of an article that the category list lacks, or whose journal is unknown where there is no list."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a scientific article."""

    article: str
    subject: str
    text: str
    language: str = ""
    """As far as it is known; the official paragraphs are English."""


def load(name: str, folder: Path) -> Split:
    """The split ``train``, ``dev`` or ``test``; gold is None where there is no folder of TSV files."""
    base = folder / FOLDER / OFFICIAL[name]
    texts = sorted(require_data(base / "text", "measurement").glob("*.txt"))
    tables = base / "tsv" if name == "test" else require_data(base / "tsv", "measurement")
    listed = folder / FOLDER / CATEGORIES
    articles = {article_of(path.stem) for path in texts}
    subjects = read_categories(listed) if listed.exists() else subjects_by_journal(articles)
    files = [*texts, *([listed] if listed.exists() else [])]
    items: dict[str, Paragraph] = {}
    gold: dict[str, Spans] = {}
    for path in texts:
        id, article = path.stem, article_of(path.stem)
        items[id] = Paragraph(article, subjects.get(article, UNKNOWN), read_text(path))
        table = tables / f"{id}.tsv"
        gold[id] = read_gold(table, items[id].text) if table.exists() else ()
        files += [table] if table.exists() else []
    return Split(
        name=name,
        items=items,
        gold=gold if tables.is_dir() else None,
        group={id: item.article for id, item in items.items()},
        files=tuple(files),
    )


def labelled(folder: Path) -> Split:
    """Train and dev together, on which systems are trained and, by article, cross-validated."""
    parts = [load(name, folder) for name in ("train", "dev")]
    first, second = parts
    return Split(
        name="train+dev",
        items={**first.items, **second.items},
        gold={**first.require_gold(), **second.require_gold()},
        group={**first.group, **second.group},
        files=first.files + second.files,
    )


def article_of(doc: str) -> str:
    """``S0006322312001096-1136`` is a paragraph of ``S0006322312001096``."""
    return doc.partition("-")[0]


def read_gold(path: Path, text: str) -> Spans:
    """The spans of one paragraph, each checked against its text."""
    spans: list[Span] = []
    for doc, span in read_spans(path):
        if doc != path.stem:
            raise FormatError(f"a row belongs to the document {doc!r}", path=path)
        if text[span.start : span.end] != span.text:
            raise FormatError(
                f"{span.id} quotes {span.text[:40]!r}, but the paragraph has "
                f"{text[span.start : span.end][:40]!r} at {span.start}:{span.end}",
                path=path,
            )
        spans.append(span)
    return tuple(spans)


def read_categories(path: Path) -> dict[str, str]:
    """Article -> subject area; the file has no header, and further columns may follow."""
    subjects = {}
    for line, text in read_lines(path):
        cells = text.split("\t")
        if len(cells) < 2:
            raise FormatError("expected an article and its subject area", path=path, line=line)
        subjects[cells[0]] = cells[1]
    return subjects


def sources() -> Any:
    return read_resource("marginalia.tasks.measurement", "sources.json")


def published() -> Any:
    return read_resource("marginalia.tasks.measurement", "published.json")
