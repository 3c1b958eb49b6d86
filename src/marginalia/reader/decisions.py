"""A document with what its readers decided about its notes, also where its text has changed since: a quoted passage is found again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from marginalia.core.decisions import CONTEXT_CHARACTERS, OWN_SYSTEM, Decision, read_decisions
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import UnknownNameError
from marginalia.reader.view.caption import is_part, shorten

MIN_CONTEXT = 55.0
"""How similar the text around a short quote must be, from 0 to 100, for it to be the same place."""
MIN_CONTEXT_OF_LONG = 30.0
"""The same for a quote that is long enough to be found by itself."""
LONG_CHARACTERS = 40
MIN_QUOTE = 88.0
"""How similar a long passage must be, from 0 to 100, that was changed itself."""
EDGE_CHARACTERS = 12
MAX_OCCURRENCES = 2_000
"""A quote that is more frequent is looked for near its old place only."""
MAX_SEARCHED_CHARACTERS = 2_000_000

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
class Quoted:
    """A passage with the text around it, and where it stood."""

    start: int
    quote: str
    before: str
    after: str


def anchor(text: str, passage: Quoted) -> tuple[int, int] | None:
    """The span of the passage; None where nothing is surely it."""
    start, quote = passage.start, passage.quote
    end = start + len(quote)
    if text[start:end] == quote and _around(text, start, end, passage) == 100.0:
        return start, end
    if not quote:
        return None
    best: tuple[float, int, int] | None = None
    for place in _occurrences(text, quote, start):
        likeness = _around(text, place, place + len(quote), passage)
        ranked = (likeness, -abs(place - start), place)
        if best is None or ranked > best:
            best = ranked
    least = MIN_CONTEXT_OF_LONG if len(quote) >= LONG_CHARACTERS else MIN_CONTEXT
    if best is not None and best[0] >= least:
        return best[2], best[2] + len(quote)
    return _changed(text, quote) if len(quote) >= LONG_CHARACTERS else None


def _occurrences(text: str, quote: str, near: int) -> list[int]:
    found: list[int] = []
    place = text.find(quote)
    while place >= 0 and len(found) <= MAX_OCCURRENCES:
        if _is_whole(text, place, quote):
            found.append(place)
        place = text.find(quote, place + 1)
    if len(found) <= MAX_OCCURRENCES:
        return found
    window = 50_000
    base = max(0, near - window)
    part = text[base : near + window]
    return [base + at for at in range(len(part)) if part.startswith(quote, at)]


def _is_whole(text: str, place: int, quote: str) -> bool:
    """Not in the midst of a longer word or number: "5 kg" is not in "15 kg"."""
    end = place + len(quote)
    cut_before = quote[0].isalnum() and place > 0 and text[place - 1].isalnum()
    cut_after = quote[-1].isalnum() and end < len(text) and text[end].isalnum()
    return not (cut_before or cut_after)


def _around(text: str, start: int, end: int, passage: Quoted) -> float:
    """How similar the text around a span is to that around the passage; the better side counts more.

    One side may have been rewritten altogether, so the two are not simply averaged.
    """
    from rapidfuzz import fuzz

    before = text[max(0, start - CONTEXT_CHARACTERS) : start]
    after = text[end : end + CONTEXT_CHARACTERS]
    if before == passage.before and after == passage.after:
        return 100.0
    sides = sorted((fuzz.ratio(before, passage.before), fuzz.ratio(after, passage.after)))
    return float((sides[0] + 3 * sides[1]) / 4)


def _changed(text: str, quote: str) -> tuple[int, int] | None:
    """A long passage with a few changes of its own, moved out to whole words."""
    from rapidfuzz import fuzz

    found = fuzz.partial_ratio_alignment(
        quote, text[:MAX_SEARCHED_CHARACTERS], score_cutoff=MIN_QUOTE
    )
    if found is None or found.score < MIN_QUOTE:
        return None
    # The span found is as long as the quote; how the passage begins and ends tells its true bounds.
    start, end = found.dest_start, found.dest_end
    reach = max(EDGE_CHARACTERS, len(quote) // 4)
    head = text.find(quote[:EDGE_CHARACTERS], max(0, start - reach), start + reach)
    tail = text.rfind(quote[-EDGE_CHARACTERS:], max(0, end - reach), end + reach)
    start = head if head >= 0 else start
    end = tail + EDGE_CHARACTERS if tail >= 0 else end
    if fuzz.ratio(quote, text[start:end]) < MIN_QUOTE:
        return None
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    trimmed = text[start:end]
    start += len(trimmed) - len(trimmed.lstrip())
    return start, start + len(trimmed.strip())


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


class Decided:
    """Decisions by document. A file about one document is taken for whichever is read: its name may have changed."""

    def __init__(self, path: Path, keep: str) -> None:
        self.keep = keep
        self._found: dict[str, list[Decision]] = {}
        for one in read_decisions(path):
            self._found.setdefault(one.document, []).append(one)
        self._lost: dict[str, tuple[Decision, ...]] = {}

    def apply(self, doc: Document) -> Document:
        own = self._found.get(doc.id)
        if own is None and len(self._found) == 1:
            (own,) = self._found.values()
        applied = apply(doc, own or (), keep=self.keep)
        self._lost[doc.id] = applied.lost
        return applied.doc

    def lost(self, doc: Document) -> Iterator[str]:
        """A sentence for each decision whose place is gone, or one if the file has none on this document."""
        if len(self._found) > 1 and doc.id not in self._found:
            yield f"{doc.id}: no decision is about it, only about {shorten(', '.join(self._found), 200)}"
        for one in self._lost.get(doc.id, ()):
            quote = shorten(one.note.quote, 60)
            yield f"{doc.id}: the place of a decision is gone: {one.verdict} {quote!r}"
