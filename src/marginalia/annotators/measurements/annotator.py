"""The card of the annotator measurements."""

from marginalia.core.annotator import Annotator
from marginalia.core.lazy import lazy

ANNOTATOR = Annotator(
    name="measurements",
    question="What was measured, of what, under which conditions?",
    annotate=lazy(__package__, "annotate.annotate"),
    kinds=dict.fromkeys(
        ("measurement", "count", "date", "measured entity", "measured property", "qualifier"), ""
    ),
    options={"units": ()},
    languages=("en", "de"),
    rows=lazy(__package__, "extract.rows"),
    triples=lazy(__package__, "triples.triples"),
    tally=lazy(__package__, "document.tally"),
    record="measurement",
    extract=lazy(__package__, "extract.extract_measurements"),
    extract_options=("min_confidence", "query", "units"),
    check_extract=lazy(__package__, "extract.check_options"),
    audiences=("curator",),
    uses=("measurement",),
)
