"""The task behind a note, found through the registry.

What a task may supply for its own annotations (``rows``, ``triples``, ``findings``) stands on its card. A note
on a part of something that another note is about names that note in ``attrs["part_of"]``, a list of ids; the
terminal then only underlines the part.
"""

from __future__ import annotations

from marginalia.core.annotator import Annotator
from marginalia.core.registry import ANNOTATORS, get_annotator


def find_annotator(name: str) -> Annotator | None:
    """The task that made a note; None if it is not installed here."""
    return get_annotator(name) if name in ANNOTATORS.names() else None
