"""The card of the annotator terms."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Column, Look

ANNOTATOR = Annotator(
    name="terms",
    question="What do the document's own terms and short forms mean?",
    annotate=lazy(__package__, "annotate.annotate"),
    kinds={"abbreviation": "", "term": ""},
    audiences=("reader", "learner", "specialist"),
    languages=("en", "de"),
    whole=True,
    summary=lazy(__package__, "annotate.summary"),
    look=Look(
        heading={"en": "Terms", "de": "Begriffe"},
        colour="#7a5a00",
        sign="≝",
        order=20,
        labels={"de": {"term": "Begriff", "abbreviation": "Abkürzung"}},
        reasons={
            "de": {"^short for ": "kurz für ", "^the document says: ": "im Dokument erklärt: "},
            "en": {"^kurz für ": "short for ", "^im Dokument erklärt: ": "the document says: "},
        },
        columns=(
            Column(heading={"en": "Term", "de": "Begriff"}, value=("quote",), group=True),
            Column(heading={"en": "Kind", "de": "Art"}, value=("label",), group=True),
            Column(heading={"en": "Meaning", "de": "Bedeutung"}, value=("attrs.meaning",)),
        ),
    ),
)
