"""The card of the annotator words."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy

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
    uses=("words",),
)  # fmt: skip
