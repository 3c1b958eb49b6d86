"""Words that stop a reader get a note with their meaning, once, where they are first used."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import marginalia
from marginalia import Annotation, Document, FormatError
from marginalia.annotators.words.annotate import AGAIN, annotate
from marginalia.annotators.words.candidates import find_candidates
from marginalia.lexicon.dictionary import dictionary
from marginalia.nlp.tokens import words

NEWS = (
    "The minister balked when her critics had lambasted the proposal as a harbinger of austerity. "
    "She was taken to task by the opposition for obfuscating the figures. Later she balked again."
)


def doc(text: str, lang: str = "en", **meta: object) -> Document:
    return Document(id="d", text=text, meta={"lang": lang, **meta})


def notes(text: str, **options: str) -> list[Annotation]:
    return [note for note in annotate(doc(text), **options) if note.label != AGAIN]


def test_a_learner_is_given_the_meaning_of_what_stops_him() -> None:
    found = {note.quote: note for note in notes(NEWS, audience="learner")}
    assert {"balked", "harbinger"} <= found.keys()
    assert "unwilling" in found["balked"].attrs["meaning"]
    assert not {"minister", "figures", "Later", "She"} & found.keys()
    for note in found.values():
        assert note.attrs["why"].startswith(note.attrs["meaning"]), "the meaning comes first"
        assert NEWS[note.start : note.end] == note.quote and 0 < (note.score or 0) <= 1


def test_a_native_reader_is_given_fewer() -> None:
    learner, reader = notes(NEWS, audience="learner"), notes(NEWS, audience="reader")
    assert {note.quote for note in reader} < {note.quote for note in learner}


def test_later_uses_are_only_marked() -> None:
    every = list(annotate(doc(NEWS), audience="learner"))
    first = next(note for note in every if note.quote == "balked")
    again = [note for note in every if note.label == AGAIN and note.quote == "balked"]
    assert [note.attrs["part_of"] for note in again] == [[first.id]]
    assert again[0].start > first.start


def test_known_words_and_words_of_the_readers_field_have_no_note() -> None:
    quotes = {note.quote for note in notes(NEWS, audience="learner", known="balk\nharbinger")}
    assert not {"balked", "harbinger"} & quotes and "austerity" in quotes


def test_what_the_document_explains_is_left_to_the_terms() -> None:
    text = "By harbinger we mean a sign that something will happen. " + NEWS
    assert "harbinger" not in {note.quote for note in notes(text, audience="learner")}


def test_a_short_form_that_the_document_introduces_is_explained_by_the_same_long_form() -> None:
    text = "We ran a randomized controlled trial (RCT) with two groups. The RCT lasted a year."
    [note] = [note for note in notes(text) if note.quote == "RCT"]
    assert note.attrs["meaning"].startswith("randomized controlled trial: ")
    other = text.replace("randomized controlled trial", "red cedar tree")
    assert "RCT" not in {note.quote for note in notes(other)}, "the dictionary means another one"


def test_the_sense_fits_the_sentence() -> None:
    def meaning(text: str, word: str) -> str:
        start = text.index(word)
        chosen = marginalia.explain_word(text, start, start + len(word))
        assert chosen is not None
        return chosen.field

    assert (
        meaning("Pass the verbose flag to the compiler to see every step.", "flag") == "computing"
    )
    assert (
        meaning("Expression of the gene doubled in the treated cells.", "Expression") == "biology"
    )


def test_code_addresses_and_names_are_not_words() -> None:
    text = "Visit https://harbinger.example/obfuscate or call Harbinger in `lambast_all()` today."
    region = {"kind": "code", "start": text.index("`"), "end": text.rindex("`") + 1, "inline": True}
    found = annotate(doc(text, regions=[region]), audience="learner")
    assert not {"harbinger", "Harbinger", "lambast_all", "obfuscate"} & {
        note.quote for note in found
    }


def test_a_document_in_another_language_has_none() -> None:
    assert list(annotate(doc("La ministre hésitait.", "fr"))) == [] or dictionary("fr") is None


@settings(max_examples=25, deadline=None)
@given(st.text(alphabet="abcdefgh ABC.,'’-\n0123 äé\u0301", max_size=200))
def test_any_text_keeps_its_offsets(text: str) -> None:
    for note in annotate(doc(text), audience="learner"):
        assert text[note.start : note.end] == note.quote


def test_expressions_go_before_their_words() -> None:
    own = dictionary("en")
    assert own is not None
    text = "She was taken to task, let alone praised."
    spans = [match.span() for match in words(text)]
    forms = [one.form for one in find_candidates(text, spans, own) if len(one.parts) > 1]
    assert forms == ["taken to task", "let alone"]


def test_a_line_in_capitals_has_no_abbreviations() -> None:
    own = dictionary("en")
    assert own is not None
    for text, word in (("AIDS AND APPLIANCES", "aid"), ("The AIDS clinic", "AIDS")):
        spans = [match.span() for match in words(text)]
        entries = [one.entry for one in find_candidates(text, spans, own) if one.form == "AIDS"]
        assert [entry and entry.word for entry in entries] == [word]


def test_one_word_is_explained_in_its_sentence() -> None:
    sentence = "The patient's culture grew bacteria after two days in the incubator."
    start = sentence.index("culture")
    meaning = marginalia.explain_word(sentence, start, start + 7)
    assert (
        meaning is not None
        and meaning.word == "culture"
        and meaning.field in ("biology", "medicine")
    )
    assert marginalia.explain_word("Qwxzk sat.", 0, 5) is None
    with pytest.raises(FormatError, match="the span 5:99 is not in a sentence"):
        marginalia.explain_word("A short one.", 5, 99)
