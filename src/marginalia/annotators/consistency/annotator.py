"""The card of the annotator consistency."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy

ANNOTATOR = Annotator(
    name="consistency",
    question="What says the same thing, and in which respect?",
    annotate=lazy(__package__, "annotate.annotate"),
    across=lazy(__package__, "across.across"),
    whole=True,
    kinds={"contradiction": "warning", "repetition": "note"},
    languages=("en", "de"),
    audiences=("reader", "learner", "specialist", "writer"),
    uses=("similarity",),
)
