"""What a note says when the pointer rests on its words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marginalia.core.document import Annotation
from marginalia.core.registry import find_annotator
from marginalia.reader.lint.live import Seen
from marginalia.reader.view.places import Places

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|])")


def hover_text(seen: Seen, offset: int) -> str:
    """Markdown on the notes and findings at a character of the source; empty where there are none."""
    return "\n\n".join(_parts(seen, offset))


def _parts(seen: Seen, offset: int) -> Iterator[str]:
    places = Places(seen.source, seen.doc.text)
    by_id = {note.id: note for note in seen.doc.annotations}
    told = set()
    for note in seen.doc.annotations:
        start, end = places.span(note.start, note.end)
        if start <= offset < end:
            # A later use of a word is part of the note on its first one, which says what it means.
            whole = next((by_id[id] for id in note.attrs.get("part_of") or () if id in by_id), note)
            if whole.id not in told:
                told.add(whole.id)
                yield _note(whole)


def _note(note: Annotation) -> str:
    said = note.attrs
    annotator = find_annotator(note.task)
    about = annotator.about(note.label) if annotator and "." in note.label else None
    if about is not None:
        return f"**{_plain(about.summary)}** · `{note.label}`\n\n{_plain(note.quote)}: {_plain(str(said['why']))}\n\n{about.reason}"
    parts = [f"**{_plain(note.quote)}** · {_plain(note.label)}"]
    if said.get("meaning"):
        parts.append(_plain(str(said["meaning"])))
    elif isinstance(said.get("why"), str):
        parts.append(_plain(said["why"]))
    if said.get("easier"):
        parts.append(f"Easier: {', '.join(_plain(str(word)) for word in said['easier'])}")
    readings = [_plain(str(one.get("filler", ""))) for one in said.get("readings") or ()]
    if any(readings):
        question = _plain(str(said.get("question", ""))).strip()
        parts.append(
            "\n".join([question, "", *(f"- {reading}" for reading in readings if reading)])
        )
    return "\n\n".join(part for part in parts if part)


def _plain(text: str) -> str:
    """Words of the document are words in Markdown too, never mark-up."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))
