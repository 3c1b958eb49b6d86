"""Which of our two languages a text is in: a vote of its commonest words."""

from __future__ import annotations

from marginalia.core.document import Document
from marginalia.nlp.tokens import words

LANGUAGES = ("en", "de")
MAX_CHARACTERS = 100_000
"""Characters that are looked at: more of a book would not change the vote."""

# No word stands in both lists, and none that both languages have ("in", "so", "was", "die").
_COMMON = {
    "en": frozenset(
        "the of and to is are were been be have has had that this these those with for from by on "
        "at as it its they their we our you your not but or which who when where what there than "
        "then would should could can may if into about between he she his her".split()
    ),
    "de": frozenset(
        "der das den dem des ein eine einen einem einer eines und oder aber nicht ist sind wurde "
        "wurden werden wird sein haben hatte mit von vom zu zum zur auf für bei aus nach über unter "
        "durch sich auch als wie wenn dass daß weil wir sie ihr ihre ihren ich es im".split()
    ),
}


def guess(text: str) -> str:
    """``en`` or ``de``, whichever has more of its commonest words here; ``en`` if neither has."""
    votes = dict.fromkeys(LANGUAGES, 0)
    for match in words(text[:MAX_CHARACTERS]):
        word = match.group().lower()
        for lang, common in _COMMON.items():
            votes[lang] += word in common
    return max(LANGUAGES, key=lambda lang: votes[lang])


def document_language(doc: Document) -> str:
    """The language that a document says it is in, else the guess."""
    return str(doc.meta.get("lang") or guess(doc.text))
