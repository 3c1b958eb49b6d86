"""What a task takes out of a document, for whoever writes it down: a table, and files of the task's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marginalia.core.document import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a task's tool ``extract(doc, system=None)`` found in one document."""

    doc: Document
    """The document with the task's annotations, which HTML and RDF are made of."""
    rows: tuple[Mapping[str, Any], ...]
    """One row per record. Each links back: ``document``, ``page``, and the offsets of every part."""
    columns: Mapping[str, type]
    """The columns in order, also where there is no row, with what they hold: ``str``, ``int``, ``float``,
    ``bool``, or ``list`` for what a table of plain cells keeps as JSON. Any cell may be None."""
    shown: tuple[str, ...]
    """The few columns that fit a terminal."""
    files: Mapping[str, Mapping[str, str]]
    """The task's own formats for one document: name of the format -> ending -> content."""
