"""The card of the annotator consistency."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Look

ANNOTATOR = Annotator(
    name="consistency",
    question="What says the same thing, and in which respect?",
    annotate=lazy(__package__, "annotate.annotate"),
    across=lazy(__package__, "across.across"),
    whole=True,
    asks=True,
    kinds={"contradiction": "warning", "repetition": "note"},
    languages=("en", "de"),
    audiences=("reader", "learner", "specialist", "writer"),
    uses=("similarity",),
    look=Look(
        heading={"en": "Contradictions", "de": "Widersprüche"},
        colour="#96295a",
        sign="≠",
        order=30,
        labels={"de": {"contradiction": "Widerspruch", "repetition": "Wiederholung"}},
        score={
            "en": "how much the note helps, from 0 to 1: contradictions more than repetitions, then by similarity",
            "de": "wie viel die Anmerkung hilft, von 0 bis 1: Widersprüche mehr als Wiederholungen, dann nach Ähnlichkeit",
        },
    ),
)
