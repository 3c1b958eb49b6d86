"""How many measurements a document has, counted by the rules alone: for readers whose margin does not show them."""

from __future__ import annotations

from marginalia.core.document import SILENT, Document
from marginalia.lang import language
from marginalia.nlp.prose import spans_of
from marginalia.quantities.finder import find_quantities


def tally(doc: Document) -> int:
    """Quantities with a unit, outside of code, formulas and references."""
    silent, lang = spans_of(doc, SILENT), language(str(doc.meta.get("lang"))).code
    found = find_quantities(doc.text, language=lang)
    return sum(one.unit is not None and not silent.touch(one.start, one.end) for one in found)
