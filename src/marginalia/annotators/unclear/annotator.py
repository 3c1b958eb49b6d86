"""The card of the annotator unclear."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Column, Look

ANNOTATOR = Annotator(
    name="unclear",
    question="What is left unsaid, and how could it be read?",
    annotate=lazy(__package__, "annotate.annotate"),
    whole=True,
    asks=True,
    kinds=dict.fromkeys(
        ("implicit reference", "fused head", "noun compound", "metonymy", "open question"), "note"
    ),
    languages=("en",),
    audiences=("writer",),
    uses=("clarification",),
    look=Look(
        heading={"en": "Unclear", "de": "Unklares"},
        colour="#704394",
        sign="?",
        order=40,
        labels={
            "de": {
                "implicit reference": "Ungesagtes",
                "fused head": "fehlendes Nomen",
                "noun compound": "unvollständiges Nomen",
                "metonymy": "übertragenes Nomen",
                "open question": "offene Frage",
            }
        },
        score={
            "en": "how probable it is that something is left unsaid here",
            "de": "wie wahrscheinlich hier etwas ungesagt bleibt",
        },
        columns=(
            Column(heading={"en": "Place", "de": "Stelle"}, value=("quote",)),
            Column(heading={"en": "Kind", "de": "Art"}, value=("label",), group=True),
            Column(heading={"en": "Could mean", "de": "Kann heißen"}, value=("attrs.readings",)),
            Column(heading={"en": "Why", "de": "Warum"}, value=("attrs.why",)),
        ),
    ),
)
