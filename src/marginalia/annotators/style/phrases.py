"""Phrases that say less than they seem to, or say it at length; for the profiles that ask for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from marginalia.annotators.style.draft import Draft
from marginalia.annotators.style.rule import Example, Issue, Rule

_VAGUE = {
    "en": (
        (r"(?:for|after|within|takes?|in) (?:some|a certain amount of|a) (?:time|while)\b", "how long?"),
        (r"\b(?:a (?:certain|large|small) (?:number|amount) of|a (?:bit|lot) of|a couple of|a handful of)\b", "how many, how much?"),
        (r"\b(?:from time to time|every now and then|regularly)\b", "how often?"),
        (r"\b(?:as (?:mentioned|described|noted|explained|shown|stated|discussed) (?:above|before|earlier|previously|below))\b(?!,? in)", "where? name the section"),
        (r"\b(?:and so on|and so forth)\b", "what else?"),
        (r"\b(?:the (?:latter|former))\b", "which one? name it again"),
        (r"\b(?:in the (?:near|not too distant) future)\b", "when?"),
        (r"\b(?:if (?:necessary|needed|appropriate|applicable)|as (?:necessary|needed|appropriate))\b", "when is it?"),
    ),
    "de": (
        (r"\b(?:einige Zeit|eine (?:gewisse Zeit|Weile)|eine Zeit lang)\b", "wie lange?"),
        (r"\b(?:eine (?:gewisse|große|kleine) (?:Anzahl|Menge)|ein (?:bisschen|paar))\b", "wie viele, wie viel?"),
        (r"\b(?:von Zeit zu Zeit|ab und zu|regelmäßig)\b", "wie oft?"),
        (r"\b(?:wie (?:oben|unten|vorhin|bereits|vorher) (?:erwähnt|beschrieben|genannt|gezeigt|dargestellt))\b", "wo? den Abschnitt nennen"),
        (r"\b(?:und so weiter|usw\.|etc\.)", "was noch?"),
        (r"\b(?:Letztere[rs]?|letztere[rsn]?|Erstere[rs]?|erstere[rsn]?)\b", "wer oder was? noch einmal nennen"),
        (r"\b(?:in (?:naher Zukunft|absehbarer Zeit|Kürze))\b", "wann?"),
        (r"\b(?:gegebenenfalls|ggf\.|bei Bedarf|falls (?:nötig|erforderlich))", "wann ist es das?"),
    ),
}  # fmt: skip
_WORDY = {
    "en": {
        r"in order to": "to", r"due to the fact that": "because", r"in spite of the fact that": "although",
        r"at this point in time": "now", r"at the present time": "now", r"in the event that": "if", r"with regard to": "about",
        r"with respect to": "about", r"prior to": "before", r"subsequent to": "after", r"for the purpose of": "for",
        r"in the vicinity of": "near", r"a (?:large )?majority of": "most", r"has the ability to": "can", r"is able to": "can",
        r"are able to": "can", r"utili[sz]e": "use", r"utili[sz]es": "uses", r"utili[sz]ed": "used", r"utili[sz]ing": "using",
        r"utili[sz]ation of": "use of", r"facilitate": "help", r"commence": "begin", r"terminate": "end", r"endeavou?r to": "try to",
        r"in close proximity to": "near", r"on a regular basis": "regularly", r"it should be noted that": "leave it out",
        r"it is important to note that": "leave it out", r"needless to say": "leave it out", r"the fact that": "that",
        r"in the process of": "leave it out", r"until such time as": "until", r"notwithstanding": "despite", r"aforementioned": "this",
        r"additionally": "also", r"approximately": "about", r"sufficient": "enough", r"numerous": "many", r"demonstrate": "show",
    },
    "de": {
        r"auf Grund der Tatsache,? dass": "weil", r"aufgrund der Tatsache,? dass": "weil", r"zum jetzigen Zeitpunkt": "jetzt",
        r"zum gegenwärtigen Zeitpunkt": "jetzt", r"zu diesem Zeitpunkt": "dann", r"im Falle,? dass": "wenn", r"für den Fall,? dass": "wenn",
        r"in der Lage sein": "können", r"(?:ist|sind) in der Lage": "kann, können", r"zur Anwendung (?:kommen|kommt|bringen)": "anwenden",
        r"zum Einsatz (?:kommen|kommt|kam)": "verwenden", r"in Anspruch nehmen": "nutzen", r"in Erwägung ziehen": "erwägen",
        r"unter Beweis stellen": "beweisen", r"Sorge tragen": "sorgen", r"im Rahmen (?:von|der|des)": "bei, in", r"seitens": "von",
        r"mittels": "mit", r"hinsichtlich": "zu, bei", r"bezüglich": "zu, über", r"diesbezüglich": "dazu", r"sowohl als auch": "und",
        r"nichtsdestotrotz": "trotzdem", r"aus diesem Grunde?": "deshalb", r"in Bezug auf": "zu, bei", r"ein Großteil der": "die meisten",
        r"dahingehend": "so", r"nach Maßgabe": "nach", r"unter Zuhilfenahme": "mit", r"vorgenannte[nrs]?": "diese",
    },
}  # fmt: skip
_VAGUE_PATTERNS = {
    lang: [
        (re.compile(phrase, re.IGNORECASE if lang == "en" else re.NOFLAG), asked)
        for phrase, asked in phrases
    ]
    for lang, phrases in _VAGUE.items()
}
_WORDY_PATTERNS = {
    lang: [
        (re.compile(rf"(?<![\w-]){phrase}(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE), plain)
        for phrase, plain in phrases.items()
    ]
    for lang, phrases in _WORDY.items()
}


def check_vague(draft: Draft) -> Iterator[Issue]:
    for start, end in draft.sentences:
        for pattern, asked in _VAGUE_PATTERNS.get(draft.lang, ()):
            for match in pattern.finditer(draft.text, start, end):
                yield Issue(*match.span(), asked)


def check_wordy(draft: Draft) -> Iterator[Issue]:
    for start, end in draft.sentences:
        for pattern, plain in _WORDY_PATTERNS.get(draft.lang, ()):
            for match in pattern.finditer(draft.text, start, end):
                if plain == "leave it out":
                    said = "can be left out"
                else:
                    said = draft.say(f"plainer: {plain}", f"einfacher: {plain}")
                yield Issue(*match.span(), said)


def rules() -> Iterable[Rule]:
    yield Rule(
        code="wording.vague",
        summary="A quantity, time or reference that says little",
        reason="In a manual or a paper “after some time” and “as mentioned above” leave the reader to guess. In a story they do not.",
        check=check_vague,
        examples=(
            Example(
                "en",
                "Press the sheets for some time, as mentioned above.",
                "Press the sheets for two hours, as mentioned in section 2.",
            ),
            Example(
                "de",
                "Die Blätter einige Zeit pressen, wie oben erwähnt.",
                "Die Blätter zwei Stunden pressen, wie in Abschnitt 2 erwähnt.",
            ),
        ),
    )
    yield Rule(
        code="wording.wordy",
        summary="There is a plainer word",
        reason="“in order to” is “to”, “zum jetzigen Zeitpunkt” is “jetzt”. For texts that everybody must understand.",
        check=check_wordy,
        examples=(
            Example("en", "Utilize a ruler in order to fold.", "Use a ruler to fold."),
            Example(
                "de",
                "Zum jetzigen Zeitpunkt ist die Presse in der Lage zu pressen.",
                "Jetzt kann die Presse pressen.",
            ),
        ),
    )
