"""A note where a term or short form is used before the document explains it, or pages after that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marginalia.core.document import Annotation, Document
from marginalia.nlp.own_words import own_words

_SAID = {
    "en": {"abbreviation": "short for {}", "term": "the document says: {}"},
    "de": {"abbreviation": "kurz für {}", "term": "im Dokument erklärt: {}"},
}


def annotate(doc: Document) -> Iterator[Annotation]:
    lang = _language(doc)
    far = (own for own in own_words(doc, lang) if own.is_far)
    for number, own in enumerate(far, 1):
        yield Annotation(
            id=f"terms-{number}",
            task="terms",
            label=own.kind,
            start=own.start,
            end=own.end,
            quote=doc.text[own.start : own.end],
            attrs={
                "why": _SAID[lang][own.kind].format(own.meaning),
                "meaning": own.meaning,
                "explained_start": own.explained_at,
            },
            system="document",
        )


def summary(doc: Document) -> dict[str, Any]:
    """The glossary of what the document explains, in alphabetical order."""
    lang = _language(doc)
    entries = [
        {
            "term": own.word,
            "meaning": own.meaning,
            "source": "document",
            "kind": own.kind,
            "start": own.explained_at,
        }
        for own in own_words(doc, lang)
    ]
    if not entries:
        return {}
    many = len(entries)
    said = (
        f"{many} {'Begriff' if many == 1 else 'Begriffe'} erklärt das Dokument selbst"
        if lang == "de"
        else f"{many} {'term' if many == 1 else 'terms'} of its own"
    )
    return {"said": said, "glossary": sorted(entries, key=lambda one: str(one["term"]).lower())}


def _language(doc: Document) -> str:
    return "de" if doc.meta.get("lang") == "de" else "en"
