"""Which language a text is in, as a code of ISO 639-1, what languages are called, and their function words.

The detector (py3langid) is loaded when it is first asked.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from marginalia.core.document import Document
from marginalia.lang import known_languages, language
from marginalia.nlp.tokens import words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

MAX_CHARACTERS = 20_000
"""Characters that are looked at: more of a book would not change the answer."""
MAX_VOTING_CHARACTERS = 100_000
MIN_GUESS = 0.5
"""Probability from which on a guess is not doubted: of 4,500 short English sentences one was wrong with more."""
DOUBT = 3
"""So many times likelier another language may be than English or German, and is still in doubt."""
MIN_CHARACTERS = 40
"""In a shorter text without a sure guess the common words vote."""
MIN_SURE = 0.9
"""Probability from which on a passage is surely in a language: no English sentence of 40 letters was guessed wrongly."""
MIN_SURE_CHARACTERS = 400
"""So long a text may overrule what its file declares."""
USUAL, USUAL_OF_MANY, MANY_WORDS = 0.2, 0.15, 40
"""Share of the commonest words of a language from which on a passage is in it, and the detector, which takes half a second to
load, is not asked; less is enough for a paragraph of many words. In wordfreq's lists English has .32 of its own, German .31, no
other language more than .05 of either."""

NO_LANGUAGE = "zxx"
"""The detector's word for what is none."""

# ISO 639-2 as some files declare it.
_LONGER = {
    "ara": "ar", "chi": "zh", "deu": "de", "dut": "nl", "eng": "en", "fas": "fa", "fra": "fr", "fre": "fr",
    "ger": "de", "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "per": "fa", "pol": "pl", "por": "pt",
    "rus": "ru", "spa": "es", "swe": "sv", "tur": "tr", "zho": "zh",
}  # fmt: skip

_COMMON = {code: language(code).words("sentences", "common") for code in known_languages()}
"""No word stands in two of the lists, and none that two languages have ("in", "so", "was", "die")."""

_NAMES = dict(
    pair.split(":")
    for pair in (
        "af:Afrikaans ar:Arabic be:Belarusian bg:Bulgarian bn:Bengali br:Breton bs:Bosnian ca:Catalan cs:Czech cy:Welsh "
        "da:Danish de:German el:Greek en:English eo:Esperanto es:Spanish et:Estonian eu:Basque fa:Persian fi:Finnish "
        "fr:French ga:Irish gl:Galician he:Hebrew hi:Hindi hr:Croatian hu:Hungarian hy:Armenian id:Indonesian "
        "is:Icelandic it:Italian ja:Japanese ka:Georgian kk:Kazakh ko:Korean la:Latin lb:Luxembourgish lt:Lithuanian "
        "lv:Latvian mk:Macedonian mr:Marathi ms:Malay mt:Maltese nb:Norwegian ne:Nepali nl:Dutch nn:Norwegian "
        "no:Norwegian oc:Occitan pl:Polish pt:Portuguese ro:Romanian ru:Russian sk:Slovak sl:Slovene sq:Albanian "
        "sr:Serbian sv:Swedish sw:Swahili ta:Tamil te:Telugu th:Thai tl:Tagalog tr:Turkish uk:Ukrainian ur:Urdu "
        "uz:Uzbek vi:Vietnamese zh:Chinese"
    ).split()
)

FUNCTION_WORDS, NEGATIONS = (
    frozenset().union(*(language(code).words("sentences", name) for code in known_languages()))
    for name in ("function_words", "negations")
)
"""Negations are not among the function words: they turn what a sentence says into its opposite."""


def guess(text: str) -> str:
    """The language of a text. Where the detector is in doubt, English and German have the benefit of it."""
    if len(text) >= MIN_SURE_CHARACTERS and usual_share(text[:MAX_CHARACTERS], "en") >= USUAL:
        return "en"
    ranked = _identifier().rank(text[:MAX_CHARACTERS])
    lang, sure = ranked[0]
    if lang == NO_LANGUAGE or (sure < MIN_GUESS and len(text) < MIN_CHARACTERS):
        return english_or_german(text)
    if sure >= MIN_GUESS:
        return str(lang)
    chances = dict(ranked)
    ours = max(_COMMON, key=lambda one: chances[one])
    return ours if chances[ours] * DOUBT >= sure else str(lang)


def detect(text: str) -> tuple[str, float]:
    """The likeliest language and its probability, which is 0 for code, figures and the like."""
    lang, sure = _identifier().classify(text[:MAX_CHARACTERS])
    return ("", 0.0) if lang == NO_LANGUAGE else (str(lang), float(sure))


def text_language(text: str, declared: str = "") -> str:
    """The language of a text whose file declares one: that, unless the words are surely in another.

    Templates and content systems write a language into every file they make, whatever is in it.
    """
    code = language_code(declared)
    if not code or len(text) < MIN_SURE_CHARACTERS:
        return code or guess(text)
    lang, sure = detect(text)
    return lang if sure >= MIN_SURE else code


def document_language(doc: Document) -> str:
    """The language that a document says it is in, else the guess."""
    return str(doc.meta.get("lang") or guess(doc.text))


def language_code(tag: str) -> str:
    """The code of a language tag: ``en`` for ``en-GB``, ``eng`` or ``EN_us``; empty where it names none."""
    code = re.split(r"[-_.@]", tag.strip().lower())[0]
    code = _LONGER.get(code, code)
    return code if re.fullmatch(r"[a-z]{2}", code) else ""


def english_or_german(text: str) -> str:
    """Of these two the one with more of its commonest words here; ``en`` if neither has any.

    For sentences that are known to be in one of the two: the systems of the tasks were trained with this vote.
    """
    votes = common_words(text)
    return max(votes, key=lambda lang: votes[lang])


def common_words(text: str) -> dict[str, int]:
    """How many of the commonest words of English and of German a text has."""
    votes = dict.fromkeys(_COMMON, 0)
    for match in words(text[:MAX_VOTING_CHARACTERS]):
        word = match.group().lower()
        for lang, common in _COMMON.items():
            votes[lang] += word in common
    return votes


def is_usual(text: str, lang: str) -> bool:
    """Whether the small words of English or German settle it for a paragraph: that is much quicker than the detector."""
    many = sum(1 for _ in words(text)) >= MANY_WORDS
    return usual_share(text, lang) >= (USUAL_OF_MANY if many else USUAL)


def usual_share(text: str, lang: str) -> float:
    """How many of the words of a text are among the commonest of English or German."""
    return common_words(text).get(lang, 0) / max(1, sum(1 for _ in words(text)))


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    found = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    # Others of three letters are creoles and dialects that English headlines are taken for.
    found.set_languages([code for code in found.labels if len(code) == 2 or code == NO_LANGUAGE])
    return found


def language_name(code: str) -> str:
    """``French`` for ``fr``; a code that is not listed is its own name."""
    return _NAMES.get(code, f"the language '{code}'")
