"""A text that never changes, and annotations that stand off from it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any

from marginalia.core.errors import FormatError
from marginalia.core.extraction import make_frame

SILENT = frozenset(
    {"authors", "code", "contents", "figure", "foreign", "formula", "noise", "references"}
)
"""Kinds of ``meta["regions"]`` without prose in the document's language: no note is made on them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A note on the half-open span of code points ``start:end``; ``text[start:end] == quote`` always.

    ``links`` maps a role ("HasQuantity", "variable", "same-as") to the ids it points to: other
    annotations of the document, or ids outside of it. Whole numbers in ``attrs`` named ``start``, ``end``,
    ``..._start`` or ``..._end`` are offsets into the document too.
    """

    id: str
    task: str
    label: str
    start: int
    end: int
    quote: str
    score: float | None = None
    attrs: Mapping[str, Any] = field(default_factory=dict)
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    system: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise FormatError(
                f"annotation {self.id} has the impossible span {self.start}:{self.end}"
            )
        if len(self.quote) != self.end - self.start:
            raise FormatError(
                f"annotation {self.id} spans {self.end - self.start} characters "
                f"but quotes {len(self.quote)}"
            )

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "task": self.task,
            "label": self.label,
            "start": self.start,
            "end": self.end,
            "quote": self.quote,
            "score": self.score,
            "attrs": dict(self.attrs),
            "links": {role: list(ids) for role, ids in self.links.items()},
            "system": self.system,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Annotation:
        _check_types("an annotation", data, _ANNOTATION)
        links = data.get("links", {})
        for role, ids in links.items():
            if not isinstance(ids, (list, tuple)) or not all(isinstance(id, str) for id in ids):
                raise FormatError(f"not an annotation: the link {role!r} is not a list of ids")
        try:
            return cls(**{**data, "links": {role: tuple(ids) for role, ids in links.items()}})
        except TypeError as error:
            raise FormatError(f"not an annotation: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text with its annotations. ``meta`` says where it comes from and how it is laid out."""

    id: str
    text: str
    annotations: tuple[Annotation, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for note in self.annotations:
            if self.text[note.start : note.end] != note.quote:
                raise FormatError(
                    f"annotation {note.id} of document {self.id} quotes {note.quote[:40]!r}, but the "
                    f"text at {note.start}:{note.end} is {self.text[note.start : note.end][:40]!r}"
                )
            if note.id in seen:
                raise FormatError(f"document {self.id} has two annotations with the id {note.id}")
            seen.add(note.id)

    def annotate(self, annotations: Iterable[Annotation]) -> Document:
        """A copy with further annotations, in reading order."""
        notes = sorted((*self.annotations, *annotations), key=lambda a: (a.start, a.end, a.id))
        return replace(self, annotations=tuple(notes))

    def notes(self, task: str | None = None) -> Iterator[Annotation]:
        """The annotations of one task, or all."""
        return (note for note in self.annotations if task is None or note.task == task)

    def page(self, offset: int) -> int | None:
        """The number of the page an offset is on, counted from 1, if the document has pages."""
        return bisect_right(self.meta.get("pages", ()), offset, key=lambda page: page[0]) or None

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "text": self.text,
            "meta": dict(self.meta),
            "annotations": [note.to_dict() for note in self.annotations],
        }

    def to_frame(self) -> Any:
        """A row per annotation, as a data frame of pandas, or of polars where only that is installed."""
        rows = (
            {"document": self.id, "page": self.page(note.start), **note.to_dict()}
            for note in self.annotations
        )
        return make_frame(rows, ("document", "page", *Annotation.__dataclass_fields__))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Document:
        _check_types("a document", data, _DOCUMENT)
        try:
            notes = tuple(Annotation.from_dict(note) for note in data["annotations"])
            return cls(id=data["id"], text=data["text"], meta=data["meta"], annotations=notes)
        except KeyError as error:
            raise FormatError(f"not a document: {error} is missing") from error


_ANNOTATION = {
    **dict.fromkeys(("id", "task", "label", "quote", "system"), str),
    **dict.fromkeys(("start", "end"), int),
    **dict.fromkeys(("attrs", "links"), Mapping),
    "score": (int, float, NoneType),
}
_DOCUMENT = {"id": str, "text": str, "meta": Mapping, "annotations": (list, tuple)}


def _check_types(what: str, data: Any, types: Mapping[str, Any]) -> None:
    """Data from outside may hold anything under a name; what is missing is found later."""
    if not isinstance(data, Mapping):
        raise FormatError(f"not {what}: {data!r:.40} is no JSON object")
    for name, kind in types.items():
        if name in data and not isinstance(data[name], kind):
            raise FormatError(f"not {what}: its {name!r} is {data[name]!r:.40}")
