"""What a note says in the margin, in a few words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from marginalia.core.document import Annotation

MAX_CAPTION_CHARACTERS = 160
MIN_WIDE_CHARACTERS = 60

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def caption(note: Annotation) -> str:
    """Its reason if the task gave one (``attrs["why"]``), else its plain attributes; its score, and the language model that
    wrote or saw it."""
    why = note.attrs.get("why")
    parts = [why] if isinstance(why, str) and why else list(_plain(note.attrs.items()))
    if note.score is not None:
        parts.append(f"score {note.score:.2f}")
    if model := note.attrs.get("model"):
        parts.append(f"{note.attrs.get('verdict', 'seen')} by {model}")
    return shorten(" · ".join(parts), MAX_CAPTION_CHARACTERS)


def is_part(note: Annotation) -> bool:
    """Whether it is about a part of something that another note is about."""
    return bool(note.attrs.get("part_of"))


def is_wide(note: Annotation) -> bool:
    """Whether it is about a whole sentence: beside it its words need not be said again."""
    return len(note.quote) > MIN_WIDE_CHARACTERS


def about(values: Mapping[str, Any]) -> str:
    """What a task says of the whole document, on one line: its sentence for people (``said``), else its plain figures."""
    said = values.get("said")
    if isinstance(said, str):
        return shorten(said, 2 * MAX_CAPTION_CHARACTERS)
    named = ((name.replace("_", " "), value) for name, value in values.items())
    return shorten(" · ".join(_plain(named)), 2 * MAX_CAPTION_CHARACTERS)


def shorten(text: str, length: int) -> str:
    """The text on one line, cut if it is longer than this."""
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _plain(attrs: Iterable[tuple[str, Any]]) -> Iterable[str]:
    for name, value in attrs:
        if isinstance(value, float):
            yield f"{name} {value:.4g}"
        elif isinstance(value, (str, int)) and value != "":
            yield f"{name} {value}"


def without_controls(text: str) -> str:
    """A document must not be able to send commands to the terminal. One sign for one, so offsets hold."""
    return _CONTROL.sub("\ufffd", text)
