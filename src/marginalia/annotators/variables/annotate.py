"""The notes of a document: sentences that mention survey variables, linked to those of a catalogue; without one, a line in the summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from marginalia.annotators.variables.links import open_links
from marginalia.annotators.variables.memory import memory_of
from marginalia.annotators.variables.sentences import detect, paper_of, papers
from marginalia.annotators.variables.variable_notes import Linking, linked_notes
from marginalia.core.document import Annotation, Document
from marginalia.tasks.variables.official.vocabulary import Catalogue
from marginalia.tasks.variables.systems.claims import MIN_PERHAPS_PROBABILITY

SURE_PROBABILITY = 0.7
"""From this probability on a sentence is counted without a catalogue: of the train documents, each left out in
turn, 77 % of such sentences mention a variable, and 41 % of those that do are such."""
_SAID = {
    "en": (
        "1 sentence speaks",
        "{} sentences speak",
        "of survey data; --catalogue FILE says which variables",
    ),
    "de": (
        "1 Satz spricht",
        "{} Sätze sprechen",
        "von Umfragedaten; --catalogue DATEI sagt, welche Variablen es sind",
    ),
}


def annotate(doc: Document, *, catalogue: str = "") -> Iterator[Annotation]:
    """A note on each sentence that mentions a variable of the catalogue at this path; without one, none.

    A document of which the catalogue has no likely variable uses another survey: it gets none either.
    """
    if catalogue:
        how = Linking(memory=memory_of(catalogue))
        found = list(linked_notes(doc, open_links(catalogue), how))
        if any(note.attrs["usefulness"] >= MIN_PERHAPS_PROBABILITY for note in found):
            yield from found


def summary(doc: Document, *, catalogue: str = "") -> dict[str, Any]:
    """Without a catalogue: how many sentences speak of survey data, and what identifies the variables."""
    if catalogue:
        return {}
    none = Catalogue()
    found = (pair for part in papers(doc) for pair in detect(part, paper_of(doc, part), none))
    count = sum(chance >= SURE_PROBABILITY for _, chance in found)
    if not count:
        return {}
    one, many, how = _SAID["de" if doc.meta.get("lang") == "de" else "en"]
    return {"sentences": count, "said": f"{one if count == 1 else many.format(count)} {how}"}
