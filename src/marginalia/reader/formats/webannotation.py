"""W3C Web Annotation as JSON-LD: each note with a text quote and a text position selector.

A document is an ``AnnotationPage``. What the vocabulary has no words for (task, score, attributes, links,
the text itself) stands under names of our own, which others may ignore; with them a document comes back as
it was. Pages of others are read too: they need the text beside them, in a ``.txt`` file of the same name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from marginalia import __version__
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import read_json, read_text
from marginalia.core.report import plain
from marginalia.reader.formats.format import Format
from marginalia.reader.formats.json import check_document
from marginalia.reader.view.caption import caption

DOCUMENT = "urn:marginalia:document:"
CONTEXT = [
    "http://www.w3.org/ns/anno.jsonld",
    {
        "m": "urn:marginalia:vocabulary#",
        **{f"m:{name}": {"@type": "@json"} for name in ("attrs", "links", "meta")},
    },
]
AROUND = 32
"""Characters of the text before and after a quote, to find it again in a changed document."""

_OWN = ("id", "task", "label", "score", "system", "attrs", "links")


def dump(docs: Sequence[Document]) -> str:
    pages = [plain(_page(doc)) for doc in docs]
    data = pages[0] if len(pages) == 1 else pages
    return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def restore(path: Path) -> list[Document]:
    """The documents of a file that ``dump`` or another program wrote."""
    data = read_json(path)
    pages = data if isinstance(data, list) else [data]
    if pages and all(_is_annotation(page) for page in pages):
        pages = [{"items": pages}]
    return [_document(page, path) for page in pages]


def _time() -> str:
    """Now, or the time that a build which can be repeated sets (SOURCE_DATE_EPOCH)."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    now = datetime.fromtimestamp(int(fixed), UTC) if fixed.isdecimal() else datetime.now(UTC)
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def _page(doc: Document) -> dict[str, Any]:
    generated = _time()
    source = DOCUMENT + quote(doc.id, safe="")
    return {
        "@context": CONTEXT,
        "id": f"{source}#annotations",
        "type": "AnnotationPage",
        "m:document": doc.id,
        "m:text": doc.text,
        "m:meta": dict(doc.meta),
        "items": [_item(doc, note, source, generated) for note in doc.annotations],
    }


def _item(doc: Document, note: Annotation, source: str, generated: str) -> dict[str, Any]:
    said = caption(note)
    page = doc.page(note.start)
    bodies = [{"type": "TextualBody", "purpose": "tagging", "value": note.label}]
    if said:
        bodies.append({"type": "TextualBody", "purpose": "commenting", "value": said})
    data = note.to_dict()
    return {
        "id": f"{source}#{quote(note.id, safe='')}",
        "type": "Annotation",
        "motivation": "tagging",
        **_made(note, generated),
        "body": bodies,
        "target": {
            "source": source,
            "selector": [
                {
                    "type": "TextQuoteSelector",
                    "exact": note.quote,
                    "prefix": doc.text[max(0, note.start - AROUND) : note.start],
                    "suffix": doc.text[note.end : note.end + AROUND],
                },
                {"type": "TextPositionSelector", "start": note.start, "end": note.end},
                *([_on_page(page)] if page else []),
            ],
        },
        **{f"m:{name}": data[name] for name in _OWN},
    }


def _made(note: Annotation, generated: str) -> dict[str, Any]:
    """Who made the note and when: its system, or the person who added, changed or accepted it."""
    who, when = note.attrs.get("decided_by"), note.attrs.get("decided_at")
    system = {"type": "Software", "name": f"marginalia {note.task} {note.system}".strip()}
    own = note.attrs.get("decision") == "added"
    made: dict[str, Any] = {
        "creator": {"type": "Person", "name": str(who)} if own and who else system,
        "created": str(when) if own and when else generated,
        "generator": {"type": "Software", "name": f"marginalia {__version__}"},
        "generated": generated,
    }
    if when and not own:
        made["modified"] = str(when)
    return made


def _on_page(page: int) -> dict[str, Any]:
    """A page of a PDF, as RFC 8118 writes it."""
    conforms = "http://tools.ietf.org/rfc/rfc3778"
    return {"type": "FragmentSelector", "conformsTo": conforms, "value": f"page={page}"}


def _is_annotation(data: Any) -> bool:
    kinds = data.get("type") if isinstance(data, Mapping) else None
    return "Annotation" in (kinds if isinstance(kinds, list) else [kinds])


def _document(page: Any, path: Path) -> Document:
    if not isinstance(page, Mapping):
        raise FormatError(f"expected an AnnotationPage, found {page!r:.40}", path=path)
    if isinstance(page.get("first"), Mapping):  # a collection with its first page within
        page = {**page["first"], **{key: page[key] for key in page if key.startswith("m:")}}
    items = page.get("items")
    if not isinstance(items, list):
        raise FormatError("expected an AnnotationPage with a list of items", path=path)
    text, name, meta = page.get("m:text"), page.get("m:document"), page.get("m:meta", {})
    if text is None:
        text, name = _beside(path), path.stem
        meta = {"path": str(path), "format": "jsonld"}
    try:
        doc = Document.from_dict({"id": name, "text": text, "meta": meta, "annotations": []})
        doc = doc.annotate(_notes(doc.text, items))
    except FormatError as error:
        raise error.at(path) from None
    return check_document(doc, path)


def _beside(path: Path) -> str:
    beside = path.with_suffix(".txt")
    if not beside.exists():
        raise MissingError(f"{beside} is not there; it should hold the text of {path.name}")
    return read_text(beside)


def _notes(text: str, items: Sequence[Any]) -> Iterator[Annotation]:
    for number, item in enumerate(items, 1):
        if not isinstance(item, Mapping):
            raise FormatError(f"annotation {number} is no JSON object")
        start, end = _place(text, item, number)
        own = {name: item[f"m:{name}"] for name in _OWN if f"m:{name}" in item}
        tags, comments = _said(item.get("body", item.get("bodyValue")))
        fields = {
            "id": f"W{number}",
            "task": "webannotation",
            "label": tags[0] if tags else "note",
            "attrs": {"note": " ".join(comments)} if comments else {},
            **own,
        }
        place = {"start": start, "end": end, "quote": text[start:end]}
        yield Annotation.from_dict({**fields, **place})


def _said(body: Any) -> tuple[list[str], list[str]]:
    """The tags and the comments in a body, which may be a text, an object or a list of those."""
    tags: list[str] = []
    comments: list[str] = []
    for one in body if isinstance(body, list) else [body]:
        if isinstance(one, str):
            comments.append(one)
        elif isinstance(one, Mapping) and isinstance(one.get("value"), str):
            (tags if one.get("purpose") == "tagging" else comments).append(one["value"])
    return tags, comments


def _place(text: str, item: Mapping[str, Any], number: int) -> tuple[int, int]:
    """Where an annotation is: at its position if the quote is there, else where its quote is."""
    target = item.get("target")
    target = target[0] if isinstance(target, list) and target else target
    selectors = target.get("selector") if isinstance(target, Mapping) else None
    kinds: dict[str, Mapping[str, Any]] = {}
    for one in selectors if isinstance(selectors, list) else [selectors]:
        if isinstance(one, Mapping) and isinstance(one.get("type"), str):
            kinds[one["type"]] = one
    position, quoted = kinds.get("TextPositionSelector"), kinds.get("TextQuoteSelector")
    exact = quoted.get("exact") if quoted else None
    if position is not None:
        start, end = (_offset(position.get(name), len(text)) for name in ("start", "end"))
        if 0 <= start <= end and (not isinstance(exact, str) or text[start:end] == exact):
            return start, end
    if quoted is not None and isinstance(exact, str) and exact:
        found = _sought(text, exact, str(quoted.get("prefix", "")), str(quoted.get("suffix", "")))
        if found >= 0:
            return found, found + len(exact)
    raise FormatError(f"annotation {number} has no selector that fits the text")


def _offset(value: Any, length: int) -> int:
    """An offset into the text; -1 if it is none."""
    return value if isinstance(value, int) and value <= length else -1


def _sought(text: str, exact: str, prefix: str, suffix: str) -> int:
    """The first place of a quote with its context, else with less of it; -1 if it is nowhere."""
    for before, after in ((prefix, suffix), (prefix, ""), ("", suffix), ("", "")):
        place = text.find(before + exact + after)
        if place >= 0:
            return place + len(before)
    return -1


JSONLD = Format(
    name="jsonld",
    suffixes=(".jsonld",),
    media="application/ld+json",
    write=dump,
    read=restore,
)
