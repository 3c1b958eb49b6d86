"""From which score on a word is hard: what the list of documents counts is what a document shows at first.

Notes are made for learners, whose list is the longest; the page shows those for general readers until it is told otherwise.
``static/notes.js`` has the same numbers.
"""

from __future__ import annotations

from marginalia.core.document import Annotation

GENERAL = 0.375
EXPRESSION = 0.1
"""How much harder an expression must be than a word."""


def is_shown_at_first(note: Annotation) -> bool:
    if note.task != "complexity" or note.score is None:
        return True
    return note.score >= GENERAL + (EXPRESSION if note.label == "hard expression" else 0.0)
