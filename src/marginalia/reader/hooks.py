"""What a task may supply for its own annotations, found through the registry.

A task can have two further tools, both called with the annotated document:

``rows(doc)`` gives one mapping per row of its table: ``id``, the annotation the row is about, and the
task's own columns. The reader fills in the rest. Annotations without a row are left out.

``triples(doc)`` gives ``(subject, predicate, object)``: the subject is the id of an annotation, a part
``#name`` of the document, an absolute IRI or a blank node ``_:name``; the predicate is an absolute IRI;
the object is a plain value, or ``{"@id": ...}`` for an annotation, part, IRI or blank node.

A note on a part of something that another note is about names that note in ``attrs["part_of"]``, a list of
ids; the terminal then only underlines the part.

Without these tools each annotation is one row and has the triples of its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marginalia.core.registry import get_task, task_names
from marginalia.core.task import Task


def find_task(name: str) -> Task | None:
    """The task that made a note; None if it is not installed here."""
    return get_task(name) if name in task_names() else None


def find_hook(task: str, name: str) -> Callable[..., Any] | None:
    found = find_task(task)
    return None if found is None else found.tools.get(name)
