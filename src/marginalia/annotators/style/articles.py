"""The English article before a vowel or a consonant: an error, a user."""

from __future__ import annotations

import re
from collections.abc import Iterator

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Edit, Issue
from marginalia.nlp.language import FUNCTION_WORDS

# After these an "a" is the name of something.
_AFTER_A_SYMBOL = FUNCTION_WORDS | {
    "against",
    "alone",
    "equal",
    "equals",
    "along",
    "instead",
    "above",
    "ever",
    "except",
}
# Two consonants that open a word; after others the first letter is spelled: an lvalue.
_ONSET = re.compile(
    r"[bcdfgjklmnpqrstvwxz](?:[aeiouy]|(?<=[bcfgps])[lr]|(?<=[dtwk])[r]|(?<=[cgpstw])h|(?<=[gkp])n|(?<=s)[ckmnpqtw]|(?<=[dt])w|(?<=p)s)"
)
# Spelled with a vowel, spoken with y or w.
_CONSONANT = re.compile(
    r"(?:eu|ew|u(?:[bcfkstv][aeiou]|n[aeiou](?!nim|n|m)|ni(?!n|m)|r[aeiou](?!n)|r[io]|til|s[aeu]|x)|uu|one(?![a-z])|once|oui|one-|ou[io]|y).*"
)
_VOWEL_U = re.compile(
    r"(?:un(?:i[dmn]|a[bcdfilmnprstuvw]|e[aglmnqstvx]|o[bcfpr]|u[s])|us(?:h|er?n)|ur(?:ge|ch)|ugl|ut(?:t|m)|up|um|ul|ud).*"
)
_SILENT_H = re.compile(r"(?:hour|honest|honou?r|heir|herb).*")


def check(draft: Draft) -> Iterator[Issue]:
    if draft.lang != "en":
        return
    for left, right in draft.pairs:
        low, word = left.text.lower(), right.text
        if (
            right.text in _AFTER_A_SYMBOL
            or low not in ("a", "an")
            or left.text not in ("a", "an", "A", "An")
            or not word.islower()
        ):
            continue
        if len(word) < 3 or not word.isascii() or (left.text == "A" and not left.opens):
            continue  # a letter, and what is spelled out: an n, a url
        wanted = _article(word.split("-")[0])
        if wanted is None or wanted == low:
            continue
        if wanted == "an" and draft.text[left.start - 1 : left.start] in ("(", "[", "/"):
            continue  # (a) is a label
        said = f"“{wanted} {word}”, by its sound"
        written = wanted.capitalize() if left.text[0].isupper() else wanted
        yield Issue(left.start, right.end, said, (Edit(left.start, left.end, written),))


def _article(word: str) -> str | None:
    """What stands before the word; None where speakers differ."""
    if len(word) < 3 or not re.search(r"[aeiouy]", word):
        return None
    if _SILENT_H.fullmatch(word):
        return None if word.startswith("herb") else "an"
    if word[0] == "h":
        return None if word.startswith(("hist", "hab", "hot", "html", "http")) else "a"
    if word[0] in "aeio":
        return "a" if _CONSONANT.fullmatch(word) else "an"
    if word[0] == "u":
        if _VOWEL_U.fullmatch(word):
            return "an"
        return None
    # Abbreviations in small letters are spelled out: an rpm package, an xml file.
    return None if word in _SPELLED or not _ONSET.match(word) else "a"


_SPELLED = frozenset(
    "rpm rss rgb sms sql ssh ssl svg xml xls xlsx lua lse fps ftp mri mrna npm nfs sdk sla smtp".split()
)
