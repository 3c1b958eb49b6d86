"""Notes that were written elsewhere become notes on a document of ours: Web Annotations, exports of Hypothesis, marks in a PDF."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from marginalia.core.decisions import CONTEXT_CHARACTERS, OWN_SYSTEM, Decision, decide
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError

MAX_NOTES = 5_000
MAX_QUOTE_CHARACTERS = 10_000
MAX_WHY_CHARACTERS = 2_000
LISTS = ("rows", "annotations", "items", "@graph", "first")
"""Where files keep their annotations: Hypothesis, its exports, pages and collections of Web Annotations, JSON-LD."""


def notes_of_others(data: str, doc: Document) -> list[Decision]:
    """The annotations in a JSON file as notes of readers; whether their places are in the document shows when they are applied."""
    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is no JSON: {str(error)[:80]}") from error
    found = [one for row in _rows(parsed) if (one := _decision(row, doc)) is not None]
    if not found:
        raise FormatError("there is no annotation in it that quotes a text")
    return found


def _rows(data: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """At most so many annotations, wherever the file keeps them."""
    if isinstance(data, dict):
        inner = next(
            (data[name] for name in LISTS if isinstance(data.get(name), dict | list)), None
        )
        if inner is None:
            yield data
        elif depth < len(LISTS):
            yield from _rows(inner, depth + 1)
    elif isinstance(data, list):
        for row in data[:MAX_NOTES]:
            if isinstance(row, dict):
                yield from _rows(row, depth + 1) if depth < len(LISTS) else ()


def _decision(row: dict[str, Any], doc: Document) -> Decision | None:
    selectors = {one.get("type"): one for one in _dicts(row.get("target"), "selector")}
    quoted, place = selectors.get("TextQuoteSelector"), selectors.get("TextPositionSelector", {})
    quote = _text(quoted.get("exact")) if quoted else ""
    if quoted is None or not quote.strip() or len(quote) > MAX_QUOTE_CHARACTERS:
        return None
    start = place.get("start")
    start = start if isinstance(start, int) and 0 <= start <= len(doc.text) else 0
    before = _text(quoted.get("prefix"))[-CONTEXT_CHARACTERS:]
    after = _text(quoted.get("suffix"))[:CONTEXT_CHARACTERS]
    if not before and not after:  # a quote alone stands for its place next to where it was
        at = (
            doc.text.find(quote, start)
            if doc.text.find(quote, start) >= 0
            else doc.text.find(quote)
        )
        if at >= 0:
            start, end = at, at + len(quote)
            before = doc.text[max(0, at - CONTEXT_CHARACTERS) : at]
            after = doc.text[end : end + CONTEXT_CHARACTERS]
    note = _note(start, quote, _said(row), name=row.get("id"))
    return Decision(
        id=note.id.removeprefix("own-"),
        document=doc.id,
        verdict="added",
        note=note,
        before=before,
        after=after,
        who=_who(row),
        when=_text(row.get("created")),
    )


def _note(
    start: int, quote: str, said: str, *, label: str = "note", name: Any = None
) -> Annotation:
    """The same brought in twice makes no second note."""
    id = hashlib.sha256(f"{name} {start} {quote} {said}".encode()).hexdigest()[:12]
    return Annotation(
        id=f"own-{id}",
        task="own",
        label=label,
        start=start,
        end=start + len(quote),
        quote=quote,
        attrs={"why": said},
        system=OWN_SYSTEM,
    )


def notes_in_pdf(doc: Document) -> list[Decision]:
    """What people marked and wrote in the PDF that the document was read from."""
    found = []
    for one in doc.meta.get("viewer_notes", ())[:MAX_NOTES]:
        quote = doc.text[one["start"] : one["end"]]
        note = _note(one["start"], quote, one["text"], label=one["kind"])
        name = note.id.removeprefix("own-")
        found.append(decide(doc, note, "added", id=name, who=one["who"], when=one["when"]))
    return found


def _dicts(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """What an object, or each of a list, has under this name: an object or several."""
    for one in value if isinstance(value, list) else [value]:
        inner = one.get(name) if isinstance(one, dict) else None
        for part in inner if isinstance(inner, list) else [inner]:
            if isinstance(part, dict):
                yield part


def _said(row: dict[str, Any]) -> str:
    """The words of the note: Hypothesis has one text, a Web Annotation has bodies."""
    bodies = row.get("body")
    texts = [_text(row.get("text")), _text(row.get("bodyValue"))]
    for one in bodies if isinstance(bodies, list) else [bodies]:
        texts.append(_text(one.get("value")) if isinstance(one, dict) else _text(one))
    return " ".join(" ".join(texts).split())[:MAX_WHY_CHARACTERS]


def _who(row: dict[str, Any]) -> str:
    """``acct:anna@hypothes.is`` or the creator of a Web Annotation."""
    creator = row.get("creator")
    name = creator.get("name") if isinstance(creator, dict) else creator
    return (_text(row.get("user")) or _text(name)).removeprefix("acct:").partition("@")[0][:60]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
