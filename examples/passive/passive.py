"""Passive voice in English: an annotator in one file."""

import re

from marginalia import Annotation, Annotator

BE = r"(?:am|are|be|been|being|is|was|were)"
DONE = r"(?:\w+ed|built|done|found|given|kept|known|made|seen|shown|taken|used|written)"
PASSIVE = re.compile(rf"\b{BE}\s(?:\w+ly\s)?{DONE}\b", re.IGNORECASE)
WHY = {"why": "passive: who does it?"}


def annotate(doc):
    for number, match in enumerate(PASSIVE.finditer(doc.text), 1):
        start, end = match.span()
        place = {"start": start, "end": end, "quote": match[0]}
        yield Annotation(id=f"passive-{number}", task="passive", label="voice", **place, attrs=WHY)


ANNOTATOR = Annotator(
    name="passive",
    question="Who does it?",
    annotate=annotate,
    kinds={"voice": "note"},  # lint reports it as passive.voice
    audiences=("writer",),
    languages=("en",),
    fast=True,  # an editor asks it at every change
)
