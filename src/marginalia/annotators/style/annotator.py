"""The card of the annotator style: what a copy editor marks, for writers."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Look

ANNOTATOR = Annotator(
    name="style",
    question="What would a copy editor mark?",
    annotate=lazy(__package__, "annotate.annotate"),
    kinds={
        "spelling.variants": "warning",
        "spelling.variety": "warning",
        "spelling.case": "note",
        "spelling.name": "warning",
        "abbreviations.undefined": "warning",
        "abbreviations.unused": "off",
        "numbers.spacing": "note",
        "numbers.percent": "off",
        "numbers.grouping": "note",
        "numbers.decimal": "warning",
        "wording.doubled": "warning",
        "wording.article": "warning",
        "wording.misspelled": "warning",
        "wording.vague": "off",
        "wording.wordy": "off",
        "sentences.long": "note",
        "marks.brackets": "warning",
        "marks.repeated": "warning",
        "marks.quotes": "off",
        "text.placeholder": "warning",
        "vocabulary.spelling": "error",
        "vocabulary.rejected": "error",
    },
    audiences=("writer",),
    options={"rules": (), "limits": (), "vocabulary": ()},
    whole=True,
    fast=True,
    describe=lazy(__package__, "manual.describe"),
    summary=lazy(__package__, "annotate.summary"),
    look=Look(
        heading={"en": "Style", "de": "Stil"},
        colour="#4a5560",
        order=50,
    ),
)
