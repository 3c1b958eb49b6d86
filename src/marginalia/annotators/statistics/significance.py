"""What is called significant and has p ≥ .05 beside it, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from marginalia.annotators.statistics.manuscript import SUBJECT, Finding, Manuscript
from marginalia.annotators.statistics.written import number, read
from marginalia.lang import language

ALPHA = Decimal("0.05")
MAX_CHARACTERS_BETWEEN = 60
"""From the word to the p that belongs to it."""


@cache
def _patterns(lang: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    known = language(lang)
    word, denied = (known.pattern(SUBJECT, name) for name in ("significant", "not_significant"))
    reach = rf"(?P<between>[^;:()\[\].]{{0,{MAX_CHARACTERS_BETWEEN}}})[(\[]\s?(?P<inside>[^()\[\];]{{0,40}}?)"
    p = rf"(?<!\w)[pP](?:[- ]?(?:values?|Wert))?\s?(?P<sign>[=<>≤≥])\s?(?P<p>{number(lang)})(?!\d|[.,·]\d|\s?%|\s?[×x·*]\s?10|[eE]\S)(?P<after>[^()\[\]]{{0,40}})[)\]]"
    return (
        re.compile(rf"\b(?:{word})\b{reach}{p}", re.I),
        re.compile(rf"\b(?:{denied})\b{reach}{p}", re.I),
    )


def find(source: Manuscript) -> Iterator[Finding]:
    """Only where one word and one p belong together: in one sentence that has no other p and no correction of the level."""
    exempt = re.compile(source.pattern("other_level"), re.I)
    if exempt.search(source.text):
        return
    negation = re.compile(source.pattern("negation"), re.I)
    nearly = re.compile(source.pattern("nearly"), re.I)
    one_p = re.compile(r"(?<!\w)[pP]s?(?:[- ]?values?)?\s?[=<>≤≥]")
    affirmed, denied = _patterns(source.lang)
    for start, end in source.sentences:
        said = source.text[start:end]
        if len(one_p.findall(said)) != 1 or nearly.search(said):
            continue
        for pattern, claims in ((denied, False), (affirmed, True)):
            match = pattern.search(source.text, start, end)
            if match is None or negation.search(match["between"]):
                continue
            clause = re.split(r"[,;:]", source.text[start : match.start()])[-1]
            if claims and negation.search(clause):
                break
            p = read(match["p"], source.lang)
            if p is None or not 0 <= p.value <= 1:
                break
            high = match["sign"] in "=>≥" and p.value > ALPHA
            low = match["sign"] in "=<≤" and p.value < ALPHA
            if (claims and high) or (not claims and low):
                key = "significant" if claims else "not_significant"
                shown = source.text[match.start("p") - 4 : match.end("p")]
                shown = shown[max(0, shown.lower().find("p")) :]
                yield Finding("significance", *match.span(), source.say(key, p=shown))
            break
