"""A document of the library in memory: on its way, or looked at."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, UnknownNameError
from marginalia.reader.choose import ranked, room
from marginalia.reader.pdf.ocr import scan_of
from marginalia.reader.profiles import Profile, get_profile
from marginalia.reader.view.caption import is_part


@dataclass
class Entry:
    """A document on its way: waiting, reading, noting, then done or failed."""

    id: str
    name: str
    path: Path
    lang: str | None = None
    audience: str | None = None
    catalogue: str | None = None
    state: str = "waiting"
    error: str = ""
    doc: Document | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    """What happened so far; listeners read it from where they left off."""
    notes: list[Annotation] = field(default_factory=list)
    early: list[Annotation] = field(default_factory=list)
    """Notes on the beginning alone, of annotators that are still reading the whole."""
    summary: dict[str, Any] = field(default_factory=dict)
    made: dict[str, dict[str, str]] = field(default_factory=dict)
    """The annotators whose notes these are, with their options; what another profile wants besides is all there is to make."""
    pictures: dict[int, bytes] = field(default_factory=dict)
    """Pages that were drawn last."""
    asks: bool = False
    """Whether the server's language model is asked about it too. Not kept: after a restart the reader says so again."""
    recognises: bool = False
    """Whether the text of scanned pages is recognised before it is read."""
    is_gone: bool = False
    """Removed, or read again from another file: what is being made of it is for nobody."""

    @property
    def is_busy(self) -> bool:
        return self.state not in ("done", "failed")

    def fail(self, message: str) -> None:
        """Say that it could not be read; of a scan, whether its text can be recognised."""
        self.state, self.error = "failed", message
        self.tell("failed", error=message, scan=scan_of(message))

    def tell(self, kind: str, **more: Any) -> None:
        self.events.append({"kind": kind, **more})

    def annotated(self) -> Document:
        """The document with the notes made so far."""
        if self.doc is None:
            raise FormatError(f"{self.name} is not read yet")
        meta = {**self.doc.meta, "summary": dict(self.summary)}
        return replace(self.doc, meta=meta).annotate([*self.notes, *self.early])

    def restore(self, doc: Document) -> None:
        """What was made of it earlier."""
        self.doc = replace(doc, annotations=())
        self.notes, self.summary = list(doc.annotations), dict(doc.meta.get("summary", {}))
        self.tell("read")
        self.tell("done", summary=self.summary, **self.ranking(doc))

    @property
    def profile(self) -> Profile:
        """Who reads it."""
        return profile_of(self.audience)

    def shown(self, doc: Document) -> Document:
        """The document without the kinds of notes that are not for its reader, unless something was decided about one."""
        profile = self.profile  # which is looked up in the settings of the project
        hides = {
            n.id for n in doc.annotations if not profile.shows(n) and "decision" not in n.attrs
        }
        kept = (n for n in doc.annotations if hides.isdisjoint((n.id, *n.attrs.get("part_of", ()))))
        return replace(doc, annotations=tuple(kept))

    def ranking(self, doc: Document) -> dict[str, Any]:
        """The ids of the notes, most useful first, and how many the margin has room for; none: for all."""
        shown = self.shown(doc)
        heads = [note for note in shown.annotations if not is_part(note)]
        density = self.profile.per_1000_words
        most = None if density is None else room(shown, density)
        return {"ranked": [note.id for note in ranked(heads)], "room": most}


def profile_of(name: str | None) -> Profile:
    """The profile of this name; the usual one if the project has none of that name any more."""
    try:
        return get_profile(name)
    except UnknownNameError:
        return get_profile(None)
