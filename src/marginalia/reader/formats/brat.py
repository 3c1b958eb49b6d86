"""brat standoff: the text in a ``.txt`` file, the annotations in an ``.ann`` file beside it.

An annotation is a T line, its links to other annotations are R lines, and attributes with few values A
lines; what it says to a reader is its note (an AnnotatorNotes line). Names are single words in brat, so a
second # line, of a type of ours, keeps as JSON what they cannot say. A span over several lines becomes one fragment per
line, as brat wants it. ``annotation.conf`` declares all types, so that brat can show and edit the folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import read_text
from marginalia.core.report import plain
from marginalia.reader.formats.format import Format
from marginalia.reader.view.caption import caption

CONFIGURATION = "annotation.conf"
MARK = "# Written by marginalia; without this line it is not written over."
KEPT_TYPE = "Marginalia"
"""The type of the # lines that keep an annotation as data; the others are for people."""
_CATEGORY = re.compile(r"[A-Za-z][\w-]{0,30}")
_KEPT = ("id", "task", "label", "start", "end", "score", "system", "attrs", "links")
_BLANK = re.compile(r"[\t\r\n]+")
_LINE = re.compile(r"[^\n]+")
_SPAN = re.compile(r"(\S+) ([0-9]{1,9} [0-9]{1,9}(?:;[0-9]{1,9} [0-9]{1,9})*)")
_RELATION = re.compile(r"(\S+) \w+:(T\d+) \w+:(T\d+)\s*")


def dump(docs: Sequence[Document]) -> dict[str, str]:
    """Two files per document, named by its id."""
    files: dict[str, str] = {}
    for name, doc in zip(file_names(docs), docs, strict=True):
        files[f"{name}.txt"] = doc.text
        files[f"{name}.ann"] = "".join(f"{line}\n" for line in _lines(doc))
    files[CONFIGURATION] = _configuration(docs)
    return files


def _configuration(docs: Sequence[Document]) -> str:
    """The types of entities, relations and attributes in these documents, as brat wants them declared."""
    notes = [note for doc in docs for note in doc.annotations]
    ids = [{note.id for note in doc.annotations} for doc in docs]
    known = set().union(*ids)
    entities = sorted({_word(note.label) for note in notes})
    roles = sorted(
        {_word(role) for note in notes for role, to in note.links.items() if known.intersection(to)}
    )
    values: dict[str, set[str]] = {}
    for note in notes:
        for name, value in _categories(note):
            values.setdefault(name, set()).add(value)
    attributes = []
    for name in sorted(values):
        named = sorted(values[name] - {""})
        attributes.append(
            f"{name}\tArg:<ENTITY>{f', Value:{chr(124).join(named)}' if named else ''}"
        )
    parts = {
        "entities": entities,
        "relations": [
            "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>",
            *(f"{role}\tArg1:<ENTITY>, Arg2:<ENTITY>" for role in roles),
        ],
        "events": [],
        "attributes": attributes,
    }
    return f"{MARK}\n\n" + "\n".join(
        f"[{name}]\n\n{''.join(f'{one}{chr(10)}' for one in own)}" for name, own in parts.items()
    )


def _categories(note: Annotation) -> Iterator[tuple[str, str]]:
    """The attributes that are one of a few words; numbers and sentences are for the note."""
    for name, value in note.attrs.items():
        if value is True:
            yield _word(name), ""
        elif isinstance(value, str) and _CATEGORY.fullmatch(value):
            yield _word(name), value


def file_names(docs: Iterable[Document]) -> Iterator[str]:
    """A name for the files of each document, without their endings: its id, as far as it can be one."""
    taken: set[str] = set()
    for doc in docs:
        stem = re.sub(r"[^\w.\-]+", "_", doc.id).strip(".") or "document"
        numbered = (f"{stem}-{number}" for number in count(2))
        # Some systems do not tell upper from lower case in names.
        name = next(name for name in chain([stem], numbered) if name.lower() not in taken)
        taken.add(name.lower())
        yield name


def restore(path: Path) -> list[Document]:
    """The document of an ``.ann`` file, or all of a folder; its id is the file's name.

    Spans, relations, attributes and notes of others' files are read too, events are not. What was
    changed in brat (types, relations) counts, not what our note kept.
    """
    if not path.is_dir():
        return [_document(path)]
    found = sorted(path.glob("*.ann"))
    if not found:
        raise FormatError("the folder has no .ann file", path=path)
    return [_document(file) for file in found]


def _lines(doc: Document) -> Iterator[str]:
    marks = {note.id: f"T{number}" for number, note in enumerate(doc.annotations, 1)}
    attributes = relations = remarks = 0
    for note in doc.annotations:
        mark = marks[note.id]
        fragments = _fragments(doc.text, note.start, note.end)
        yield f"{mark}\t{_word(note.label)} {fragments}\t{_BLANK.sub(' ', note.quote)}"
        for name, value in _categories(note):
            attributes += 1
            yield f"A{attributes}\t{name} {mark} {value}".rstrip()
        for role, ids in note.links.items():
            for id in ids:
                if id in marks:
                    relations += 1
                    yield f"R{relations}\t{_word(role)} Arg1:{mark} Arg2:{marks[id]}"
        data = note.to_dict()
        kept = json.dumps(plain({name: data[name] for name in _KEPT}))
        for kind, text in (("AnnotatorNotes", caption(note)), (KEPT_TYPE, kept)):
            if text:
                remarks += 1
                yield f"#{remarks}\t{kind} {mark}\t{text}"


def _fragments(text: str, start: int, end: int) -> str:
    """One span per line. What holds nothing but line ends stays whole: brat has no way to say it."""
    found = [match.span() for match in _LINE.finditer(text, start, end)] or [(start, end)]
    return ";".join(f"{low} {high}" for low, high in found)


def _word(text: str) -> str:
    """A name as brat allows it."""
    return re.sub(r"[^A-Za-z0-9_\-]+", "_", text) or "_"


def _document(path: Path) -> Document:
    beside = path.with_suffix(".txt")
    if not beside.exists():
        raise MissingError(f"{beside} is not there; it should hold the text of {path.name}")
    text = read_text(beside)
    spans: dict[str, dict[str, Any]] = {}
    rest: list[tuple[int, str, str, str]] = []
    for line, row in enumerate(read_text(path).split("\n"), 1):
        mark, _, content = row.rstrip("\r").partition("\t")
        content, _, tail = content.partition("\t")
        if mark.startswith("T"):
            spans[mark] = _span(text, mark, content, tail, path, line)
        elif mark[:1] in ("A", "M", "R", "#"):
            rest.append((line, mark, content, tail))
    for line, mark, content, tail in rest:
        if mark.startswith("R"):
            _relate(spans, content, path, line)
        else:
            _describe(spans, mark, content, tail)
    try:
        ids = {mark: span.get("kept", span)["id"] for mark, span in spans.items()}
        known = set(ids.values())
        notes = [_annotation(text, span, ids, known) for span in spans.values()]
        meta = {"path": str(path), "format": "brat"}
        return Document(id=path.stem, text=text, meta=meta).annotate(notes)
    except FormatError as error:
        raise error.at(path) from None


def _span(text: str, mark: str, content: str, quote: str, path: Path, line: int) -> dict[str, Any]:
    match = _SPAN.fullmatch(content)
    if not match:
        raise FormatError("expected 'TYPE START END' after the T number", path=path, line=line)
    fragments = [[int(offset) for offset in part.split()] for part in match.group(2).split(";")]
    start, end = fragments[0][0], fragments[-1][1]
    said = " ".join(text[low:high] for low, high in fragments)
    if end > len(text) or said.split() != quote.split():
        raise FormatError(
            f"{mark} quotes {quote[:40]!r}, but the text at {match.group(2)} is {said[:40]!r}",
            path=path,
            line=line,
        )
    place = {"start": start, "end": end, "fragments": match.group(2)}
    return {"id": mark, "task": "brat", "label": match.group(1), **place, "attrs": {}, "drawn": []}


def _relate(spans: dict[str, dict[str, Any]], content: str, path: Path, line: int) -> None:
    match = _RELATION.fullmatch(content)
    if not match or not {match.group(2), match.group(3)} <= spans.keys():
        raise FormatError("expected 'TYPE Arg1:T1 Arg2:T2' of known T lines", path=path, line=line)
    spans[match.group(2)]["drawn"].append((match.group(1), match.group(3)))


def _describe(spans: dict[str, dict[str, Any]], mark: str, content: str, tail: str) -> None:
    """Give an attribute or note to the span it is about; those of events have none."""
    name, _, about = content.partition(" ")
    about, _, value = about.partition(" ")
    span = spans.get(about)
    if span is None:
        return
    if mark.startswith("#"):
        kept = _kept(tail)
        if kept is not None:
            span["kept"] = kept
        elif name != KEPT_TYPE:
            span["attrs"]["note"] = tail
    else:
        span["attrs"][name] = value or True


def _kept(note: str) -> dict[str, Any] | None:
    """What ``dump`` kept in a note; None if the note is not ours."""
    try:
        data = json.loads(note)
        if not isinstance(data, dict) or set(data) != set(_KEPT):
            return None
        Annotation.from_dict({**data, "start": 0, "end": 0, "quote": ""})  # are the types right?
    except (ValueError, RecursionError, FormatError):
        return None
    return data if isinstance(data["start"], int) and isinstance(data["end"], int) else None


def _annotation(
    text: str, span: dict[str, Any], ids: Mapping[str, str], known: set[str]
) -> Annotation:
    """A span with what our note kept of it, as far as it still fits what is drawn."""
    kept = span.get("kept", {"label": span["label"], "links": {}})
    drawn = [(role, ids[mark]) for role, mark in span["drawn"]]
    links: dict[str, list[str]] = {}
    for role, targets in kept["links"].items():
        for id in targets:
            if (_word(role), id) in drawn:
                drawn.remove((_word(role), id))
            elif id in known:
                continue  # the relation was deleted in brat
            links.setdefault(role, []).append(id)
    for role, id in drawn:
        links.setdefault(role, []).append(id)
    label = kept["label"] if _word(kept["label"]) == span["label"] else span["label"]
    start, end = span["start"], span["end"]
    # Line ends at the edge of a span are in no fragment.
    if "start" in kept and _fragments(text, kept["start"], kept["end"]) == span["fragments"]:
        start, end = kept["start"], kept["end"]
    place = {"start": start, "end": end, "quote": text[start:end]}
    own = {key: span[key] for key in ("id", "task", "attrs")}
    return Annotation.from_dict({**own, **kept, **place, "label": label, "links": links})


BRAT = Format(
    name="brat",
    suffixes=(".ann",),
    media="text/plain",
    several=(".ann", ".txt"),
    write_files=dump,
    read=restore,
)
