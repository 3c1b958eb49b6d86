"""Every annotator that is registered keeps the contract, and a broken one is found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from marginalia import Annotation, Annotator, ContractError, Document, check_annotator
from marginalia.core.registry import ANNOTATORS, get_annotator

FILLER = "We walked to the mill and back, and the day was long. " * 60
TEXT = f"""The central processing unit (CPU) is new. It was serendipitous. The eigenvalues of the covariance matrix are small. The box weighs 12.5 kg. It failed in 42 of 46 cases (93%).

The the sheet is ready. The valve must be closed before the pump is started.

{FILLER}

The CPU is fast. The valve must not be closed before the pump is started.
"""
DOC = Document(id="d", text=TEXT, meta={"lang": "en", "regions": []})


@pytest.mark.parametrize("name", ANNOTATORS.names())
def test_every_annotator_keeps_the_contract(name: str) -> None:
    check_annotator(get_annotator(name), DOC)


def test_the_document_gives_them_something_to_say() -> None:
    silent = {name for name in ANNOTATORS.names() if not list(get_annotator(name).notes_on(DOC))}
    assert silent == {"variables"}, "for a catalogue"


def note(**changes: object) -> Annotation:
    fields = {
        "id": "n",
        "task": "red",
        "label": "colour",
        "start": 4,
        "end": 7,
        "quote": "cen",
    }
    return Annotation(**{**fields, **changes})


def red(*notes: Annotation, **changes: object) -> Annotator:
    card = Annotator(
        name="red", question="?", annotate=lambda doc: iter(notes), kinds={"colour": "note"}
    )
    return replace(card, **changes)


def test_a_good_one_passes() -> None:
    check_annotator(red(note()), DOC)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (red(name="Red one"), "one plain lower-case word"),
        (red(kinds={"colour": "grave"}), "gives 'colour' the severity 'grave'"),
        (red(note(task="blue")), "signs a note as 'blue'"),
        (red(note(quote="cex")), "does not stand there"),
        (red(note(label="size")), "has notes of the kind 'size'"),
        (red(note(), note()), "gives two notes one id"),
    ],
)
def test_a_broken_one_is_found(broken: Annotator, said: str) -> None:
    with pytest.raises(ContractError, match=said):
        check_annotator(broken, DOC)


def test_one_that_changes_its_mind_is_found() -> None:
    numbers = count()

    def annotate(doc: Document) -> Iterator[Annotation]:
        yield note(id=f"n-{next(numbers)}")

    with pytest.raises(ContractError, match="writes other notes when asked again"):
        check_annotator(red(annotate=annotate), DOC)
