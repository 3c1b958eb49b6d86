"""How many syllables a word has, by rules: English and German.

Both count groups of vowels and then mend what spelling hides: in English mostly the silent ``e``,
in German the vowels that meet without becoming one. A word of letters has at least one syllable.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from marginalia.core.errors import UnknownNameError
from marginalia.nlp.tokens import words

MAX_LETTERS = 100
"""What is longer is no word; its syllables are counted in proportion."""

_ENGLISH_EXCEPTIONS = {
    "aisle": 1, "business": 2, "cereal": 3, "clement": 2, "colonel": 2, "european": 4, "every": 2,
    "everything": 3, "implement": 3, "isle": 1, "israel": 3, "medieval": 4, "museum": 3,
    "nuclear": 3, "oasis": 3, "parliament": 3, "people": 2, "recipe": 3, "supplement": 3,
    "vehement": 3, "wednesday": 2, "whole": 1,
}  # fmt: skip

_ENGLISH_GROUP = re.compile(r"[aeiouy]+")
_ENGLISH_SILENT = (
    # take, league, technique; not table, and not the only vowel (a look-back that asks for one).
    re.compile(r"(?<=[aeiouy])(?:[^aeiouy]*[^aeiouyl]|[^aeiouy]*[aeiouy]l|l|[gq]u)e$"),
    re.compile(r"(?<=[aeiouy])[^aeiouy]*(?:(?<=[aeiouy])l|[^aeiouylsxzcg](?<!ch)(?<!sh)|[gq]u)es$"),
    re.compile(r"(?<=[aeiouy])[^aeiouy]*(?:(?<=[aeiouy])l|[^aeiouyltd]|[gq]u)ed$"),
    # The e before an ending that was a word or suffix of its own: lovely, statement, sometimes.
    re.compile(
        r"[aeiouy][^aeiouy]+e(?=(?:ly|ful|fully|less|lessly|ness|thing|times?|where|fore|wise|works?|body)$)"
    ),
    re.compile(r"[aeiouy][^aeiouyl]+e(?=ments?$)"),
)
_ENGLISH_HIATUS = (
    re.compile(r"[aeiouy]ing(?:s|ly)?$"),  # being, studying
    re.compile(r"(?<![ctgs])ia(?!g)|(?<=[ctgs])ia(?![ln]|$)|iat(?=e|i|o)(?<![ctgs]iat)|(?<=as)ia$"),
    re.compile(r"(?<![ctgsx])io|(?<=[ctgs])io(?!n|us)"),  # violent; not nation, gracious
    re.compile(r"iu|uu|ii(?!ng)|(?<![cg])eo(?!u)|(?<=g)eo(?=[glm])|(?<![cgt])eou"),
    re.compile(r"[aeou]y(?=[aeou])(?!ed$|es$)|(?<=[^aeioun])y(?=[ao])"),  # beyond, embryo
    re.compile(r"(?<![gq])ua(?!r[dy])|(?<=l)ua|(?<!q)uou|(?<![gq])ue(?=[lnt])"),
    re.compile(r"(?<=cr)ea(?=t[eio])|(?<=id)ea|(?<=ar)ea$|(?<=r)ea(?=li[tsz])|(?<=th)ea(?=t)|eate$"),
    re.compile(r"ie(?=t)|(?<=sc)ie(?=n)|(?<=cl)ie(?=n)|(?<=[^aeiouyc])ie(?=r$|st$|nce$|nt$)"),
    re.compile(r"(?<=[aeiouy])[^aeiouy]*(?:[ia]sms?|thms?)$|^(?:rhythm|prism|schism)s?$"),
    re.compile(r"(?<=p)oe|(?<=c)oe(?=[fx])|coo(?=pera|rdi)|(?<=z)oo(?=l)|(?<=[nd])ai(?=[vs][et])"),
)  # fmt: skip

_GERMAN_VOWEL = re.compile(r"aa|ee|oo|au|äu|eu|ei|ai|ie|ey|ay|oy|[aeiouyäöü]")
_GERMAN_HIATUS = (
    re.compile(r"[^aeiouäöü]eum"),  # Museum
    re.compile(r"een$"),  # Ideen
    re.compile(r"(?<=[aeiouyäöü])[^aeiouyäöü]+ien$"),  # Familien; not Wien
    re.compile(r"^be(?:u[nr]|in[hn]|end|eil|ein|erd)|^ge(?:ir|imp)"),  # beurteilen, beenden
)


def syllables(text: str, lang: str = "en") -> int:
    """The syllables of a word or phrase; 0 if it has no letters.

    ``measurement`` has 3, ``Donaudampfschiff`` 4 in German. A word without vowels is spelled out
    (``DNS``: 3) if it is written in capitals.
    """
    if lang not in _COUNTERS:
        raise UnknownNameError("language with syllable rules", lang, _COUNTERS)
    return sum(_count(match.group(), lang) for match in words(text))


@lru_cache(maxsize=50_000)
def _count(word: str, lang: str) -> int:
    if len(word) > MAX_LETTERS:
        whole, rest = divmod(len(word), MAX_LETTERS)
        return whole * _count(word[:MAX_LETTERS], lang) + (_count(word[:rest], lang) if rest else 0)
    total = 0
    for part in re.split(r"[-‐‑.]", word):
        letters = "".join(char for char in unicodedata.normalize("NFC", part) if char.isalpha())
        if not letters:
            continue
        count = _COUNTERS[lang](letters.lower())
        if count == 0:
            count = len(letters) if letters.isascii() and letters.isupper() else 1
        total += count
    return total


def _english(word: str) -> int:
    for form in (word, word.removesuffix("s")):
        if form in _ENGLISH_EXCEPTIONS:
            return _ENGLISH_EXCEPTIONS[form]
    decomposed = unicodedata.normalize("NFKD", word)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    if plain.startswith("y") and plain[1:2] in tuple("aeiou"):
        plain = plain[1:]  # young
    count = len(_ENGLISH_GROUP.findall(plain))
    silent = sum(bool(rule.search(plain)) for rule in _ENGLISH_SILENT)
    hiatus = sum(len(rule.findall(plain)) for rule in _ENGLISH_HIATUS)
    # An accent says that a last e is spoken: café, fiancé.
    if word.endswith(("é", "és")) and silent:
        silent -= 1
    return max(count - silent + hiatus, min(count, 1))


def _german(word: str) -> int:
    word = word.replace("qu", "kw")
    if word.startswith("y") and word[1:2] in tuple("aeiou"):
        word = word[1:]
    count = len(_GERMAN_VOWEL.findall(word))
    return count + sum(len(rule.findall(word)) for rule in _GERMAN_HIATUS)


_COUNTERS = {"en": _english, "de": _german}
