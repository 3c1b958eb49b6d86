"""The card of the annotator variables."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Column, Look

ANNOTATOR = Annotator(
    name="variables",
    question="Which survey variables does this sentence use?",
    annotate=lazy(__package__, "annotate.annotate"),
    whole=True,
    options={"catalogue": ()},
    asks=True,
    languages=("en", "de"),
    summary=lazy(__package__, "annotate.summary"),
    audiences=("curator",),
    uses=("variables",),
    look=Look(
        heading={"en": "Variables", "de": "Variablen"},
        colour="#446c1b",
        sign="▦",
        order=70,
        labels={"de": {"survey variable": "Variable einer Umfrage"}},
        score={
            "en": "how probable it is that the sentence speaks of a survey variable",
            "de": "wie wahrscheinlich der Satz von einer Umfragevariablen spricht",
        },
        reasons={
            "de": {
                "^add a catalogue to identify the variable$": "mit einem Katalog ließe sich sagen, welche Variable",
                "^mentions a survey variable, perhaps ": "nennt eine Umfragevariable, vielleicht ",
                "^mentions a survey variable, but none of the catalogue fits$": "nennt eine Umfragevariable, die der Katalog "
                "nicht hat",
                "^mentions ": "nennt ",
                r"\(explicit, ": "(im Satz genannt, ",
                r"\(implicit, ": "(im Satz nicht genannt, ",
            },
            "en": {
                r"\(explicit, ": "(named in the sentence, ",
                r"\(implicit, ": "(not named in the sentence, ",
            },
        },
        columns=(
            Column(heading={"en": "Sentence", "de": "Satz"}, value=("quote",)),
            Column(heading={"en": "Variables", "de": "Variablen"}, value=("attrs.candidates",)),
            Column(heading={"en": "Why", "de": "Warum"}, value=("attrs.why",)),
        ),
    ),
)
