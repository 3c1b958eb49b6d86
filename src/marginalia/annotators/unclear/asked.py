"""Unclear places with a language model at hand: would an editor ask this, and where else?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from marginalia.core.document import Annotation, Document
from marginalia.nlp.prompting.model import LanguageModel
from marginalia.nlp.prompting.passages import KEPT, NEW, ask_each, passages, plain, seen
from marginalia.nlp.prompting.prompt import load_prompt

LABEL = "open question"
"""What a place is called that only the model marks: it says a question and no kind."""
MAX_PLACES = 2
"""Places of a passage that the model may add."""


def review(
    doc: Document, notes: Iterable[Annotation], model: LanguageModel
) -> Iterator[Annotation]:
    """The notes that the model keeps, and its own, in reading order; what it was not asked about stays."""
    kept = {note.id: note for note in notes}
    rows, listed = {}, {}
    for passage in passages(doc):
        own = [n for n in kept.values() if passage.start <= n.start and n.end <= passage.end]
        found = {
            str(n): {"quote": one.quote, "question": one.attrs["question"]}
            for n, one in enumerate(own, 1)
        }
        rows[passage], listed[passage] = {"found": found}, own
    added: list[Annotation] = []
    for passage, answer in ask_each(model, load_prompt(__package__, "unclear"), rows).items():
        for verdict in answer["found"]:
            if 1 <= verdict["place"] <= len(listed[passage]):
                note = listed[passage][verdict["place"] - 1]
                if verdict["keep"]:
                    kept[note.id] = seen(note, model, KEPT)
                else:
                    kept.pop(note.id, None)
        for said in answer["places"][:MAX_PLACES]:
            place = passage.find(said["quote"], model)
            question, reading = plain(said["question"]), plain(said["reading"])
            if place and question and not any(_touch(place, n) for n in (*kept.values(), *added)):
                number = len(kept) + len(added) + 1
                added.append(_note(doc, place, f"unclear-asked-{number}", question, reading, model))
    yield from sorted((*kept.values(), *added), key=lambda note: (note.start, note.end))


def _touch(place: tuple[int, int], note: Annotation) -> bool:
    return place[0] < note.end and note.start < place[1]


def _note(
    doc: Document,
    place: tuple[int, int],
    id: str,
    question: str,
    reading: str,
    model: LanguageModel,
) -> Annotation:
    start, end = place
    readings = [{"filler": reading, "label": "PLAUSIBLE", "rating": None}] if reading else []
    note = Annotation(
        id=id,
        task="unclear",
        label=LABEL,
        start=start,
        end=end,
        quote=doc.text[start:end],
        attrs={
            "why": f"{question} {reading}".strip(),
            "question": question,
            "readings": readings,
            "several": False,
        },
    )
    return seen(note, model, NEW)
