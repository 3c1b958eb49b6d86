"""One document becomes rows of all tables: the only place where a corpus annotates."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from marginalia.core.annotator import Annotator
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError
from marginalia.core.registry import get_annotator
from marginalia.core.report import plain
from marginalia.corpus.settings import Settings
from marginalia.corpus.sources import Item, read_item
from marginalia.corpus.tables import record_table
from marginalia.reader.annotate import annotate
from marginalia.reader.passages import encode, find_sentences
from marginalia.reader.read import read_data, readable_name

if TYPE_CHECKING:
    from marginalia.reader.llm import LanguageModel

Rows = dict[str, list[dict[str, Any]]]
"""Table -> rows."""

LEFT_OUT = ("geometry", "summary")
"""Of what is known of a document: where each character stands is large, and of use with the file only."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def load(item: Item) -> bytes:
    """The bytes of the document."""
    return read_item(item) if item.data is None else item.data


def make_rows(item: Item, data: bytes, key: str, settings: Settings) -> Rows:
    """The rows of one document: its own, its annotations, records, links and passages. A pure function of its arguments."""
    doc = parse(item, data, settings.lang)
    doc = annotate_document(doc, settings)
    tables: Rows = {
        "documents": [document_row(doc, item, data)],
        "annotations": [annotation_row(doc, note) for note in doc.annotations],
        "links": [row for note in doc.annotations for row in link_rows(doc, note)],
        "passages": list(passage_rows(doc, vectors=settings.vectors)),
    }
    for annotator in map(get_annotator, settings.notes):
        if annotator.rows is not None and annotator.extract is not None:
            tables[record_table(annotator)] = list(record_rows(doc, annotator))
    own = {"document": item.name, "key": key}
    return {table: [{**row, **own} for row in rows] for table, rows in tables.items()}


def parse(item: Item, data: bytes, lang: str | None) -> Document:
    """The document under its name in the corpus, with its year and group where they are known."""
    doc = read_data(data, Path(f"{item.name}.jsonl" if item.record else item.name), lang=lang)
    if not doc.text.strip():
        raise FormatError("there is no text in it")
    record: dict[str, Any] = json.loads(data) if item.record else {}
    inner = record.get("meta")
    record = {**(inner if isinstance(inner, dict) else {}), **record}
    group = record.get("source") or record.get("journal") or _folder(item.name)
    meta = {"path": readable_name(item.path), "year": _year(record, item.name), "group": str(group)}
    return replace(doc, id=item.name, meta={**doc.meta, **meta})


def _folder(name: str) -> str:
    """The folder below the source, or the source itself."""
    source, *below = name.split("/")
    return below[0] if len(below) > 1 else source


def _year(said: dict[str, Any], name: str) -> int | None:
    """What the record says, or the first year in the names of the file and its folders."""
    for value in (said.get("year"), said.get("date"), name):
        found = _YEAR.search(str(value or ""))
        if found:
            return int(found.group())
    return None


def annotate_document(doc: Document, settings: Settings) -> Document:
    """The notes that `read` would make; a system that was named makes those of its task instead."""
    model = _model(settings.llm, settings.llm_max_tokens) if settings.llm else None
    plain_annotators = [name for name in settings.notes if name not in settings.systems]
    if plain_annotators:
        doc = annotate(
            doc,
            plain_annotators,
            options=_known(settings, plain_annotators),
            include=settings.include,
            llm=model,
        )
    for name, system in settings.systems.items():
        annotator = get_annotator(name)
        if annotator.extract is not None and annotator.knows(str(doc.meta.get("lang") or "")):
            asks = model is not None and "llm" in annotator.extract_options
            doc = annotator.extract(doc, system=system, **({"llm": model} if asks else {})).doc
    return doc


@cache
def _model(name: str, max_tokens: int | None) -> LanguageModel:
    """One for all documents of a worker, so that its limit is that of them all."""
    from marginalia.reader.llm import language_model

    return language_model(name, max_tokens=max_tokens)


def _known(settings: Settings, names: list[str]) -> dict[str, str]:
    annotators = [get_annotator(name) for name in names]
    return {
        name: value
        for name, value in settings.options.items()
        if any(name in annotator.options for annotator in annotators)
    }


def document_row(doc: Document, item: Item, data: bytes) -> dict[str, Any]:
    meta = {name: value for name, value in doc.meta.items() if name not in LEFT_OUT}
    return {
        "source": readable_name(item.source),
        "path": readable_name(item.path),
        "sha256": hashlib.sha256(data).hexdigest(),
        "title": doc.meta.get("title"),
        "lang": doc.meta.get("lang"),
        "format": doc.meta.get("format"),
        "year": doc.meta.get("year"),
        "group": doc.meta.get("group"),
        "characters": len(doc.text),
        "words": len(doc.text.split()),
        "pages": len(doc.meta.get("pages", ())) or None,
        "notes": len(doc.annotations),
        "text": doc.text,
        "meta": plain({**meta, "summary": doc.meta.get("summary", {})}),
    }


def annotation_row(doc: Document, note: Annotation) -> dict[str, Any]:
    return {**note.to_dict(), "page": doc.page(note.start)}


def record_rows(doc: Document, annotator: Annotator) -> Iterator[dict[str, Any]]:
    """The records of a task, with what the reader knows of the annotation each is about."""
    assert annotator.rows is not None  # noqa: S101 - for the type checker
    notes = {note.id: note for note in doc.notes(annotator.name)}
    for row in annotator.rows(doc):
        note = notes[row["id"]]
        fixed = {"label": note.label, "start": note.start, "end": note.end, "system": note.system}
        yield {**row, **fixed, "quantity": note.quote, "page": doc.page(note.start)}


def link_rows(doc: Document, note: Annotation) -> Iterator[dict[str, Any]]:
    """The links of an annotation that lead out of the document, such as those to survey variables."""
    inside = {other.id for other in doc.annotations} if note.links else set()
    for role, targets in note.links.items():
        for target in targets:
            if target not in inside:
                description = _described(note, target)
                yield {
                    "annotation": note.id,
                    "task": note.task,
                    "role": role,
                    "target": target,
                    "label": description.get("label"),
                    "score": description.get("score", note.score),
                    "quote": note.quote,
                    "start": note.start,
                    "end": note.end,
                    "page": doc.page(note.start),
                }


def _described(note: Annotation, target: str) -> dict[str, Any]:
    """What the attributes of a note say of something it links to."""
    for value in note.attrs.values():
        for one in value if isinstance(value, (list, tuple)) else ():
            if isinstance(one, dict) and one.get("id") == target:
                return one
    return {}


def passage_rows(doc: Document, *, vectors: bool) -> Iterator[dict[str, Any]]:
    found = list(find_sentences(doc))
    name, made = encode(doc, [one.text for one in found]) if vectors and found else (None, None)
    for number, one in enumerate(found):
        yield {
            "number": number + 1,
            "start": one.start,
            "end": one.end,
            "page": doc.page(one.start),
            "section": one.section or None,
            "text": one.text,
            "encoder": name,
            "vector": None if made is None else made[number],
        }
