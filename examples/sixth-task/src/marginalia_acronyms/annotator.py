"""The notes that the task's system writes."""

from marginalia import Annotator, Look, lazy

ANNOTATOR = Annotator(
    name="acronyms",
    question="Which abbreviation is never explained?",
    annotate=lazy(__package__, "system.annotate"),
    uses=("acronyms",),
    look=Look(heading={"en": "Abbreviations", "de": "Abkürzungen"}, colour="#5a4a8a"),
)
