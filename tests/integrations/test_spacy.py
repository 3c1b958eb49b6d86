"""The component for spaCy."""

from __future__ import annotations

import pytest

spacy = pytest.importorskip("spacy")

TEXT = "A cursory and egregious look.  The flask weighed 12.5 kg.\nEnd 😀 of it."


def test_notes_become_span_groups() -> None:
    nlp = spacy.blank("en")
    config = {"notes": ["words", "measurements"], "options": {"audience": "learner"}}
    nlp.add_pipe("marginalia", config=config)
    doc = nlp(TEXT)
    assert set(doc.spans) == {"words", "measurements"}
    words = {span.text for span in doc.spans["words"]}
    assert "egregious" in words
    (mass,) = [span for span in doc.spans["measurements"] if span.label_ == "measurement"]
    assert mass.text == "12.5 kg" and mass._.note.attrs["si_low"] == 12.5
    assert doc._.marginalia.text == doc.text


def test_options_and_nothing() -> None:
    nlp = spacy.blank("en")
    config = {"notes": ["words"], "options": {"audience": "learner"}}
    nlp.add_pipe("marginalia", config=config)
    loose = len(nlp(TEXT).spans["words"])
    assert loose >= 2
    assert len(nlp("").spans["words"]) == 0


def test_a_wrong_kind_of_note_is_named() -> None:
    with pytest.raises(Exception, match="poetry"):
        spacy.blank("en").add_pipe("marginalia", config={"notes": ["poetry"]})
