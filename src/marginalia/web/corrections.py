"""What follows from a correction: values that say the same, the other end of a pair, the same words elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from marginalia.core.document import Annotation
from marginalia.reader.view.caption import is_part


def corrected(attrs: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a note after a correction; those that ``why`` had repeated say what it says now, or go.

    Nobody should read an old meaning below a corrected one: the two are one thing to whoever corrects it.
    """
    after = {**attrs, **given}
    old, new = attrs.get("why"), after.get("why")
    if isinstance(old, str):
        for name, value in attrs.items():
            if name == "why" or not _is_said(value, old):
                continue
            if "why" not in given and name in given and isinstance(given[name], str):
                after["why"] = old.replace(str(value), given[name])
            elif isinstance(new, str) and new != old and name not in given:
                after[name] = _middle(old, str(value), new) if isinstance(value, str) else None
    return {name: value for name, value in after.items() if value is not None}


def _is_said(value: Any, words: str) -> bool:
    texts = value if isinstance(value, list) else [value]
    return bool(texts) and all(isinstance(one, str) and one and one in words for one in texts)


def _middle(old: str, value: str, new: str) -> str:
    """What stands in the new words where the value stood in the old ones; all of them if they are built otherwise."""
    before, _, after = old.partition(value)
    if new.startswith(before) and new.endswith(after) and len(new) > len(before) + len(after):
        return new[len(before) : len(new) - len(after)]
    return new


def mutual(notes: Iterable[Annotation], all_notes: Iterable[Annotation]) -> list[Annotation]:
    """These notes and the other ends of their pairs: notes that link to each other in the same role are one decision."""
    by_id = {note.id: note for note in all_notes}
    found = {note.id: note for note in notes}
    for note in list(found.values()):
        for role, ids in note.links.items():
            for other in (by_id[id] for id in ids if id in by_id):
                if note.id in other.links.get(role, ()):
                    found.setdefault(other.id, other)
    return list(found.values())


def alike(note: Annotation, notes: Iterable[Annotation]) -> Iterator[Annotation]:
    """Undecided notes of the same kind on the same words."""
    words = (note.task, note.label, _plain(note.quote))
    for other in notes:
        if other is note or is_part(other) or "decision" in other.attrs:
            continue
        if (other.task, other.label, _plain(other.quote)) == words:
            yield other


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
