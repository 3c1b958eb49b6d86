"""The card of the annotator variables."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy

ANNOTATOR = Annotator(
    name="variables",
    question="Which survey variables does this sentence use?",
    annotate=lazy(__package__, "annotate.annotate"),
    whole=True,
    options={"catalogue": ()},
    languages=("en", "de"),
    summary=lazy(__package__, "annotate.summary"),
    audiences=("curator",),
    uses=("variables",),
)
