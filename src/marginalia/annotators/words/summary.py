"""How hard a document is, in a sentence for people and in figures for programs, with the glossary of its own terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from marginalia.annotators.words.analysis import Analysis, analyse, language
from marginalia.core.document import Document

_READERS = {"learner": "a learner", "general": "a general reader", "expert": "an expert"}


def summary(
    doc: Document, *, level: str = "general", field: str = "", known: str = ""
) -> dict[str, Any]:
    """What is to be said of the whole document; ``said`` is for people."""
    found, lang = analyse(doc, level, field, known), language(doc)
    if not found.uses.size:
        return {"words": 0}
    terms = list(glossary(found))
    hard = [*found.hard, *found.unexplained]
    share = round(sum(len(one.place.word.places) for one in hard) / found.uses.size, 4)
    figures: dict[str, Any] = {
        "said": said(found, level, lang, len(terms)),
        "words": found.uses.size,
        "level": level,
        "hard_words": len(hard),
        "hard_share": share,
        "hard_share_by_level": {level: share},
        "glossary": terms,
    }
    sentences = Counter(one.place.sentence for one in hard)
    if sentences:
        figures["hardest_sentence"] = sentences.most_common(1)[0][0]
    if found.unexplained:
        figures["without_explanation"] = [one.place.form for one in found.unexplained]
    return figures


def said(found: Analysis, level: str, lang: str, terms: int) -> str:
    """In the words of a person."""
    words, hard = found.uses.size, len(found.hard) + len(found.unexplained)
    if lang == "de":
        parts = [f"{words:,} {'Wort' if words == 1 else 'Wörter'}".replace(",", ".")]
        if terms:
            what = "Begriff" if terms == 1 else "Begriffe"
            parts.append(f"{terms} {what} erklärt das Dokument selbst")
        return "; ".join(parts)
    reader = _READERS[level]
    parts = [f"{words:,} {'word' if words == 1 else 'words'}"]
    if hard:
        explained = f"{len(found.hard)} of them explained" if found.unexplained else "all explained"
        parts.append(f"{hard} may stop {reader}, {explained}")
    else:
        parts.append(f"none that would stop {reader}")
    if terms:
        parts.append(f"{terms} {'term' if terms == 1 else 'terms'} of its own")
    return "; ".join(parts)


def glossary(found: Analysis) -> Iterator[dict[str, Any]]:
    """The document's own terms in alphabetical order: what it explains, and hard words that it uses all the time."""
    entries = [
        {
            "term": own.word,
            "meaning": own.meaning,
            "source": "document",
            "kind": own.kind,
            "start": own.explained_at,
        }
        for own in found.own
    ]
    entries += [
        {
            "term": one.place.form.lower(),
            "meaning": one.gloss,
            "source": "WordNet" if one.gloss else "",
            "kind": "term",
            "start": one.place.start,
        }
        for one in found.terms
    ]
    yield from sorted(entries, key=lambda entry: str(entry["term"]).lower())
