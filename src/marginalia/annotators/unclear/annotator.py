"""The card of the annotator unclear."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy

ANNOTATOR = Annotator(
    name="unclear",
    question="What is left unsaid, and how could it be read?",
    annotate=lazy(__package__, "annotate.annotate"),
    whole=True,
    kinds=dict.fromkeys(("implicit reference", "fused head", "noun compound", "metonymy"), "note"),
    languages=("en",),
    audiences=("writer",),
    uses=("clarification",),
)
