"""The card of the annotator words."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy

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
)
