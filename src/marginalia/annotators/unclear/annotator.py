"""The card of the annotator unclear."""

from marginalia.annotators.unclear.kinds import KINDS
from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Column, Look

ANNOTATOR = Annotator(
    name="unclear",
    question="What would an editor ask?",
    annotate=lazy(__package__, "annotate.annotate"),
    whole=True,
    asks=True,
    kinds=dict.fromkeys(KINDS.values(), "note"),
    languages=("en",),
    audiences=("writer",),
    look=Look(
        heading={"en": "Unclear", "de": "Unklares"},
        colour="#704394",
        sign="?",
        order=40,
        labels={
            "de": {
                "missing object or reference": "Ungesagtes",
                "missing noun": "fehlendes Nomen",
                "which one": "welches?",
                "figurative name": "übertragenes Nomen",
                "amount": "Menge, Zeit oder Grad",
                "reference": "unklarer Bezug",
                "broken sentence": "unvollständiger Satz",
                "comparison": "Vergleich ohne Maßstab",
                "open list": "offene Aufzählung",
                "vague wording": "unbestimmte Worte",
                "unit or base": "Einheit oder Bezugsgröße",
                "open question": "offene Frage",
            }
        },
        score={
            "en": "how probably a careful editor asks here",
            "de": "wie wahrscheinlich ein sorgfältiger Lektor hier fragt",
        },
        columns=(
            Column(heading={"en": "Place", "de": "Stelle"}, value=("quote",)),
            Column(heading={"en": "Kind", "de": "Art"}, value=("label",), group=True),
            Column(heading={"en": "Could mean", "de": "Kann heißen"}, value=("attrs.readings",)),
            Column(heading={"en": "Why", "de": "Warum"}, value=("attrs.why",)),
        ),
    ),
)
