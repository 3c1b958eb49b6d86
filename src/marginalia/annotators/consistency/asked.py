"""Contradictions with a language model at hand: can both really not be true?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from marginalia.annotators.consistency.annotate import Relation, notes
from marginalia.core.document import Annotation, Document
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.passages import KEPT, seen
from marginalia.nlp.prompting.prompt import Entry, load_prompt
from marginalia.tasks.similarity.search.passages import Passage


def review(
    doc: Document, found: Sequence[Passage], related: Sequence[Relation], model: LanguageModel
) -> Iterator[Annotation]:
    """The notes without the contradictions that the model denies; those that it confirms have its name."""
    pairs = {f"{one.left} {one.right}": one for one in related if one.difference is not None}
    entries = [
        Entry((id,), {"a": found[one.left].text, "b": found[one.right].text}, id)
        for id, one in pairs.items()
    ]
    asked = model.ask(load_prompt(__package__, "contradiction").requests(entries))
    said = {entry.ids[0]: bool(answer["contradiction"]) for entry, answer in asked}
    kept = [one for one in related if said.get(f"{one.left} {one.right}", True)]
    sure = {found[one.right].start for id, one in pairs.items() if said.get(id)}
    for note in notes(doc, found, kept):
        confirmed = note.label == "contradiction" and note.start in sure and "why" in note.attrs
        yield seen(note, model, KEPT) if confirmed else note
