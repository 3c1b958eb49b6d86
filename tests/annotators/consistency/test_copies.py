"""Which repeated sentences get a note: copied passages and near copies, not what is meant to recur."""

from __future__ import annotations

import pytest

from marginalia import Document
from marginalia.annotators.consistency.annotate import annotate
from marginalia.annotators.consistency.copies import are_entries, is_manual_page
from marginalia.annotators.consistency.repetition import repeats
from marginalia.tasks.similarity.search.passages import Passage

FILLER = (
    "Nobody had asked for it. ",
    "The printer lived in a village by the sea. ",
    "Paper was dear in those years, and so was ink. ",
)
LONG = (
    "In the spring the binder moved her whole workshop to the old mill by the river, because the "
    "rooms there were light and dry."
)
COPIED = (
    "In the spring the binder moved her workshop to the old mill by the river. "
    "Her rooms there were light and dry, and paper kept well in them for many years. "
    "Visitors came from far away to see how a book was sewn by hand in the old way. "
    "Some of them stayed for a week and learned to fold, to sew and to press a small book of their own."
)


def repeated(text: str) -> list[str]:
    doc = Document(id="text", text=text, meta={"lang": "en"})
    return [note.quote for note in annotate(doc) if note.label == "repetition"]


def apart(first: str, second: str) -> str:
    return f"{first} {FILLER[0]}\n\n{FILLER[1]}{FILLER[2]}\n\nSo it went on for years. {second}"


def test_a_long_sentence_that_is_said_twice() -> None:
    assert repeated(apart(LONG, LONG)) == [LONG, LONG]


def test_each_sentence_of_a_copied_passage() -> None:
    assert len(repeated(apart(COPIED, COPIED))) == 8


def test_a_sentence_twice_in_one_paragraph() -> None:
    said = f"The mill was old: {LONG}"
    assert repeated(f"{said} {FILLER[1]}{said}\n\n{FILLER[2]}") == [said, said]
    assert repeated(apart(said, said)) == []


@pytest.mark.parametrize(
    "text",
    [
        # a rule that holds for two things, and a subject that is another one elsewhere
        apart(*2 * ("Waiting writes are cancelled and the caller is told about it at once.",)),
        apart(
            *2
            * (
                "The spectrum displayed two broad peaks near the middle of the range that we "
                "could assign to the outer protons of the ring.",
            )
        ),
        # a caption: a paragraph of its own
        f"{FILLER[1]}\n\n{LONG}\n\n{FILLER[2]}\n\n{LONG}\n\n{FILLER[0]}",
        # entries of a page whose lines are moved in
        apart(*2 * (LONG.replace(" by the river", "\n\t\tby the river"),)),
        # options
        apart(*2 * (LONG.replace("the old mill", "the folder that --prefix names"),)),
    ],
)
def test_what_is_meant_to_recur(text: str) -> None:
    assert repeated(text) == []


def test_a_near_copy_is_one_and_a_changed_claim_is_none() -> None:
    assert repeats(LONG, LONG.replace("whole workshop", "workshop"))
    assert not repeats(LONG, LONG.replace("the rooms", "not all the rooms"))
    assert not repeats(
        LONG, f"Because the rooms there were light and dry, {LONG.split(', because')[0]}."
    )
    assert not repeats(LONG, LONG.replace("workshop", "workshop TEMP"))


def test_a_negation_that_moves_changes_the_claim() -> None:
    left = "It checks that the content of the file matches the expected string and fails the test at once if it does not."
    right = "It checks that the content of the file does not match the expected string and fails the test at once if it does."
    assert not repeats(left, right)


def test_manual_pages_say_of_each_option_all_that_holds_for_it() -> None:
    page = (
        f"BIND(1)\n\nNAME\n       bind - sews\n\nSYNOPSIS\n       bind FILE\n\n{apart(LONG, LONG)}"
    )
    assert is_manual_page(page) and repeated(page) == []
    assert not is_manual_page(apart(LONG, LONG))


def test_entries_of_a_reference_and_of_a_list_of_changes() -> None:
    def passage(section: str) -> Passage:
        return Passage(LONG, "text", 0, len(LONG), 1, section)

    for one, other in (
        ("expect_skip", "expect_run"),
        ("stream.abort([reason])", "writer.abort([reason])"),
        ("v2.13.0 (2026-04-13)", "v2.12.1 (2026-03-01)"),
    ):
        assert are_entries(passage(one), passage(other))
        assert not are_entries(passage(one), passage(one))
    assert not are_entries(passage("The old mill"), passage("The river"))
    assert not are_entries(passage("Introduction"), passage("Results"))
