"""The notes that the task's system writes."""

from marginalia import Annotator, lazy

ANNOTATOR = Annotator(
    name="acronyms",
    question="Which abbreviation is never explained?",
    annotate=lazy(__package__, "system.annotate"),
    uses=("acronyms",),
)
