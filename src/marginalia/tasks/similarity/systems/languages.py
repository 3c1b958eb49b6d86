"""Which language a sentence is in, and whether two sentences share one."""

from __future__ import annotations

from marginalia.core.document import Document
from marginalia.nlp.frequency import zipf, zipfs
from marginalia.nlp.language import english_or_german
from marginalia.nlp.tokens import words

MIXED = "mixed"
MIN_ZIPF_LEAD = 0.5
"""So much commoner (Zipf, a word) the words must be in German where the vote of the small words is open."""
MAX_CHARACTERS = 20_000
"""Characters whose words are looked up."""


def sentence_language(text: str) -> str:
    """The language of a sentence, ``en`` or ``de``.

    The small words vote. In a headline one ``des`` or ``im`` decides the vote, and ``Die Regierung hat die
    Steuern erhöht`` has no word that votes at all, so then the other words are asked too.
    """
    vote = english_or_german(text)
    if vote == "en" and english_or_german(f"{text} der") == "en":
        return "en"  # one German word more would not have changed it
    found = [match.group() for match in words(text[:MAX_CHARACTERS])]
    german = zipfs(found, "de")
    usual = {"en": sum(map(zipf, found)), "de": sum(german[word] for word in found)}
    more = MIN_ZIPF_LEAD * len(found) if vote == "en" else 0.0
    return "de" if usual["de"] > usual["en"] + more else "en"


def kind_of(a: str, b: str) -> str:
    """``en``, ``de``, or ``mixed`` for one sentence of each."""
    first, second = sentence_language(a), sentence_language(b)
    return first if first == second else MIXED


def encoder_language(*texts: str) -> str:
    """``en`` where all texts are English, else ``de``: then the multilingual encoder reads them all."""
    return "en" if all(sentence_language(text) == "en" for text in texts) else "de"


def stated_language(doc: Document) -> str:
    """The language that a document says it is in, else that of its text."""
    return str(doc.meta.get("lang") or sentence_language(doc.text))
