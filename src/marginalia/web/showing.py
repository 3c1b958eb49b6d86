"""Which notes of a document its reader sees: the same choice as the page makes, for what is saved from it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.reader.choose import only_repeats
from marginalia.reader.view.caption import is_part

KEPT = frozenset({"accepted", "edited", "added"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """What a reader has chosen to see."""

    state: str = "open"
    """Open (all but rejected), accepted, rejected or all."""
    hide: Collection[str] = ()
    """Annotators whose notes are not shown."""
    many: int | None = None
    """How much of what there is, in percent, the most useful first; none: as much as the margin has room for."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Kind of note -> its least score."""

    def notes_of(self, doc: Document, ranking: Mapping[str, Any]) -> Document:
        """The document with these notes and their parts; words that its reader knows are left out before."""
        by_id = {note.id: note for note in doc.annotations}
        heads = [by_id[id] for id in ranking["ranked"] if id in by_id and self._passes(by_id[id])]
        decided = [note for note in heads if "decision" in note.attrs]
        others = [note for note in heads if "decision" not in note.attrs]
        room = ranking["room"]
        useful = [n for n in others if self.many == 100 or room is None or not only_repeats(n)]
        most = len(useful)
        if self.many is not None:
            most = round(most * self.many / 100)
        elif room is not None:
            most = max(0, room - len(decided))
        kept = {note.id for note in [*decided, *useful[:most]]}
        shown = (
            n for n in doc.annotations if n.id in kept or kept & set(n.attrs.get("part_of", ()))
        )
        return replace(doc, annotations=tuple(shown))

    def _passes(self, note: Annotation) -> bool:
        decision = note.attrs.get("decision")
        if is_part(note) or note.task in self.hide:
            return False
        if self.state == "accepted" and decision not in KEPT:
            return False
        if self.state == "rejected" and decision != "rejected":
            return False
        if self.state == "open" and decision == "rejected":
            return False
        least = self.thresholds.get(f"{note.task}.{note.label.replace(' ', '-')}")
        return (
            bool(decision) or least is None or (1.0 if note.score is None else note.score) >= least
        )
