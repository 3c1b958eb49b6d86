"""Candidates of a sentence as something to decide about: on the note, in the log, and in the catalogue's own memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.core.errors import MissingError


def decided_candidate(note: Annotation, variable: str, verdict: str) -> Annotation:
    """The note with this verdict on one of its candidates.

    What was accepted is what the note links to; without any, what it claimed and nobody rejected.
    """
    entries: list[dict[str, Any]] = [dict(one) for one in note.attrs.get("candidates") or ()]
    chosen = next((one for one in entries if one.get("id") == variable), None)
    if chosen is None:
        raise MissingError("there is no candidate of that id on this note")
    chosen.pop("decision", None)
    if verdict != "undecided":
        chosen["decision"] = verdict
    accepted = [one for one in entries if one.get("decision") == "accepted"]
    linked = accepted or [one for one in entries if one.get("claimed") and "decision" not in one]
    ids = tuple(id for one in linked for id in (one["id"], *one.get("same", ())))
    links = {role: ids for role, ids in note.links.items() if role != "variable"}
    attrs = {**note.attrs, "candidates": entries, "variables": linked}
    if accepted:
        attrs["why"] = (
            f"mentions {'; '.join(str(one.get('label') or one['id']) for one in accepted)}"
        )
    return replace(
        note,
        attrs=attrs,
        links={**links, "variable": ids} if ids else links,
    )


def verdicts(note: Annotation) -> dict[str, str]:
    """Variable -> what was decided on it for this sentence; the empty name says that the sentence uses none."""
    entries = note.attrs.get("candidates")
    if not isinstance(entries, list):
        return {}
    decision = note.attrs.get("decision")
    if decision == "rejected":
        return {"": "none"}
    found = {str(one["id"]): str(one["decision"]) for one in entries if "decision" in one}
    if decision == "accepted":
        found |= {str(one["id"]): "accepted" for one in note.attrs.get("variables") or ()}
    return found


def remember(catalogue: str, before: Document, after: Document, name: str) -> None:
    """Tell the memory of the catalogue what a gesture has changed; what was taken back is undecided again."""
    from marginalia import keep_decisions

    changed = []
    old = {note.id: note for note in before.annotations}
    new = {note.id: note for note in after.annotations}
    for id in old.keys() | new.keys():
        was = verdicts(old[id]) if id in old else {}
        now = verdicts(new[id]) if id in new else {}
        if was == now:
            continue
        note = new.get(id) or old[id]
        surveys = {one["id"]: one.get("survey", "") for one in note.attrs["candidates"]}
        for variable in was.keys() | now.keys():
            if was.get(variable) != now.get(variable):
                changed.append(
                    {
                        "sentence": " ".join(note.quote.split()),
                        "variable": variable,
                        "verdict": now.get(variable, "undecided"),
                        "survey": str(surveys.get(variable, "")),
                        "document": name,
                    }
                )
    if changed:
        keep_decisions(catalogue, changed)
