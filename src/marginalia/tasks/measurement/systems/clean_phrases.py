"""What may be shown as an entity, property or condition: a noun phrase of the sentence, in whole words.

The spans that score best on the shared task are made for overlap: half words, verbs and other quantities in
them cost little there. A reader takes them for a claim.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from marginalia.quantities.lexicon import lexicon, stop_words
from marginalia.tasks.measurement.systems.noun_phrases import VERBS

Place = tuple[int, int]
MAX_PHRASE_WORDS = 8
MAX_CONDITION_WORDS = 12
_WORD = re.compile(r"[^\W_](?:[\w'’./+‐‑-]*[\w+])?|\S")
_JOINED = re.compile(r"[\w'’‐‑-]")
"""What goes on a word: "non-|linear", "patient|'s"."""
_BREAK = re.compile(r"[;:?!,\[\]{}=<>≤≥≈~∼±|•\n\t\"“”]|\.\s|\.$")
_NUMBER = re.compile(r"[-−–+±~∼<>≤≥]?\d[\d.,/:–-]*(?:[a-z]{1,2}|%)?|[ivx]+\)")
_ADVERB = re.compile(
    r"(?!(?:assembly|family|supply|anomaly|reply|fly|ply|italy|july|monopoly)$)[a-z]{3,}ly"
)
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:ed|ing)")
_DIMENSION = re.compile(r"(?:groß|lang|hoh|schwer|breit|dick|alt|tief)e[nrsm]?")
_AUXILIARY = re.compile(
    r"\b(?:has|have|had|was|were|is|are|been|be|being|we|they|he|she|it|I)\s(?:also\s)?\Z"
)
_SHORTENED = re.compile(r"(?:n't|'re|'ve|'ll|'d|'m)$")
_NOUNS_IN_ING = frozenset(
    "warming cooling spacing loading bleeding training building ceiling clothing coating heating lighting "
    "rating reading setting spring string thing timing wing wording engineering screening imaging string "
    "drilling farming fishing housing meaning mixing packing ring king sampling scattering sequencing "
    "smoking swelling breeding feeding funding grazing hearing marketing mining opening painting offspring "
    "evening morning beginning lining tubing bearing casing seed feed breed speed bed weed need shed".split()
)
_ENGLISH_VERBS = VERBS | frozenset(
    "is are was were be been being has have had does did do can could may might will would shall should must "
    "cannot isn't aren't wasn't weren't don't doesn't increased decreased bake add stir preheat heat mix pour "
    "click install run try keep send sent said says say think thought want wants need needs keep buy bought "
    "sell sold pay paid spend spent cost costs save saves meet met tell told ask asks asked help helps live "
    "lives lived work works worked move moves moved turn turns turned bring brings brought build built believe "
    "start starts started end ends ended stop stops stopped change changes changed hit hits lose lost win won "
    "leave leaves left feel felt write wrote written read reads speak spoke expect expects expected "
    "arrive arrives arrived react reacts reacted appear appears appeared remain remains remained occur occurs exist exists "
    "include includes included contain contains contained require requires required suggest suggests suggested provide provides "
    "provided allow allows allowed become becomes became seem seems seemed happen happens grow grows grew know knows knew "
    "fear fears agree agrees show shows use uses used make makes made get gets got take takes took give gives gave come comes came go goes went "
    "let's it's that's there's they're we're you're i'm he's she's".split()
)
_NOUN_TOO = frozenset(
    "range result results change changes cost costs heat end start work help need needs lives reads span run "
    "runs set report increases decreases drop rise fall display yield use measure estimate cover account "
    "drops falls leaves turn move mix click lead lay lie estimates displays yields measures reports sets rises "
    "turns moves works".split()
)
"""Words of the verb lists that are as often nouns: no verbs where a noun phrase holds them."""
_NOT_ALONE = frozenset(
    "it its they them we us he she him her i you one ones this that these those which who whom whose what there "
    "here others other former latter respectively time times way ways case cases order total terms thing things "
    "full-time part-time quad-core dual-core to-date online worldwide lot lots bunch couple handful bit kind sort variety majority minority rest front part parts fact addition example instance fig figure table section data study studies article paper "
    "apart again back away far wide wider aware pure strange identical similar equal plus minus average maximum "
    "minimum max min mean median half sample's fig. kib mib gib kb mb gb e.g i.e etc al vs et higher lower greater smaller larger longer shorter more less many few much several "
    "same different first second third last next new old high low large small good best better only such et-al "
    "vielfache vielfaches vielfachen reihe menge hier jan feb mär apr jun jul aug sep okt nov dez "
    "es sie er wir ihr man dies diese dieser dieses jene welche welcher sich".split()
)
_GERMAN_NOUN = re.compile(r"[A-ZÄÖÜ][\wäöüß-]+")
_EDGES = stop_words() | frozenset(
    "beyond behind my your his her their our its this that these those some any each every no mean about approximately nearly "
    "almost roughly overall total totally estimated measured reported observed several many few "
    "diese dieser dieses diesen diesem jede jeder jedes alle allen aller beide beiden kein keine rund etwa circa ca "
    "vom beim ins ans um über unter vor hinter neben zwischen seit bis gegen ohne sowie auch nur noch sehr mehr "
    "ihre ihr ihrer ihren seine sein seiner seinen unsere unser dann wenn weil da so nicht man es sie er wir "
    "beträgt betrug liegt lag wird werden kann können hat haben hatte ergab ergibt".split()
) - {"mean", "total"}


def clean_phrase(
    text: str, start: int, end: int, *, taken: Sequence[Place], language: str = "en"
) -> Place | None:
    """The noun phrase that the span means, or None where it means none that could be shown.

    Half words are made whole, determiners and other function words are cut from the edges. ``taken`` are the
    quantities of the text: a phrase that shares a character with one, or holds a number, a verb or the end of a
    clause, is none.
    """
    words = _trimmed(text, *_whole(text, start, end))
    while language == "de" and words and not text[words[-1][0]].isupper():
        words.pop()  # "Patienten untersucht": a phrase ends with its noun, which has a capital
    if language == "de" and words and _follows(taken, words[0][0]):
        words = _up_to_noun(text, words)
    while len(words) > 1 and language == "en" and _is_perfect(text, *words[0]):
        words.pop(0)  # "have achieved f-measures"
    if len(words) > 1 and _DIMENSION.fullmatch(text, *words[0]) and _follows(taken, words[0][0]):
        words.pop(0)  # "11,4 GB große Partition"
    if not words or len(words) > MAX_PHRASE_WORDS:
        return None
    start, end = words[0][0], words[-1][1]
    if overlaps(taken, start, end):
        return None
    said = [text[slice(*word)] for word in words]
    if _BREAK.search(text, start, end) or text.count("(", start, end) != text.count(
        ")", start, end
    ):
        return None
    if any(_NUMBER.fullmatch(word) for word in said):
        return None
    fits = _is_german if language == "de" else _is_english
    return (start, end) if fits(text, start, said) else None


def clean_condition(text: str, start: int, end: int, *, taken: Sequence[Place]) -> Place | None:
    """The words of a condition, whole; it may have a preposition, a verb, and numbers that are no quantity's."""
    start, end = _whole(text, start, end)
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not (text[end - 1].isalnum() or text[end - 1] in ")%°"):
        end -= 1
    words = text[start:end].split()
    if not words or len(words) > MAX_CONDITION_WORDS or _BREAK.search(text, start, end):
        return None
    if text.count("(", start, end) != text.count(")", start, end):
        return None
    if overlaps(taken, start, end):
        return None
    # A condition of one word is a fragment; what ends in a function word goes on.
    alone = len(words) == 1 and not re.match(
        r"(?:post|pre(?!dict|sent|vious|defin|fer|par|vent|scri|cis))[a-z]{5,}$", words[0]
    )
    return None if alone or words[-1].lower() in stop_words() else (start, end)


def overlaps(taken: Sequence[Place], start: int, end: int) -> bool:
    """Whether one of the places, which are in order and apart, shares a character with ``start:end``."""
    after = bisect_left(taken, (end, 0))
    return after > 0 and taken[after - 1][1] > start


def _whole(text: str, start: int, end: int) -> Place:
    while 0 < start < len(text) and _JOINED.match(text[start]) and _JOINED.match(text[start - 1]):
        start -= 1
    while 0 < end < len(text) and _JOINED.match(text[end - 1]) and _JOINED.match(text[end]):
        end += 1
    return start, end


def _trimmed(text: str, start: int, end: int) -> list[Place]:
    words = [word.span() for word in _WORD.finditer(text, start, end)]
    while words and _is_edge(text[slice(*words[0])]):
        words.pop(0)
    while words and _is_edge(text[slice(*words[-1])]):
        words.pop()
    return words


def _up_to_noun(text: str, words: list[Place]) -> list[Place]:
    """Right behind a number the thing ends with its first noun: "fünf Spalten festgelegten Bedingungen" are columns.

    None of "Rot-, Grün- und Blautöne", of which the first word is a part.
    """
    first = next((i for i, (start, _) in enumerate(words) if text[start].isupper()), None)
    if first is None or text[words[first][1] : words[first][1] + 1] in ("-", "‐"):
        return []
    return words[: first + 1]


def _follows(taken: Sequence[Place], start: int) -> bool:
    """Whether a quantity stands right before."""
    before = bisect_left(taken, (start, 0))
    return before > 0 and start - taken[before - 1][1] <= 1


def _is_perfect(text: str, start: int, end: int) -> bool:
    """Whether the word is the participle of a verb that stands before it."""
    if not text[start:end].endswith("ed"):
        return False
    return _AUXILIARY.search(text, max(0, start - 12), start) is not None


def _is_edge(word: str) -> bool:
    low = word.lower()
    if low in _EDGES or _ADVERB.fullmatch(low):
        return True
    return not any(sign.isalnum() for sign in word) and word not in "()"


def _is_english(text: str, start: int, said: Sequence[str]) -> bool:
    low = [word.lower().replace("’", "'") for word in said]
    if low[-1].endswith(("'s", "s'")) or any(_SHORTENED.search(word) for word in low):
        return False
    verbs = [word for word in low if word in _ENGLISH_VERBS]
    if any(word not in _NOUN_TOO for word in verbs) or (len(low) == 1 and verbs):
        return False
    if low[-1] in _NOT_ALONE or not any(letter.isalpha() for letter in said[-1]):
        return False
    if any(
        word in ("that", "which", "who", "we", "they", "it", "to", "when", "if") for word in low
    ):
        return False
    # "heated" alone is a verb; "heated film" is a thing, and so is "the film heated" no longer.
    if _PARTICIPLE.fullmatch(low[-1]) and low[-1] not in _NOUNS_IN_ING:
        return False
    if _is_order(text, start, said[0]):
        return False
    return len(said) > 1 or not _is_unit(said[0], "en")


def _is_order(text: str, start: int, first: str) -> bool:
    """Whether the first word opens a sentence and a determiner follows: "Preheat the oven"."""
    before = text[max(0, start - 4) : start].rstrip(" \t*-•–\"'“(")
    opens = start == 0 or before[-1:] in (".", "!", "?", ":", "\n")
    after = text[start + len(first) : start + len(first) + 8]
    return opens and re.match(r"\s(?:the|an?|your|it|to|up)\b", after) is not None


def _is_german(text: str, start: int, said: Sequence[str]) -> bool:
    """A German noun is written with a capital, and a phrase ends with its noun."""
    if said[-1].lower() in _NOT_ALONE or not _GERMAN_NOUN.fullmatch(said[-1]):
        return False
    if any(word.lower() in VERBS or word == "sich" for word in said):
        return False
    return len(said) > 1 or not _is_unit(said[0], "de")


def _is_unit(word: str, language: str) -> bool:
    return lexicon(language).unit.fullmatch(word) is not None
