"""The card of the annotator measurements."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy
from marginalia.core.look import Column, Look

ANNOTATOR = Annotator(
    name="measurements",
    question="What was measured, of what, under which conditions?",
    annotate=lazy(__package__, "annotate.annotate"),
    kinds=dict.fromkeys(
        ("measurement", "count", "date", "measured entity", "measured property", "qualifier"), ""
    ),
    options={"units": ()},
    asks=True,
    languages=("en", "de"),
    rows=lazy(__package__, "extract.rows"),
    triples=lazy(__package__, "triples.triples"),
    tally=lazy(__package__, "document.tally"),
    record="measurement",
    extract=lazy(__package__, "extract.extract_measurements"),
    extract_options=("min_confidence", "query", "units", "llm"),
    check_extract=lazy(__package__, "extract.check_options"),
    audiences=("curator",),
    uses=("measurement",),
    look=Look(
        heading={"en": "Measurements", "de": "Messwerte"},
        colour="#1b647e",
        sign="#",
        order=60,
        labels={
            "de": {
                "measurement": "Messwert",
                "count": "Anzahl",
                "date": "Datum",
                "measured entity": "wovon",
                "measured property": "Eigenschaft",
                "qualifier": "Bedingung",
            }
        },
        score={
            "en": "how sure the reading is, from 0 to 1",
            "de": "wie sicher die Lesung ist, von 0 bis 1",
        },
        reasons={"de": {"^number of ": "Anzahl "}, "en": {"^Anzahl ": "number of "}},
        columns=(
            Column(heading={"en": "Quantity", "de": "Größe"}, value=("quote",)),
            Column(heading={"en": "Kind", "de": "Art"}, value=("label",), group=True),
            Column(
                heading={"en": "Property", "de": "Eigenschaft"},
                value=("links.property",),
                group=True,
            ),
            Column(heading={"en": "Of what", "de": "Wovon"}, value=("links.entity",), group=True),
            Column(heading={"en": "Under", "de": "Unter"}, value=("links.qualifier",)),
            Column(heading={"en": "Value", "de": "Wert"}, value=("attrs.value",)),
            Column(
                heading={"en": "Unit", "de": "Einheit"},
                value=("attrs.unit",),
                group=True,
                chart=True,
            ),
            Column(
                heading={"en": "SI", "de": "SI"},
                value=("attrs.si_low", "attrs.si_high", "attrs.si_symbol"),
            ),
        ),
    ),
)
