"""The kinds of places that an editor would ask about, and what is asked there."""

from __future__ import annotations

from functools import cache

from marginalia.lang import language

KINDS = {
    "missing": "missing object or reference",
    "head": "missing noun",
    "compound": "which one",
    "metonymy": "figurative name",
    "amount": "amount",
    "reference": "reference",
    "broken": "broken sentence",
    "comparison": "comparison",
    "list": "open list",
    "weak": "vague wording",
    "unit": "unit or base",
    "other": "open question",
}
"""Kinds of the guidelines in ``annotation/unclear``, in the order of the network's outputs, and what notes call them."""
SUBJECT = "questions"
"""The file of a language with the wording of questions."""
MAX_QUOTED_WORDS, QUOTED_ENDS = 6, 2
"""Of a longer place a question quotes so many words at both ends: the place itself is shown anyway."""


@cache
def questions() -> tuple[str, ...]:
    """The names of particular questions, in the order of the network's outputs."""
    return tuple(language("en").table(SUBJECT, "wording"))


def word_question(kind: str, question: str | None, quote: str) -> str:
    """What is asked about a place, in words: a particular question, or else the one of its kind."""
    table, name = ("kind", kind) if question is None else ("wording", question)
    wording = str(language("en").table(SUBJECT, table)[name])
    words = quote.split()
    if len(words) > MAX_QUOTED_WORDS:
        words = [*words[:QUOTED_ENDS], "…", *words[-QUOTED_ENDS:]]
    return wording.format(quote=" ".join(words))
