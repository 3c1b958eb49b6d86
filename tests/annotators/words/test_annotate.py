"""Hard words in documents: what gets a note, what it says, and what the document's summary says."""

from __future__ import annotations

from typing import Any

import pytest

from marginalia import Document, UnknownNameError
from marginalia.annotators.words.annotate import AGAIN, annotate
from marginalia.annotators.words.document import Place, says_it
from marginalia.annotators.words.glosses.lexicon import senses
from marginalia.annotators.words.summary import summary
from marginalia.annotators.words.uses import Word
from marginalia.reader.annotate import annotate as annotate_all

ENGLISH = (
    "The boy went down to the river. It was a serendipitous discovery that nobody had looked for.\n\n"
    "She could see at once that the plutocracy of the groups was a problem for the whole study. "
    "A year later the serendipitous discovery was still kept in a box in the cellar of the house."
)
MEDICAL = "The nurse gave the patient an analgesic, a drug against the pain in the leg."


def doc(text: str, lang: str = "en", **meta: Any) -> Document:
    return Document(id="x", text=text, meta={"lang": lang, **meta})


def heads(document: Document, **options: str) -> dict[str, str]:
    notes = [note for note in annotate(document, **options) if "part_of" not in note.attrs]
    return {note.quote: note.attrs["why"] for note in notes}


def test_a_note_says_what_the_word_means_and_then_why_it_is_hard() -> None:
    notes = heads(doc(ENGLISH))
    assert list(notes) == ["serendipitous", "plutocracy"]
    meaning, *why = notes["serendipitous"].split(" · ")
    assert meaning == "lucky in making unexpected and fortunate discoveries"
    assert why[0].startswith("rare: 1 in") and why[1] == "5 syllables"


def test_there_is_one_note_a_word_and_later_uses_are_marked_as_its_parts() -> None:
    first, again, _ = annotate(doc(ENGLISH))
    assert (first.label, again.label) == ("hard word", AGAIN)
    assert again.quote == "serendipitous" and again.attrs == {"part_of": [first.id]}
    assert first.score is not None and 0.28 <= first.score <= 1


def test_audiences_nest() -> None:
    readers = ("specialist", "reader", "learner")
    found = [set(heads(doc(ENGLISH), audience=reader)) for reader in readers]
    assert found[0] <= found[1] <= found[2] and found[0] != found[2]
    for function in (annotate, summary):
        with pytest.raises(UnknownNameError, match="Known: learner, reader, specialist"):
            list(function(doc(ENGLISH), audience="wizard"))


def test_a_field_and_a_list_make_words_easy() -> None:
    assert list(heads(doc(ENGLISH), known="serendipitous")) == ["plutocracy"]
    learner = set(heads(doc(MEDICAL), audience="learner"))
    assert learner and not learner & set(heads(doc(MEDICAL), audience="learner", field="medicine"))
    with pytest.raises(UnknownNameError, match="no field 'witchcraft'"):
        heads(doc(ENGLISH), field="witchcraft")


@pytest.mark.parametrize(
    "text",
    [
        "We met Serendipitous and his brother at the house of a friend in the old town.",
        "See https://serendipitous.example/plutocracy or write to serendipitous@example.org about it today.",
        "The file serendipitous.txt and the option --serendipitous are made by the program when it starts.",
        "Call serendipitous(x) or set the name serendipitous_value before you go on with the next step.",
        "It weighs 5 plutocracy and it costs a lot of money to bring it to the other side.",
        "The box was serendipitous (in two parts) when we found it in the cellar of the old house.",
        "Serendipitous answers.",
        "They sang “gaudeamus igitur iuvenes dum sumus” all night in the bar of the small hotel.",
        "He looked at the sunbeam on the notepaper and thought of an invariable and unalterable plan.",
    ],
)
def test_names_code_addresses_units_and_what_is_explained_get_no_note(text: str) -> None:
    assert heads(doc(text)) == {}


@pytest.mark.parametrize(
    "text",
    [
        "Plutocracy, she said, was the problem of the groups and of the whole study.",
        "What is meant by “plutocracy” is a problem for the groups and for the whole study.",
    ],
)
def test_titles_and_words_that_are_spoken_of_get_no_note(text: str) -> None:
    assert heads(doc(text)) == {}


def test_a_sentence_that_has_a_commoner_word_for_it_needs_no_gloss() -> None:
    [sense, *_] = senses("vagrant", "NOUN")
    for text, said in (
        ("He was a vagrant, a wanderer without a home.", True),
        ("He was a vagrant, a person without a home.", False),
    ):
        assert says_it(Place(Word("vagrant"), 9, 16, 0, text), sense) == said


def test_headings_tables_and_code_are_passed_over() -> None:
    text = (
        "Plutocracy of answers\n\nThe plutocracy of the groups was a problem for the whole study."
    )
    heading = {"kind": "heading", "start": 0, "end": 21, "level": 1}
    assert heads(doc(text, regions=[heading])) == {}, "a word of a heading is a term"
    whole = {"start": 0, "end": len(ENGLISH)}
    for kind in ("code", "table", "references"):
        assert heads(doc(ENGLISH, regions=[{"kind": kind, **whole}])) == {}


def test_a_word_that_the_document_uses_all_the_time_is_a_term_of_its_own() -> None:
    text = "The plutocracy of the groups was a problem for the whole study. " * 5
    assert heads(doc(text)) == {}
    assert list(heads(doc(text[: len(text) // 5]))) == ["plutocracy"]


def test_german_shows_learners_the_parts_of_compounds() -> None:
    sentence = (
        "Der Bundestag hat ein neues Krankenversicherungsgesetz beschlossen und sofort verkündet. "
    )
    assert heads(doc(sentence, "de")) == {}
    more = heads(doc(sentence, "de"), audience="learner")
    assert "zusammengesetzt: Krankenversicherung + Gesetz" in more["Krankenversicherungsgesetz"]


@pytest.mark.parametrize("text", ["", "   \n\n ", "😀 😀.", "123 456.", "שלום עולם.", "a. b. c."])
def test_texts_without_words_have_no_notes(text: str) -> None:
    assert list(annotate(doc(text))) == []
    assert summary(doc(text)).get("hard_words", 0) == 0


def test_the_summary_is_in_the_words_of_a_person() -> None:
    found = summary(doc(ENGLISH))
    assert found["said"].endswith(" words; 2 may stop a general reader, all explained")
    assert summary(doc("Hello."))["said"] == "1 word; none that would stop a general reader"
    assert found["hard_words"] == 2 and 0 < found["hard_share"] < 1
    assert "serendipitous" in found["hardest_sentence"]
    annotated = annotate_all(doc(ENGLISH), ["words"])
    assert annotated.meta["summary"]["words"] == found


def test_the_reader_passes_audience_and_field_on() -> None:
    learner = annotate_all(doc(ENGLISH), ["words"], options={"audience": "learner"})
    specialist = annotate_all(doc(ENGLISH), ["words"], options={"audience": "specialist"})
    assert len(learner.annotations) > len(specialist.annotations)
    with pytest.raises(UnknownNameError, match="no audience 'wizard'"):
        annotate_all(doc(ENGLISH), ["words"], options={"audience": "wizard"})
    with pytest.raises(UnknownNameError, match="no field 'magic'"):
        annotate_all(doc(ENGLISH), ["words"], options={"field": "magic"})
