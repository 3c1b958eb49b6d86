"""The card of the annotator statistics."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Look

ANNOTATOR = Annotator(
    name="statistics",
    question="Do the numbers add up?",
    annotate=lazy(__package__, "annotate.annotate"),
    whole=True,
    fast=True,
    kinds={
        "p-decision": "error",
        "p-value": "warning",
        "significance": "warning",
        "mean": "warning",
        "percentage": "warning",
        "total": "warning",
        "interval": "warning",
        "range": "warning",
        "date": "warning",
        "missing-reference": "warning",
    },
    languages=("en", "de"),
    audiences=("writer", "specialist", "reader", "learner"),
    describe=lazy(__package__, "manual.describe"),
    look=Look(
        heading={"en": "Numbers that do not add up", "de": "Zahlen, die nicht aufgehen"},
        colour="#8a3b12",
        order=28,
        labels={
            "en": {
                "p-decision": "significance reversed",
                "p-value": "p does not fit its test",
                "significance": "significant or not",
                "mean": "impossible mean",
                "percentage": "percentage",
                "total": "sum",
                "interval": "interval",
                "range": "range",
                "date": "impossible date",
                "missing-reference": "no such figure, table or section",
            },
            "de": {
                "p-decision": "Signifikanz verkehrt",
                "p-value": "p passt nicht zum Test",
                "significance": "signifikant oder nicht",
                "mean": "unmöglicher Mittelwert",
                "percentage": "Prozentsatz",
                "total": "Summe",
                "interval": "Intervall",
                "range": "Bereich",
                "date": "unmögliches Datum",
                "missing-reference": "Verweis ins Leere",
            },
        },
    ),
)
