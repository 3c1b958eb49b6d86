"""Words brought to one form for comparison: ``study``, ``studies`` and ``studied`` have one stem.

The stems are those of Snowball's English and German stemmers; the German one also takes ``ae`` for ``ä``. A stem
need not be a word.
"""

from __future__ import annotations

from functools import cache, lru_cache
from threading import Lock
from typing import Any

from marginalia.nlp.frequency import zipf

IRREGULAR = {
    form: lemma
    for lemma, forms in {
        "be": "am are been is was were",
        "begin": "began begun",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "buy": "bought",
        "catch": "caught",
        "child": "children",
        "choose": "chose chosen",
        "come": "came",
        "do": "did does done",
        "draw": "drawn drew",
        "drink": "drank drunk",
        "drive": "driven drove",
        "eat": "ate eaten",
        "fall": "fallen fell",
        "feel": "felt",
        "fight": "fought",
        "find": "found",
        "fly": "flew flown",
        "foot": "feet",
        "get": "got gotten",
        "give": "gave given",
        "go": "goes gone went",
        "good": "better best",
        "grow": "grew grown",
        "hang": "hung",
        "have": "had has",
        "hear": "heard",
        "hide": "hid hidden",
        "hold": "held",
        "keep": "kept",
        "knife": "knives",
        "know": "knew known",
        "lead": "led",
        "leave": "left",
        "life": "lives",
        "lose": "lost",
        "make": "made",
        "man": "men",
        "meet": "met",
        "mouse": "mice",
        "pay": "paid",
        "person": "people",
        "ride": "ridden rode",
        "rise": "risen rose",
        "run": "ran",
        "say": "said",
        "see": "saw seen",
        "sell": "sold",
        "send": "sent",
        "shoot": "shot",
        "show": "shown",
        "sing": "sang sung",
        "sit": "sat",
        "slide": "slid",
        "speak": "spoke spoken",
        "spend": "spent",
        "stand": "stood",
        "steal": "stole stolen",
        "strike": "struck",
        "swim": "swam swum",
        "take": "taken took",
        "teach": "taught",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "tooth": "teeth",
        "wear": "wore worn",
        "wife": "wives",
        "win": "won",
        "woman": "women",
        "write": "written wrote",
    }.items()
    for form in forms.split()
}
"""English forms that no rule about endings brings to their lemma."""

# A stemmer keeps the word it works on in itself, so two threads must not share it at a time.
_LOCK = Lock()


@lru_cache(maxsize=200_000)
def stem(word: str, lang: str | None = None) -> str:
    """The stem of an English or German word, whatever its case.

    Without ``lang`` the word itself decides, so that it has one stem wherever it stands.
    """
    word = word.lower().replace("’", "'")
    if (lang or language_of_word(word)) == "de":
        stemmer = _stemmers()["de"]
    else:
        stemmer = _stemmers()["en"]
        word = IRREGULAR.get(word.removesuffix("'s"), word)
    with _LOCK:
        return str(stemmer.stemWord(word))


def language_of_word(word: str) -> str:
    """``en`` for a word in small letters that is commoner in English than in German, else ``de``.

    A German word may be written without umlauts: GEWAEHLT.
    """
    umlauts = word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")
    german = max(zipf(word, "de"), zipf(umlauts, "de"))
    return "en" if zipf(word, "en") > german else "de"


@cache
def _stemmers() -> dict[str, Any]:
    # Not snowballstemmer.stemmer(): it takes PyStemmer where that is installed, whose release may know
    # other rules than the one that the shipped weights were made with.
    from snowballstemmer.english_stemmer import EnglishStemmer
    from snowballstemmer.german_stemmer import GermanStemmer

    return {"en": EnglishStemmer(), "de": GermanStemmer()}
