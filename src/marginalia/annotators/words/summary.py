"""How hard a document is, in a sentence for people and in figures for programs."""

from __future__ import annotations

from collections import Counter
from typing import Any

from marginalia.annotators.words.analysis import Analysis, analyse, language
from marginalia.core.document import Document

_READERS = {"learner": "a learner", "reader": "a general reader", "specialist": "an expert"}


def summary(
    doc: Document, *, audience: str = "reader", field: str = "", known: str = ""
) -> dict[str, Any]:
    """What is to be said of the whole document; ``said`` is for people."""
    found, lang = analyse(doc, audience, field, known), language(doc)
    if not found.uses.size:
        return {"words": 0}
    hard = [*found.hard, *found.unexplained]
    share = round(sum(len(one.place.word.places) for one in hard) / found.uses.size, 4)
    figures: dict[str, Any] = {
        "said": said(found, audience, lang),
        "words": found.uses.size,
        "audience": audience,
        "hard_words": len(hard),
        "hard_share": share,
    }
    sentences = Counter(one.place.sentence for one in hard)
    if sentences:
        figures["hardest_sentence"] = sentences.most_common(1)[0][0]
    if found.unexplained:
        figures["without_explanation"] = [one.place.form for one in found.unexplained]
    return figures


def said(found: Analysis, audience: str, lang: str) -> str:
    """In the words of a person."""
    words, hard = found.uses.size, len(found.hard) + len(found.unexplained)
    if lang == "de":
        return f"{words:,} {'Wort' if words == 1 else 'Wörter'}".replace(",", ".")
    reader = _READERS[audience]
    parts = [f"{words:,} {'word' if words == 1 else 'words'}"]
    if hard:
        explained = f"{len(found.hard)} of them explained" if found.unexplained else "all explained"
        parts.append(f"{hard} may stop {reader}, {explained}")
    else:
        parts.append(f"none that would stop {reader}")
    return "; ".join(parts)
