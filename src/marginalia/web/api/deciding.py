"""Decisions about the notes of a document: made, undone, listed, taken along and brought back."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from fastapi.responses import Response
from pydantic import Field

from marginalia.core.decisions import OWN_SYSTEM, Decision, decide, dump_decisions, parse_decisions
from marginalia.core.document import Annotation, Document
from marginalia.core.errors import FormatError, MissingError
from marginalia.core.files import decode
from marginalia.core.report import plain
from marginalia.reader.decisions import apply
from marginalia.reader.others_notes import notes_of_others
from marginalia.web.api.asking import Asked, library_of, person_of, record_of
from marginalia.web.api.documents import saved
from marginalia.web.candidates import remember
from marginalia.web.corrections import alike, corrected, mutual
from marginalia.web.known import follow, known_to
from marginalia.web.store.database import now

router = APIRouter()


class Verdict(Asked):
    """What is decided about notes by one gesture."""

    notes: list[str] = Field(min_length=1, max_length=5_000)
    verdict: Literal["accepted", "rejected", "cleared"]
    known_word: bool = Field(
        False, description="Put the words on one's own list: no note on them anywhere."
    )


class Edit(Asked):
    """A note as it should be; what is left out stays."""

    note: str
    start: int | None = Field(None, ge=0)
    end: int | None = Field(None, ge=0)
    label: str | None = Field(None, min_length=1, max_length=60)
    attrs: dict[str, str | float | int | None] = Field(
        {},
        max_length=20,
        description="Values to set; null removes one. ``why`` is what the note says.",
    )
    where: Literal["here", "document", "library"] = Field(
        "here",
        description="Whether undecided notes of the same kind on the same words get the same values: nowhere else, in "
        "this document, or in all documents that one sees.",
    )


class Own(Asked):
    """A note of one's own."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    why: str = Field(max_length=2_000)
    task: str = Field("own", pattern="^[a-z][a-z0-9_-]{0,30}$")
    label: str = Field("note", min_length=1, max_length=60)


class Lines(Asked):
    """Decisions as JSON lines."""

    lines: str = Field(max_length=3_000_000)


@router.get("/documents/{id}/decisions")
def list_decisions(request: Request, id: str) -> dict[str, Any]:
    """What holds, what has lost its place, and the log: who did what and when."""
    record_of(request, id)
    store = library_of(request).store
    current = store.decisions.current(id)
    doc = library_of(request).get(id).doc
    lost = apply(doc, current, keep="all").lost if doc is not None else ()
    log = [
        {"who": one.who, "when": one.at, "action": one.action, "quote": _quote(one.data)}
        for one in store.decisions.entries(id)
    ]
    return {
        "decisions": [one.to_dict() for one in current],
        "lost": [one.to_dict() for one in lost],
        "log": log,
    }


@router.post("/documents/{id}/decisions")
def decide_notes(request: Request, id: str, body: Annotated[Verdict, Body()]) -> dict[str, Any]:
    """Accept or reject notes, or leave them undecided again."""
    change = DecisionRequest(request, id)
    notes = mutual([change.note(one) for one in body.notes], change.before.annotations)
    if body.verdict == "cleared":
        targets = [str(note.attrs["decision_id"]) for note in notes if "decision_id" in note.attrs]
        change.log.clear(id, targets, who=change.who)
        return change.difference()
    words = (
        {" ".join(note.quote.casefold().split()) for note in notes} if body.known_word else set()
    )
    words -= set(change.known())  # those are not this gesture's to take back
    for word in words & change.words:  # taken off the list of this machine since
        change.people.drop_word(change.who, word)
    change.words -= words
    change.log.add(
        id, [change.decided(note, body.verdict) for note in notes], who=change.who, words=words
    )
    return change.difference()


@router.post("/documents/{id}/decisions/edit")
def edit_note(request: Request, id: str, body: Annotated[Edit, Body()]) -> dict[str, Any]:
    """Change the span, the label or the values of a note; it counts as accepted."""
    change = DecisionRequest(request, id)
    note = change.note(body.note)
    start = note.start if body.start is None else body.start
    end = note.end if body.end is None else body.end
    quote = change.quote(start, end)
    attrs = _undecided(corrected(note.attrs, body.attrs))
    edited = replace(
        note, start=start, end=end, quote=quote, label=body.label or note.label, attrs=attrs
    )
    if note.system == OWN_SYSTEM:
        change.log.add(id, [change.decided(edited, "added", of=note)], who=change.who)
        return change.difference()
    here = [change.decided(note, "edited", edited)]
    if body.where != "here":
        here += change.corrected_alike(note, body.attrs)
    change.log.add(id, here, who=change.who)
    others = _correct_elsewhere(request, id, note, body.attrs) if body.where == "library" else 0
    return {**change.difference(), "also": len(here) - 1, "other_documents": others}


def _correct_elsewhere(
    request: Request, id: str, note: Annotation, attrs: dict[str, str | float | int | None]
) -> int:
    """In how many other documents the same words were corrected; each can be undone there."""
    library, person = library_of(request), person_of(request)
    count = 0
    for record in library.store.documents.all():
        seen = person.sees(record.owner, record.shared) and not record.removed
        if record.id == id or not seen or record.state != "done":
            continue
        change = DecisionRequest(request, record.id)
        found = change.corrected_alike(note, attrs)
        if found:
            change.log.add(record.id, found, who=change.who)
            count += 1
    return count


def _undecided(attrs: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in attrs.items() if not k.startswith(("decision", "decided_"))}


@router.post("/documents/{id}/decisions/add")
def add_note(request: Request, id: str, body: Annotated[Own, Body()]) -> dict[str, Any]:
    """A note of one's own on a span of the text."""
    change = DecisionRequest(request, id)
    own = Annotation(
        id=f"own-{secrets.token_hex(4)}",
        task=body.task,
        label=body.label,
        start=body.start,
        end=body.end,
        quote=change.quote(body.start, body.end),
        attrs={"why": body.why},
        system=OWN_SYSTEM,
    )
    change.log.add(id, [change.decided(own, "added")], who=change.who)
    return change.difference()


@router.post("/documents/{id}/decisions/undo")
def undo(request: Request, id: str, redo: bool = False) -> dict[str, Any]:
    """Take back one's last gesture, or do the last one that was taken back again."""
    change = DecisionRequest(request, id)
    done = change.log.undo(id, who=change.who, redo=redo)
    if done is None:
        raise FormatError("there is nothing to redo" if redo else "there is nothing to undo")
    return change.difference()


@router.get("/documents/{id}/decisions/export")
def export_decisions(request: Request, id: str) -> Response:
    """The decisions as JSON lines, for ``marginalia read --decisions`` and ``marginalia bench decisions``."""
    record = record_of(request, id)
    # Our file may have other signs in its name than the one that `read` will be given.
    ours, theirs = record.path.stem, Path(record.name).stem
    current = [
        replace(one, document=theirs) if one.document == ours else one
        for one in library_of(request).store.decisions.current(id)
    ]
    name = f"{ours}.decisions.jsonl"
    return saved(dump_decisions(current), "application/x-ndjson", name)


@router.post("/documents/{id}/decisions/import")
def import_decisions(request: Request, id: str, body: Annotated[Lines, Body()]) -> dict[str, Any]:
    """Take decisions of a file, whoever made them; undone as one gesture."""
    change = DecisionRequest(request, id)
    path = Path("decisions")
    decode(body.lines.encode("utf-8", "replace"), path)
    found = parse_decisions(enumerate(body.lines.split("\n"), 1), path)
    if not found:
        raise FormatError("there is no decision in it")
    change.log.add(id, found, who=change.who)
    return change.difference()


@router.post("/documents/{id}/notes/import")
def import_notes(request: Request, id: str, body: Annotated[Lines, Body()]) -> dict[str, Any]:
    """Take notes of others, as Web Annotations or an export of Hypothesis; undone as one gesture."""
    change = DecisionRequest(request, id)
    found = notes_of_others(body.lines, change.made)
    change.log.add(id, found, who=change.who)
    lost = apply(change.made, change.log.current(id), keep="decisions").lost
    missing = {one.id for one in lost}
    count = sum(one.id not in missing for one in found)
    return {**change.difference(), "taken": count, "lost": len(found) - count}


class DecisionRequest:
    """A document before and after a gesture: the page is told what is different."""

    def __init__(self, request: Request, id: str) -> None:
        self.record = record_of(request, id)
        self.library, self.id = library_of(request), id
        self.log, self.people = self.library.store.decisions, self.library.store.people
        self.person = person_of(request)
        self.who = self.person.name
        self.words = set(self.people.words(self.who))
        self.made = self.library.get(id).annotated()
        self.before = self._applied()

    def note(self, id: str) -> Annotation:
        found = next((note for note in self.before.annotations if note.id == id), None)
        if found is None:
            raise MissingError("there is no note of that id in this document")
        return found

    def quote(self, start: int, end: int) -> str:
        if not 0 <= start < end <= len(self.made.text):
            raise FormatError(
                f"{start}:{end} is no span of this text, which has {len(self.made.text)} characters"
            )
        return self.made.text[start:end]

    def decided(
        self,
        note: Annotation,
        verdict: str,
        edited: Annotation | None = None,
        *,
        of: Annotation | None = None,
    ) -> Decision:
        """The decision; one about a note that was decided before takes its place, and speaks of the note as it was made."""
        earlier = {one.id: one for one in self.log.current(self.id)}
        old = earlier.get(str((of or note).attrs.get("decision_id")))
        if old is not None and verdict == "accepted":
            if old.note.system == OWN_SYSTEM:
                return replace(old, verdict="added", who=self.who, when=now())
            if old.verdict == "edited":
                return replace(old, who=self.who, when=now())
        source = note if old is None or verdict == "added" else old.note
        if old is not None and source is old.note:
            return replace(old, verdict=verdict, edited=edited, who=self.who, when=now())
        bare = _undecided(dict(source.attrs))
        return decide(
            self.before,
            replace(source, attrs=bare),
            verdict,
            id=old.id if old is not None else secrets.token_urlsafe(9),
            edited=edited,
            who=self.who,
            when=now(),
        )

    def corrected_alike(
        self, note: Annotation, attrs: dict[str, str | float | int | None]
    ) -> list[Decision]:
        """The same correction of undecided notes of this kind on the same words."""
        return [
            self.decided(one, "edited", replace(one, attrs=_undecided(corrected(one.attrs, attrs))))
            for one in alike(note, self.before.annotations)
        ]

    def known(self) -> list[str]:
        return known_to(self.person, self.people)

    def difference(self) -> dict[str, Any]:
        """What is different now; lists of words and the catalogue's memory follow."""
        after = self._applied()
        follow(self.person, self.words, set(self.people.words(self.who)))
        catalogue = self.library.catalogue_of(self.record.catalogue)
        if catalogue:
            remember(catalogue, self.before, after, self.record.name)
        old = {note.id: note for note in self.before.annotations}
        new = {note.id: note for note in after.annotations}
        return {
            "notes": [plain(note.to_dict()) for id, note in new.items() if old.get(id) != note],
            "gone": [id for id in old if id not in new],
            "known_words": self.known(),
            **self.library.get(self.id).ranking(after),
        }

    def _applied(self) -> Document:
        applied = apply(self.made, self.log.current(self.id), keep="decisions").doc
        return self.library.get(self.id).shown(applied)


def _quote(data: dict[str, Any]) -> str:
    note = (data.get("decision") or {}).get("note") or {}
    return str(note.get("quote", ""))[:200]
