"""The card of the annotator terms."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy

ANNOTATOR = Annotator(
    name="terms",
    question="What do the document's own terms and short forms mean?",
    annotate=lazy(__package__, "annotate.annotate"),
    kinds={"abbreviation": "", "term": ""},
    audiences=("reader", "learner", "specialist"),
    languages=("en", "de"),
    whole=True,
    summary=lazy(__package__, "annotate.summary"),
)
