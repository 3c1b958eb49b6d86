"""Tasks add their notes; none lands on code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from marginalia import Annotation, Annotator, Document, UnknownNameError, get_annotator
from marginalia.reader.annotate import NOTES_PER_BATCH, annotate, assemble, stream

TEXT = "red apple\n\nred = 1\n\na red pear"
DOC = Document(
    id="d",
    text=TEXT,
    meta={
        "regions": [
            {"kind": "code", "start": 11, "end": 18},
            {"kind": "code", "start": 15, "end": 16, "inline": True},
        ]
    },
)


def find(doc: Document, word: str, task: str) -> Iterator[Annotation]:
    """A note on each place of a word, each linked to all others."""
    places = [place for place in range(len(doc.text)) if doc.text.startswith(word, place)]
    ids = [f"{task}-{place}" for place in places]
    for place, id in zip(places, ids, strict=True):
        end = place + len(word)
        links = {"same": tuple(other for other in ids if other != id)}
        yield Annotation(
            id=id, task=task, label=word, start=place, end=end, quote=word, links=links
        )


def task_for(name: str, word: str) -> Annotator:
    return replace(get_annotator("words"), name=name, annotate=lambda doc: find(doc, word, name))


LEARNER = {"audience": "learner"}
RED, PEAR = task_for("colour", "red"), task_for("fruit", "pear")


def test_notes_of_all_tasks_in_reading_order_and_none_on_code() -> None:
    doc = annotate(DOC, [PEAR, RED])
    assert [(note.task, note.start) for note in doc.annotations] == [
        ("colour", 0),
        ("colour", 22),
        ("fruit", 26),
    ]
    assert doc.annotations[0].links == {"same": ("colour-22",)}, "no link leads to a note on code"


def test_annotating_twice_is_annotating_once_and_keeps_other_notes() -> None:
    first = annotate(DOC, [PEAR])
    both = annotate(first, [RED])
    assert annotate(both, [RED, PEAR]) == both == annotate(DOC, [RED, PEAR, RED])
    assert list(both.notes("fruit")) == list(first.notes())


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    annotate(DOC, [RED, PEAR], progress=lambda *step: told.append(step))
    assert told == [("colour", 30, 30), ("fruit", 30, 30)]


def test_notes_on_the_whole_document_are_told_as_they_are_made() -> None:
    text = "red " * 3 * NOTES_PER_BATCH
    code = {"kind": "code", "start": 0, "end": 3}
    doc = Document(id="d", text=text, meta={"regions": [code]})
    asked = []

    def one_by_one(doc: Document) -> Iterator[Annotation]:
        for note in find(doc, "red", "colour"):
            asked.append(note.id)
            last = note.start == len(text) - 4
            yield replace(note, links={"same": ("colour-0", "colour-4")} if last else {})

    task = replace(RED, annotate=one_by_one, summary=lambda doc: {"said": len(asked)})
    batches = stream(doc, [task])
    first = next(batches)
    assert len(asked) == NOTES_PER_BATCH == len(first.notes) + 1, "the one on code is left out"
    rest = list(batches)
    assert [batch.done for batch in (first, *rest)] == sorted(b.done for b in (first, *rest))
    assert [batch.summary for batch in rest] == [None, {"said": 3 * NOTES_PER_BATCH}]
    made = assemble(doc, [task], [first, *rest])
    assert len(made.annotations) == 3 * NOTES_PER_BATCH - 1
    assert made.annotations[-1].links == {"same": ("colour-4",)}, "no link to what was left out"


def test_hard_words_are_found_as_their_notes_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("recalcitrant", "ephemeral", "egregious", "perfunctory")
    text = " ".join(f"In sentence {n} it was a {w} thing." for n, w in enumerate(words))
    doc = Document(id="d", text=text, meta={"lang": "en"})
    task = get_annotator("words")
    whole = annotate(doc, [task], options=LEARNER)
    assert [note.quote for note in whole.annotations] == list(words)
    monkeypatch.setattr("marginalia.reader.annotate.NOTES_PER_BATCH", 1)
    batches = list(stream(doc, [task], options=LEARNER))
    assert len(batches) > 2
    assert assemble(doc, [task], batches) == whole, "the same notes however they are put together"


def test_tasks_by_name() -> None:
    doc = Document(id="d", text="It was egregious.", meta={"lang": "en"})
    noted = annotate(doc, ["words"], options=LEARNER).annotations
    assert [note.quote for note in noted] == ["egregious"]
    assert annotate(doc, options=LEARNER).annotations, (
        "without names all tasks that make notes do so"
    )
    with pytest.raises(UnknownNameError, match=r"no kind of note 'wrds'\. Did you mean 'words'"):
        annotate(doc, ["wrds"])


def test_early_notes_are_on_the_beginning_and_no_part_of_the_result() -> None:
    text = "The vestibule is cold. " * 10 + "\n\n" + ("The children went home. " * 40 + "\n\n") * 8
    doc = Document(id="d", text=text, meta={"lang": "en"})
    batches = list(stream(doc, ["words"], early=True))
    first, *rest = batches
    assert first.early and first.notes and first.done < len(text)
    assert not any(batch.early for batch in rest)
    usual = list(stream(doc, ["words"]))
    assert [one.notes for one in rest] == [one.notes for one in usual]
    short = Document(id="s", text="The vestibule is cold.", meta={"lang": "en"})
    assert not any(one.early for one in stream(short, ["words"], early=True))
