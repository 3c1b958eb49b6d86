"""The words of a variable or a sentence as an index knows them, and their groups of letters.

German compounds are there whole and in parts, so that ``Arbeitszufriedenheit`` meets ``Zufriedenheit``.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from marginalia.nlp.compounds import split_compound
from marginalia.nlp.frequency import zipf
from marginalia.nlp.tokens import lower_words
from marginalia.tasks.variables.official.vocabulary import Variable

WEIGHTS = {"study": 0.3, "items": 0.5, "answers": 0.3, "instructions": 0.3, "notes": 0.5}
"""How much a word counts in a field; 1 where nothing is said. Answers are alike in many variables."""
PART = 0.5
"""How much a part of a compound counts next to a whole word."""
GRAM = 4
FAINT = 0.1
"""How much a function word counts in a query: nearly nothing, but more than a word that is not there."""
MIN_SOFT = 4
"""Words with fewer letters have no relatives: most that look alike are other words."""

FUNCTION_WORDS = frozenset(
    """
    a about after all also am among an and any are as at be been before being between both but by can
    could did do does each either every for from had has have he her him his how i if in into is it its
    may might more most much must no nor not of off on one only or other our out over own per same shall
    she should so some such than that the their them then there these they this those through to too
    under until up upon very was we were what when where whether which while who whom whose why will with
    within without would you your yes
    aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bitte da
    damit dann das dass dein dem den denen denn der deren des dessen die dies diese diesem diesen dieser
    dieses doch dort du durch ein eine einem einen einer eines er es etwas für gegen gibt haben hat hatte
    hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann
    kein keine können man mehr mein mit nach nein nicht noch nun nur ob oder ohne sehr sein seine seinem
    seinen seiner sich sie sind so sollte um und uns unter vom von vor war waren was weil welche welchem
    welchen welcher welches wenn wer werden wie wird wir wo wurde wurden zu zum zur zwischen über
    """.split()
)


@lru_cache(maxsize=300_000)
def terms_of(word: str) -> tuple[tuple[str, float], ...]:
    """The word, in small letters, and the parts of it with what they count; a bare number is no word."""
    found: dict[str, float] = {}
    for piece in word.replace("’", "'").replace("‐", "-").replace("‑", "-").split("-"):
        piece = piece.removesuffix("'s").strip("'.")
        if piece.isdigit() and len(piece) != 4:
            continue
        if piece:
            found[piece] = 1.0
            parts = split_compound(piece) if piece.isalpha() else ()
            # "Overtime" is no German compound, though its parts are words of German texts.
            if len(parts) > 1 and zipf(piece, "de") >= zipf(piece, "en"):
                for part in parts:
                    found.setdefault(part, PART)
    return tuple(found.items())


def count_terms(
    text: str, weight: float = 1.0, into: dict[str, float] | None = None
) -> dict[str, float]:
    """How often each term occurs, parts of compounds counting less."""
    found = {} if into is None else into
    for word in lower_words(text if text.isascii() else unicodedata.normalize("NFC", text)):
        for term, count in terms_of(word):
            found[term] = found.get(term, 0.0) + count * weight
    return found


def query_terms(text: str) -> dict[str, float]:
    """The terms of a query with what each counts, however often the query has it."""
    return {
        term: FAINT if term in FUNCTION_WORDS else min(count, 1.0)
        for term, count in count_terms(text).items()
    }


def variable_terms(variable: Variable) -> dict[str, float]:
    """The terms of all its fields, or of its text where the source does not tell fields apart."""
    found: dict[str, float] = {}
    texts = {name: value for name, value in variable.fields.items() if name != "name"}
    if not texts:
        count_terms(variable.text, into=found)
    for name, value in texts.items():
        count_terms(value, WEIGHTS.get(name, 1.0), into=found)
    count_terms(variable.fields.get("name", ""), into=found)
    return found


@lru_cache(maxsize=300_000)
def grams(term: str) -> tuple[str, ...]:
    """The different groups of four letters, the edges of the word counting as letters."""
    if len(term) < MIN_SOFT or not term.isalpha():
        return ()
    padded = f"^{term}$"
    return tuple({padded[i : i + GRAM] for i in range(len(padded) - GRAM + 1)})
