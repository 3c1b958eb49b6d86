"""What a text itself says a word means, in English and German: "viscosity, that is, the resistance to flow".

Patterns after Hearst (1992) and what manuals and papers use, kept to those that are seldom anything else: ``is a`` counts only
as "An X is a Y that …" at the start of a sentence. The term is the words before the pattern, without function words. What
follows *i.e.* mostly says which one or how (*by legal means, i.e. by a vote*): it defines only a noun with its article by another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from marginalia.nlp.language import english_or_german
from marginalia.nlp.sentences import sentences

MAX_TERM_WORDS = 4
MAX_MEANING = 200
MIN_MEANING_WORDS = 2

_ARTICLE = r"(?:an?|the|any|its|their|one|every|each|how|whether|what|where|when|all|those|things?|someone|something)"
_ARTIKEL = (
    r"(?:ein(?:e[rnms]?)?|d(?:er|ie|as|en|em|es)|jede[rsnm]?|alle[rsnm]?|ihre?[nmrs]?|seine?[nmrs]?|wie|ob|was|wenn|dass|wer|"
    r"man|diejenigen?|solche)"
)
_NOUN = r"(?:an?|the|any|things?|someone|something)"
_NOMEN = r"(?:ein(?:e[rnms]?)?|d(?:er|ie|as|en|em|es)|jede[rsnm]?)"
_DIFFERENTIA = r"(?:that|which|who|whose|where|used|for|of|with|in which|consisting|containing|made|designed|between|from|whereby)"
_TERM = r"[\w’'-]+(?: [\w’'-]+){0,5}"

# Each has the groups ``term``, or ``again`` where it must be a noun with its article, and ``meaning``, which runs to the
# end of the sentence unless the pattern stops it.
_PATTERNS = {
    "en": (
        rf"(?P<again>{_TERM})[\"”’]?\s*,\s+(?:that is,|i\.\s?e\.,?|in other words,|which means,?)\s+(?P<meaning>{_NOUN}\b[^,;]+)",
        rf"(?P<again>{_TERM})[\"”’]?\s*\((?:that is|i\.\s?e\.|in other words|meaning)\s*,?\s+(?P<meaning>{_NOUN}\b[^()]+)\)",
        rf"(?P<term>{_TERM})[\"”’]?\s*\(?\s?(?:here |is |are |was |were |be |which (?:is|are) )*defined (?:here )?as (?P<meaning>[^();]+)",
        rf"\bdefines? (?:the |an? )?[\"“‘]?(?P<term>{_TERM})[\"”’]? as (?P<meaning>{_ARTICLE}\b[^();]+)",
        rf"\b[Bb]y [\"“‘]?(?P<term>{_TERM})[\"”’]?,? (?:we|I|is) (?:mean|meant)\s+(?P<meaning>[^;]+)",
        rf"(?P<again>{_TERM})[\"”’]? (?:refers|refer) to (?P<meaning>{_ARTICLE}\b[^;]+)",
        rf"(?P<term>{_TERM})[\"”’]?\s*,\s+(?:also|sometimes|otherwise|often|commonly) (?:called|known as|termed|referred to as)\s+(?P<meaning>[^,;()]+)",
        rf"(?P<term>{_TERM})[\"”’]?\s*\((?:also|sometimes|otherwise|often|commonly) (?:called|known as|termed|referred to as)\s+(?P<meaning>[^,;()]+)\)",
        rf"\AAn? [\"“‘]?(?P<term>[\w’'-]+(?: [\w’'-]+){{0,3}})[\"”’]? is (?P<meaning>(?:an?|any|one) [^.;]*?\b{_DIFFERENTIA}\b [^;]+)",
        r"\A(?P<term>[A-Z][a-z’'-]+(?: [a-z’'-]+)?)[\"”’]? is (?P<meaning>(?:the|an?) (?:process|act|practice|study|science|ability|state|condition|art|method|technique|tendency|measure|branch) (?:of|in|by|that|for|to)\b [^;]+)",
    ),
    "de": (
        rf"(?P<again>{_TERM})[\"“’]?\s*,\s+(?:das heißt|d\.\s?h\.|mit anderen Worten)\s*,?\s+(?P<meaning>{_NOMEN}\b[^,;]+)",
        rf"(?P<again>{_TERM})[\"“’]?\s*\((?:das heißt|d\.\s?h\.|also)\s*,?\s+(?P<meaning>{_NOMEN}\b[^()]+)\)",
        rf"(?P<term>{_TERM})[\"“’]?\s*\(?\s?(?:hier |ist |sind |wird |werden )*definiert als (?P<meaning>[^();]+)",
        rf"\b[Uu]nter (?:d(?:em|er|en) |ein(?:em|er) )?[\"„‚]?(?P<term>{_TERM})[\"“’]? (?:versteht|verstehen) (?:man|wir|sich)\s+(?:hier\s+)?(?P<meaning>[^;]+)",
        rf"\b[Uu]nter (?:d(?:em|er|en) |ein(?:em|er) )?[\"„‚]?(?P<term>{_TERM})[\"“’]? (?:wird|werden) (?P<meaning>{_ARTIKEL}\b[^;]+?) verstanden",
        rf"\b[Aa]ls [\"„‚]?(?P<term>{_TERM})[\"“’]? (?:bezeichnet|bezeichnen) (?:man|wir)\s+(?P<meaning>[^;]+)",
        rf"\A(?:D(?:er|ie|as) |Eine? )?(?:Begriff |Ausdruck )?[\"„‚]?(?P<term>[\wäöüß-]+)[\"“’]? bezeichnet (?P<meaning>{_ARTIKEL}\b[^;]+)",
        rf"(?P<term>{_TERM})[\"“’]?\s*[,(]\s*auch (?P<meaning>[^,;()]+?) (?:genannt|bezeichnet)\b",
        r"\AEine? [\"„‚]?(?P<term>[\w-]+)[\"“’]? ist (?P<meaning>eine? [^.;]*?,\s*(?:d(?:er|ie|as|en|em)|mit d(?:er|em)|in d(?:er|em)|bei d(?:er|em)|womit) [^;]+)",
    ),
}  # fmt: skip
_COMPILED = {
    lang: tuple(re.compile(one) for one in patterns) for lang, patterns in _PATTERNS.items()
}
# None of the patterns matches a sentence without one of these.
_TRIGGER = {
    "en": re.compile(
        r"that is|i\.\s?e\.|other words|which means|meaning|define|mean|refers? to|called|known as|termed|referred|\bis (?:an?|any|one|the)\b"
    ),
    "de": re.compile(
        r"das heißt|d\.\s?h\.|Worten|\(also|definiert|verst[ea]|bezeichne|genannt|\bist eine?\b"
    ),
}

# At which a term, read from its right end, begins.
_FUNCTION = frozenset(
    """a an the this that these those its their his her our your my of to in on at by for with from as and or but not no is are was were
    be been being has have had can may will would should could must which who whose if when where than then so such only also into
    about between under over per each every all any some more most very too it they we he she you i one two three called term word
    der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine ist sind war waren wird werden hat haben
    hatte kann muss soll darf mit von vom zu zum zur auf für bei aus nach über unter durch im in an am als wie wenn dass weil auch nur
    noch schon sehr sowie ihre ihr ihren seine sein seinen diese dieser dieses dies jede jeder sich man wir sie er es sogenannte
    sogenannten begriff wort genannt""".split()
)
_VERBS = frozenset("is are was were be here which ist sind wird werden hier".split())
# "the viscosity, that is, …", "“viscosity” (i.e. …)"
_NAMED = re.compile(
    r"(?:\A|(?<!\w)(?:an?|the|ein(?:e[rnms]?)?|d(?:er|ie|as|en|em|es)) )[\"“”„‚‘’]?\Z",
    re.IGNORECASE,
)
# What a meaning that holds elsewhere has not: code, a word that points to its surroundings, the next sentence, a clause.
_BOUND = re.compile(
    r"[_\[\]{}=<>\\]|[.!?]\s+[A-ZÄÖÜ]|\b(?i:this|these|here|above|below|following|dies\w*|hier|oben|unten|folgende\w*)\b"
)
_FINITE = re.compile(
    r"\A[^,]*?(?<!that )(?<!which )(?<!who )(?<!what )\b(?:is|are|was|were|has|have|will|can|ist|sind|war|wird|werden|wurde|hat|haben|kann|können)\b"
)
_PRONOUNS = frozenset("i we you he she they it who ich wir sie er man".split())


@dataclass(frozen=True, slots=True)
class Definition:
    """A term and what the text says it means, as offsets into the text."""

    term: str
    meaning: str
    start: int
    end: int
    meaning_start: int
    meaning_end: int


def definitions(text: str, lang: str | None = None) -> Iterator[Definition]:
    """Each place where a text explains a word or expression of its own, in reading order."""
    lang = lang or english_or_german(text)
    if lang not in _COMPILED:
        return
    for low, high in sentences(text, lang):
        if _TRIGGER[lang].search(text, low, high):
            yield from in_sentence(text, low, high, lang)


def in_sentence(text: str, low: int, high: int, lang: str) -> Iterator[Definition]:
    sentence = text[low:high]
    seen: set[int] = set()
    for pattern in _COMPILED[lang]:
        again = "again" in pattern.groupindex
        for match in pattern.finditer(sentence):
            term = _term(sentence, *match.span("again" if again else "term"), verbs=not again)
            meaning = _meaning(sentence, match)
            if term is None or meaning is None or term[1] in seen:
                continue
            said = sentence[slice(*meaning)]
            if again and (not _NAMED.search(sentence[: term[0]]) or _FINITE.match(said)):
                continue
            if sentence[slice(*term)].lower() in said.lower().split():
                continue  # it explains itself
            seen.add(term[1])
            yield Definition(
                sentence[slice(*term)],
                said,
                low + term[0],
                low + term[1],
                low + meaning[0],
                low + meaning[1],
            )


def _term(sentence: str, low: int, high: int, *, verbs: bool) -> tuple[int, int] | None:
    """The last words of the span up to a function word, ``verbs`` before the pattern left out; None where there is none."""
    words = list(re.finditer(r"[\w’'-]+", sentence[low:high]))
    while verbs and words and words[-1].group().lower() in _VERBS:
        words.pop()
    first = len(words)
    while first > max(0, len(words) - MAX_TERM_WORDS) and not _ends_term(words[first - 1].group()):
        first -= 1
    if 0 < first < len(words) - 1 and words[first - 1].group().lower() in _PRONOUNS:
        first += 1  # we measured turbidity
    if first == len(words) or not any(char.isalpha() for char in words[-1].group()):
        return None
    return low + words[first].start(), low + words[-1].end()


def _ends_term(word: str) -> bool:
    return word.lower() in _FUNCTION or word.isdigit()


def _meaning(sentence: str, match: re.Match[str]) -> tuple[int, int] | None:
    low, high = match.span("meaning")
    while high > low and (sentence[high - 1].isspace() or sentence[high - 1] in '.,:!?–—"“”'):
        high -= 1
    if _BOUND.search(sentence, low, high):
        return None
    words = sentence[low:high].split()
    named = "called" in match.group() or "known as" in match.group() or "genannt" in match.group()
    if len(words) < (1 if named else MIN_MEANING_WORDS) or high - low > MAX_MEANING:
        return None
    return low, high
