"""The card of the annotator words."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Column, Look

ANNOTATOR = Annotator(
    name="words",
    question="Which words will stop the reader?",
    annotate=lazy(__package__, "annotate.annotate"),
    whole=True,
    kinds={"hard word": "off", "hard expression": "off", "hard word again": ""},
    options={
        "audience": ("reader", "learner", "specialist"),
        "field": (
            "biology",
            "chemistry",
            "computing",
            "law",
            "mathematics",
            "medicine",
            "physics",
            "politics",
            "religion",
        ),
        "known": (),
    },
    languages=("en", "de"),
    summary=lazy(__package__, "summary.summary"),
    audiences=("reader", "learner"),
    uses=("complexity",),
    look=Look(
        heading={"en": "Hard words", "de": "Schwere Wörter"},
        colour="#a8401a",
        order=10,
        labels={
            "de": {
                "hard word": "schweres Wort",
                "hard expression": "schwerer Ausdruck",
                "hard word again": "schweres Wort, wieder",
            }
        },
        score={
            "en": "how hard readers found such words, from 0 (for nobody) to 1 (for everybody)",
            "de": "wie schwer Leser solche Wörter fanden, von 0 (für niemanden) bis 1 (für alle)",
        },
        reasons={
            "de": {
                r"\brare: 1 in ([\d.,]+) million words": "selten: 1 von $1 Millionen Wörtern",
                r"\brare: 1 in ([\d.,]+) words": "selten: 1 von $1 Wörtern",
                r"\b(\d+) syllables": "$1 Silben",
                r"\bin no word list\b": "in keiner Wortliste",
                r"(^| · )easier: ": "$1einfacher: ",
            },
            "en": {
                r"\bselten: 1 von ([\d.,]+) Millionen Wörtern": "rare: 1 in $1 million words",
                r"\bselten: 1 von ([\d.,]+) Wörtern": "rare: 1 in $1 words",
                r"\b(\d+) Silben": "$1 syllables",
                r"\bin keiner Wortliste\b": "in no word list",
                r"(^| · )zusammengesetzt: ": "$1made of: ",
            },
        },
        columns=(
            Column(heading={"en": "Word", "de": "Wort"}, value=("quote",), group=True),
            Column(heading={"en": "Kind", "de": "Art"}, value=("label",), group=True),
            Column(heading={"en": "Meaning", "de": "Bedeutung"}, value=("attrs.meaning",)),
            Column(heading={"en": "Easier", "de": "Leichter"}, value=("attrs.easier",)),
            Column(heading={"en": "Score", "de": "Zahl"}, value=("score",)),
        ),
    ),
)
