"""The card of the annotator words."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Column, Look

ANNOTATOR = Annotator(
    name="words",
    question="Which words will stop the reader?",
    annotate=lazy(__package__, "annotate.annotate"),
    kinds={
        "hard word": "off",
        "expression": "off",
        "term": "off",
        "abbreviation": "off",
        "hard word again": "",
    },
    audiences=("reader", "learner"),
    languages=("en", "de"),
    options={
        "audience": ("reader", "learner", "specialist"),
        "field": (
            "arts", "biology", "chemistry", "computing", "earth", "engineering", "finance", "food", "history",
            "language", "law", "mathematics", "medicine", "military", "physics", "politics", "psychology",
            "religion", "society", "sports", "statistics", "transport", "weather",
        ),
        "known": (),
    },
    whole=True,
    asks=True,
    uses=("words",),
    look=Look(
        heading={"en": "Words", "de": "Wörter"},
        colour="#3a5aa0",
        sign="≈",
        order=10,
        labels={
            "de": {
                "hard word": "schweres Wort",
                "expression": "Ausdruck",
                "term": "Fachwort",
                "abbreviation": "Abkürzung",
                "hard word again": "schweres Wort, wieder",
            }
        },
        score={
            "en": "how probably such a reader stops here, from 0 to 1",
            "de": "wie wahrscheinlich ein solcher Leser hier stockt, von 0 bis 1",
        },
        columns=(
            Column(heading={"en": "Word", "de": "Wort"}, value=("quote",), group=True),
            Column(heading={"en": "Kind", "de": "Art"}, value=("label",), group=True),
            Column(heading={"en": "Meaning", "de": "Bedeutung"}, value=("attrs.meaning",)),
            Column(heading={"en": "Easier", "de": "Leichter"}, value=("attrs.easier",)),
            Column(heading={"en": "Details", "de": "Näheres"}, value=("attrs.details",)),
        ),
    ),
)  # fmt: skip
