"""Repetitions and contradictions in a document: what gets a note, what it points to, and what gets none."""

from __future__ import annotations

import pytest

from marginalia import Document
from marginalia.annotators.consistency.annotate import annotate, worth
from marginalia.annotators.consistency.repetition import is_worth_repeating, says_the_same
from marginalia.core.decisions import decide
from marginalia.reader.annotate import annotate as annotate_all
from marginalia.reader.choose import choose_notes
from marginalia.reader.decisions import apply

LONG = "In the spring the miller bought a second stone, because the first had worn thin in the dry years."
TEXT = f"""{LONG} Nobody asked.

The valve must be closed before the pump is started.

The paper was dear in those years. So it went on. {LONG}

The valve must not be closed before the pump is started."""


@pytest.fixture(scope="module")
def noted() -> Document:
    return annotate_all(Document(id="mill", text=TEXT, meta={"lang": "en"}), ["consistency"])


def test_two_places_are_one_note_and_a_mark_that_belongs_to_it(noted: Document) -> None:
    heads = {note.id: note for note in noted.annotations if "part_of" not in note.attrs}
    marks = [note for note in noted.annotations if "part_of" in note.attrs]
    assert sorted(note.label for note in heads.values()) == ["contradiction", "repetition"]
    assert len(marks) == len(heads)
    for mark in marks:
        [id] = mark.attrs["part_of"]
        head = heads[id]
        assert mark.label == head.label and mark.start < head.start
        assert (mark.start, mark.end) == (head.attrs["other_start"], head.attrs["other_end"])


def test_a_note_says_what_the_other_place_says(noted: Document) -> None:
    whys = {note.label: note.attrs["why"] for note in noted.annotations if "why" in note.attrs}
    assert whys["contradiction"].startswith("denies what sentence 3 says: “The valve must be")
    assert whys["repetition"].startswith("says the same as sentence 1: “In the spring")


def test_contradictions_are_shown_before_repetitions(noted: Document) -> None:
    assert worth("contradiction", 0.0) > worth("repetition", 5.0)
    assert worth("repetition", 0.0) == 0
    assert choose_notes(noted) == choose_notes(choose_notes(noted))


def test_annotating_twice_is_annotating_once(noted: Document) -> None:
    assert annotate_all(noted, ["consistency"]) == noted


@pytest.mark.parametrize("text", ["", "One.", "A sentence that stands alone in its text."])
def test_short_texts_have_no_notes(text: str) -> None:
    assert list(annotate(Document(id="x", text=text))) == []


def test_a_translation_is_no_repetition() -> None:
    both = "How often do you talk about politics? Wie oft sprechen Sie über Politik? "
    other = (
        "Nach dem Regen wurden alle Proben aus dem Garten zwei Stunden lang an der Luft getrocknet und "
        "danach in Gläser gefüllt."
    )
    text = f"{both}{other} Der Bundestag hat das Gesetz verabschiedet."
    assert not list(annotate(Document(id="x", text=text)))
    [first, second] = annotate(Document(id="x", text=f"{text} {other}"))
    assert first.quote == second.quote == other


@pytest.mark.parametrize(
    ("left", "right", "score", "same"),
    [
        ("SPECTER builds embeddings from the title of a paper.", "SPECTER embeddings are based on only the title of the paper.", 4.4, True),
        ("On most terminals you can use the blue arrow key.", "On most terminals you can use the red arrow key.", 4.6, False),
        ("Real symmetric matrices are a special case of them.", "They can be understood as an extension of those.", 4.1, True),
        ("The mill has two stones.", "The mill has two stones.", 3.4, False),
    ],
)  # fmt: skip
def test_a_word_in_the_place_of_another_is_another_thing(
    left: str, right: str, score: float, same: bool
) -> None:
    assert says_the_same(left, right, score) is same


@pytest.mark.parametrize(
    "text",
    [
        "See the table below.",
        "Copyright 2019 by the authors of this book, who keep all of their rights to it.",
        "“I would prefer not to,” he said to the lawyer who had asked him for it again.",
        "What do you think of the plan that the miller had for the second stone of his?",
    ],
)
def test_what_is_meant_to_stand_there_twice(text: str) -> None:
    assert not is_worth_repeating(text)
    assert is_worth_repeating(LONG)


def test_who_rejects_one_place_rejects_both(noted: Document) -> None:
    [head] = [n for n in noted.annotations if n.label == "contradiction" and "why" in n.attrs]
    rejected = decide(noted, head, "rejected", id="d", who="anna", when="2026-01-01")
    left = apply(noted, [rejected]).doc
    assert {note.label for note in left.annotations} == {"repetition"}
