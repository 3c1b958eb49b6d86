"""A document with what its readers decided about its notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from marginalia.core.decisions import OWN_SYSTEM, Decision
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import UnknownNameError
from marginalia.reader.decisions.anchor import Quoted, anchor
from marginalia.reader.view.caption import is_part

KEEPS: Mapping[str, str] = {
    "open": "all notes but the rejected ones",
    "accepted": "only notes that were accepted, edited or added",
    "decisions": "all notes, each with its decision; also the rejected ones",
    "all": "the notes as they were made, without any decision",
}
"""What can be kept of a document's notes."""
MIN_OVERLAP = 0.5
"""A note on so much of the same span is the same note, though its bounds have moved."""


@dataclass(frozen=True, slots=True)
class Applied:
    doc: Document
    lost: tuple[Decision, ...]
    """Decisions whose place is not there any more."""


def apply(doc: Document, decisions: Iterable[Decision], *, keep: str = "open") -> Applied:
    """The document with these decisions about its notes; ``keep`` is one of ``KEEPS``.

    A note that was decided says so in ``attrs``: ``decision``, ``decided_by``, ``decided_at``. One that was accepted
    stays although its system does not make it again.
    """
    if keep not in KEEPS:
        raise UnknownNameError("choice of notes", keep, KEEPS)
    decided = _Decided(doc)
    lost = tuple(one for one in decisions if not decided.take(one))
    if keep == "all":
        return Applied(doc, lost)
    notes = [note for note in decided.notes.values() if not is_part(note)]
    if keep == "accepted":
        notes = [note for note in notes if note.attrs.get("decision", "rejected") != "rejected"]
    elif keep == "open":
        notes = [note for note in notes if note.attrs.get("decision") != "rejected"]
    kept = {note.id for note in notes}
    parts = [
        note
        for note in decided.notes.values()
        if is_part(note) and kept.intersection(note.attrs["part_of"])
    ]
    return Applied(replace(doc, annotations=()).annotate([*notes, *parts]), lost)


class _Decided:
    """The notes of a document by id, as decision after decision changes them."""

    def __init__(self, doc: Document) -> None:
        self.text = doc.text
        self.notes = {note.id: note for note in doc.annotations}
        self._heads: dict[str, list[Annotation]] = {}
        for note in doc.annotations:
            if not is_part(note):
                self._heads.setdefault(note.task, []).append(note)
        self._taken: set[str] = set()

    def take(self, decision: Decision) -> bool:
        """Whether there is still a place for it."""
        note = decision.note
        span = anchor(self.text, Quoted(note.start, note.quote, decision.before, decision.after))
        if span is None:
            return False
        known = {
            "decision": decision.verdict,
            "decision_id": decision.id,
            "decided_by": decision.who,
            "decided_at": decision.when,
        }
        found = None if note.system == OWN_SYSTEM else self._find(note, span)
        if found is not None:
            self._taken.add(found.id)
        if decision.edited is not None:
            at = self._edited_span(decision, span)
            if at is None:
                return False
            name = found.id if found is not None else self._free(note.id)
            self._put(decision.edited, at, name, known)
        elif found is not None:
            self.notes[found.id] = replace(found, attrs={**found.attrs, **known})
        elif decision.is_kept or note.system == OWN_SYSTEM:
            self._restore(decision, span, known)
        return True

    def _find(self, note: Annotation, span: tuple[int, int]) -> Annotation | None:
        start, end = span
        best: tuple[float, Annotation] | None = None
        for other in self._heads.get(note.task, ()):
            if other.id in self._taken:
                continue
            shared = min(end, other.end) - max(start, other.start)
            whole = max(end, other.end) - min(start, other.start)
            overlap = shared / whole if whole > 0 else float(shared == 0)
            same = overlap + (1.0 if other.label == note.label else 0.0)
            if overlap >= MIN_OVERLAP and (best is None or same > best[0]):
                best = (same, other)
        return best[1] if best else None

    def _edited_span(self, decision: Decision, span: tuple[int, int]) -> tuple[int, int] | None:
        """The new bounds, which moved as far as the old ones, or are looked for around them."""
        edited = decision.edited
        assert edited is not None  # noqa: S101 - the caller has looked
        start = edited.start + span[0] - decision.note.start
        if start >= 0 and self.text[start : start + len(edited.quote)] == edited.quote:
            return start, start + len(edited.quote)
        near = max(0, span[0] - 500)
        place = self.text.find(edited.quote, near, span[1] + 500)
        return (place, place + len(edited.quote)) if place >= 0 else None

    def _restore(self, decision: Decision, span: tuple[int, int], known: dict[str, Any]) -> None:
        """A note that is not made any more, with those of its parts that are still there."""
        name = self._free(decision.note.id)
        moved = span[0] - decision.note.start
        names = {decision.note.id: name}
        for part in decision.parts:
            at = (part.start + moved, part.end + moved)
            if at[0] >= 0 and self.text[at[0] : at[1]] == part.quote:
                names[part.id] = self._free(part.id)
                own = replace(part, attrs={**part.attrs, "part_of": [name]})
                self._put(own, at, names[part.id], {})
        links = {
            role: tuple(names[id] for id in ids if id in names)
            for role, ids in decision.note.links.items()
        }
        note = replace(decision.note, links={role: ids for role, ids in links.items() if ids})
        self._put(note, span, name, known)

    def _put(self, note: Annotation, span: tuple[int, int], id: str, more: dict[str, Any]) -> None:
        start, end = span
        self.notes[id] = replace(
            note,
            id=id,
            start=start,
            end=end,
            quote=self.text[start:end],
            attrs={**note.attrs, **more},
        )

    def _free(self, id: str) -> str:
        number = 1
        name = id
        while name in self.notes:
            number += 1
            name = f"{id}-kept{number}"
        return name
