"""German compounds taken apart: ``Donaudampfschiff`` is donau + dampf + schiff.

A word is split where each part is a word that German texts use, with or without a linking element
after it. Of all ways the one with the most usual parts wins, and on average its parts must not be
rarer than the word itself, after Koehn and Knight (2003), "Empirical methods for compound splitting".
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

MIN_WORD = 7
MAX_WORD = 80
"""Longer than the words of a dictionary: what is longer is not taken apart."""
MIN_PART = 3
MAX_PART = 20
LINKS = ("s", "es", "n", "en", "er", "e")

# All in hundredths of Zipf, as the frequency list counts.
USUAL = {3: 450, 4: 370, 5: 330}
"""How usual a part of so many letters must be; short words are found everywhere by accident."""
RARE_PART = 300
SLACK = 30
"""So much rarer than the word its parts may be on average: some compounds are everyday words."""
LINK_COST = 20
CUT_COST = 40

# Words and endings that stand at the edge of other words without being their parts. Prefixes that
# are words (aus, vor, über) are here too: Ausland is not "out" and "land" to a reader.
_NO_PARTS = frozenset(
    """
    aber ach als also ami ana and ant anz auch auf aus bald bar bare baren bei beim ben bin bis bist che
    chen cher dann das dass dein dem den denen denn der deren des dessen dich die dies diese dieser dir
    doch don dort durch ein eine einem einen einer eines eins eln ent enten enz ern erst etwa euch euer
    eur fort für gar gegen gen ges ging hab habe haben haft hafte haften halt hat hatte heit her hier hin
    hinter ich ihm ihn ihnen ihr ihre ihren ine inen ing inge ins inter ion ionen isch ische ischen ist
    ite ität jede jeder jetzt kam kann kein keine keit keiten kel ker leer lei lein ler lich liche lichen
    lin ling los lose losen mal man mein men mich mir mit mon muss nach nen ner nicht nie nis nisse noch
    nun nur oder ohne ons per pro reich reiche reichen ren res rich rin rung sam same schaft schaften
    schon sein seine seinem seinen seiner seit sen ser sich sie sind solch soll son sondern ste tel tele
    ten tens ter the tin tion tionen tum tät täten über um und ung ungen uns unser unter ure ver voll
    volle vollen vom von vor war ware waren was wegen wei weil wen wenn wer werde werden wider wie will
    wir wird zen zer zig zum zur zwar zwischen
    """.split()
)


def split_compound(word: str) -> tuple[str, ...]:
    """The parts of a German compound in lower case, without linking elements; else the word alone.

    A hyphen always parts: ``EU-Arbeitsmarkt`` is eu + arbeit + markt. A first part that lost its last
    ``e`` has it again: ``Schulhof`` is schule + hof.
    """
    parts: list[str] = []
    for piece in re.split(r"[-‐‑]+", word.lower()):
        if piece:
            parts.extend(_split(piece))
    return tuple(parts)


@cache
def _known() -> dict[str, int]:
    """Words that may be parts, with their Zipf frequency in hundredths."""
    from wordfreq import get_frequency_list

    known: dict[str, int] = {}
    # The list has one bucket per hundredth, the commonest words first.
    for rank, bucket in enumerate(get_frequency_list("de")[: 900 - RARE_PART]):
        value = 900 - rank
        for word in bucket:
            if (
                word.isalpha()
                and value >= USUAL.get(len(word), RARE_PART)
                and len(word) >= MIN_PART
            ):
                known[word] = value
    for word in _NO_PARTS:
        known.pop(word.replace("ß", "ss"), None)
    return known


@lru_cache(maxsize=100_000)
def _split(word: str) -> tuple[str, ...]:
    """The cheapest way through the word from left to right; a part costs what it lacks in frequency."""
    size = len(word)
    if not MIN_WORD <= size <= MAX_WORD or not word.isalpha():
        return (word,)
    known = _known()
    sharp = "ß" in word
    best: dict[int, tuple[int, tuple[tuple[str, int], ...]]] = {0: (0, ())}
    for start in range(size - MIN_PART + 1):
        if start not in best:
            continue
        cost, parts = best[start]
        for end in range(start + MIN_PART, min(size, start + MAX_PART) + 1):
            if end == size and start == 0:
                continue
            piece = word[start:end]
            key = piece.replace("ß", "ss") if sharp else piece
            value = known.get(key, 0)
            if end < size:
                whole = known.get(key + "e", 0) - CUT_COST
                if whole > value and whole >= 400 and piece[-1] not in "aeiouäöü":
                    piece, value = piece + "e", whole
            if not value:
                continue
            now = cost + 900 - value
            _keep(best, end, now, (*parts, (piece, value)))
            for link in LINKS if end < size else ():
                after = end + len(link)
                if size - after >= MIN_PART and word.startswith(link, end):
                    _keep(best, after, now + LINK_COST, (*parts, (piece, value)))
    if size not in best:
        return (word,)
    parts = best[size][1]
    own = known.get(word.replace("ß", "ss"), RARE_PART)
    if sum(value for _, value in parts) / len(parts) < own - SLACK:
        return (word,)
    return tuple(piece for piece, _ in parts)


def _keep(
    best: dict[int, tuple[int, tuple[tuple[str, int], ...]]],
    place: int,
    cost: int,
    parts: tuple[tuple[str, int], ...],
) -> None:
    if place not in best or cost < best[place][0]:
        best[place] = cost, parts
